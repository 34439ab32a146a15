"""Linear algebra: paddle.linalg."""

from . import _missing
from ._product import matmul
from ._reduce import norm

__all__ = ["matmul", "norm"]
__getattr__ = _missing.missing("paddle.linalg")
