"""Functions that join tensors and take them apart; parts are copies."""

from ._calls import both, refuse
from ._dialect import row, wrapped_axis
from ._shape import _copy, ints_of
from ._tensor import Tensor

__all__ = []
_concatenate = row("concatenate", "concat", "x:tensors, axis=0")
_stack = row("stack", "stack", "x:tensors, axis=0")


def _listed(name, x):
    """A list of tensors of one type, checked."""
    if isinstance(x, Tensor):
        x = [x]
    if not isinstance(x, (list, tuple)):
        refuse(name, "x", 0, "list of Tensors", x)
    if not x:
        raise ValueError(f"(InvalidArgument) {name}(): the list of tensors is empty")
    first = x[0]
    for at, one in enumerate(x):
        if not isinstance(one, Tensor):
            refuse(name, "x", 0, f"list of Tensors (at pos {at})", one)
        if one.dtype is not first.dtype:
            raise ValueError(
                f"(InvalidArgument) {name}(): the first tensor is {first.dtype._name}, but the "
                f"{at}th is {one.dtype._name}"
            )
    return x


def _axis(axis):
    return axis.item() if isinstance(axis, Tensor) else axis


def _any_concat(x=None, axis=0, name=None, *, tensors=None, dim=None, out=None):
    x = _listed("concat", tensors if x is None else x)
    return _into(_concatenate(list(x), _axis(axis if dim is None else dim)), out)


def _into(made, out):
    if out is None:
        return made
    from ._calls import into

    return into(out, made)


concat = row("concatenate", "concat", "x:tensors, axis=0", unusual=_any_concat)
cat = concatenate = concat


def _any_stack(x=None, axis=0, name=None, *, tensors=None, dim=None, out=None):
    x = _listed("stack", tensors if x is None else x)
    shape = x[0].shape
    for at, one in enumerate(x):
        if one.shape != shape:
            raise ValueError(
                f"(InvalidArgument) The dimensions of input[0] and input[{at}] are expected to be "
                f"equal. But received {list(shape)} and {list(one.shape)}"
            )
    at = wrapped_axis(_axis(axis if dim is None else dim), len(shape), 1)
    return _into(_stack(list(x), at), out)


stack = row("stack", "stack", "x:tensors, axis=0", unusual=_any_stack)


def _sections(x, num_or_sections, axis):
    length = x.shape[axis]
    if isinstance(num_or_sections, int):
        if num_or_sections <= 0 or length % num_or_sections:
            raise ValueError(
                f"(InvalidArgument) The input's size along the split dimension must be evenly "
                f"divisible by Attr(num_or_sections): {length} is not divisible by "
                f"{num_or_sections}"
            )
        return (length // num_or_sections,) * num_or_sections
    if not isinstance(num_or_sections, (list, tuple)):
        raise TypeError(
            f"The type of 'num_or_sections' in split must be int, list or tuple, but received "
            f"{type(num_or_sections)}"
        )
    sizes = list(ints_of(num_or_sections))
    known = sum(one for one in sizes if one != -1)
    if sizes.count(-1) == 1:
        sizes[sizes.index(-1)] = length - known
    if sum(sizes) != length or any(one < 0 for one in sizes):
        raise ValueError(
            f"(InvalidArgument) Sum of Attr(num_or_sections) must be equal to the input's size "
            f"along the split dimension: {list(ints_of(num_or_sections))} and {length}"
        )
    return sizes


def split(x, num_or_sections, axis=0, name=None, *, dim=None):
    """Copies of parts along an axis: so many equal ones, or of these sizes."""
    if not isinstance(x, Tensor):
        refuse("split", "x", 0, "Tensor", x)
    if not x.ndim:
        raise ValueError("(InvalidArgument) split: a tensor without dimensions has no parts")
    at = wrapped_axis(_axis(axis if dim is None else dim), x.ndim)
    found, start = [], 0
    for size in _sections(x, num_or_sections, at):
        found.append(_copy(x[(slice(None),) * at + (slice(start, start + size),)]))
        start += size
    return found


def chunk(x, chunks, axis=0, name=None):
    """So many equal parts along an axis."""
    if not isinstance(chunks, int):
        raise TypeError(f"The type of 'chunks' in chunk must be int, but received {type(chunks)}")
    return split(x, chunks, axis)


def unbind(x, axis=0):
    """The slices along an axis, without it."""
    if not x.ndim:
        raise ValueError("unbind: a tensor without dimensions has no slices")
    at = wrapped_axis(axis, x.ndim)
    return [x[(slice(None),) * at + (one,)] for one in range(x.shape[at])]


def unstack(x, axis=0, num=None):
    """Copies of the slices along an axis, without it."""
    return [_copy(one) for one in unbind(x, axis)]


def meshgrid(*args, **kwargs):
    """Coordinates of a grid, a tensor for each direction."""
    tensors = args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
    if kwargs.get("indexing", "ij") != "ij":
        raise NotImplementedError("paddle.meshgrid: indexing other than 'ij' is not here")
    lengths = []
    for one in tensors:
        if not isinstance(one, Tensor):
            refuse("meshgrid", "inputs", 0, "list of Tensors", one)
        if one.ndim > 1:
            raise ValueError(
                f"(InvalidArgument) Expected scalar or 1-D tensors in meshgrid, not {one.ndim}-D"
            )
        lengths.append(one.shape.numel())
    found = []
    for at, one in enumerate(tensors):
        shape = [1] * len(lengths)
        shape[at] = lengths[at]
        found.append(one.reshape(shape).expand(lengths))
    return found


def _rows(x):
    return [one.reshape([1, -1]) if one.ndim < 2 else one for one in _listed("vstack", x)]


def vstack(x, name=None):
    """Rows one below the other."""
    return concat(_rows(x), 0)


def hstack(x, name=None):
    """Tensors side by side."""
    x = [one.reshape([1]) if not one.ndim else one for one in _listed("hstack", x)]
    return concat(x, 0 if x[0].ndim == 1 else 1)


both("split chunk unbind unstack", globals(), __all__)
__all__ += "concat cat concatenate stack meshgrid vstack hstack".split()
