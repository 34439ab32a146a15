"""Apple's GPUs: there are none here."""


def is_available():
    """Whether there is one: never."""
    return False


def is_built():
    """Whether one could be used: never."""
    return False
