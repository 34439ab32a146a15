"""Shapes as the arguments of both dialects state them.

Codes may stand for lengths of a new shape: both dialects have them, by other numbers.
"""

from .base import MXNetValueError

def coded_shape(shape, codes, meanings, reverse=False):
    """The lengths that codes mean for an array of a shape; -1 stays, for what is left."""
    if reverse:
        return coded_shape(shape[::-1], _turned(codes, meanings), meanings)[::-1]
    left, made, codes = _Dimensions(shape), [], iter(codes)
    for code in codes:
        if code in meanings and code != -1:
            made += meanings[code](left, codes)
        elif code < -1:
            raise MXNetValueError(f"reshape: there is no code {code}; codes are {list(meanings)}")
        else:
            made.append(code)
            left.pass_one()
    return tuple(made)


class _Dimensions:
    """The dimensions that are left."""

    def __init__(self, shape):
        self.shape, self.place = shape, 0

    def pass_one(self):
        self.place += self.place < len(self.shape)

    def next(self):
        if self.place == len(self.shape):
            raise MXNetValueError(f"reshape: shape {self.shape} has no dimension {self.place}")
        self.place += 1
        return self.shape[self.place - 1]

    def rest(self):
        rest, self.place = self.shape[self.place :], len(self.shape)
        return rest


def _dropped(left, codes):
    length = left.next()
    if length != 1:
        raise MXNetValueError(f"reshape: only a dimension of length 1 is left out, not of {length}")
    return ()


def _split(left, codes):
    """One length as the two that follow the code; one of them may be -1."""
    length, first, second = left.next(), next(codes, None), next(codes, None)
    if second is None:
        raise MXNetValueError(f"reshape: two lengths must follow to split {length}")
    if first == -1 and second > 0:
        first = length // second
    elif second == -1 and first > 0:
        second = length // first
    if first * second != length or first < 0:
        raise MXNetValueError(f"reshape: {length} cannot be split into {first} and {second}")
    return first, second


def _kept(left, codes):
    return (left.next(),)


def _rest(left, codes):
    return left.rest()


def _joined(left, codes):
    return (left.next() * left.next(),)


# A code -> what it makes of the dimensions that are left, from the first one on; -1 is what is left.
ND = {0: _kept, -1: None, -2: _rest, -3: _joined, -4: _split}
NPX = {-1: None, -2: _kept, -3: _dropped, -4: _rest, -5: _joined, -6: _split}


def _turned(codes, meanings):
    """Codes to be read from the right; a split goes with the two lengths behind it."""
    groups, codes = [], list(codes)
    while codes:
        count = 3 if meanings.get(codes[0]) is _split else 1
        group, codes = codes[:count], codes[count:]
        groups.append([group[0], *group[:0:-1]])
    return [code for group in groups[::-1] for code in group]


def inferred(shape, made):
    """The lengths with what -1 stands for in the place of one; 0 beside a length of 0."""
    if -1 not in made:
        return made
    if made.count(-1) > 1:
        raise MXNetValueError(f"reshape: only one length can be -1, not those of {made}")
    rest = product(length for length in made if length != -1)
    left = product(shape) // rest if rest else 0
    return tuple(left if length == -1 else length for length in made)


def product(lengths):
    """How many elements such lengths have."""
    count = 1
    for length in lengths:
        count *= length
    return count


def shape_like(shape, like, left, right):
    """A shape in which the dimensions of a slice `left` are those of a slice of another."""
    made = list(shape)
    made[left] = like[right]
    return tuple(made)


def part_key(function, shape, begin, end, step):
    """The key of a part from begin to end, by steps, along the first axes."""
    begin, end = _several(begin), _several(end)
    step = (None,) * len(begin) if step is None or step == () else _several(step)
    if not len(begin) == len(end) == len(step) <= len(shape):
        raise MXNetValueError(
            f"{function}: begin {begin}, end {end} and step {step} do not fit shape {shape}"
        )
    return tuple(map(slice, begin, end, step))


def _several(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def check_batches(function, left, right):
    """Shapes of equally many matrices, in three dimensions or more."""
    if len(left) < 3 or len(left) != len(right) or left[:-2] != right[:-2]:
        raise MXNetValueError(
            f"{function}: shapes {left} and {right} are not equally many matrices"
        )


def check_weight(function, shape, num_hidden):
    """The shape of a weight that has a row for each of so many results."""
    if len(shape) != 2 or shape[0] != num_hidden:
        raise MXNetValueError(
            f"{function}: weight has shape {shape}; num_hidden is {num_hidden}"
        )
