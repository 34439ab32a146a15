"""What families make programs of torch of."""

from dialect_programs import maker
from dialect_programs.maker import COMMON, COMPLEX, FLOATS, INTEGERS, TYPES

__all__ = ["COMMON", "COMPLEX", "FLOATS", "INTEGERS", "TYPES", "Maker"]


class Maker(maker.Maker):
    """A program of torch."""

    library = "torch"
    wrong_values = [
        "None",
        "'a'",
        "[]",
        "1.5",
        "torch.ones(2, 3)",
        "object()",
        "np.ones(2)",
        "1j",
        "True",
        "(1, 2)",
    ]

    def literal(self, shape, dtype="float32", special=0.0):
        """A tensor of such elements as text."""
        if 0 in shape:
            return f"torch.zeros({shape}, dtype=torch.{dtype})"
        plain = dtype in ("float32", "int64", "bool")
        typed = "" if plain else f", dtype=torch.{dtype}"
        return f"torch.tensor({self.elements(shape, dtype, special)}{typed})"

    def tensor(self, shape=None, dtype=None, special=0.0):
        """The same, perhaps lying otherwise in memory."""
        shape = self.shape() if shape is None else tuple(shape)
        dtype = self.dtype() if dtype is None else dtype
        if len(shape) < 1 or 0 in shape or self.chance(0.75):
            return self.literal(shape, dtype, special)
        if len(shape) >= 2 and self.chance(0.5):
            turned = (*shape[:-2], shape[-1], shape[-2])
            return f"{self.literal(turned, dtype, special)}.transpose(-1, -2)"
        if self.chance(0.5):
            return f"{self.literal((shape[0] * 2, *shape[1:]), dtype, special)}[::2]"
        return f"{self.literal((shape[0] + 1, *shape[1:]), dtype, special)}[1:]"
