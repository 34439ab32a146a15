"""Regions of pictures, in numbers of pixels."""

from math import ceil, floor


def rounded(number):
    """The nearest integer; of two the one farther from 0."""
    return floor(abs(number) + 0.5) * (1 if number >= 0 else -1)


def parts(first, last, count, length):
    """So many parts of a region along an axis, as far as they are within the picture."""
    size = max(last - first + 1, 1) / count
    ends = [(floor(part * size) + first, ceil((part + 1) * size) + first) for part in range(count)]
    return [slice(min(max(a, 0), length), min(max(b, 0), length)) for a, b in ends]
