"""Choosing elements by places and masks, and writing to them."""

from ._attach import both
from ._dialect import row, wrapped_dim
from ._dtypes import ALL
from ._tensor import Tensor

__all__ = []

_int64, _bool = ALL["int64"], ALL["bool"]
_take = row("take", "index_select", "input:x, index:indices, dim:axis=None", arrays=True)
_along = row("take_along_axis", "gather", "input:x, index:indices, dim:axis", arrays=True)
_nonzero = row("nonzero", "nonzero", "input:x", arrays=True)
_masked_fill = row("masked_fill", "masked_fill", "input:x, mask, value")
_masked_select = row("masked_select", "masked_select", "input:x, mask", arrays=True)


def _check_places(name, index):
    if index.dtype not in (_int64, ALL["int32"]):
        raise RuntimeError(f"{name}(): Expected dtype int32 or int64 for index, not {index.dtype}")


def index_select(input, dim, index):
    """Slices along a dimension at places. A place out of range is found while running."""
    _check_places("index_select", index)
    if index.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if not input.ndim:
        return _take(input.reshape(1), index.reshape(-1), 0).reshape(())
    return _take(input, index.reshape(-1), wrapped_dim(dim, input.ndim))


def take(input, index):
    """Elements at places among all."""
    return _take(input.reshape(-1), index, 0)


def gather(input, dim, index, *, sparse_grad=False):
    """Along a dimension the element at each place."""
    if index.dtype not in (_int64, ALL["int32"]):
        raise RuntimeError(f"gather(): Expected dtype int32 or int64 for index, not {index.dtype}")
    if not input.ndim:
        return _along(input.reshape(1), index.reshape(-1), 0).reshape(index.shape)
    dim = wrapped_dim(dim, input.ndim)
    if index.ndim != input.ndim:
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    key = []
    for at, (length, wanted) in enumerate(zip(input.shape, index.shape)):
        if at != dim and wanted > length:
            raise RuntimeError(
                f"Size does not match at dimension {at} expected index {list(index.shape)} to be no "
                f"larger than self {list(input.shape)} apart from dimension {dim}"
            )
        key.append(slice(None) if at == dim else slice(wanted))
    return _along(input[tuple(key)], index, dim)


def take_along_dim(input, indices, dim=None):
    """The same, with shapes that are broadcast; without a dim, among all elements."""
    if dim is None:
        return _take(input.reshape(-1), indices, 0)
    return _along(input, indices, dim)


def nonzero(input, *, as_tuple=False, out=None):
    """Places of the elements that are not 0: a row each, or a tensor for each dimension. Waits."""
    if not input.ndim:
        found = _nonzero(input.reshape(1))[:, :0]
        return (_nonzero(input.reshape(1))[:, 0],) if as_tuple else found
    found = _nonzero(input)
    return tuple(found[:, at] for at in range(input.ndim)) if as_tuple else found


def argwhere(input):
    """Places of the elements that are not 0, a row each. Waits."""
    return nonzero(input)


def masked_fill(input, mask, value):
    """A number where the mask holds, else the elements."""
    if mask.dtype is not _bool:
        raise RuntimeError(
            f"masked_fill_ only supports boolean masks, but got mask with dtype {mask.dtype}"
        )
    if isinstance(value, Tensor) and value.ndim:
        raise RuntimeError(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{value.ndim} dimension(s)."
        )
    from ._elements import where

    if isinstance(value, Tensor):
        return where(mask, value.to(input.dtype), input)
    return where(mask, input.new_full((), value), input)


def masked_select(input, mask):
    """The elements where the mask holds, in one dimension. Waits."""
    if mask.dtype is not _bool:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    from ._shape import broadcast_tensors

    if input.shape != mask.shape:
        input, mask = broadcast_tensors(input, mask)
    return _masked_select(input, mask)


def _masked_fill_(self, mask, value):
    """Write a number where the mask holds."""
    return self.copy_(masked_fill(self, mask, value))


def _masked_scatter_(self, mask, source):
    """Write elements, one after the other, where the mask holds. Waits for the mask."""
    mask = mask.expand(self.shape)
    self[mask] = source.reshape(-1)[: int(mask.sum())]
    return self


# ---- Writes at places -------------------------------------------------------------------------------


def _key(tensor, dim, index):
    return (*(slice(None),) * wrapped_dim(dim, tensor.ndim), index)


def _index_fill_(self, dim, index, value):
    """Write a number into slices at places."""
    self[_key(self, dim, index)] = value
    return self


def _index_copy_(self, dim, index, source):
    """Write slices at places."""
    self[_key(self, dim, index)] = source
    return self


_put = row("put", "index_add", "input:x, index:indices, source:values, accumulate=False, dim:axis=None, *, out=None")


def _index_add_(self, dim, index, source, *, alpha=1):
    """Add slices at places; of places that come again, each."""
    _check_places("index_add", index)
    if source.dtype is not self.dtype:
        raise RuntimeError(
            f"index_add_(): self ({self.dtype}) and source ({source.dtype}) must have the same "
            "scalar type"
        )
    source = source if alpha == 1 else source * alpha
    return self.copy_(_put(self, index.reshape(-1), source, True, wrapped_dim(dim, self.ndim)))


def _scattered(self, dim, index, source, accumulate):
    """The places of gather, written: over all dimensions but dim by their own places."""
    from ._create import arange

    dim = wrapped_dim(dim, self.ndim)
    if index.dtype is not _int64:
        raise RuntimeError(f"scatter(): Expected dtype int64 for index, not {index.dtype}")
    key = []
    for at, length in enumerate(index.shape):
        shape = [1] * index.ndim
        shape[at] = length
        key.append(index if at == dim else arange(length).reshape(shape).expand(index.shape))
    strides, flat = 1, None
    for at in range(self.ndim - 1, -1, -1):
        part = _wrapped(key[at], self.shape[at], at == dim) * strides
        flat = part if flat is None else flat + part
        strides *= self.shape[at]
    if isinstance(source, Tensor):
        source = source[tuple(slice(length) for length in index.shape)].reshape(-1)
    made = _put(self.reshape(-1), flat.reshape(-1), source, accumulate, 0)
    return made.reshape(self.shape)


def _wrapped(places, length, checked):
    return _checked_take(places, length) if checked else places


def _checked_take(places, length):
    """Places, which fail while running if they are out of range."""
    from ._create import arange

    return _take(arange(length), places, 0)


def scatter(input, dim, index, src=None, *, value=None, reduce=None):
    """A copy with elements written, along a dimension, at the places of index."""
    if reduce not in (None, "add"):
        raise NotImplementedError(f"scatter: reduce={reduce!r} is not here; 'add' is")
    source = value if src is None else src
    return _scattered(input, dim, index, source, reduce == "add")


def scatter_add(input, dim, index, src):
    """A copy with elements added, along a dimension, at the places of index."""
    return _scattered(input, dim, index, src, True)


def index_add(input, dim, index, source, *, alpha=1):
    """A copy with slices added at places."""
    return _index_add_(input.clone(), dim, index, source, alpha=alpha)


def index_fill(input, dim, index, value):
    """A copy with a number in slices at places."""
    return _index_fill_(input.clone(), dim, index, value)


def index_copy(input, dim, index, source):
    """A copy with other slices at places."""
    return _index_copy_(input.clone(), dim, index, source)


def _scatter_(self, dim, index, src=None, *, value=None, reduce=None):
    """Write elements, along a dimension, at the places of index."""
    return self.copy_(scatter(self, dim, index, src, value=value, reduce=reduce))


def _scatter_add_(self, dim, index, src):
    """Add elements, along a dimension, at the places of index."""
    return self.copy_(scatter_add(self, dim, index, src))


def _index_put_(self, indices, values, accumulate=False):
    """Write at the places of several tensors; with accumulate, add."""
    if accumulate:
        raise NotImplementedError("Tensor.index_put_: accumulate=True is not here")
    self[tuple(indices)] = values
    return self


both(
    "index_select take gather take_along_dim nonzero argwhere masked_fill masked_select scatter "
    "scatter_add index_add index_fill index_copy",
    globals(),
    __all__,
)
for _function in (
    *(_masked_fill_, _masked_scatter_, _index_fill_, _index_copy_, _index_add_),
    *(_scatter_, _scatter_add_, _index_put_),
):
    setattr(Tensor, _function.__name__[1:], _function)

# ---- Whole tensors -----------------------------------------------------------------------------------


def fill_(self, value):
    """Write a number into all elements."""
    if isinstance(value, Tensor) and value.ndim:
        raise RuntimeError(
            f"fill_ only supports 0-dimension value tensor but got tensor with {value.ndim} dimensions."
        )
    self[...] = value
    return self


def zero_(self):
    """Write 0 into all elements."""
    self[...] = 0
    return self


def copy_(self, src, non_blocking=False):
    """Write the elements of another tensor, as the type of this one."""
    if not isinstance(src, Tensor):
        raise TypeError(
            f"copy_(): argument 'other' (position 1) must be Tensor, not {type(src).__name__}"
        )
    self[...] = src
    return self


def fill_diagonal_(self, fill_value, wrap=False):
    """Write a number into the diagonal of a matrix."""
    self.diagonal()[...] = fill_value
    return self


for _function in (fill_, zero_, copy_, fill_diagonal_):
    setattr(Tensor, _function.__name__, _function)
del _function
