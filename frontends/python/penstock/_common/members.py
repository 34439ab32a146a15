"""What tensors of dialects are asked for under the same names."""

from .. import _core

_native = _core.ndarray
_layout, _info = _core._layout, _core._grad_info
_item, _size = _native.item, _native.size.__get__


def is_in_rows(tensor):
    """Whether the elements lie row by row, side by side."""
    expected = 1
    for length, step in zip(tensor.shape[::-1], _layout(tensor)[2][::-1]):
        if length != 1 and step != expected:
            return _size(tensor) == 0
        expected *= length
    return True


class Members:
    """Methods and properties of a class of tensors, which derives from the native one too."""

    __slots__ = ()

    def __hash__(self):
        return id(self)

    def dim(self):
        """The number of dimensions."""
        return self.ndim

    ndimension = dim

    def element_size(self):
        """The bytes of an element."""
        return self.itemsize

    def data_ptr(self):
        """A number for the place of the first element: equal for tensors that begin there."""
        key, offset, *_ = _layout(self)
        return key + offset * self.itemsize

    def is_floating_point(self):
        """Whether elements are floating-point numbers."""
        return self.dtype.is_floating_point

    def is_complex(self):
        """Whether elements are complex numbers."""
        return self.dtype.is_complex

    def __format__(self, spec):
        if self.ndim == 0:
            return format(_item(self), spec)
        if spec:
            raise TypeError("unsupported format string passed to Tensor.__format__")
        return repr(self)

    def tolist(self):
        """The elements as nested lists of Python numbers. Waits."""
        return _native.tolist(self)

    @property
    def is_leaf(self):
        """Whether it is no result of recorded operations."""
        flows, leaf, _ = _info(self)
        return leaf or not flows

    def detach(self):
        """The same elements, shared, in no graph."""
        return _native.detach(self)

    def detach_(self):
        """Take the tensor itself out of its graph."""
        _core._become(self, _native.detach(self))
        return self

    @property
    def __dict__(self):
        return _core._extra(self, True)
