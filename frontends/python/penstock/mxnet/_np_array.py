"""The class of NumPy-like arrays, mx.np.ndarray.

Here is what a class must have from the beginning: operators, conversion, text, contexts, pickles.
The methods that are functions of mx.np as well are added by numpy/_methods.py, which the last line
loads, so that an array has all of them whatever was imported first.
"""

from .. import _core
from . import _dialects
from ._nd_array import NDArray
from .base import MXNetTypeError, MXNetValueError

_native = _core.ndarray
native_dtype = _native.dtype.__get__  # as the native library has it: quicker than numpy_dtype
_native_item = _native.item
_zeros = _core._ops["zeros"]

_numpy_types = {}  # native element type -> numpy.dtype


def numpy_dtype(array):
    """The element type of an array as a numpy.dtype; bfloat16, which NumPy lacks, as it is."""
    native = native_dtype(array)
    found = _numpy_types.get(native)
    if found is None:
        import numpy

        name = str(native)
        found = native if name == "bfloat16" else numpy.dtype(name)
        _numpy_types[native] = found
    return found


def restored(dtype, shape, elements, device):
    """An array out of a pickle."""
    made = _core.frombuffer(elements, dtype=dtype) if len(elements) else _zeros(0, dtype)
    made = _core._ops["copy"](made.reshape(shape))
    if device != "cpu:0":
        made = _core._ops["to_device"](made, device=device)
    return made.as_subclass(ndarray)


class ndarray(NDArray, dialect=_dialects.np):
    """An array of mx.np: operations are queued; what needs a value waits for it."""

    __slots__ = ()

    # ---- What it is ---------------------------------------------------------------------------

    dtype = property(numpy_dtype, doc="The element type, as a numpy.dtype.")

    @property
    def T(self):
        """The array with its dimensions in reverse order: a copy."""
        return self.transpose()

    # ---- Text ---------------------------------------------------------------------------------

    def __repr__(self):
        from .numpy._text import repr_of

        return repr_of(self)

    def __str__(self):
        text = str(self.asnumpy())
        context = self.ctx
        return text if context.device_type == "cpu" or self.ndim == 0 else f"{text} @{context}"

    def __format__(self, spec):
        if self.ndim == 0:
            return format(_native_item(self), spec)
        if spec:
            raise TypeError(f"an array of shape {self.shape} has no format {spec!r}")
        return str(self)

    # ---- Numbers ------------------------------------------------------------------------------

    def __hash__(self):
        raise NotImplementedError("arrays of mx.np have no hash: they can be written to")

    def __bool__(self):
        if self.size == 1:
            return bool(_native_item(self))
        if self.size == 0:
            import warnings

            warnings.warn(
                "an array without elements counts as false", DeprecationWarning, stacklevel=2
            )
            return False
        raise MXNetValueError(
            f"an array of shape {self.shape} is neither true nor false: use any() or all()"
        )

    def _number(self):
        if self.size != 1:
            raise MXNetTypeError(f"an array of shape {self.shape} cannot become one number")
        return _native_item(self)

    def __ipow__(self, other):
        return self**other  # MXNet has none: `x **= y` is a new array

    def __float__(self):
        return float(self._number())

    def __int__(self):
        return int(self._number())

    def __complex__(self):
        return complex(self._number())

    def item(self, *args):
        """An element as a Python number: the only one, or that at a place."""
        if not args:
            return _native_item(self)
        return self.asnumpy().item(*args)

    def tolist(self):
        """The elements as nested lists of Python numbers."""
        return _native.tolist(self)

    def __len__(self):
        shape = self.shape
        if not shape:
            raise MXNetTypeError("an array without dimensions has no length")
        return shape[0]

    # ---- Conversion ---------------------------------------------------------------------------

    def copy(self, order="C"):
        """A copy in the same context."""
        if order != "C":
            raise NotImplementedError(f"copy: order must be 'C', not {order!r}")
        return _copy(self)

    def as_nd_ndarray(self):
        """The same elements as an array of mx.nd."""
        return self.as_subclass(NDArray)

    def as_np_ndarray(self):
        """The array itself."""
        return self

    def __reduce__(self):
        return restored, (str(native_dtype(self)), self.shape, self.tobytes(), self.device)

    # ---- NumPy's protocols --------------------------------------------------------------------

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        from .numpy._by_numpy import call_ufunc

        return call_ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, function, types, args, kwargs):
        from .numpy._by_numpy import call_function

        return call_function(function, types, args, kwargs)


ndarray.__module__ = "mxnet.numpy"

_copy = _dialects.table(_dialects.np, "copy")

# The native operators, some of which arrays of mx.nd do not have.
for _name in (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"),
    *("radd", "rsub", "rmul", "rtruediv", "rfloordiv", "rmod", "rpow", "rmatmul"),
    *("rand", "ror", "rxor", "iadd", "isub", "imul", "itruediv", "ifloordiv", "imod"),
    *("imatmul", "iand", "ior", "ixor", "neg", "pos", "abs", "invert", "divmod", "rdivmod"),
    *("lshift", "rshift", "rlshift", "rrshift", "ilshift", "irshift"),
    *("eq", "ne", "lt", "le", "gt", "ge", "getitem", "setitem", "iter", "contains", "index"),
    *("round", "floor", "ceil", "trunc", "copy", "deepcopy", "array", "reduce_ex"),
):
    setattr(ndarray, f"__{_name}__", _native.__dict__[f"__{_name}__"])
for _name in ("asnumpy", "wait_to_read"):
    setattr(ndarray, _name, _native.__dict__[_name])
del _name

from .numpy import _methods  # noqa: E402, F401
