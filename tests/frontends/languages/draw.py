"""Small random things: numbers, shapes, axes, items of indices."""

import random

from model import COMPLEX, DTYPES, FLOATS, UNSIGNED, Value, bits, sliced
from statements import ELLIPSIS, NEW, Slice

NUMBERS = [0.0, -0.0, 1.0, 0.5, -2.0, 0.1, 1e-3, 1e4]
LARGE = [(40000,), (250, 200), (3, 20000)]  # queued, and divided over workers


class Draw(random.Random):
    """The source of a program's random choices."""

    def chance(self, probability):
        return self.random() < probability

    def shape(self, most=3):
        return tuple(self.choice([1, 2, 3, 3, 4, 5, 7]) for _ in range(self.randint(0, most)))

    def creation_shape(self):
        if self.chance(0.06):
            return self.choice(LARGE)
        if self.chance(0.04):
            return self.choice([(0,), (2, 0), (0, 3)])
        return self.shape()

    def dtype(self):
        return self.choice(DTYPES + ["float32"] * 6 + ["float64"] * 3 + ["int64"] * 3)

    def float_number(self):
        return self.choice(NUMBERS) if self.chance(0.3) else round(self.uniform(-4, 4), 3)

    def integer(self, dtype):
        """That fits the type."""
        low = 0 if dtype in UNSIGNED else -9
        if self.chance(0.1):
            return 2 ** (bits(dtype) - 2) - self.randint(0, 3)
        return self.randint(low, 9)

    def element(self, dtype):
        """A number of a type's own kind."""
        if dtype == "bool":
            return self.chance(0.5)
        if dtype in FLOATS:
            return self.float_number()
        if dtype in COMPLEX:
            return complex(self.float_number(), self.float_number())
        return self.integer(dtype)

    def nested(self, shape, element):
        """Nested lists of that shape."""
        if not shape:
            return element()
        return [self.nested(shape[1:], element) for _ in range(shape[0])]

    def number_beside(self, dtype):
        """A number to stand beside an array, mostly of its kind; a small one."""
        kind = dtype if self.chance(0.75) else self.choice(["bool", "int8", "float32", "complex64"])
        if self.chance(0.03):
            return 300
        return self.randint(0, 5) if kind not in FLOATS + COMPLEX + ["bool"] else self.element(kind)

    def axis(self, ndim):
        return self.randint(-ndim, ndim - 1)

    def axes(self, ndim):
        """Some, without repeats."""
        chosen = self.sample(range(ndim), self.randint(1, ndim))
        return tuple(axis - ndim if self.chance(0.3) else axis for axis in chosen)

    def bound(self, length):
        return None if self.chance(0.3) else self.randint(-length - 1, length + 1)

    def range_item(self, length):
        step = self.choice([None, None, 1, 2, 3, -1, -2])
        return Slice(self.bound(length), self.bound(length), step)

    def items(self, value):
        """Items without arrays, and what they give."""
        items, shape = [], []
        used = self.randint(0, value.ndim)
        cut = self.randint(0, used) if self.chance(0.3) else None  # where an ellipsis stands
        for place in range(used):
            if place == cut:
                items.append(ELLIPSIS)
                shape += value.shape[place : value.ndim - used + place]
            if self.chance(0.12):
                items.append(NEW)
                shape.append(1)
            length = value.shape[place if cut is None or place < cut else value.ndim - used + place]
            if length and self.chance(0.4):
                items.append(self.randint(-length, length - 1))
            else:
                items.append(self.range_item(length))
                shape.append(sliced(length, items[-1]))
        if cut is None or cut >= used:
            shape += value.shape[used:]
        return tuple(items), Value(value.dtype, tuple(shape))
