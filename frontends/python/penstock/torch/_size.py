"""Shapes: tuples with a text of their own."""


class Size(tuple):
    """Lengths of dimensions.

    >>> from penstock import torch
    >>> torch.Size([2, 3])[:1] + (4,)
    torch.Size([2, 4])
    """

    __module__ = "torch"
    __slots__ = ()

    def __repr__(self):
        return f"torch.Size({list(self)!r})"

    __str__ = __repr__

    def __getitem__(self, key):
        found = tuple.__getitem__(self, key)
        return Size(found) if isinstance(key, slice) else found

    def __add__(self, other):
        return Size(tuple.__add__(self, other)) if isinstance(other, tuple) else NotImplemented

    def __radd__(self, other):
        return Size(tuple.__add__(other, self)) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, times):
        made = tuple.__mul__(self, times)
        return made if made is NotImplemented else Size(made)

    __rmul__ = __mul__

    def numel(self):
        """How many elements such a shape has."""
        count = 1
        for length in self:
            count *= length
        return count

    def __reduce__(self):
        return restored, (tuple(self),)


def restored(lengths):
    """A shape out of a pickle, which names this function whatever the package is called."""
    return Size(lengths)
