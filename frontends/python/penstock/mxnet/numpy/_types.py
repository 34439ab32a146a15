"""Element types as they are given to functions, and the names of types and numbers in mx.np."""

from ... import _core
from ..base import MXNetTypeError

# What Python's own types mean: widths as NumPy has them.
_PYTHON = {float: "float64", int: "int64", bool: "bool", None: "float32"}

# Names that NumPy's own objects stand for; looked up there when they are asked for.
FROM_NUMPY = (
    "bool_",
    "finfo",
    "float16",
    "float32",
    "float64",
    "int32",
    "int64",
    "int8",
    "uint8",
)

CONSTANTS = {
    "NAN": float("nan"),
    "NINF": -float("inf"),
    "NZERO": -0.0,
    "NaN": float("nan"),
    "PINF": float("inf"),
    "PZERO": 0.0,
    "bool": bool,
    "e": 2.718281828459045,
    "inf": float("inf"),
    "nan": float("nan"),
    "newaxis": None,
    "pi": 3.141592653589793,
}


def native_type(dtype, default="float32"):
    """The native element type of what a function was given as dtype."""
    if dtype is None:
        dtype = default
    elif isinstance(dtype, type):
        dtype = _PYTHON.get(dtype, dtype)
    try:
        return _core._dtype(dtype)
    except TypeError as error:
        raise MXNetTypeError(*error.args) from None
