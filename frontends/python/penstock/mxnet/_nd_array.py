"""The class of legacy arrays, mx.nd.NDArray.

Here is what a class must have from the beginning: what it is, text, conversion, contexts, pickles,
and what these arrays lack although the native ones have it. Methods that are functions of mx.nd as
well are added by ndarray/_methods.py, which the last line loads.
"""

from .. import _core
from . import _dialects
from ._missing import WHERE
from .base import NotBuiltError
from .context import Context, context_of, device_of

_native = _core.ndarray
_native_dtype = _native.dtype.__get__
_native_item = _native.item
_native_reshape = _native.reshape
_native_transposed = _native.T.__get__
_cast = _core._ops["cast"]
_to_device = _core._ops["to_device"]

_numpy_types = {}  # native element type -> NumPy's class


def numpy_type(array):
    """The element type of an array as a class of NumPy; bfloat16, which it lacks, as it is."""
    native = _native_dtype(array)
    found = _numpy_types.get(native)
    if found is None:
        import numpy

        name = str(native)
        found = native if name == "bfloat16" else numpy.dtype(name).type
        _numpy_types[native] = found
    return found


def element_type(dtype):
    """An element type as the native library takes it; Python's float and int have 64 bits."""
    return _PYTHON_TYPES.get(dtype, dtype) if isinstance(dtype, type) else dtype


_PYTHON_TYPES = {float: "float64", int: "int64"}


def restored(array, device):
    """An array out of a pickle."""
    if device != "cpu:0":
        array = _to_device(array, device=device)
    return array.as_subclass(NDArray)


class _Absent:
    """A name that native arrays have and these do not; classes derived from NDArray may."""

    __slots__ = ("name",)

    def __init__(self, name):
        self.name = name

    def __get__(self, array, cls):
        if cls is not NDArray:
            return getattr(_native if array is None else super(NDArray, array), self.name)
        raise AttributeError(
            f"{cls.__name__!r} object has no attribute {self.name!r}", name=self.name
        )


def _unsupported(self, *others):
    """For operators that there are not; Python then says so."""
    return NotImplemented


def _no_number(kind):
    def refuse(self):
        raise TypeError(f"{kind} needs a number, not {type(self).__name__!r}: use asscalar()")

    return refuse


def _no_unary(sign):
    def refuse(self):
        raise TypeError(f"bad operand type for unary {sign}: {type(self).__name__!r}")

    return refuse


def _reshape(self, *shape, **kwargs):
    """The same elements, shared, in another shape.

    Lengths may be codes: 0 keeps a length, -1 is what is left, -2 keeps all further lengths, -3 is
    the product of two, -4 splits one into the two that follow. reverse=True reads shape and codes
    from the right.
    """
    from .ndarray._shape import method_shape

    given = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    return _native_reshape(self, method_shape(self, given if shape else None, kwargs))


class NDArray(_native, dialect=_dialects.nd):
    """An array of mx.nd: operations are queued; what needs a value waits for it."""

    __slots__ = ()
    __hash__ = object.__hash__

    # ---- What it is ---------------------------------------------------------------------------

    dtype = property(numpy_type, doc="The element type, as a class of NumPy.")

    @property
    def context(self):
        """Where the elements are."""
        return context_of(self.device)

    ctx = context

    @property
    def stype(self):
        """How elements are stored: always 'default', one behind the other."""
        return "default"

    @property
    def T(self):
        """A copy with the dimensions reversed; of one dimension the array itself."""
        return self if self.ndim < 2 else _native_transposed(self)

    @property
    def writable(self):
        """Whether elements can be assigned to: always."""
        return True

    # ---- Text ---------------------------------------------------------------------------------

    def __repr__(self):
        lengths = "x".join(map(str, self.shape))
        return f"\n{self.asnumpy()!s}\n<{type(self).__name__} {lengths} @{self.context}>"

    __str__ = __repr__

    # ---- Values -------------------------------------------------------------------------------

    def __bool__(self):
        if self.size > 1:
            raise ValueError(
                f"an NDArray of {self.size} elements is neither true nor false: only one element is"
            )
        return self.size == 1 and bool(_native_item(self))

    def asscalar(self):
        """The only element, as a scalar of NumPy. Waits for it."""
        if self.size != 1:
            raise ValueError(f"asscalar() is for one element, and the shape is {self.shape}")
        if self.ndim > 1:
            return self.asnumpy()
        return numpy_type(self)(_native_item(self))

    # ---- Copies -------------------------------------------------------------------------------

    def astype(self, dtype, copy=True):
        """The elements as another type; with copy=False the array itself if it has that type."""
        dtype = _core._dtype(element_type(dtype))
        if not copy and _native_dtype(self) == dtype:
            return self
        return _dialects.call(type(self), _cast, self, dtype)

    def copyto(self, other):
        """Writes the elements into an array, which is returned; of a context, into a new one."""
        if isinstance(other, Context):
            made = _to_device(self, device=device_of(other))
            return made.copy() if self.device == made.device else made
        if not isinstance(other, NDArray) or type(other).__dialect__ is not type(self).__dialect__:
            raise TypeError(f"copyto: an array or a context is needed, not {type(other)}")
        if other is self:
            import warnings

            warnings.warn("copyto: an array copied to itself", RuntimeWarning, stacklevel=2)
            return False
        return _dialects.written(other, self)

    def as_in_context(self, context):
        """The array in a context: itself if it is there, else a copy."""
        return self if self.context == context else self.copyto(context)

    as_in_ctx = as_in_context

    def tostype(self, stype):
        """A copy stored in another way; there is only 'default'."""
        if stype != "default":
            raise NotBuiltError(f"NDArray.tostype: there are no {stype!r} arrays: {WHERE}")
        return self.copy()

    def as_nd_ndarray(self):
        """The same elements as an array of mx.nd."""
        return self if type(self) is NDArray else self.as_subclass(NDArray)

    def as_np_ndarray(self):
        """The same elements as an array of mx.np."""
        from ._np_array import ndarray

        return self if isinstance(self, ndarray) else self.as_subclass(ndarray)

    # ---- Gradients ----------------------------------------------------------------------------

    def attach_grad(self, grad_req="write", stype=None):
        """Asks for the gradient: 'write', 'add' or, for none any more, 'null'."""
        if stype not in (None, "default"):
            raise NotBuiltError(f"NDArray.attach_grad: there are no {stype!r} arrays: {WHERE}")
        _native.attach_grad(self, grad_req)

    def backward(self, out_grad=None, retain_graph=False, train_mode=True):
        """Gradients of the sum of the elements to all arrays that have one attached."""
        from .autograd import backward

        backward(self, out_grad, retain_graph, train_mode)

    # ---- Waiting ------------------------------------------------------------------------------

    def wait_to_write(self):
        """Waits until nothing queued reads or writes the array."""
        self.wait_to_read()

    # ---- Other libraries ----------------------------------------------------------------------

    def to_dlpack_for_read(self):
        """The elements in a DLPack capsule: a copy that never changes. Waits."""
        return self.__dlpack__()

    def to_dlpack_for_write(self):
        """Sharing memory that others write to is not possible."""
        raise NotBuiltError(
            "NDArray.to_dlpack_for_write: exports are snapshots that cannot be written to; assign "
            f"the result to the array instead: {WHERE}"
        )

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        """For NumPy's operators and functions: its numbers are numbers, its arrays are refused.

        Reductions such as numpy.all wait, and give what NumPy gives."""
        import numpy

        if any(isinstance(one, numpy.ndarray) for one in inputs):
            raise TypeError(f"type {numpy.ndarray} not supported: convert it with nd.array first")
        if method != "__call__":
            values = [one.asnumpy() if isinstance(one, NDArray) else one for one in inputs]
            return getattr(ufunc, method)(*values, **kwargs)
        plain = [one.item() if isinstance(one, numpy.generic) else one for one in inputs]
        return super().__array_ufunc__(ufunc, method, *plain, **kwargs)

    def __setstate__(self, state):
        """Takes the elements of a state of MXNet's own: of an array with this shape and type."""
        from .ndarray._files import from_state

        self[:] = from_state(state["handle"])

    def __reduce__(self):
        return restored, (_dialects.native(self), self.device)

    # ---- What native arrays have and these do not ---------------------------------------------

    __ipow__ = __imatmul__ = __ifloordiv__ = _unsupported
    __matmul__ = __rmatmul__ = __floordiv__ = __rfloordiv__ = _unsupported
    __divmod__ = __rdivmod__ = _unsupported
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _unsupported
    __iand__ = __ior__ = __ixor__ = __ilshift__ = __irshift__ = _unsupported
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _unsupported
    __pos__ = _no_unary("+")
    __invert__ = _no_unary("~")
    __float__ = _no_number("float()")
    __int__ = _no_number("int()")
    __complex__ = _no_number("complex()")
    __index__ = _no_number("an index")
    __round__ = _no_number("round()")


for _name in (
    *("item", "tolist", "tobytes", "numpy", "std", "var", "dot", "all", "any", "amax", "amin"),
    *("ravel", "trace", "nonzero", "conj", "conjugate", "real", "imag", "mT", "fill", "diagonal"),
    *("permute_dims", "strides", "nbytes", "itemsize"),
    *("__floor__", "__ceil__", "__trunc__", "__array_namespace__"),
):
    setattr(NDArray, _name, _Absent(_name))
del _name

NDArray.__module__ = "mxnet.ndarray.ndarray"

# In C for a shape of plain lengths; in Python for codes and keywords.
NDArray.reshape = _dialects.table(
    _dialects.nd, "reshape", "reshape", "x, shape", "mxnet.ndarray", unusual=_reshape
)

from .ndarray import _methods  # noqa: E402, F401
