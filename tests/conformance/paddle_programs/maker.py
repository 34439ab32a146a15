"""What families make programs of Paddle of."""

from dialect_programs import maker
from dialect_programs.maker import COMMON, COMPLEX, FLOATS, INTEGERS, TYPES

__all__ = ["COMMON", "COMPLEX", "FLOATS", "INTEGERS", "TYPES", "Maker"]


class Maker(maker.Maker):
    """A program of Paddle."""

    library = "paddle"
    wrong_values = [
        "None",
        "'a'",
        "[]",
        "1.5",
        "paddle.ones([2, 3])",
        "object()",
        "np.ones(2)",
        "1j",
        "True",
        "(1, 2)",
    ]

    def literal(self, shape, dtype="float32", special=0.0, flows=False):
        """A tensor of such elements as text."""
        if 0 in shape:
            return f"paddle.zeros({list(shape)}, dtype='{dtype}')"
        plain = dtype in ("float32", "int64", "bool")
        typed = "" if plain else f", dtype='{dtype}'"
        typed += ", stop_gradient=False" if flows else ""
        return f"paddle.to_tensor({self.elements(shape, dtype, special)}{typed})"

    def tensor(self, shape=None, dtype=None, special=0.0):
        """The same, perhaps lying otherwise in memory."""
        shape = self.shape() if shape is None else tuple(shape)
        dtype = self.dtype() if dtype is None else dtype
        if len(shape) < 1 or 0 in shape or self.chance(0.75):
            return self.literal(shape, dtype, special)
        if len(shape) >= 2 and self.chance(0.5):
            turned = (*shape[:-2], shape[-1], shape[-2])
            order = [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2]
            return f"{self.literal(turned, dtype, special)}.transpose({order})"
        if self.chance(0.5):
            return f"{self.literal((shape[0] * 2, *shape[1:]), dtype, special)}[::2]"
        return f"{self.literal((shape[0] + 1, *shape[1:]), dtype, special)}[1:]"

    def axes(self, ndim, wrong=0.04):
        """A list, seldom a tuple, of axes."""
        chosen = [d - ndim if self.chance(0.3) else d for d in self.some(range(ndim), ndim)]
        if self.chance(wrong):
            chosen.append(self.pick(ndim, -ndim - 1, 0, *chosen))
        return str(chosen if self.chance(0.7) else tuple(chosen))
