"""Numbers of optimisers' steps that depend on how many there were."""


def for_each(count, function):
    """A number that depends on the count of steps; a list where parameters differ in that."""
    return function(count) if type(count) is int else [function(one) for one in count]


def correction(count, beta):
    """What the mean of so many numbers is multiplied by, where it began with 0."""
    return for_each(count, lambda steps: 1.0 / (1.0 - beta**steps))
