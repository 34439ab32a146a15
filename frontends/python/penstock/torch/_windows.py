"""Views by strides, and of windows: those whose elements do not overlap."""

from ._dialect import wrapped_dim
from ._joining import narrow
from ._shape import reshape
from ._strided import reach, view_of


def as_strided(input, size, stride, storage_offset=None):
    """A view of the storage by lengths and strides; those that overlap are not here."""
    size, stride = tuple(size), tuple(stride)
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    if any(step < 0 for step in stride):
        raise RuntimeError(f"as_strided: Negative strides are not supported, got {list(stride)}")
    first = input.storage_offset()
    offset = (first if storage_offset is None else storage_offset) - first
    need = reach(offset, size, stride) if 0 not in size else 0
    _check_reach(input, offset, need, size, stride)
    made = None
    if input.is_contiguous() and offset >= 0 and need <= input.numel():
        flat = reshape(input, (-1,)) if input.numel() else reshape(input, (0,))
        if 0 in size:
            made = reshape(flat[:0], size)
        else:
            made = view_of(flat, offset, size, stride)
    if made is None:
        raise NotImplementedError(
            f"as_strided: lengths {list(size)} with strides {list(stride)} overlap, or lie outside "
            f"of a tensor with lengths {list(input.shape)} and strides {list(input.stride())}"
        )
    return made


def _check_reach(input, offset, need, size, stride):
    bytes_there = input.untyped_storage().nbytes()
    first = input.storage_offset() + offset
    if first < 0 or (need - offset + first) * input.itemsize > bytes_there:
        raise RuntimeError(
            f"as_strided: sizes {list(size)}, strides {list(stride)} and the offset {first} are "
            f"out of bounds for storage of size {bytes_there}"
        )


def unfold(self, dimension, size, step):
    """A view of windows along a dimension, each along a new last one; they must not overlap."""
    dim = wrapped_dim(dimension, self.ndim)
    length = self.shape[dim] if self.ndim else 1
    if size > length or size < 0:
        raise RuntimeError(
            f"maximum size for tensor at dimension {dimension} is {length} but size is {size}"
        )
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    count = (length - size) // step + 1
    if not self.ndim:
        return reshape(self, (1,)) if size else reshape(self, (1,))[:0]
    made = _windows(self, dim, size, step, count)
    if made is None:
        raise NotImplementedError(
            f"Tensor.unfold: windows of {size} elements every {step} of {length} overlap or end "
            "before the last; a view of those is not here"
        )
    return made.movedim(dim + 1, -1)


def _windows(tensor, dim, size, step, count):
    """The dimension as two: windows and their elements; None where slices give none."""
    if count == 1 or size > step:
        return narrow(tensor, dim, 0, size).unsqueeze(dim) if count == 1 else None
    piece = next((one for one in range(max(size, 1), step + 1) if step % one == 0), step)
    need = (count - 1) * step + piece
    if need > tensor.shape[dim]:
        return None
    every, shape = step // piece, tensor.shape
    cut = narrow(tensor, dim, 0, need)
    cut = reshape(cut, (*shape[:dim], need // piece, piece, *shape[dim + 1 :]))
    none = (slice(None),) * dim
    return cut[(*none, slice(None, None, every), slice(0, size))]
