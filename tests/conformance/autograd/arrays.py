"""What a maker of programs knows of arrays."""

import math


class Storage:
    """Elements that arrays share."""

    def __init__(self):
        self.arrays = []


class Array:
    """`flows`: something surely flows back from it; `graph`: it may be part of a graph. `attached`:
    it is a leaf; `leaf`: or a view of one. `paused`, `detached`: it is a view that is in no graph.
    `spread`: elements are there several times. `packed`: they lie side by side. `most`: none is
    larger."""

    def __init__(self, name, shape, dtype, most, base=None):
        self.name, self.shape, self.dtype, self.most = name, tuple(shape), dtype, most
        self.storage = base.storage if base else Storage()
        self.storage.arrays.append(self)
        self.packed = base is None
        self.flows = self.graph = False
        self.leaf, self.paused, self.detached, self.spread = (
            bool(base and getattr(base, mark)) for mark in ("leaf", "paused", "detached", "spread")
        )
        self.attached = False

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def count(self):
        return math.prod(self.shape)

    @property
    def real(self):
        return self.dtype.startswith("float")
