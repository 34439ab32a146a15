"""The part of Penstock's Python frontend that is written in C."""

# Made by tools/python_stubs.py (make generate); do not edit.

from builtins import bool as _bool
from collections.abc import Callable, Generator as Generator_, Iterator, Sequence
from types import ModuleType
from typing import Any, ClassVar, Final, NoReturn, Protocol, SupportsIndex, TypeAlias, TypeVar
from typing import final, overload

import numpy as np
from typing_extensions import Buffer, Self, disjoint_base

class _SupportsArray(Protocol):
    def __array__(self, *args: Any, **kwargs: Any) -> Any: ...

class _SupportsDLPack(Protocol):
    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __dlpack_device__(self) -> tuple[Any, Any]: ...

_Operand: TypeAlias = ndarray | complex | _SupportsArray
_ArrayLike: TypeAlias = _Operand | _SupportsDLPack | Buffer | Sequence[_ArrayLike]
_DTypeLike: TypeAlias = dtype | str | type[Any] | np.dtype[Any]
_DType: TypeAlias = dtype
_Ints: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
_Function: TypeAlias = Callable[[Any], Any]
_Array = TypeVar("_Array", bound=ndarray)

__version__: str
bfloat16: dtype
bool: dtype
complex128: dtype
complex64: dtype
float16: dtype
float32: dtype
float64: dtype
int16: dtype
int32: dtype
int64: dtype
int8: dtype
uint16: dtype
uint32: dtype
uint64: dtype
uint8: dtype

@final
class dtype:
    """The type of an array's elements."""
    def __call__(self, value: _ArrayLike = ..., /) -> ndarray: ...
    def __eq__(self, value: object, /) -> _bool: ...
    def __ne__(self, value: object, /) -> _bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> str: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> str: ...

@final
class Dialect:
    """The rules of an array library, for classes that imitate it."""
    def __new__(
        cls,
        name: str,
        *,
        float: _DTypeLike = ...,
        int: _DTypeLike = ...,
        bool: _DTypeLike = ...,
        complex: _DTypeLike = ...,
        scalar: str = "weak",
        mixed: str = "promote",
        compare: _DTypeLike = ...,
        divide_integers: _bool = False,
        one_dimension: _bool = False,
        check_late: _bool = False,
        modulo_zero: _bool = False,
        integers: str = "promote",
        foreign: str = "take",
        copies: Sequence[str] = ...,
        errors: dict[str, type[BaseException]] = ...,
        gradients: Sequence[str] = ...,
        numbers: str = "check",
        ranges: str = "any",
        means: str = "any",
        updates: str = "any",
        shape: type[tuple[Any, ...]] | None = None,
        types: dict[Any, Any] = ...,
        zero_division: str = "any",
        products: str = "promote",
        results: str = "class",
        values: str = "any",
        indices: str = "numpy",
        differences: str = "any",
        attributes: _bool = False,
        type_names: dict[Any, Any] = ...,
        buffers: str = "any",
    ) -> Self: ...
    @property
    def name(self) -> str: ...
    def set_types(
        self,
        /,
        *,
        float: _DTypeLike | None = None,
        int: _DTypeLike | None = None,
        bool: _DTypeLike | None = None,
        complex: _DTypeLike | None = None,
    ) -> Self:
        """Other element types that Python's numbers become, from now on."""

@disjoint_base
class ndarray:
    """An array whose operations are queued and run in the background."""
    def __new__(
        cls,
        object: Any,
        /,
        dtype: _DTypeLike | None = None,
        *,
        copy: _bool = True,
        device: str | None = None,
    ) -> Self: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __abs__(self, /) -> Self: ...
    def __add__(self, value: _Operand, /) -> Self: ...
    def __and__(self, value: _Operand, /) -> Self: ...
    def __array__(
        self,
        /,
        dtype: _DTypeLike | None = None,
        *,
        copy: _bool | None = None,
    ) -> np.ndarray[Any, Any]: ...
    def __array_namespace__(self, /, *, api_version: str | None = None) -> ModuleType: ...
    @property
    def __array_priority__(self) -> float: ...
    def __array_ufunc__(self, ufunc: Any, method: Any, /, *inputs: Any, **kwargs: Any) -> Any: ...
    def __await__(self, /) -> Generator_[Any, None, Self]: ...
    def __bool__(self, /) -> _bool: ...
    def __ceil__(self, /) -> int: ...
    def __complex__(self, /) -> complex: ...
    def __contains__(self, key: _Operand, /) -> _bool: ...
    def __copy__(self, /) -> Self: ...
    def __deepcopy__(self, memo: Any, /) -> Self: ...
    def __delitem__(self, key: Any, /) -> NoReturn: ...
    __dialect__: ClassVar[Dialect]
    def __divmod__(self, value: _Operand, /) -> tuple[Self, Self]: ...
    def __dlpack__(
        self,
        /,
        *,
        stream: Any = None,
        max_version: Any = None,
        dl_device: Any = None,
        copy: _bool | None = None,
    ) -> Any: ...
    def __dlpack_device__(self, /) -> tuple[int, int]: ...
    def __eq__(self, value: object, /) -> Self: ...  # type: ignore[override]
    def __float__(self, /) -> float: ...
    def __floor__(self, /) -> int: ...
    def __floordiv__(self, value: _Operand, /) -> Self: ...
    def __format__(self, format_spec: str, /) -> str: ...
    def __ge__(self, value: _Operand, /) -> Self: ...
    def __getitem__(self, key: Any, /) -> Self: ...
    def __gt__(self, value: _Operand, /) -> Self: ...
    def __iadd__(self, value: _Operand, /) -> Self: ...
    def __iand__(self, value: _Operand, /) -> Self: ...
    def __ifloordiv__(self, value: _Operand, /) -> Self: ...
    def __ilshift__(self, value: _Operand, /) -> Self: ...
    def __imatmul__(self, value: _Operand, /) -> Self: ...
    def __imod__(self, value: _Operand, /) -> Self: ...
    def __imul__(self, value: _Operand, /) -> Self: ...
    def __index__(self, /) -> int: ...
    def __init_subclass__(cls, *, dialect: Dialect | None = None) -> None: ...
    def __int__(self, /) -> int: ...
    def __invert__(self, /) -> Self: ...
    def __ior__(self, value: _Operand, /) -> Self: ...
    def __ipow__(self, value: _Operand, /) -> Self: ...  # type: ignore[misc]
    def __irshift__(self, value: _Operand, /) -> Self: ...
    def __isub__(self, value: _Operand, /) -> Self: ...
    def __iter__(self, /) -> Iterator[Self]: ...
    def __itruediv__(self, value: _Operand, /) -> Self: ...
    def __ixor__(self, value: _Operand, /) -> Self: ...
    def __le__(self, value: _Operand, /) -> Self: ...
    def __len__(self, /) -> int: ...
    def __lshift__(self, value: _Operand, /) -> Self: ...
    def __lt__(self, value: _Operand, /) -> Self: ...
    def __matmul__(self, value: _Operand, /) -> Self: ...
    def __mod__(self, value: _Operand, /) -> Self: ...
    def __mul__(self, value: _Operand, /) -> Self: ...
    def __ne__(self, value: object, /) -> Self: ...  # type: ignore[override]
    def __neg__(self, /) -> Self: ...
    def __or__(self, value: _Operand, /) -> Self: ...
    def __pos__(self, /) -> Self: ...
    def __pow__(self, value: _Operand, mod: None = None, /) -> Self: ...
    def __radd__(self, value: _Operand, /) -> Self: ...
    def __rand__(self, value: _Operand, /) -> Self: ...
    def __rdivmod__(self, value: _Operand, /) -> tuple[Self, Self]: ...
    def __reduce__(self, /) -> tuple[Any, ...]: ...
    def __reduce_ex__(self, protocol: SupportsIndex, /) -> tuple[Any, ...]: ...
    def __rfloordiv__(self, value: _Operand, /) -> Self: ...
    def __rlshift__(self, value: _Operand, /) -> Self: ...
    def __rmatmul__(self, value: _Operand, /) -> Self: ...
    def __rmod__(self, value: _Operand, /) -> Self: ...
    def __rmul__(self, value: _Operand, /) -> Self: ...
    def __ror__(self, value: _Operand, /) -> Self: ...
    def __round__(self, ndigits: SupportsIndex | None = None, /) -> Any: ...
    def __rpow__(self, value: _Operand, mod: None = None, /) -> Self: ...
    def __rrshift__(self, value: _Operand, /) -> Self: ...
    def __rshift__(self, value: _Operand, /) -> Self: ...
    def __rsub__(self, value: _Operand, /) -> Self: ...
    def __rtruediv__(self, value: _Operand, /) -> Self: ...
    def __rxor__(self, value: _Operand, /) -> Self: ...
    def __setitem__(self, key: Any, value: _ArrayLike, /) -> None: ...
    def __sub__(self, value: _Operand, /) -> Self: ...
    def __truediv__(self, value: _Operand, /) -> Self: ...
    def __trunc__(self, /) -> int: ...
    def __xor__(self, value: _Operand, /) -> Self: ...
    @property
    def T(self) -> Self: ...
    def all(
        self,
        /,
        axis: _Ints | None = None,
        *,
        keepdims: _bool = False,
        out: ndarray | None = None,
    ) -> Self:
        """Whether no element is 0."""
    def amax(
        self,
        /,
        axis: _Ints | None = None,
        *,
        keepdims: _bool = False,
        out: ndarray | None = None,
    ) -> Self:
        """Largest element over the axes; NaN if there is one."""
    def amin(
        self,
        /,
        axis: _Ints | None = None,
        *,
        keepdims: _bool = False,
        out: ndarray | None = None,
    ) -> Self:
        """Smallest element over the axes; NaN if there is one."""
    def any(
        self,
        /,
        axis: _Ints | None = None,
        *,
        keepdims: _bool = False,
        out: ndarray | None = None,
    ) -> Self:
        """Whether one element is not 0."""
    def argmax(
        self,
        /,
        axis: SupportsIndex | None = None,
        *,
        keepdims: _bool = False,
        out: ndarray | None = None,
    ) -> Self:
        """Place of the first largest element, along the axis or in all of x."""
    def argmin(
        self,
        /,
        axis: SupportsIndex | None = None,
        *,
        keepdims: _bool = False,
        out: ndarray | None = None,
    ) -> Self:
        """Place of the first smallest element, along the axis or in all of x."""
    def argsort(
        self,
        /,
        axis: SupportsIndex = -1,
        *,
        descending: _bool = False,
        stable: _bool = True,
        out: ndarray | None = None,
    ) -> Self:
        """Positions along the axis of the elements in order, as int64; the order is that of sort."""
    def around(self, /, decimals: SupportsIndex = 0, *, out: ndarray | None = None) -> Self:
        """Rounded to the nearest number with so many decimals, halves to the even one; below 0 to tens, hundreds and so on."""
    def as_subclass(self, cls: type[_Array], /) -> _Array:
        """The same array, sharing its elements, as an object of another array class."""
    def asnumpy(self, /) -> np.ndarray[Any, Any]:
        """A NumPy array with a copy of the elements, which is the caller's own and"""
    def astype(self, dtype: _DTypeLike, /, *, copy: _bool = True) -> Self:
        """The elements as another type; the array itself if it has that type and copy is False."""
    def attach_grad(self, /, grad_req: str = 'write') -> None:
        """Ask for the gradient of the array, which is cut off from what it was computed of."""
    def backward(
        self,
        /,
        out_grad: _ArrayLike | None = None,
        retain_graph: _bool = False,
    ) -> None:
        """Gradients of the sum of the elements to all arrays that have one attached."""
    def clip(
        self,
        /,
        min: _ArrayLike | None = None,
        max: _ArrayLike | None = None,
        *,
        out: ndarray | None = None,
    ) -> Self:
        """The operand, but at least min and at most max."""
    def conj(self, /, *, out: ndarray | None = None) -> Self:
        """Complex conjugate."""
    def conjugate(self, /, *, out: ndarray | None = None) -> Self:
        """Complex conjugate."""
    def copy(self, /) -> Self:
        """The same elements in a storage of their own."""
    def cumprod(
        self,
        /,
        axis: SupportsIndex | None = None,
        dtype: _DTypeLike | None = None,
        *,
        include_initial: _bool = False,
        out: ndarray | None = None,
    ) -> Self:
        """Product of the elements up to each, along the axis or over all of x as one dimension; types as for cumulative_sum. With initial a 1 comes before them."""
    def cumsum(
        self,
        /,
        axis: SupportsIndex | None = None,
        dtype: _DTypeLike | None = None,
        *,
        include_initial: _bool = False,
        out: ndarray | None = None,
    ) -> Self:
        """Sum of the elements up to each, along the axis or over all of x as one dimension; small integers and bool add up as int64 or uint64, 16-bit floats as float32. With initial a 0 comes before them."""
    def detach(self, /) -> Self:
        """The same elements, shared, as an array that is part of no graph: no gradient flows through"""
    @property
    def device(self) -> str: ...
    def diagonal(
        self,
        /,
        offset: SupportsIndex = 0,
        axis1: SupportsIndex = 0,
        axis2: SupportsIndex = 1,
    ) -> Self:
        """A view of the elements on a diagonal of two axes, along a last axis."""
    def dot(self, x2: _ArrayLike, /, *, out: ndarray | None = None) -> Self:
        """Sum of products over the last dimension of x1 and the second to last (or only) one of x2."""
    @property
    def dtype(self) -> _DType: ...
    def fill(self, value: complex, /) -> None:
        """Writes the number into all elements."""
    def flatten(self, /) -> Self:
        """A copy of all elements in one dimension."""
    @property
    def grad(self) -> Self | Any: ...
    @property
    def imag(self) -> Self: ...
    def is_ready(self, /) -> _bool:
        """Whether reading the array would not have to wait. Does not wait itself."""
    def item(self, /, *index: Any) -> Any:
        """One element as a Python number: the only one, the one at a place among all"""
    @property
    def itemsize(self) -> int: ...
    @property
    def mT(self) -> Self: ...
    def max(
        self,
        /,
        axis: _Ints | None = None,
        *,
        keepdims: _bool = False,
        out: ndarray | None = None,
    ) -> Self:
        """Largest element over the axes; NaN if there is one."""
    def mean(
        self,
        /,
        axis: _Ints | None = None,
        *,
        keepdims: _bool = False,
        out: ndarray | None = None,
    ) -> Self:
        """Mean over the axes; integers as float32."""
    def min(
        self,
        /,
        axis: _Ints | None = None,
        *,
        keepdims: _bool = False,
        out: ndarray | None = None,
    ) -> Self:
        """Smallest element over the axes; NaN if there is one."""
    @property
    def nbytes(self) -> int: ...
    @property
    def ndim(self) -> int: ...
    def nonzero(self, /) -> tuple[Self, ...]:
        """Places of the elements that are not 0: an array of positions for each axis. Waits."""
    def numpy(self, /) -> np.ndarray[Any, Any]:
        """The same as asnumpy."""
    @overload
    def permute_dims(self, /, axes: _Ints | None = None) -> Self:
        """A view with the dimensions in another order; reversed if none is given."""
    @overload
    def permute_dims(self, /, *axes: SupportsIndex) -> Self:
        """A view with the dimensions in another order; reversed if none is given."""
    def prod(
        self,
        /,
        axis: _Ints | None = None,
        dtype: _DTypeLike | None = None,
        *,
        keepdims: _bool = False,
        out: ndarray | None = None,
    ) -> Self:
        """Product over the axes; small integers and bool multiply as int64 or uint64."""
    def ravel(self, /) -> Self:
        """All elements in one dimension: a view if possible, else a copy."""
    @property
    def real(self) -> Self: ...
    def register_hook(self, function: _Function, /, *, accumulated: _bool = False) -> _GradHook:
        """Have a function called with the gradient of the array by each walk that computes it."""
    def repeat(self, /, repeats: SupportsIndex, axis: SupportsIndex | None = None) -> Self:
        """Each element several times, one behind the other."""
    @overload
    def reshape(self, /, shape: _Ints, *, copy: _bool | None = None) -> Self:
        """The same elements in another shape: a view if possible, else a copy. One length may be -1."""
    @overload
    def reshape(self, /, *shape: SupportsIndex, copy: _bool | None = None) -> Self:
        """The same elements in another shape: a view if possible, else a copy. One length may be -1."""
    def round(self, /, decimals: SupportsIndex = 0, *, out: ndarray | None = None) -> Self:
        """Rounded to the nearest number with so many decimals, halves to the even one; below 0 to tens, hundreds and so on."""
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def size(self) -> int: ...
    def squeeze(self, /, axis: _Ints | None = None) -> Self:
        """A view without the dimensions of length 1, or without the given ones."""
    def std(
        self,
        /,
        axis: _Ints | None = None,
        *,
        correction: float = 0.0,
        ddof: float = 0.0,
        keepdims: _bool = False,
        out: ndarray | None = None,
    ) -> Self:
        """Square root of the variance."""
    @property
    def strides(self) -> tuple[int, ...]: ...
    def sum(
        self,
        /,
        axis: _Ints | None = None,
        dtype: _DTypeLike | None = None,
        *,
        keepdims: _bool = False,
        out: ndarray | None = None,
    ) -> Self:
        """Sum over the axes; small integers and bool add up as int64 or uint64."""
    def swapaxes(self, axis1: SupportsIndex, axis2: SupportsIndex, /) -> Self:
        """A view with two dimensions swapped."""
    def take(
        self,
        /,
        indices: _ArrayLike,
        axis: SupportsIndex | None = None,
        *,
        out: ndarray | None = None,
    ) -> Self:
        """Elements, or slices along the axis, at integer positions. A position out of range is found while running."""
    def to_device(self, device: str, /, *, stream: Any = None) -> Self:
        """The array on another device; the array itself if it is there already."""
    def tobytes(self, /) -> bytes:
        """The elements as bytes, row by row. Waits."""
    def tolist(self, /) -> Any:
        """The elements as nested lists of Python numbers; without dimensions the"""
    def trace(
        self,
        /,
        offset: SupportsIndex = 0,
        axis1: SupportsIndex = 0,
        axis2: SupportsIndex = 1,
        dtype: _DTypeLike | None = None,
    ) -> Self:
        """Sum of a diagonal of two axes; types as for sum."""
    @overload
    def transpose(self, /, axes: _Ints | None = None) -> Self:
        """A view with the dimensions in another order; reversed if none is given."""
    @overload
    def transpose(self, /, *axes: SupportsIndex) -> Self:
        """A view with the dimensions in another order; reversed if none is given."""
    def var(
        self,
        /,
        axis: _Ints | None = None,
        *,
        correction: float = 0.0,
        ddof: float = 0.0,
        keepdims: _bool = False,
        out: ndarray | None = None,
    ) -> Self:
        """Variance over the axes: squared distances from the mean, divided by count - correction."""
    def wait(self, /, timeout: float | None = None) -> _bool:
        """Wait until the array's value is there, at most timeout seconds."""
    def wait_to_read(self, /) -> None:
        """Wait until the array's value is there."""

@disjoint_base
class Generator:
    """A source of random numbers."""
    def __new__(cls, seed: int) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    @property
    def state(self) -> tuple[int, int, int]: ...
    @state.setter
    def state(self, value: tuple[int, int, int], /) -> None: ...
    def seed(self, seed: int, /) -> None:
        """From here on as if it had been made with this seed."""

@final
class _Completions:
    def __new__(cls) -> Self: ...
    def fileno(self) -> int: ...
    def watch(self, array: ndarray, tag: int, /) -> None: ...
    def pop(self) -> tuple[int, _bool] | None: ...

@final
class _GradHook:
    """What register_hook gives: takes the hook away, also as a context manager."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *error: object) -> None: ...
    def remove(self, /) -> None:
        """Take the hook away; once more does nothing."""

@final
class _EngineStats(tuple[Any, ...]):
    """What the engine has done: see stats()."""
    __match_args__: Final = ("pushed", "executed", "skipped", "failed", "unfinished", "queued_bytes", "held_back", "helped", "groups", "wakes", "unseen_errors")
    n_fields: Final[int]
    n_sequence_fields: Final[int]
    n_unnamed_fields: Final[int]
    @property
    def pushed(self) -> int:
        """operations queued so far, with waits and callbacks"""
    @property
    def executed(self) -> int:
        """of these, how many ran"""
    @property
    def skipped(self) -> int:
        """how many did not run because what they read had failed"""
    @property
    def failed(self) -> int:
        """how many failed while they ran"""
    @property
    def unfinished(self) -> int:
        """how many are queued and not complete"""
    @property
    def queued_bytes(self) -> int:
        """what these need or hold"""
    @property
    def held_back(self) -> int:
        """calls that met the bound"""
    @property
    def helped(self) -> int:
        """operations run by threads that are no workers"""
    @property
    def groups(self) -> int:
        """groups of operations run as one"""
    @property
    def wakes(self) -> int:
        """times a sleeping worker was called"""
    @property
    def unseen_errors(self) -> int:
        """failures that no wait has raised yet"""

@final
class _EngineBound(tuple[Any, ...]):
    """How far the queue may run ahead: see bound()."""
    __match_args__: Final = ("soft_bytes", "soft_ops_per_worker", "hard_bytes", "ops")
    n_fields: Final[int]
    n_sequence_fields: Final[int]
    n_unnamed_fields: Final[int]
    @property
    def soft_bytes(self) -> int:
        """queued bytes above which calls are held back, unless few operations are queued"""
    @property
    def soft_ops_per_worker(self) -> int:
        """how many operations are few"""
    @property
    def hard_bytes(self) -> int:
        """queued bytes above which calls are always held back"""
    @property
    def ops(self) -> int:
        """queued operations above which calls are held back"""

@final
class _MemoryStats(tuple[Any, ...]):
    """What arrays use, in bytes: see stats()."""
    __match_args__: Final = ("live", "peak", "cached", "queued", "limit")
    n_fields: Final[int]
    n_sequence_fields: Final[int]
    n_unnamed_fields: Final[int]
    @property
    def live(self) -> int:
        """bytes that arrays and running operations use"""
    @property
    def peak(self) -> int:
        """the most that was in use at once"""
    @property
    def cached(self) -> int:
        """bytes kept for the next arrays"""
    @property
    def queued(self) -> int:
        """bytes that queued operations need or hold"""
    @property
    def limit(self) -> int | None:
        """the hard limit; None if there is none"""

@final
class _EngineBlas(tuple[Any, ...]):
    """What multiplies matrices: see blas()."""
    __match_args__: Final = ("name", "file", "config", "core", "threads", "reason")
    n_fields: Final[int]
    n_sequence_fields: Final[int]
    n_unnamed_fields: Final[int]
    @property
    def name(self) -> str:
        """in short: the library, its version and kernels"""
    @property
    def file(self) -> str | None:
        """that was loaded; None: there is no library"""
    @property
    def config(self) -> str | None:
        """how OpenBLAS was built; None: another library"""
    @property
    def core(self) -> str | None:
        """the kind of processor whose kernels it uses"""
    @property
    def threads(self) -> int | None:
        """that it uses for one call; None: not known"""
    @property
    def reason(self) -> str:
        """why this library and these kernels"""

@final
class _GraphStats(tuple[Any, ...]):
    """What is kept for gradients: see stats()."""
    __match_args__: Final = ("nodes", "saves")
    n_fields: Final[int]
    n_sequence_fields: Final[int]
    n_unnamed_fields: Final[int]
    @property
    def nodes(self) -> int:
        """operations, views and arrays with a gradient in graphs"""
    @property
    def saves(self) -> int:
        """values that are kept for gradients"""

_add_method: Any
_add_operation: Any
_become: Any
_blas_info: Any
_blas_propose: Any
_dtype: Any
_engine_bound: Any
_engine_fusion: Any
_engine_set_bound: Any
_engine_set_fusion: Any
_engine_set_workers: Any
_engine_stats: Any
_engine_workers: Any
_extra: Any
_format: Any
_from_capsule: Any
_functions: dict[str, Any]
_grad_alias: Any
_grad_attach: Any
_grad_get: Any
_grad_info: Any
_grad_is_paused: Any
_grad_is_recorded: Any
_grad_is_recording: Any
_grad_is_training: Any
_grad_node: Any
_grad_set: Any
_grad_set_state: Any
_grad_stats: Any
_grad_walk: Any
_layout: Any
_linalg: dict[str, Any]
_memory_reset_peak: Any
_memory_set_limit: Any
_memory_stats: Any
_memory_trim: Any
_mode_enter: Any
_mode_get: Any
_mode_leave: Any
_mode_set: Any
_nn: dict[str, Any]
_np_shape: Any
_op_update: Any
_ops: dict[str, Any]
_optim: dict[str, Any]
_params_load: Any
_params_load_buffer: Any
_params_save: Any
_promote: Any
_random: dict[str, Any]
_rebuild: Any
_report_unseen: Any
_safetensors_open: Any
_safetensors_read: Any
_safetensors_save: Any
_schedule_rate: Any
_set_np_shape: Any
_set_package_folder: Any
_to_capsule: Any
_trace_read: Any
_trace_start: Any
_trace_stop: Any
_version: Any
def array(
    object: Any,
    dtype: _DTypeLike | None = None,
    *,
    copy: _bool = True,
    device: str | None = None,
) -> ndarray:
    """An array with the elements of a number, of nested sequences, or of another array."""
def asarray(
    obj: Any,
    /,
    *,
    dtype: _DTypeLike | None = None,
    device: str | None = None,
    copy: _bool | None = None,
) -> ndarray:
    """The object as an array: itself if it is one already, else as penstock.array."""
def from_dlpack(
    x: _ArrayLike,
    /,
    *,
    device: str | None = None,
    copy: _bool | None = None,
) -> ndarray:
    """An array of another library's array, by DLPack."""
def frombuffer(
    buffer: Any,
    dtype: _DTypeLike = 'float32',
    count: SupportsIndex = -1,
    offset: SupportsIndex = 0,
) -> ndarray:
    """An array with one dimension of the bytes of an object, taken as elements of a type."""
def waitall(timeout: float | None = None) -> None:
    """Wait until everything that was queued before is complete."""
