"""Shapes: lists with a text of their own."""

from math import prod


class Size(list):
    """Lengths of dimensions, equal to a list or a tuple of the same.

    >>> from penstock import paddle
    >>> paddle.ones([2, 3]).shape, paddle.ones([2, 3]).shape == (2, 3)
    (paddle.Size([2, 3]), True)
    """

    __module__ = "paddle"
    __slots__ = ()
    __hash__ = None

    def __repr__(self):
        return f"paddle.Size({list.__repr__(self)})"

    __str__ = __repr__

    def __eq__(self, other):
        return list.__eq__(self, list(other) if type(other) is tuple else other)

    def __ne__(self, other):
        return list.__ne__(self, list(other) if type(other) is tuple else other)

    def __add__(self, other):
        return Size(list.__add__(self, other))

    def __mul__(self, count):
        return Size(list.__mul__(self, count))

    __rmul__ = __mul__

    def numel(self):
        """How many elements such a shape has."""
        return prod(self)

    def __reduce__(self):
        return restored, (list(self),)


def restored(lengths):
    """A shape out of a pickle, which names this function whatever the package is called."""
    return Size(lengths)


class TensorSize(int):
    """What x.size is: the number of elements, and called the shape, or one length of it."""

    __module__ = "paddle"

    def __new__(cls, shape):
        made = int.__new__(cls, shape.numel())
        made._shape = shape
        return made

    def __call__(self, dim=None):
        return self._shape if dim is None else self._shape[dim]
