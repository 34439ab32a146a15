"""torch's rules as a row of settings, and how operations of the table are called by them."""

from .. import Dialect, _core
from ._dtypes import ALL, BY_CLASS, BY_NATIVE
from ._size import Size

ndarray = _core.ndarray
_ops = _core._ops


class OutOfMemoryError(RuntimeError):
    """There is no memory for the elements of a tensor."""

    __module__ = "torch"


# What torch raises for the kinds of errors that the library has.
ERRORS = {
    "value": RuntimeError,
    "type": NotImplementedError,
    "argument": TypeError,
    "operand": TypeError,
    "axis": IndexError,
    "index": IndexError,
    "key": IndexError,
    "memory": OutOfMemoryError,
}

rules = Dialect(
    "torch",
    scalar="ranks",
    numbers="wrap",
    ranges="forward",
    indices="lists",
    means="float",
    updates="kind",
    zero_division="raise",
    products="same",
    differences="numbers",
    results="base",
    values="arrays",
    attributes=True,
    shape=Size,
    types=BY_NATIVE,
    type_names=BY_CLASS,
    buffers="constants",
    errors=ERRORS,
    gradients=("unless_paused", "check", "bounds_cut", "lazy"),
)

# ---- The default type ---------------------------------------------------------------------------

_default = [ALL["float32"]]


def default_dtype():
    """What Python's floats become."""
    return _default[0]


def set_default_dtype(d):
    """What Python's floats, quotients of integers and new tensors are from now on.

    >>> from penstock import torch
    >>> torch.set_default_dtype(torch.float64)
    >>> torch.tensor([1.0]).dtype
    torch.float64
    >>> torch.set_default_dtype(torch.float32)
    """
    if d not in BY_NATIVE.values() or not d.is_floating_point:
        raise TypeError(f"only floating-point types are supported as the default type, not {d!r}")
    rules.set_types(float=d._native, complex=_complex_beside(d)._native)
    _default[0] = d


def _complex_beside(d):
    return ALL["complex128" if d is ALL["float64"] else "complex64"]


# ---- Calls ---------------------------------------------------------------------------------------


def row(operation, name=None, signature=None, **others):
    """The function of an operation of the table; `signature` has torch's argument names.

    "input:x, dim:axis=None" calls the table's x input and its axis dim. Of `others`, unusual is
    called instead when an argument is not plain, numbers when none is a tensor; arrays=True refuses
    numbers in the place of tensors; ndim asks for so many dimensions; variadic=True takes what the
    last argument has in several.
    """
    return _ops[operation].for_dialect(rules, name or operation, signature, "torch", **others)


def refuse_type(name, one):
    """Raises for elements that a function is not for."""
    raise NotImplementedError(f'"{name}" not implemented for {one}')


_SYNONYMS = {"axis": "dim", "keepdims": "keepdim", "x1": "input", "x2": "other"}


def renamed(kwargs):
    """Keywords by NumPy's names as torch's, which takes both."""
    for name in kwargs:
        if name in _SYNONYMS:
            return {_SYNONYMS.get(key, key): value for key, value in kwargs.items()}
    return kwargs


def dims(dim):
    """Dimensions as the library takes them: an int, a tuple of ints, or None for all."""
    if dim is None or type(dim) is int:
        return dim
    if isinstance(dim, (tuple, list)):
        return tuple(map(_index, dim)) or None
    return _index(dim)


def _index(value):
    import operator

    return operator.index(value)


def wrapped_dim(dim, ndim, extra=0):
    """A dimension counted from the beginning; IndexError if there is none."""
    count = max(ndim + extra, 1)
    if not -count <= dim < count:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-count}, {count - 1}], "
            f"but got {dim})"
        )
    return dim % count


def sizes(given):
    """A shape given as ints, or as one tuple, list or Size."""
    if len(given) == 1 and isinstance(given[0], (tuple, list)):
        given = given[0]
    return tuple(_index(length) for length in given)
