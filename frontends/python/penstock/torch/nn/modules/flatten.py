"""Layers that change shapes alone."""

from ... import _missing
from ..._shape import flatten, unflatten
from .module import Module

__all__ = ["Flatten", "Unflatten"]


class Flatten(Module):
    """The dimensions from start_dim to end_dim as one.

    >>> from penstock import torch
    >>> torch.nn.Flatten()(torch.ones(2, 3, 4)).shape
    torch.Size([2, 12])
    """

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input):
        return flatten(input, self.start_dim, self.end_dim)

    def extra_repr(self):
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """One dimension as several."""

    def __init__(self, dim, unflattened_size):
        super().__init__()
        if not isinstance(dim, int):
            raise NotImplementedError("Unflatten: named dimensions are not here")
        if not isinstance(unflattened_size, (tuple, list)):
            raise TypeError(
                "unflattened_size must be a tuple of ints, but found type "
                f"{type(unflattened_size).__name__}"
            )
        for at, length in enumerate(unflattened_size):
            if not isinstance(length, int):
                raise TypeError(
                    "unflattened_size must be tuple of ints, but found element of type "
                    f"{type(length).__name__} at pos {at}"
                )
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, input):
        dim, sizes = self.dim, self.unflattened_size
        length, known = input.size(dim), 1
        for one in sizes:
            known *= one if one != -1 else 1
        if length != known and (-1 not in sizes or known == 0 or length % known):
            raise RuntimeError(
                f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim "
                f"{dim} ({length}) in the input tensor"
            )
        return unflatten(input, dim, sizes)

    def extra_repr(self):
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


__getattr__ = _missing.missing("torch.nn.modules.flatten")
