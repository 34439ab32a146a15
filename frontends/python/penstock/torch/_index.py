"""Choosing elements by places and masks, and writing to them."""

from ._attach import both
from ._checked import checked
from ._dialect import row, wrapped_dim
from ._dtypes import ALL
from ._output import given
from ._tensor import Tensor, cast

__all__ = []

_int64, _int32, _bool = ALL["int64"], ALL["int32"], ALL["bool"]
_take = row("take", "index_select", "input:x, index:indices, dim:axis=None", arrays=True)
_along = row("take_along_axis", "gather", "input:x, index:indices, dim:axis", arrays=True)
_nonzero = row("nonzero", "nonzero", "input:x", arrays=True)
_masked_select = row("masked_select", "masked_select", "input:x, mask", arrays=True)
_where = row("where", "where", "condition, input:x1, other:x2")
_copy = row("copy", "clone", "input:x")


def _check_places(name, index, types=(_int64, _int32)):
    if index.dtype not in types:
        wanted = " or ".join(one._name for one in types)
        raise RuntimeError(f"{name}(): Expected dtype {wanted} for index, not {index.dtype}")


def _check_vector(name, index, error=IndexError):
    if index.ndim > 1:
        raise error(f"{name}(): Index is supposed to be a vector, but got dim: {index.ndim}")


# ---- At places -----------------------------------------------------------------------------------


@checked("input: Tensor, dim: int, index: Tensor, *, out: Tensor? = None")
def index_select(input, dim, index, out=None):
    """Slices along a dimension at places. A place out of range is found while running."""
    dim = wrapped_dim(dim, input.ndim)
    _check_vector("index_select", index)
    _check_places("index_select", index)
    if not input.ndim:
        if index.numel() != 1:
            raise RuntimeError("index_select(): Index to scalar can have only 1 value")
        return given(_take(input.reshape(1), index.reshape(1), 0).reshape(()), out)
    return given(_take(input, index.reshape(-1), dim), out)


@checked("input: Tensor, index: Tensor, *, out: Tensor? = None")
def take(input, index, out=None):
    """Elements at places among all."""
    _check_places("take", index, (_int64,))
    if not input.numel() and index.numel():
        raise IndexError("take(): tried to take from an empty tensor")
    return given(_take(input.reshape(-1), index, 0), out)


def _check_along(name, input, dim, index):
    """The places that index has in the other dimensions must be there."""
    if max(index.ndim, 1) != max(input.ndim, 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    for at, (length, wanted) in enumerate(zip(input.shape, index.shape)):
        if at != dim and wanted > length:
            raise RuntimeError(
                f"Size does not match at dimension {at} expected index {list(index.shape)} to be "
                f"no larger than self {list(input.shape)} apart from dimension {dim}"
            )


@checked(
    "input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False, out: Tensor? = None"
)
def gather(input, dim, index, sparse_grad=False, out=None):
    """Along a dimension the element at each place."""
    dim = wrapped_dim(dim, input.ndim)
    _check_places("gather", index)
    if not index.numel():
        return given(input.new_empty(index.shape), out)
    _check_along("gather", input, dim, index)
    if not input.ndim or not index.ndim:
        made = _along(input.reshape(-1), index.reshape(-1), 0).reshape(index.shape)
        return given(made, out)
    key = tuple(
        slice(None) if at == dim else slice(wanted) for at, wanted in enumerate(index.shape)
    )
    return given(_along(input[key], index, dim), out)


@checked("input: Tensor, indices: Tensor, dim: int? = None, *, out: Tensor? = None")
def take_along_dim(input, indices, dim=None, out=None):
    """The same, with shapes that are broadcast; without a dim, among all elements."""
    _check_places("torch.take_along_dim", indices, (_int64,))
    if dim is None:
        return given(_take(input.reshape(-1), indices.reshape(-1), 0), out)
    if input.ndim != indices.ndim:
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, "
            f"but got {input.ndim} dimensions for input, and {indices.ndim} dimensions for indices"
        )
    if not input.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return given(_along(input, indices, wrapped_dim(dim, input.ndim)), out)


@checked("input: Tensor, *, as_tuple: bool = False, out: Tensor? = None")
def nonzero(input, as_tuple=False, out=None):
    """Places of the elements that are not 0: a row each, or a tensor for each dimension. Waits."""
    if not input.ndim:
        found = _nonzero(input.reshape(1))
        return (found[:, 0],) if as_tuple else given(found[:, :0], out)
    found = _nonzero(input)
    return tuple(found[:, at] for at in range(input.ndim)) if as_tuple else given(found, out)


@checked("input: Tensor")
def argwhere(input):
    """Places of the elements that are not 0, a row each. Waits."""
    return nonzero(input)


# ---- By masks ------------------------------------------------------------------------------------


def _check_mask(name, mask):
    if mask.dtype is not _bool:
        raise RuntimeError(
            f"{name} only supports boolean masks, but got mask with dtype {mask.dtype}"
        )


def _check_value(name, value):
    if isinstance(value, Tensor) and value.ndim:
        raise RuntimeError(
            f"{name} only supports a 0-dimensional value tensor, but got tensor with {value.ndim} "
            "dimension(s)."
        )


@checked("input: Tensor, mask: Tensor, value: operand")
def masked_fill(input, mask, value):
    """A number where the mask holds, else the elements."""
    _check_mask("masked_fill_", mask)
    _check_value("masked_fill_", value)
    if isinstance(value, Tensor):
        if value.dtype.is_complex and not input.dtype.is_complex:
            raise RuntimeError("value cannot be converted to type float without overflow")
        value = value if value.dtype is input.dtype else cast(value, input.dtype)
    else:
        value = fitted(value, input.dtype)
    return _where(mask, value, input)


def fitted(number, one):
    """A number as elements of a type have it; raises if it does not fit."""
    if one.is_floating_point and type(number) in (float, int, bool) or one.is_complex:
        return number
    from ._literal import as_element

    return as_element(number, one)


@checked("input: Tensor, mask: Tensor, *, out: Tensor? = None")
def masked_select(input, mask, out=None):
    """The elements where the mask holds, in one dimension. Waits."""
    if mask.dtype is not _bool:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    from ._shape import broadcast_tensors

    if input.shape != mask.shape:
        input, mask = broadcast_tensors(input, mask)
    return given(_masked_select(input, mask), out)


@checked("self: Tensor, mask: Tensor, value: operand")
def _masked_fill_(self, mask, value):
    """Write a number where the mask holds."""
    return self.copy_(masked_fill(self, mask, value))


@checked("self: Tensor, mask: Tensor, source: Tensor")
def _masked_scatter_(self, mask, source):
    """Write elements, one after the other, where the mask holds. Waits for the mask."""
    _check_mask("masked_scatter_", mask)
    if source.dtype is not self.dtype:
        raise RuntimeError(
            f"masked_scatter: expected self and source to have same dtypes but got {self.dtype} "
            f"and {source.dtype}"
        )
    mask = mask.expand(self.shape)
    count = int(mask.sum())
    if count > source.numel():
        raise RuntimeError("masked_scatter: the source has too few elements")
    self[mask] = source.reshape(-1)[:count]
    return self


# ---- Writes at places ----------------------------------------------------------------------------


def _key(tensor, dim, index):
    return (*(slice(None),) * wrapped_dim(dim, tensor.ndim), index)


def _whole(tensor):
    """A tensor without dimensions as a view of one dimension."""
    return tensor if tensor.ndim else tensor.reshape(1)


@checked("self: Tensor, dim: int, index: Tensor, value: operand")
def _index_fill_(self, dim, index, value):
    """Write a number into slices at places."""
    if isinstance(value, Tensor) and value.ndim:
        raise RuntimeError(
            "index_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{value.ndim} dimension(s)."
        )
    if index.dtype is not _int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    _check_vector("index_fill_", index, RuntimeError)
    value = value if isinstance(value, Tensor) else fitted(value, self.dtype)
    wrapped_dim(dim, self.ndim)
    _whole(self)[_key(_whole(self), dim, index)] = value
    return self


@checked("self: Tensor, dim: int, index: Tensor, source: Tensor")
def _index_copy_(self, dim, index, source):
    """Write slices at places."""
    dim = wrapped_dim(dim, self.ndim)
    _check_vector("index_copy_", index)
    _check_places("index_copy_", index, (_int64,))
    if source.dtype is not self.dtype:
        raise RuntimeError(
            "index_copy_(): self and source expected to have the same dtype, but got (self) "
            f"{self.dtype} and (source) {source.dtype}"
        )
    _check_copied(self, dim, index, source)
    whole = _whole(self)
    whole[_key(whole, dim, index.reshape(-1))] = source.reshape(
        (*whole.shape[:dim], index.numel(), *whole.shape[dim + 1 :])
    )
    return self


def _check_copied(self, dim, index, source):
    if index.numel() != (source.shape[dim] if source.ndim else 1):
        raise IndexError(
            f"index_copy_(): Number of indices ({index.numel()}) should be equal to "
            f"source.size(dim) of {list(source.shape)}"
        )
    mine, other = list(self.shape), list(source.shape)
    if self.ndim and source.ndim and self.ndim != source.ndim:
        raise IndexError(
            "index_copy_(): When source and destination are not scalars, their dimensionality must "
            f"match. Source dimensionality ({source.ndim}), destination ({self.ndim})"
        )
    if source.ndim and mine[:dim] + mine[dim + 1 :] != other[:dim] + other[dim + 1 :]:
        raise RuntimeError(
            f"index_copy_(): Source/destination tensor must have same slice shapes, not {other} "
            f"and {mine}"
        )


_put = row(
    "put",
    "index_add",
    "input:x, index:indices, source:values, accumulate=False, dim:axis=None, *, out=None",
)


@checked("self: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: number = 1")
def _index_add_(self, dim, index, source, alpha=1):
    """Add slices at places; of places that come again, each."""
    dim = wrapped_dim(dim, self.ndim)
    _check_vector("index_add_", index)
    _check_places("index_add", index)
    if source.dtype is not self.dtype:
        raise RuntimeError(
            f"index_add_(): self ({self.dtype}) and source ({source.dtype}) must have the same "
            "scalar type"
        )
    _check_added(self, dim, index, source)
    if type(alpha) is not int or alpha != 1:
        source = source * fitted(alpha, self.dtype)
    if not self.ndim:
        return self.copy_(self + source.reshape(()))
    return self.copy_(_put(self, index.reshape(-1), source, True, dim))


def _check_added(self, dim, index, source):
    mine, other = list(self.shape), list(source.shape)
    if len(mine) != len(other) or mine[:dim] + mine[dim + 1 :] != other[:dim] + other[dim + 1 :]:
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {mine} source.shape = {other}"
        )
    if index.numel() != (source.shape[dim] if source.ndim else 1):
        raise RuntimeError(
            f"index_add_(): Number of indices ({index.numel()}) should be equal to "
            f"source.size({dim}): ({source.shape[dim] if source.ndim else 1})"
        )


def _scattered(self, dim, index, source, accumulate):
    """The places of gather, written: over all dimensions but dim by their own places."""
    dim = wrapped_dim(dim, self.ndim)
    _check_places("scatter", index)
    if isinstance(source, Tensor) and source.dtype is not self.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if not index.numel():
        return _copy(self)
    _check_along("scatter", self, dim, index)
    if isinstance(source, Tensor):
        _check_along("scatter", source, -1, index)
        lengths = index.shape if index.ndim else ()
        source = (
            source[tuple(map(slice, lengths))].reshape(-1) if source.ndim else source.reshape(1)
        )
    else:
        source = fitted(source, self.dtype)
    flat = _flat_places(_whole(self), dim, _whole(index))
    return _put(self.reshape(-1), flat, source, accumulate, 0).reshape(self.shape)


def _flat_places(tensor, dim, index):
    """Where the places are among all elements of a tensor."""
    from ._create import arange

    step, flat = 1, None
    for at in range(tensor.ndim - 1, -1, -1):
        if at == dim:
            part = _take(arange(tensor.shape[at]), index, 0)  # fails while running if out of range
        else:
            shape = [1] * index.ndim
            shape[at] = index.shape[at]
            part = arange(index.shape[at]).reshape(shape).expand(index.shape)
        part = part * step
        flat = part if flat is None else flat + part
        step *= tensor.shape[at]
    return flat.reshape(-1)


_SCATTERS = (
    "input: Tensor, dim: int, index: Tensor, src: Tensor, *, reduce: str? = None",
    "input: Tensor, dim: int, index: Tensor, value: number, *, reduce: str? = None",
)


@checked(*_SCATTERS)
def scatter(input, dim, index, src=None, value=None, reduce=None):
    """A copy with elements written, along a dimension, at the places of index."""
    if reduce not in (None, "add", "multiply"):
        raise RuntimeError("reduce argument must be either add or multiply.")
    if reduce == "multiply":
        raise NotImplementedError("scatter: reduce='multiply' is not here; 'add' is")
    return _scattered(input, dim, index, value if src is None else src, reduce == "add")


@checked("input: Tensor, dim: int, index: Tensor, src: Tensor")
def scatter_add(input, dim, index, src):
    """A copy with elements added, along a dimension, at the places of index."""
    return _scattered(input, dim, index, src, True)


@checked("input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: number = 1")
def index_add(input, dim, index, source, alpha=1):
    """A copy with slices added at places."""
    return _index_add_(_copy(input), dim, index, source, alpha=alpha)


@checked("input: Tensor, dim: int, index: Tensor, value: operand")
def index_fill(input, dim, index, value):
    """A copy with a number in slices at places."""
    return _index_fill_(_copy(input), dim, index, value)


@checked("input: Tensor, dim: int, index: Tensor, source: Tensor")
def index_copy(input, dim, index, source):
    """A copy with other slices at places."""
    return _index_copy_(_copy(input), dim, index, source)


def _scatter_(self, *args, **kwargs):
    """Write elements, along a dimension, at the places of index."""
    return self.copy_(scatter(self, *args, **kwargs))


def _scatter_add_(self, *args, **kwargs):
    """Add elements, along a dimension, at the places of index."""
    return self.copy_(scatter_add(self, *args, **kwargs))


@checked("self: Tensor, indices: Tensors, values: Tensor, accumulate: bool = False")
def _index_put_(self, indices, values, accumulate=False):
    """Write at the places of several tensors; with accumulate, add."""
    if values.dtype is not self.dtype:
        raise RuntimeError(
            f"Index put requires the source and destination dtypes match, got {self.dtype} for the "
            f"destination and {values.dtype} for the source."
        )
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

# ---- Whole tensors -------------------------------------------------------------------------------


@checked("self: Tensor, value: operand")
def fill_(self, value):
    """Write a number into all elements."""
    if isinstance(value, Tensor):
        if value.ndim:
            raise RuntimeError(
                "fill_ only supports 0-dimension value tensor but got tensor with "
                f"{value.ndim} dimensions."
            )
        if value.dtype.is_complex and not self.dtype.is_complex:
            value = value.real
    else:
        value = fitted(value, self.dtype)
    _once_each(self)[...] = value
    return self


def _once_each(tensor):
    """A view without elements that repeat, as those of expand do, which one number can fill."""
    steps = tensor.stride()
    if 0 not in steps or not tensor.numel():
        return tensor
    return tensor[tuple(0 if not step else slice(None) for step in steps)]


def zero_(self):
    """Write 0 into all elements."""
    _once_each(self)[...] = 0
    return self


@checked("self: Tensor, src: operand, non_blocking: bool = False")
def copy_(self, src, non_blocking=False):
    """Write the elements of another tensor, as the type of this one."""
    if not isinstance(src, Tensor):
        from ._create import tensor

        src = tensor(src)
    if src.ndim > self.ndim:
        raise RuntimeError(
            f"output with shape {list(self.shape)} doesn't match the broadcast shape "
            f"{list(src.shape)}"
        )
    self[...] = src
    return self


@checked("self: Tensor, fill_value: number, wrap: bool = False")
def fill_diagonal_(self, fill_value, wrap=False):
    """Write a number into the diagonal of a matrix; with wrap, of each block below it too."""
    shape = self.shape
    if len(shape) < 2:
        raise RuntimeError("dimensions must larger than 1")
    if len(shape) > 2:
        return _fill_places(self, fill_value)
    _diagonal(self)[...] = fill_value
    if wrap:
        for start in range(shape[1] + 1, shape[0], shape[1] + 1):
            _diagonal(self[start:])[...] = fill_value
    return self


def _diagonal(matrix):
    from ._shape import diagonal

    return diagonal(matrix)


def _fill_places(self, fill_value):
    """The elements whose places are equal in all dimensions."""
    if len(set(self.shape)) > 1:
        raise RuntimeError("all dimensions of input must be of equal length")
    for at in range(self.shape[0]):
        self[(at,) * self.ndim] = fill_value
    return self


for _function in (fill_, zero_, copy_, fill_diagonal_):
    setattr(Tensor, _function.__name__, _function)
del _function
