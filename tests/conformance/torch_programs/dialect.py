"""The dialect of PyTorch."""

from dialect_programs.dialect import Dialect

from .differences import known_difference
from .families import FAMILIES


def known_end(program):
    """Any program may end PyTorch's process: there are few, and others each time."""
    return "PyTorch's process ends"


TORCH = Dialect(
    "torch", "PyTorch", "2.15.0", "torch_programs.runner", FAMILIES, known_difference, known_end
)
