"""Values as tensors by torch's rules: which type numbers get, what fits, what is regular."""

from .. import _core
from ._dtypes import ALL
from ._tensor import Tensor, cast

_new = _core.ndarray.__new__


def made_of(data, one, device):
    """A tensor with the elements of data, of a type or of the type that they have themselves."""
    if isinstance(data, (str, bytes)) or data is None:
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    try:
        made = _imported(data, one, device)
    except OverflowError:
        raise _too_large(one) from None
    except TypeError as error:
        raise TypeError(f"new(): {error}") from None
    if isinstance(data, (list, tuple)):
        made = _without_tensors(data, made)
    return made if one is None or made.dtype is one else _fitted(data, made, one)


def _imported(data, one, device):
    wide = one is ALL["float64"] or one is ALL["complex128"]
    if wide and not hasattr(data, "dtype"):
        return _new(Tensor, data, one._native, device=device)  # float32 would round first
    made = _new(Tensor, _typed(data), device=device)
    if made.dtype is ALL["uint64"] and not hasattr(data, "dtype"):
        raise ValueError("Overflow when unpacking long long")
    return made


def _typed(data):
    """NumPy's float64 is a Python float too, but keeps its type: such data goes through NumPy."""
    first = data
    while isinstance(first, (list, tuple)) and first:
        first = first[0]
    if type(first) is float or not isinstance(first, float):
        return data
    import numpy

    return numpy.asarray(data) if isinstance(first, numpy.generic) else data


def _too_large(one):
    return ValueError("Overflow when unpacking long long")


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
    while isinstance(data, (list, tuple)):
        depth += 1
        if not data:
            break
        data = data[0]
    import numpy

    return depth + (data.ndim if isinstance(data, numpy.ndarray) else 0)


def _fitted(data, made, one):
    """As a type: floats are cut, -1 wraps into unsigned types, larger numbers are refused."""
    if one._native.kind in "iu" and not hasattr(data, "dtype"):
        from .. import _types

        limits = _types.iinfo(one._native)
        lowest = limits.min if limits.min < 0 else -limits.max
        for number in _numbers(data):
            if not lowest <= number <= limits.max:
                raise RuntimeError(
                    f"value cannot be converted to type {one._name} without overflow"
                )
    return cast(made, one)


def _numbers(data):
    if isinstance(data, (list, tuple)):
        for inner in data:
            yield from _numbers(inner)
    elif isinstance(data, (int, float)) and data == data and data not in (_INF, -_INF):
        yield data


_INF = float("inf")
