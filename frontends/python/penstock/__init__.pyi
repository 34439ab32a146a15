"""Penstock: arrays whose operations are queued and run in the background."""

# Made by tools/python_stubs.py (make generate); do not edit.

from types import ModuleType
from builtins import bool as _bool
from collections.abc import Sequence
from typing import Any, NamedTuple, SupportsIndex, overload

from . import autograd as autograd, data as data, engine as engine, files as files, linalg as linalg, memory as memory, metric as metric, nn as nn, optim as optim, random as random
from ._core import (
    _ArrayLike as _ArrayLike,
    _DTypeLike as _DTypeLike,
    _Ints as _Ints,
    _DType as _DType,
    __version__ as __version__,
    Dialect as Dialect,
    array as array,
    asarray as asarray,
    bfloat16 as bfloat16,
    bool as bool,
    complex128 as complex128,
    complex64 as complex64,
    dtype as dtype,
    float16 as float16,
    float32 as float32,
    float64 as float64,
    from_dlpack as from_dlpack,
    frombuffer as frombuffer,
    int16 as int16,
    int32 as int32,
    int64 as int64,
    int8 as int8,
    ndarray as ndarray,
    uint16 as uint16,
    uint32 as uint32,
    uint64 as uint64,
    uint8 as uint8,
    waitall as waitall,
)

from .files import (
    load as load,
    save as save,
)

__all__ = [
    "Dialect",
    "__array_namespace_info__",
    "abs",
    "absolute",
    "acos",
    "acosh",
    "add",
    "all",
    "allclose",
    "amax",
    "amin",
    "any",
    "arange",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "argmax",
    "argmin",
    "argsort",
    "argwhere",
    "around",
    "array",
    "array_equal",
    "array_split",
    "asarray",
    "asin",
    "asinh",
    "astype",
    "atan",
    "atan2",
    "atanh",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "autograd",
    "average",
    "bfloat16",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "bool",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "call",
    "can_cast",
    "ceil",
    "clip",
    "column_stack",
    "complex128",
    "complex64",
    "concat",
    "concatenate",
    "conj",
    "conjugate",
    "copy",
    "copysign",
    "cos",
    "cosh",
    "count_nonzero",
    "cumprod",
    "cumsum",
    "cumulative_prod",
    "cumulative_sum",
    "data",
    "diag",
    "diagonal",
    "diff",
    "divide",
    "dot",
    "dsplit",
    "dstack",
    "dtype",
    "e",
    "empty",
    "empty_like",
    "engine",
    "equal",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expand_dims",
    "expm1",
    "eye",
    "files",
    "finfo",
    "fix",
    "flatnonzero",
    "flatten",
    "flip",
    "fliplr",
    "flipud",
    "float16",
    "float32",
    "float64",
    "floor",
    "floor_divide",
    "fmod",
    "from_dlpack",
    "frombuffer",
    "full",
    "full_like",
    "greater",
    "greater_equal",
    "hsplit",
    "hstack",
    "hypot",
    "identity",
    "iinfo",
    "imag",
    "inf",
    "inner",
    "install_as",
    "int16",
    "int32",
    "int64",
    "int8",
    "invert",
    "isclose",
    "isdtype",
    "isfinite",
    "isin",
    "isinf",
    "isnan",
    "kron",
    "left_shift",
    "less",
    "less_equal",
    "linalg",
    "linspace",
    "load",
    "log",
    "log10",
    "log1p",
    "log2",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "masked_fill",
    "masked_select",
    "matmul",
    "matrix_transpose",
    "max",
    "maximum",
    "mean",
    "memory",
    "meshgrid",
    "metric",
    "min",
    "minimum",
    "mod",
    "moveaxis",
    "multiply",
    "nan",
    "nan_to_num",
    "ndarray",
    "negative",
    "newaxis",
    "nextafter",
    "nn",
    "nonzero",
    "not_equal",
    "ones",
    "ones_like",
    "optim",
    "outer",
    "pad",
    "permute_dims",
    "pi",
    "positive",
    "pow",
    "power",
    "prod",
    "ptp",
    "random",
    "ravel",
    "real",
    "reciprocal",
    "remainder",
    "repeat",
    "reshape",
    "result_type",
    "right_shift",
    "roll",
    "rollaxis",
    "round",
    "rsqrt",
    "save",
    "searchsorted",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sort",
    "split",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "std",
    "subtract",
    "sum",
    "swapaxes",
    "take",
    "take_along_axis",
    "tan",
    "tanh",
    "tensordot",
    "tile",
    "topk",
    "trace",
    "transpose",
    "tri",
    "tril",
    "triu",
    "true_divide",
    "trunc",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "unstack",
    "var",
    "vdot",
    "vecdot",
    "vsplit",
    "vstack",
    "waitall",
    "where",
    "zeros",
    "zeros_like",
]

class _FloatInfo:
    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    tiny: float
    dtype: _DType

class _IntegerInfo:
    bits: int
    max: int
    min: int
    dtype: _DType

class _UniqueAll(NamedTuple):
    values: ndarray
    indices: ndarray
    inverse_indices: ndarray
    counts: ndarray

class _UniqueCounts(NamedTuple):
    values: ndarray
    counts: ndarray

class _UniqueInverse(NamedTuple):
    values: ndarray
    inverse_indices: ndarray

__array_api_version__: str

class __array_namespace_info__:
    """What the library can do, as the array API standard asks."""
    def capabilities(self) -> dict[str, Any]:
        """Boolean indexing, shapes that depend on values, and the most dimensions."""
    def default_device(self) -> str:
        """Where arrays are made."""
    def default_dtypes(self, *, device: str | None = None) -> dict[str, dtype]:
        """Element types that Python's numbers become."""
    def devices(self) -> list[str]:
        """All devices."""
    def dtypes(
        self,
        *,
        device: str | None = None,
        kind: str | tuple[str,...] | None = None,
    ) -> dict[str, dtype]:
        """The element types of a kind by name; those of the standard if none is given."""

def abs(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Absolute value."""
def absolute(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Absolute value."""
def acos(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Inverse cosine."""
def acosh(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Inverse hyperbolic cosine."""
def add(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Sum of the operands."""
def all(
    x: _ArrayLike,
    /,
    axis: _Ints | None = None,
    *,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """Whether no element is 0."""
def allclose(
    x1: _ArrayLike,
    x2: _ArrayLike,
    /,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: _bool = False,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """Whether isclose is true of all elements."""
def amax(
    x: _ArrayLike,
    /,
    axis: _Ints | None = None,
    *,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """Largest element over the axes; NaN if there is one."""
def amin(
    x: _ArrayLike,
    /,
    axis: _Ints | None = None,
    *,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """Smallest element over the axes; NaN if there is one."""
def any(
    x: _ArrayLike,
    /,
    axis: _Ints | None = None,
    *,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """Whether one element is not 0."""
def arange(
    start: complex,
    /,
    stop: complex | None = None,
    step: complex = 1,
    *,
    dtype: _DTypeLike | None = None,
    device: str | None = None,
) -> ndarray:
    """start, start + step, ... before stop; with one number from 0 to it."""
def arccos(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Inverse cosine."""
def arccosh(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Inverse hyperbolic cosine."""
def arcsin(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Inverse sine."""
def arcsinh(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Inverse hyperbolic sine."""
def arctan(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Inverse tangent."""
def arctan2(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Angle of the point (x2, x1)."""
def arctanh(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Inverse hyperbolic tangent."""
def argmax(
    x: _ArrayLike,
    /,
    axis: SupportsIndex | None = None,
    *,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """Place of the first largest element, along the axis or in all of x."""
def argmin(
    x: _ArrayLike,
    /,
    axis: SupportsIndex | None = None,
    *,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """Place of the first smallest element, along the axis or in all of x."""
def argsort(
    x: _ArrayLike,
    /,
    axis: SupportsIndex = -1,
    *,
    descending: _bool = False,
    stable: _bool = True,
    out: ndarray | None = None,
) -> ndarray:
    """Positions along the axis of the elements in order, as int64; the order is that of sort."""
def argwhere(x: _ArrayLike, /) -> ndarray:
    """Places of the elements that are not 0, one row for each. Waits for x."""
def around(
    x: _ArrayLike,
    /,
    decimals: SupportsIndex = 0,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """Rounded to the nearest number with so many decimals, halves to the even one; below 0 to tens, hundreds and so on."""
def array_equal(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Whether shapes and elements are the same."""
def array_split(
    x: _ArrayLike,
    indices_or_sections: _Ints,
    axis: SupportsIndex = 0,
) -> list[ndarray]:
    """Views of parts along an axis: so many, as equal as can be, or cut at the given places."""
def asin(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Inverse sine."""
def asinh(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Inverse hyperbolic sine."""
def astype(
    x: _ArrayLike,
    dtype: _DTypeLike,
    /,
    *,
    copy: _bool = True,
    device: str | None = None,
) -> ndarray:
    """The elements as another type; the array itself if it has that type and copy is False."""
def atan(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Inverse tangent."""
def atan2(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Angle of the point (x2, x1)."""
def atanh(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Inverse hyperbolic tangent."""
def atleast_1d(*arrays: Sequence[_ArrayLike]) -> Any:
    """The arrays, each with one dimension or more."""
def atleast_2d(*arrays: Sequence[_ArrayLike]) -> Any:
    """The arrays, each with two dimensions or more; new ones come in front."""
def atleast_3d(*arrays: Sequence[_ArrayLike]) -> Any:
    """The arrays, each with three dimensions or more."""
def average(
    x: _ArrayLike,
    /,
    axis: _Ints | None = None,
    weights: _ArrayLike | None = None,
    *,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """Mean over the axes; with weights, one for each element or for each place along one axis, weighted by them."""
def bitwise_and(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Bits that are set in both."""
def bitwise_invert(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """All bits changed."""
def bitwise_left_shift(
    x1: _ArrayLike,
    x2: _ArrayLike,
    /,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """Bits moved up; a count of the width or more gives 0."""
def bitwise_not(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """All bits changed."""
def bitwise_or(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Bits that are set in one or both."""
def bitwise_right_shift(
    x1: _ArrayLike,
    x2: _ArrayLike,
    /,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """Bits moved down; the sign stays."""
def bitwise_xor(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Bits that are set in just one."""
def broadcast_arrays(*arrays: Sequence[_ArrayLike]) -> tuple[ndarray, ...]:
    """Views of the arrays in their common shape."""
def broadcast_shapes(*shapes: _Ints) -> tuple[int, ...]:
    """The shape to which all are broadcast."""
def broadcast_to(x: _ArrayLike, /, shape: _Ints) -> ndarray:
    """A view of the given shape in which elements repeat."""
def call(name: str, /, *args: Any, **kwargs: Any) -> Any:
    """Call an operation by its name, also one that C code has added to the running program."""
def can_cast(from_: _DTypeLike | ndarray, to: _DTypeLike, /) -> _bool:
    """Whether a type goes into another by the rules of promotion."""
def ceil(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Rounded up."""
def clip(
    x: _ArrayLike,
    /,
    min: _ArrayLike | None = None,
    max: _ArrayLike | None = None,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """The operand, but at least min and at most max."""
def column_stack(arrays: Sequence[_ArrayLike], /) -> ndarray:
    """The arrays side by side; those of one dimension are columns."""
def concat(
    arrays: Sequence[_ArrayLike],
    /,
    axis: SupportsIndex = 0,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """The arrays one behind the other along an axis; with None, all elements of each."""
def concatenate(
    arrays: Sequence[_ArrayLike],
    /,
    axis: SupportsIndex = 0,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """The arrays one behind the other along an axis; with None, all elements of each."""
def conj(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Complex conjugate."""
def conjugate(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Complex conjugate."""
def copy(x: _ArrayLike, /) -> ndarray:
    """The same elements in a storage of their own."""
def copysign(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """The magnitude of the first operand with the sign of the second."""
def cos(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Cosine."""
def cosh(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Hyperbolic cosine."""
def count_nonzero(
    x: _ArrayLike,
    /,
    *,
    axis: _Ints | None = None,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """How many elements are not 0, over the axes."""
def cumprod(
    x: _ArrayLike,
    /,
    axis: SupportsIndex | None = None,
    dtype: _DTypeLike | None = None,
    *,
    include_initial: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """Product of the elements up to each, along the axis or over all of x as one dimension; types as for cumulative_sum. With initial a 1 comes before them."""
def cumsum(
    x: _ArrayLike,
    /,
    axis: SupportsIndex | None = None,
    dtype: _DTypeLike | None = None,
    *,
    include_initial: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """Sum of the elements up to each, along the axis or over all of x as one dimension; small integers and bool add up as int64 or uint64, 16-bit floats as float32. With initial a 0 comes before them."""
def cumulative_prod(
    x: _ArrayLike,
    /,
    *,
    axis: SupportsIndex | None = None,
    dtype: _DTypeLike | None = None,
    include_initial: _bool = False,
) -> ndarray:
    """Product of the elements up to each along the axis, which only one dimension may leave out."""
def cumulative_sum(
    x: _ArrayLike,
    /,
    *,
    axis: SupportsIndex | None = None,
    dtype: _DTypeLike | None = None,
    include_initial: _bool = False,
) -> ndarray:
    """Sum of the elements up to each along the axis, which only one dimension may leave out."""
def diag(x: _ArrayLike, /, k: SupportsIndex = 0) -> ndarray:
    """Of one dimension a matrix with the elements on a diagonal, else 0; of a matrix a view of that diagonal."""
def diagonal(
    x: _ArrayLike,
    /,
    offset: SupportsIndex = 0,
    axis1: SupportsIndex = 0,
    axis2: SupportsIndex = 1,
) -> ndarray:
    """A view of the elements on a diagonal of two axes, along a last axis."""
def diff(
    x: _ArrayLike,
    /,
    *,
    axis: SupportsIndex = -1,
    n: SupportsIndex = 1,
    prepend: _ArrayLike | None = None,
    append: _ArrayLike | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Differences of neighbours along the axis, n times, perhaps of x with elements before and behind it; of bool whether neighbours differ."""
def divide(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Quotient of the operands; integers are divided as float32."""
def dot(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Sum of products over the last dimension of x1 and the second to last (or only) one of x2."""
def dsplit(x: _ArrayLike, indices_or_sections: _Ints) -> list[ndarray]:
    """split along the third axis."""
def dstack(arrays: Sequence[_ArrayLike], /) -> ndarray:
    """The arrays behind each other, along the third axis."""
e: float
def empty(
    shape: _Ints,
    dtype: _DTypeLike | None = None,
    *,
    device: str | None = None,
) -> ndarray:
    """Elements of no particular value."""
def empty_like(
    x: _ArrayLike,
    /,
    *,
    dtype: _DTypeLike | None = None,
    device: str | None = None,
) -> ndarray:
    """An array of the same shape and type; its elements have no particular value."""
def equal(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Whether the operands are equal."""
def erf(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Error function."""
def erfc(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """1 - erf(x), accurate where that is small."""
def exp(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """e to the power of the operand."""
def exp2(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """2 to the power of the operand."""
def expand_dims(x: _ArrayLike, /, axis: SupportsIndex = 0) -> ndarray:
    """A view with a new dimension of length 1."""
def expm1(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """exp(x) - 1, accurate near 0."""
def eye(
    n_rows: SupportsIndex,
    n_cols: SupportsIndex | None = None,
    /,
    k: SupportsIndex = 0,
    *,
    dtype: _DTypeLike | None = None,
    device: str | None = None,
) -> ndarray:
    """1 on a diagonal, else 0."""
def finfo(dtype: _DTypeLike | ndarray, /) -> _FloatInfo:
    """Limits of a floating-point type: bits, eps, max, min, smallest_normal, tiny, dtype."""
def fix(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Rounded toward zero."""
def flatnonzero(x: _ArrayLike, /) -> ndarray:
    """Places of the elements that are not 0 among all elements. Waits for x."""
def flatten(x: _ArrayLike, /) -> ndarray:
    """A copy of all elements in one dimension."""
def flip(x: _ArrayLike, /, axis: _Ints | None = None) -> ndarray:
    """A view with the order along the axes reversed; all axes if none is given."""
def fliplr(x: _ArrayLike, /) -> ndarray:
    """A view with the second dimension in reverse order."""
def flipud(x: _ArrayLike, /) -> ndarray:
    """A view with the first dimension in reverse order."""
def floor(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Rounded down."""
def floor_divide(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Quotient rounded down. Integer division by zero gives 0."""
def fmod(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """What division rounded toward zero leaves; it has the dividend's sign."""
def full(
    shape: _Ints,
    fill_value: complex,
    dtype: _DTypeLike | None = None,
    *,
    device: str | None = None,
) -> ndarray:
    """All elements equal to value; its type decides the element type if none is given."""
def full_like(
    x: _ArrayLike,
    /,
    fill_value: complex,
    *,
    dtype: _DTypeLike | None = None,
    device: str | None = None,
) -> ndarray:
    """An array of the same shape and type; all elements are the given number."""
def greater(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Whether x1 > x2."""
def greater_equal(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Whether x1 >= x2."""
def hsplit(x: _ArrayLike, indices_or_sections: _Ints) -> list[ndarray]:
    """split along the second axis; of one dimension, along that."""
def hstack(arrays: Sequence[_ArrayLike], /) -> ndarray:
    """The arrays side by side, along the second axis; those of one dimension end to end."""
def hypot(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Square root of the sum of squares, without overflow on the way."""
def identity(n: SupportsIndex, dtype: _DTypeLike | None = None) -> ndarray:
    """A square matrix with 1 on the diagonal, else 0."""
def iinfo(dtype: _DTypeLike | ndarray, /) -> _IntegerInfo:
    """Limits of an integer type: bits, max, min, dtype."""
def imag(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Imaginary part, as a new tensor."""
inf: float
def inner(x1: _ArrayLike, x2: _ArrayLike, /) -> ndarray:
    """Sum of products over the last dimension of both."""
def install_as(name: str) -> ModuleType:
    """Makes programs that import a library get Penstock's package for them; gives that package."""
def invert(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """All bits changed."""
def isclose(
    x1: _ArrayLike,
    x2: _ArrayLike,
    /,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: _bool = False,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """Whether |x1 - x2| <= atol + rtol * |x2|, for each element; integers are compared as float64."""
def isdtype(dtype: _DTypeLike, kind: _DTypeLike | tuple[_DTypeLike, ...]) -> _bool:
    """Whether an element type is of a kind: a name of the array API standard, a type, or several."""
def isfinite(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Whether it is neither infinite nor NaN."""
def isin(
    x1: _ArrayLike,
    x2: _ArrayLike,
    /,
    *,
    invert: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """Whether each element of x1 is among those of x2; with invert whether it is not."""
def isinf(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Whether it is infinite."""
def isnan(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Whether it is NaN."""
def kron(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """The Kronecker product: each element of x1 times x2, as blocks in its place."""
def left_shift(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Bits moved up; a count of the width or more gives 0."""
def less(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Whether x1 < x2."""
def less_equal(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Whether x1 <= x2."""
def linspace(
    start: float,
    stop: float,
    /,
    num: SupportsIndex = 50,
    *,
    endpoint: _bool = True,
    dtype: _DTypeLike | None = None,
    device: str | None = None,
) -> ndarray:
    """count numbers at equal distances from start to stop."""
def log(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Natural logarithm."""
def log10(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Logarithm to base 10."""
def log1p(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """log(1 + x), accurate near 0."""
def log2(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Logarithm to base 2."""
def logaddexp(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """log(exp(x1) + exp(x2)), without overflow on the way."""
def logical_and(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Whether both are true; numbers are true unless 0."""
def logical_not(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Whether it is false; numbers are true unless 0."""
def logical_or(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Whether one is true; numbers are true unless 0."""
def logical_xor(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Whether just one is true; numbers are true unless 0."""
def masked_fill(
    x: _ArrayLike,
    /,
    mask: _ArrayLike,
    value: complex,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """x with a value where the mask is true."""
def masked_select(x: _ArrayLike, /, mask: _ArrayLike) -> ndarray:
    """The elements where the mask is true, in one dimension. Waits for the mask."""
def matmul(
    x1: _ArrayLike,
    x2: _ArrayLike,
    /,
    *,
    transpose1: _bool = False,
    transpose2: _bool = False,
    bias: _ArrayLike | None = None,
    activation: str | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Matrix product of the last two dimensions, the others broadcast; then bias is added and the activation (relu) applied."""
def matrix_transpose(x: _ArrayLike, /) -> ndarray:
    """A view with the last two dimensions swapped."""
def max(
    x: _ArrayLike,
    /,
    axis: _Ints | None = None,
    *,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """Largest element over the axes; NaN if there is one."""
def maximum(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """The larger operand; NaN if either is NaN."""
def mean(
    x: _ArrayLike,
    /,
    axis: _Ints | None = None,
    *,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """Mean over the axes; integers as float32."""
def meshgrid(*arrays: Sequence[_ArrayLike], indexing: str = 'xy') -> tuple[ndarray, ...]:
    """Coordinates of a grid: for each array of one dimension, its elements along one axis."""
def min(
    x: _ArrayLike,
    /,
    axis: _Ints | None = None,
    *,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """Smallest element over the axes; NaN if there is one."""
def minimum(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """The smaller operand; NaN if either is NaN."""
def mod(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """What floor_divide leaves; it has the divisor's sign."""
def moveaxis(x: _ArrayLike, source: _Ints, destination: _Ints, /) -> ndarray:
    """A view with dimensions moved to other places; the others keep their order."""
def multiply(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Product of the operands."""
nan: float
def nan_to_num(
    x: _ArrayLike,
    /,
    nan: complex = 0.0,
    posinf: complex | None = None,
    neginf: complex | None = None,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """x with numbers in the place of NaN and infinities: if none is given 0, and the largest and smallest number of the type."""
def negative(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """The operand with its sign changed."""
newaxis: None
def nextafter(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """The next number after the first operand toward the second."""
def nonzero(x: _ArrayLike, /) -> tuple[ndarray, ...]:
    """Places of the elements that are not 0: an array of positions for each axis. Waits for x."""
def not_equal(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Whether the operands differ."""
def ones(
    shape: _Ints,
    dtype: _DTypeLike | None = None,
    *,
    device: str | None = None,
) -> ndarray:
    """All elements 1."""
def ones_like(
    x: _ArrayLike,
    /,
    *,
    dtype: _DTypeLike | None = None,
    device: str | None = None,
) -> ndarray:
    """An array of the same shape and type; all elements are 1."""
def outer(x1: _ArrayLike, x2: _ArrayLike, /) -> ndarray:
    """All products of an element of x1 and one of x2, as a matrix."""
def pad(
    x: _ArrayLike,
    pad_width: Any,
    mode: str = 'constant',
    *,
    constant_values: complex = 0,
) -> ndarray:
    """Elements added before and after along each axis."""
@overload
def permute_dims(x: _ArrayLike, /, axes: _Ints | None = None) -> ndarray:
    """A view with the dimensions in another order; reversed if none is given."""
@overload
def permute_dims(x: _ArrayLike, /, *axes: SupportsIndex) -> ndarray:
    """A view with the dimensions in another order; reversed if none is given."""
pi: float
def positive(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """The operand itself, as a new tensor."""
def pow(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """The first operand raised to the power of the second."""
def power(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """The first operand raised to the power of the second."""
def prod(
    x: _ArrayLike,
    /,
    axis: _Ints | None = None,
    dtype: _DTypeLike | None = None,
    *,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """Product over the axes; small integers and bool multiply as int64 or uint64."""
def ptp(
    x: _ArrayLike,
    /,
    axis: _Ints | None = None,
    *,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """The largest element minus the smallest, over the axes."""
def ravel(x: _ArrayLike, /) -> ndarray:
    """All elements in one dimension: a view if possible, else a copy."""
def real(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Real part, as a new tensor."""
def reciprocal(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """One over the operand."""
def remainder(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """What floor_divide leaves; it has the divisor's sign."""
def repeat(
    x: _ArrayLike,
    /,
    repeats: SupportsIndex,
    axis: SupportsIndex | None = None,
) -> ndarray:
    """Each element several times, one behind the other."""
@overload
def reshape(x: _ArrayLike, /, shape: _Ints, *, copy: _bool | None = None) -> ndarray:
    """The same elements in another shape: a view if possible, else a copy. One length may be -1."""
@overload
def reshape(x: _ArrayLike, /, *shape: SupportsIndex, copy: _bool | None = None) -> ndarray:
    """The same elements in another shape: a view if possible, else a copy. One length may be -1."""
def result_type(*arrays_and_dtypes: Any) -> dtype:
    """The element type that an operation on all of them gives; Python's numbers are weak."""
def right_shift(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Bits moved down; the sign stays."""
def roll(x: _ArrayLike, /, shift: _Ints, axis: _Ints | None = None) -> ndarray:
    """Elements moved along the axes; what leaves at one end enters at the other."""
def rollaxis(x: _ArrayLike, axis: SupportsIndex, start: SupportsIndex = 0, /) -> ndarray:
    """A view with one dimension moved back until it stands before another."""
def round(
    x: _ArrayLike,
    /,
    decimals: SupportsIndex = 0,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """Rounded to the nearest number with so many decimals, halves to the even one; below 0 to tens, hundreds and so on."""
def rsqrt(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """One over the square root."""
def searchsorted(
    x1: _ArrayLike,
    x2: _ArrayLike,
    /,
    *,
    side: str = 'left',
    sorter: _ArrayLike | None = None,
) -> ndarray:
    """Where in x1, which is sorted, each element of x2 belongs: left or right of equal elements."""
def sign(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """-1, 0 or 1 by the sign; of a complex number x / |x|."""
def signbit(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Whether its sign is minus; true for -0."""
def sin(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Sine."""
def sinh(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Hyperbolic sine."""
def sort(
    x: _ArrayLike,
    /,
    axis: SupportsIndex = -1,
    *,
    descending: _bool = False,
    stable: _bool = True,
    out: ndarray | None = None,
) -> ndarray:
    """The elements along the axis in order. NaN counts as the largest, -0 equals 0, complex numbers go by their real parts first. Equal elements always stay in their order."""
def split(x: _ArrayLike, indices_or_sections: _Ints, axis: SupportsIndex = 0) -> list[ndarray]:
    """Views of parts along an axis: so many equal ones, or cut at the given places."""
def sqrt(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Square root."""
def square(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """The operand times itself."""
def squeeze(x: _ArrayLike, /, axis: _Ints | None = None) -> ndarray:
    """A view without the dimensions of length 1, or without the given ones."""
def stack(
    arrays: Sequence[_ArrayLike],
    /,
    axis: SupportsIndex = 0,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """The tensors side by side along a new axis."""
def std(
    x: _ArrayLike,
    /,
    axis: _Ints | None = None,
    *,
    correction: float = 0.0,
    ddof: float = 0.0,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """Square root of the variance."""
def subtract(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Difference of the operands."""
def sum(
    x: _ArrayLike,
    /,
    axis: _Ints | None = None,
    dtype: _DTypeLike | None = None,
    *,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """Sum over the axes; small integers and bool add up as int64 or uint64."""
def swapaxes(x: _ArrayLike, axis1: SupportsIndex, axis2: SupportsIndex, /) -> ndarray:
    """A view with two dimensions swapped."""
def take(
    x: _ArrayLike,
    /,
    indices: _ArrayLike,
    axis: SupportsIndex | None = None,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """Elements, or slices along the axis, at integer positions. A position out of range is found while running."""
def take_along_axis(x: _ArrayLike, indices: _ArrayLike, /, axis: SupportsIndex = -1) -> ndarray:
    """Elements at integer positions that are given for each line along the axis; the other axes are broadcast. A position out of range is found while running."""
def tan(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Tangent."""
def tanh(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Hyperbolic tangent."""
def tensordot(
    x1: _ArrayLike,
    x2: _ArrayLike,
    /,
    axes: SupportsIndex | Sequence[_Ints] = 2,
) -> ndarray:
    """Sum of products over axes of both: the last `axes` of x1 and first of x2, or two lists."""
def tile(x: _ArrayLike, /, reps: _Ints) -> ndarray:
    """The whole tensor several times along each dimension."""
def topk(
    x: _ArrayLike,
    /,
    k: SupportsIndex,
    axis: SupportsIndex = -1,
    *,
    largest: _bool = True,
    out: ndarray | None = None,
) -> ndarray:
    """Positions along the axis of the k largest elements, or smallest, in order, as int64. Of equal elements the first ones."""
def trace(
    x: _ArrayLike,
    /,
    offset: SupportsIndex = 0,
    axis1: SupportsIndex = 0,
    axis2: SupportsIndex = 1,
    dtype: _DTypeLike | None = None,
) -> ndarray:
    """Sum of a diagonal of two axes; types as for sum."""
@overload
def transpose(x: _ArrayLike, /, axes: _Ints | None = None) -> ndarray:
    """A view with the dimensions in another order; reversed if none is given."""
@overload
def transpose(x: _ArrayLike, /, *axes: SupportsIndex) -> ndarray:
    """A view with the dimensions in another order; reversed if none is given."""
def tri(
    n: SupportsIndex,
    m: SupportsIndex | None = None,
    k: SupportsIndex = 0,
    dtype: _DTypeLike | None = None,
) -> ndarray:
    """1 on and below a diagonal, else 0."""
def tril(x: _ArrayLike, /, *, k: SupportsIndex = 0) -> ndarray:
    """The elements on and below a diagonal of the last two dimensions, else 0."""
def triu(x: _ArrayLike, /, *, k: SupportsIndex = 0) -> ndarray:
    """The elements on and above a diagonal of the last two dimensions, else 0."""
def true_divide(x1: _ArrayLike, x2: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Quotient of the operands; integers are divided as float32."""
def trunc(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Rounded toward zero."""
def unique(
    x: _ArrayLike,
    /,
    return_index: _bool = False,
    return_inverse: _bool = False,
    return_counts: _bool = False,
    *,
    equal_nan: _bool = True,
) -> Any:
    """The different elements, sorted; a tuple with what else is asked for behind them."""
def unique_all(x: _ArrayLike, /) -> _UniqueAll:
    """The different elements, sorted; where each is first; which each element is; how often."""
def unique_counts(x: _ArrayLike, /) -> _UniqueCounts:
    """The different elements, sorted, and how often each is there. Waits for x."""
def unique_inverse(x: _ArrayLike, /) -> _UniqueInverse:
    """The different elements, sorted, and which of them each element of x is. Waits for x."""
def unique_values(x: _ArrayLike, /) -> ndarray:
    """The different elements, sorted. Every NaN differs from the others. Waits for x."""
def unstack(x: _ArrayLike, /, *, axis: SupportsIndex = 0) -> tuple[ndarray, ...]:
    """Views of the slices along an axis."""
def var(
    x: _ArrayLike,
    /,
    axis: _Ints | None = None,
    *,
    correction: float = 0.0,
    ddof: float = 0.0,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """Variance over the axes: squared distances from the mean, divided by count - correction."""
def vdot(x1: _ArrayLike, x2: _ArrayLike, /) -> ndarray:
    """Sum of products over all elements; of complex numbers x1 is conjugated."""
def vecdot(x1: _ArrayLike, x2: _ArrayLike, /, *, axis: SupportsIndex = -1) -> ndarray:
    """Sum of products over one axis, the others broadcast; of complex numbers x1 is conjugated."""
def vsplit(x: _ArrayLike, indices_or_sections: _Ints) -> list[ndarray]:
    """split along the first axis."""
def vstack(arrays: Sequence[_ArrayLike], /) -> ndarray:
    """The arrays on top of each other; those of one dimension are rows."""
def where(
    condition: _ArrayLike,
    x1: _ArrayLike | None = None,
    x2: _ArrayLike | None = None,
    /,
) -> Any:
    """x1 where the condition is true, else x2; the condition alone gives the places, as nonzero."""
def zeros(
    shape: _Ints,
    dtype: _DTypeLike | None = None,
    *,
    device: str | None = None,
) -> ndarray:
    """All elements 0."""
def zeros_like(
    x: _ArrayLike,
    /,
    *,
    dtype: _DTypeLike | None = None,
    device: str | None = None,
) -> ndarray:
    """An array of the same shape and type; all elements are 0."""
