"""The class of tensors.

Here is what a tensor must be from the beginning: operators, conversion, text, gradients. The
methods that are functions of PaddlePaddle too are added by the modules that have those.
"""

from .. import _core
from .._common.members import Members, is_in_rows
from .._common.missing import Hidden, hidden
from . import _place
from ._dialect import row, rules
from ._dtypes import ALL
from ._missing import NAMES
from ._size import TensorSize

_native = _core.ndarray
_layout = _core._layout
_info = _core._grad_info
_native_item = _native.item
_count = _native.size.__get__
_write = _native.__setitem__


class Tensor(Members, _native, dialect=rules):
    """A tensor: operations are queued; what needs a value waits for it.

    >>> from penstock import paddle
    >>> paddle.ones((1, 2)) * paddle.ones((1, 2)) + 2
    Tensor(shape=[1, 2], dtype=float32, place=Place(cpu), stop_gradient=True,
           [[3., 3.]])
    """

    __module__ = "paddle"
    __slots__ = ()

    def __new__(cls, value=None, dtype=None, place=None, stop_gradient=True, **options):
        from ._create import to_tensor

        if value is None:
            value = []
        return to_tensor(value, dtype, place, stop_gradient)

    # ---- What it is ---------------------------------------------------------------------------

    place = property(_place.of, doc="Where the tensor is.")
    persistable = False

    @property
    def size(self):
        """The number of elements; called, the shape, or the length of one dimension."""
        return TensorSize(self.shape)

    @property
    def strides(self):
        """How many elements lie between neighbours, in each dimension."""
        return list(_layout(self)[2])

    def get_strides(self):
        """How many elements lie between neighbours, in each dimension."""
        return list(_layout(self)[2])

    def is_contiguous(self):
        """Whether the elements lie row by row, side by side."""
        return is_in_rows(self)

    def contiguous(self):
        """The tensor with elements side by side; itself if they lie so."""
        return self if self.is_contiguous() else _copy(self)

    def is_dense(self):
        """Whether all elements are stored: always."""
        return True

    def is_integer(self):
        """Whether elements are integers."""
        return self.dtype._native.kind in "iu"

    @property
    def name(self):
        """A name of its own, given when it is first asked for."""
        extra = _core._extra(self, True)
        found = extra.get("_name")
        if found is None:
            found = extra["_name"] = _new_name(self)
        return found

    @name.setter
    def name(self, given):
        _core._extra(self, True)["_name"] = given

    # ---- Text ---------------------------------------------------------------------------------

    def __repr__(self):
        from ._text import text_of

        return text_of(self)

    __str__ = __repr__

    # ---- Numbers ------------------------------------------------------------------------------

    def __float__(self):
        return float(_number(self, "float"))

    def __int__(self):
        return int(_number(self, "int"))

    def __complex__(self):
        return complex(_number(self, "complex"))

    def __index__(self):
        made = _number(self, "int")
        if self.dtype._native.kind not in "biu":
            raise TypeError(f"a tensor of {self.dtype} cannot be an index")
        return int(made)

    def __len__(self):
        shape = self.shape
        if not shape:
            raise AssertionError("len() of a 0-D tensor is wrong")
        return shape[0]

    def __setitem__(self, key, value):
        try:
            _write(self, key, value)
        except RuntimeError as error:
            if not _info(self)[1]:
                raise
            raise ValueError(f"(InvalidArgument) {error}") from None

    def item(self, *args):
        """The only element, or the one at a position, as a Python number. Waits."""
        if args:
            return _at(self, args)
        if _count(self) != 1:
            raise ValueError(
                "(InvalidArgument) only one element tensors can be converted to Python scalars "
                f"when no input coordinates are given; this has {_count(self)}"
            )
        return _native_item(self)

    # ---- Conversion ---------------------------------------------------------------------------

    def numpy(self, *args):
        """A NumPy array with a copy of the elements. Waits."""
        return _native.asnumpy(self)

    def __array__(self, dtype=None, copy=None):
        found = _native.asnumpy(self)
        return found if dtype is None else found.astype(dtype, copy=False)

    __array_ufunc__ = None  # NumPy leaves operators to the tensor, and has no functions for it

    # ---- Gradients ----------------------------------------------------------------------------

    @property
    def stop_gradient(self):
        """Whether operations on the tensor are not recorded for gradients."""
        return not _info(self)[0]

    @stop_gradient.setter
    def stop_gradient(self, wanted):
        from .autograd import _leaf

        _leaf.set_stop(self, bool(wanted))

    @property
    def requires_grad(self):
        """Whether operations on the tensor are recorded for gradients."""
        return _info(self)[0]

    @requires_grad.setter
    def requires_grad(self, wanted):
        self.stop_gradient = not wanted

    def gradient(self):
        """The gradient as a NumPy array; None if there is none. Waits."""
        found = self.grad
        return None if found is None else found.numpy()

    @property
    def data(self):
        """The same elements without gradients."""
        return _native.detach(self)

    @data.setter
    def data(self, given):
        self.set_value(given)

    def value(self):
        """The tensor itself."""
        return self

    @property
    def inplace_version(self):
        """How often the tensor was written in place."""
        return _core._version(self)

    def zero_grad(self):
        """Set the gradient to zeros in place."""
        self.clear_grad()

    def retain_grads(self):
        """Keep the gradient of a result, too, in its .grad."""
        from .autograd import _leaf

        _leaf.retain(self)

    def register_hook(self, hook):
        """Have a function called with the tensor's gradient when that is computed."""
        from .autograd import _leaf

        return _leaf.hooked(self, hook)

    # ---- Copies and pickles -------------------------------------------------------------------

    def __copy__(self):
        return _copy(_native.detach(self))

    def __deepcopy__(self, memo):
        from .autograd import _leaf

        return _leaf.deep_copy(self, memo)

    def __reduce_ex__(self, protocol):
        from ._pickle import reduced

        return reduced(self)

    # ---- Users' attributes --------------------------------------------------------------------

    def __dir__(self):
        return sorted({*object.__dir__(self)} - hidden(Tensor) | {*self.__dict__})


_copy = row("copy", "clone", "x")
_cast = row("cast", "cast", "x, dtype")
_counters = {"generated_tensor": 0, "eager_tmp": 0}


def _new_name(tensor):
    kind = "generated_tensor" if tensor.is_leaf else "eager_tmp"
    number = _counters[kind]
    _counters[kind] = number + 1
    return f"{kind}_{number}"


def _number(tensor, kind):
    """The only element of a tensor without dimensions."""
    if _count(tensor) != 1:
        raise AssertionError(
            f"only one element variable can be converted to {kind}, and this has {_count(tensor)}."
        )
    if tensor.ndim:
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    return _native_item(tensor)


def _at(tensor, place):
    """The element at a position among all, or at one in each dimension."""
    shape = tensor.shape
    if len(place) == 1:
        if not -1 < place[0] < _count(tensor):
            raise ValueError(
                f"(InvalidArgument) index {place[0]} is out of bounds for {_count(tensor)} elements"
            )
        return _native_item(tensor.reshape([-1])[place[0]])
    if len(place) != len(shape):
        raise ValueError(
            f"(InvalidArgument) {len(place)} coordinates for {len(shape)} dimensions"
        )
    return _native_item(tensor[place])


def cast(tensor, one):
    """The elements as another type; the tensor itself if they are of that."""
    return tensor if tensor.dtype is one else _cast(tensor, one)


def is_tensor(x):
    """Whether it is a tensor."""
    return isinstance(x, Tensor)


BOOL, INT64, FLOAT64 = ALL["bool"], ALL["int64"], ALL["float64"]

# Names of the native class that PaddlePaddle does not have, or has with other arguments.
for _name in (
    "asnumpy as_subclass attach_grad conjugate cumulative_sum device device_name fill is_ready "
    "around copy permute_dims repeat round_to to_device tobytes wait wait_to_read compress ptp "
    "searchsorted put swapaxes take trace"
).split():
    if _name in _native.__dict__:
        setattr(Tensor, _name, Hidden(_name, NAMES))
del _name
