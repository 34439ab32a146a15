"""Values as tensors by torch's rules: which type numbers get, what fits, what is regular.

The library reads numbers, nested sequences and arrays itself. What it refuses is gone through here
element by element, which finds the error that torch has for it, or the tensor.
"""

from .. import _core
from ._dialect import default_dtype
from ._dtypes import ALL
from ._ranks import complex_beside, promoted
from ._tensor import Tensor

_new = _core.ndarray.__new__
_DEEPEST = 128


def made_of(data, one, device):
    """A tensor with the elements of data, of a type or of the type that they have themselves."""
    if isinstance(data, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    if hasattr(data, "__array_interface__"):
        _check_array(data)
    elif isinstance(data, (bytearray, memoryview)):
        data = list(data)
    try:
        made = _read(data, one, device)
    except (OverflowError, TypeError, ValueError):
        return _slowly(data, one, device)
    return _without_tensors(data, made) if isinstance(data, (list, tuple)) else made


def _check_array(array):
    """torch cannot import every NumPy array."""
    if any(step < 0 for step in getattr(array, "strides", ())):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative "
            "strides are not currently supported. (You can probably work around this by making a "
            "copy of your array  with array.copy().)"
        )
    if not array.dtype.isnative:
        raise ValueError(
            "given numpy array has byte order different from the native byte order. Conversion "
            "between byte orders is currently not supported."
        )
    if array.dtype.kind not in "biufc" or array.dtype.itemsize > 16 or array.dtype.name not in ALL:
        raise TypeError(
            f"can't convert np.ndarray of type {array.dtype}. The only supported types are: "
            f"{', '.join(ALL)}."
        )


def _read(data, one, device):
    if one is not None and one._native.kind in "iu" and not hasattr(data, "dtype"):
        for number in _numbers(data):
            as_element(number, one)
    typed = None if one is None else one._native
    made = _new(Tensor, _typed(data), dtype=typed, device=device)
    if made.dtype is ALL["uint64"] and one is None and not hasattr(data, "dtype"):
        raise OverflowError("a number beyond int64")
    return made


def _numbers(data):
    """The floats and ints of nested sequences; tensors in them must be of integers."""
    if isinstance(data, (list, tuple)):
        for inner in data:
            yield from _numbers(inner)
    elif isinstance(data, (int, float)):
        yield data
    elif isinstance(data, Tensor) and (data.dtype._native.kind not in "biu" or data.numel() != 1):
        raise TypeError("only integer tensors of a single element can be converted to an index")


def _typed(data):
    """NumPy's float64 is a Python float too, but keeps its type: such data goes through NumPy."""
    first = data
    while isinstance(first, (list, tuple)) and first:
        first = first[0]
    if type(first) is float or not isinstance(first, float):
        return data
    import numpy

    return numpy.asarray(data) if isinstance(first, numpy.generic) else data


def _without_tensors(data, made):
    """Tensors of one element inside of lists count as numbers; larger ones are refused."""
    depth = _depth(data)
    if made.ndim == depth:
        return made
    inner = 1
    for length in made.shape[depth:]:
        inner *= length
    if inner != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    return made.reshape(made.shape[:depth])


def _depth(data):
    depth = 0
    while isinstance(data, (list, tuple, range)):
        depth += 1
        if not data:
            break
        data = data[0]
    return depth + (data.ndim if hasattr(data, "__array_interface__") else 0)


# ---- Numbers -------------------------------------------------------------------------------------


def as_element(number, one):
    """A number as a type has it: floats are cut; raises RuntimeError if it does not fit.

    Down to minus the largest number, unsigned types wrap.
    """
    kind = one._native.kind
    if isinstance(number, int) and not -(2**63) <= number < 2**64:
        raise OverflowError("int too big to convert")
    if kind == "b":
        return bool(number)
    if isinstance(number, complex) and kind != "c":
        if number.imag:
            raise _overflow(one)
        number = number.real
    if kind not in "iu":
        return number
    from .. import _types

    limits = _types.iinfo(one._native)
    lowest = limits.min if limits.min < 0 else -limits.max
    if number != number or not lowest <= number <= limits.max:
        raise _overflow(one)
    if kind == "u" and number < 0 and isinstance(number, float):
        raise _overflow(one)
    return int(number) % (limits.max + 1) if kind == "u" else int(number)


def _overflow(one):
    return RuntimeError(f"value cannot be converted to type {one._name} without overflow")


# ---- Element by element --------------------------------------------------------------------------


def _slowly(data, one, device):
    lengths = _lengths(data)
    one = _type_of(data) if one is None else one
    flat = [] if 0 in lengths else list(_stored(data, lengths, 0, one))
    return _new(Tensor, flat, dtype=one._native, device=device).reshape(lengths)


def _is_sequence(value):
    return (
        hasattr(type(value), "__getitem__")
        and hasattr(type(value), "__len__")
        and not (isinstance(value, (dict, set)) or getattr(value, "ndim", 1) == 0)
    )


def _lengths(data):
    """The shape, as the first elements have it; tensors in a list are numbers."""
    found = []
    while _is_sequence(data) and not (found and isinstance(data, Tensor)):
        found.append(len(data))
        if len(found) > _DEEPEST:
            raise ValueError(f"too many dimensions '{type(data).__name__}'")
        if not found[-1]:
            break
        data = data[0]
    return found


def _type_of(value):
    """The type that an element has, or that all in a sequence have together."""
    if isinstance(value, Tensor):
        return value.dtype
    if isinstance(value, bool):
        return ALL["bool"]
    if isinstance(value, int):
        return ALL["int64"]
    if type(value) is float:
        return default_dtype()
    if type(value) is complex:
        return complex_beside(default_dtype())
    if hasattr(value, "__array_interface__"):
        return ALL[value.dtype.name]
    if isinstance(value, str):
        raise TypeError(f"new(): invalid data type '{type(value).__name__}'")
    if not _is_sequence(value):
        raise RuntimeError(f"Could not infer dtype of {type(value).__name__}")
    found = None
    for inner in value:
        one = _type_of(inner)
        found = one if found is None else promoted(found, one)
    return default_dtype() if found is None else found


def _stored(data, lengths, depth, one):
    """The elements one after the other, each as the type has it."""
    if depth == len(lengths):
        yield _element(data, one)
        return
    if not _is_sequence(data):
        raise TypeError("not a sequence")
    if len(data) != lengths[depth]:
        raise ValueError(
            f"expected sequence of length {lengths[depth]} at dim {depth} (got {len(data)})"
        )
    for inner in data:
        yield from _stored(inner, lengths, depth + 1, one)


def _element(value, one):
    if isinstance(value, Tensor) and value.numel() != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    if hasattr(value, "item") and (isinstance(value, Tensor) or value.ndim == 0):
        value = value.item()
    kind = one._native.kind
    if isinstance(value, complex) and kind in "fiu":
        raise TypeError("must be real number, not complex")
    if not isinstance(value, (int, float, complex)):
        word = "an integer" if kind in "iu" else "a number"
        raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as {word}")
    if isinstance(value, int) and kind in "iu" and not -(2**63) <= value < 2**64:
        raise ValueError("Overflow when unpacking long long")
    if isinstance(value, int) and kind == "i" and value >= 2**63:
        raise ValueError("Overflow when unpacking long long")
    if kind == "b":
        return bool(value)
    return as_element(value, one) if kind in "iu" else value
