"""The class of tensors.

Here is what a tensor must be from the beginning: operators, conversion, text, gradients, pickles.
The methods that are functions of torch too are added by the modules that have those.
"""

from .. import _core
from .._common.members import Members, is_in_rows
from .._common.missing import Hidden, hidden
from . import _device
from ._dialect import rules, row
from ._dtypes import ALL, BY_NATIVE, tensor_type
from ._missing import NAMES

_native = _core.ndarray
native_dtype = {one: native for native, one in BY_NATIVE.items()}
_layout = _core._layout
_info = _core._grad_info
_native_item = _native.item
_cast = _copy = None  # rows: set below, when there is a class that they belong to


class Tensor(Members, _native, dialect=rules):
    """A tensor: operations are queued; what needs a value waits for it.

    >>> from penstock import torch
    >>> torch.ones((1, 2)) * 2 + 1
    tensor([[3., 3.]])
    """

    __module__ = "torch"
    __slots__ = ()

    def __new__(cls, *args, dtype=None, device=None):
        from ._create import legacy

        return legacy(cls, args, dtype, device)

    # ---- What it is ---------------------------------------------------------------------------

    device = property(_device.of, doc="Where the tensor is.")
    is_cuda = property(lambda self: self.device.type == "cuda", doc="Whether that is a GPU.")
    is_cpu = property(lambda self: self.device.type == "cpu", doc="Whether that is the host.")
    is_sparse = is_quantized = is_meta = is_mps = is_nested = False

    @property
    def layout(self):
        """How elements lie: always torch.strided."""
        from . import strided

        return strided

    def size(self, dim=None):
        """The shape, or the length of one dimension."""
        shape = self.shape
        if dim is None:
            return shape
        if type(dim) is int and -len(shape) <= dim < len(shape):
            return tuple.__getitem__(shape, dim)
        from ._arguments import find
        from ._dialect import wrapped_dim

        dim = find("size", ("dim: int",), (dim,), {})[1]["dim"]
        return shape[wrapped_dim(dim, len(shape))] if shape else _no_dimension(dim)

    def numel(self):
        """The number of elements."""
        return _native_size(self)

    nelement = numel

    def stride(self, dim=None):
        """How many elements lie between neighbours, in each dimension or in one."""
        steps = _layout(self)[2]
        if dim is None:
            return steps
        from ._arguments import find
        from ._dialect import wrapped_dim

        dim = find("stride", ("dim: int",), (dim,), {})[1]["dim"]
        return steps[wrapped_dim(dim, len(steps))] if steps else _no_dimension(dim)

    def storage_offset(self):
        """How many elements of the storage lie before the first."""
        return _layout(self)[1]

    def is_contiguous(self, *, memory_format=None):
        """Whether the elements lie row by row, side by side."""
        return is_in_rows(self)

    def untyped_storage(self):
        """What has the elements; views share it."""
        return Storage(self)

    storage = untyped_storage

    def is_same_size(self, other):
        """Whether another tensor has the same shape."""
        return self.shape == other.shape

    # ---- Text ---------------------------------------------------------------------------------

    def __repr__(self, *, tensor_contents=None):
        from ._text import text_of

        return text_of(self)

    __str__ = __repr__

    # ---- Numbers ------------------------------------------------------------------------------

    def __complex__(self):
        if _native_size(self) != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return complex(_native_item(self))

    def item(self):
        """The only element as a Python number. Waits."""
        if _native_size(self) != 1:
            raise RuntimeError(
                f"a Tensor with {_native_size(self)} elements cannot be converted to Scalar"
            )
        return _native_item(self)

    # ---- Conversion ---------------------------------------------------------------------------

    def numpy(self, *, force=False):
        """A NumPy array with a copy of the elements. Waits."""
        if _info(self)[0] and not force:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. "
                "Use tensor.detach().numpy() instead."
            )
        if self.dtype is ALL["bfloat16"]:
            raise TypeError("Got unsupported ScalarType BFloat16")
        return _native.asnumpy(self)

    def __array__(self, dtype=None, copy=None):
        found = self.numpy()
        return found if dtype is None else found.astype(dtype, copy=False)

    def __array_wrap__(self, array, context=None, return_scalar=False):
        from ._create import from_numpy

        return from_numpy(array)

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        from ._by_numpy import call

        return call(ufunc, method, inputs, kwargs)

    def to(self, *args, **kwargs):
        """The tensor with another element type or on another device; itself if nothing changes."""
        from ._convert import to

        return to(self, *args, **kwargs)

    def type(self, dtype=None, non_blocking=False):
        """The tensor with another element type; without one, what torch calls the tensor's."""
        from ._convert import of_type

        if non_blocking is not True and non_blocking is not False:
            given = type(non_blocking).__name__
            raise TypeError(f"type(): argument 'non_blocking' must be bool, not {given}")
        return tensor_type(self.dtype) if dtype is None else of_type(self, dtype)

    def type_as(self, other):
        """The tensor with the element type of another."""
        if not isinstance(other, Tensor):
            raise TypeError(
                "type_as(): argument 'other' (position 1) must be Tensor, not "
                f"{type(other).__name__}"
            )
        return self.to(other)

    def cpu(self, *, memory_format=None):
        """The tensor on the host; itself if it is there."""
        return self.to("cpu")

    def cuda(self, device=None, non_blocking=False, memory_format=None):
        """The tensor on a GPU; itself if it is there."""
        from ._convert import to_cuda

        return to_cuda(self, device)

    def contiguous(self, *, memory_format=None):
        """The tensor with elements side by side; itself if they lie so."""
        return self if self.is_contiguous() else _copy(self)

    def clone(self, *, memory_format=None):
        """A copy, through which gradients flow."""
        return _copy(self)

    def resolve_conj(self):
        """The tensor itself: numbers are conjugated where conj is called."""
        return self

    def resolve_neg(self):
        """The tensor itself: numbers are negated where neg is called."""
        return self

    def is_shared(self):
        """Whether the elements are in memory shared with other processes: never."""
        return False

    def share_memory_(self):
        """Not here: raises."""
        raise NotImplementedError("Tensor.share_memory_: elements are of one process")

    def is_pinned(self):
        """Whether the host's memory is locked for copies to a GPU: never."""
        return False

    def pin_memory(self, device=None):
        """The tensor itself: copies to a GPU need no locked memory."""
        return self

    # ---- Gradients ----------------------------------------------------------------------------

    @property
    def requires_grad(self):
        """Whether operations on the tensor are recorded for gradients."""
        return _info(self)[0]

    @requires_grad.setter
    def requires_grad(self, wanted):
        from .autograd import _leaf

        _leaf.set_flag(self, wanted)

    @property
    def grad_fn(self):
        """What computed the tensor, if that was recorded; else None."""
        flows, leaf, _ = _info(self)
        if not flows or leaf:
            return None
        from .autograd import _leaf

        return _leaf.Node(self)

    @property
    def grad(self):
        """The gradient, to which each backward adds; None before the first."""
        from .autograd import _leaf

        return _leaf.grad_of(self)

    @grad.setter
    def grad(self, given):
        from .autograd import _leaf

        _leaf.set_grad(self, given)

    @grad.deleter
    def grad(self):
        from .autograd import _leaf

        _leaf.set_grad(self, None)

    @property
    def data(self):
        """The same elements without gradients; writes to it are not counted."""
        return _core._grad_alias(self)

    @data.setter
    def data(self, given):
        from .autograd import _leaf

        _leaf.set_data(self, given)

    @property
    def _version(self):
        return _core._version(self)

    output_nr = 0

    @property
    def retains_grad(self):
        """Whether it is a result whose gradient was asked for."""
        from .autograd import _leaf

        return _leaf.retains(self)

    def requires_grad_(self, requires_grad=True):
        """Ask for the gradient of a leaf, or no more; gives the tensor."""
        from .autograd import _leaf

        if not isinstance(requires_grad, bool):
            raise TypeError(
                "requires_grad_(): argument 'requires_grad' (position 1) must be bool, not "
                f"{type(requires_grad).__name__}"
            )
        _leaf.require(self, requires_grad)
        return self

    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        """Add gradients to all leaves that this was computed of. Does not wait."""
        from . import autograd

        autograd.backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def retain_grad(self):
        """Keep the gradient of a result, too, in its .grad."""
        from .autograd import _leaf

        _leaf.retain(self)

    def register_hook(self, hook):
        """Have a function called with the tensor's gradient when that is computed."""
        from .autograd import _leaf

        return _leaf.hooked(self, hook)

    # ---- Copies and pickles -------------------------------------------------------------------

    def __copy__(self):
        from .autograd import _leaf

        return _leaf.like(self, self.detach())

    def __deepcopy__(self, memo):
        from .autograd import _leaf

        return _leaf.deep_copy(self, memo)

    def __reduce_ex__(self, protocol):
        from ._pickle import reduced

        return reduced(self)

    # ---- Users' attributes --------------------------------------------------------------------

    def __dir__(self):
        return sorted({*object.__dir__(self)} - hidden(Tensor) | {*self.__dict__})


_native_size = _native.size.__get__


def _no_dimension(dim):
    raise IndexError(
        f"dimension specified as {dim} but tensor has no dimensions"
    )


class Storage:
    """The memory that a tensor's elements are in, to compare and to measure."""

    __module__ = "torch"
    __slots__ = ("_tensor",)

    def __init__(self, tensor):
        self._tensor = tensor

    def data_ptr(self):
        """A number for the storage: equal for tensors that share it."""
        return _layout(self._tensor)[0]

    def nbytes(self):
        """How many bytes it has."""
        return _layout(self._tensor)[3]

    size = nbytes

    def __eq__(self, other):
        return isinstance(other, Storage) and self.data_ptr() == other.data_ptr()

    def __hash__(self):
        return hash(self.data_ptr())


_cast = row("cast", "cast", "input:x, dtype")
_copy = row("copy", "clone", "input:x")


def cast(tensor, one):
    """The elements as another type, which is not the tensor's: a copy."""
    return _cast(tensor, one)


# Names of the native class that torch does not have, or that are added by the modules of functions.
for _name in (
    "asnumpy as_subclass astype attach_grad clip conjugate cumulative_sum device_name fill is_ready "
    "around conj copy permute_dims repeat round_to strides take to_device tobytes wait wait_to_read "
    "compress ptp astype nonzero searchsorted put trace"
).split():
    if _name in _native.__dict__:
        setattr(Tensor, _name, Hidden(_name, NAMES))
del _name
