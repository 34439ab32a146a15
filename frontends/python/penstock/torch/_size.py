"""Shapes: tuples with a text of their own."""

from math import prod
from operator import index

_INTS = frozenset((int,))
_of = tuple.__new__


def _length(at, one):
    """A length as an int; a tensor or NumPy's number of one element is one too."""
    if type(one) is bool or hasattr(type(one), "__index__"):
        return int(index(one))
    raise TypeError(
        f"torch.Size() takes an iterable of 'int' (item {at} is '{type(one).__name__}')"
    )


class Size(tuple):
    """Lengths of dimensions.

    >>> from penstock import torch
    >>> torch.Size([2, 3])[:1] + (4,)
    torch.Size([2, 4])
    """

    __module__ = "torch"
    __slots__ = ()

    def __new__(cls, lengths=()):
        if type(lengths) not in (tuple, list, Size) or not _INTS.issuperset(map(type, lengths)):
            lengths = tuple(_length(at, one) for at, one in enumerate(lengths))
        return _of(cls, lengths)

    def __repr__(self):
        return f"torch.Size({list(self)!r})"

    __str__ = __repr__

    def __getitem__(self, key):
        found = tuple.__getitem__(self, key)
        return _of(Size, found) if isinstance(key, slice) else found

    def __add__(self, other):
        return _of(Size, tuple.__add__(self, tuple(Size(other)))) if isinstance(other, tuple) else NotImplemented

    def __radd__(self, other):
        return _of(Size, tuple.__add__(tuple(Size(other)), self)) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, times):
        made = tuple.__mul__(self, times)
        return made if made is NotImplemented else _of(Size, made)

    __rmul__ = __mul__

    def numel(self):
        """How many elements such a shape has."""
        return prod(self)

    def __reduce__(self):
        return restored, (tuple(self),)


def restored(lengths):
    """A shape out of a pickle, which names this function whatever the package is called."""
    return Size(lengths)
