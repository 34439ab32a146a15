"""Values as tensors: which type numbers get, what is cut, what wraps, what is regular."""

from .. import _core
from ._dialect import default_dtype
from ._dtypes import ALL
from ._tensor import Tensor, cast

_new = _core.ndarray.__new__
_NUMBERS = (bool, int, float, complex)


def made_of(data, one, where):
    """A tensor with the elements of data, of a type or of the type that they have themselves."""
    if type(data) in (int, float, bool) and one is None:
        return _new(Tensor, data, **where)
    if isinstance(data, (list, tuple)):
        return _of_sequence(data, one, where)
    if hasattr(data, "__array_interface__"):
        return _of_array(data, one, where)
    if isinstance(data, _NUMBERS):
        return _fitted(data, one, where)
    if isinstance(data, _core.ndarray):
        made = _core.ndarray.as_subclass(_core.ndarray.detach(data), Tensor).clone()
        return made if one is None else cast(made, one)
    raise TypeError(
        f"Can't constructs a 'paddle.Tensor' with data type {type(data)}, data type must be "
        "scalar|list|tuple|np.ndarray|paddle.Tensor"
    )


def _fitted(data, one, where):
    import numpy

    if one is None:
        return _new(Tensor, data, **where)
    return _of_array(numpy.asarray(data), one, where)


def _of_array(array, one, where):
    import numpy

    array = numpy.ascontiguousarray(array).reshape(numpy.shape(array))
    if array.dtype.kind not in "biufc" or array.dtype.name not in ALL:
        if array.dtype.name in ("uint16", "uint32", "uint64"):
            array = array.astype("int64")
        else:
            raise ValueError(f"(InvalidArgument) a tensor cannot have elements of {array.dtype}")
    made = _new(Tensor, array.newbyteorder("=") if not array.dtype.isnative else array, **where)
    return made if one is None else cast(made, one)


def _of_sequence(data, one, where):
    """Numbers in lists are int64, float32 or bool, whatever library they are of."""
    kinds = _types(data)
    if one is None and kinds <= _PLAIN and len(kinds) == 1:
        try:
            return _new(Tensor, data, **where)
        except (OverflowError, TypeError, ValueError):
            pass
    if any(issubclass(kind, _core.ndarray) for kind in kinds):
        return _of_tensors(data, one, where)
    import numpy

    array = numpy.array(data)
    if array.dtype.kind in "OUSV":
        raise ValueError(
            "(InvalidArgument) a tensor cannot have elements of "
            f"{', '.join(sorted(kind.__name__ for kind in kinds))}"
        )
    if one is None:
        one = _type_of(array, kinds)
    return _of_array(array, one, where)


_PLAIN = {int, float, bool}


def _type_of(array, kinds):
    kind = array.dtype.kind
    if kind == "b":
        return ALL["bool"]
    if kind in "iu":
        return ALL["int64"]
    if kind == "c":
        return ALL["complex128" if default_dtype() is ALL["float64"] else "complex64"]
    return default_dtype()


def _types(data):
    """The types of what nested sequences hold."""
    if not isinstance(data, (list, tuple)):
        return {type(data)}
    found = set(map(type, data))
    if found.isdisjoint((list, tuple)):
        return found
    inner = [_types(one) for one in data]
    return set().union(*inner)


def _of_tensors(data, one, where):
    """Tensors in lists are stacked; those of two types are float64."""
    found = list(_leaves(data))
    types = {one.dtype for one in found if isinstance(one, Tensor)}
    parts = _stacked(data, ALL["float64"] if len(types) > 1 else None)
    return parts if one is None else cast(parts, one)


def _leaves(data):
    if isinstance(data, (list, tuple)):
        for one in data:
            yield from _leaves(one)
    else:
        yield data


def _stacked(data, common):
    from ._joining import stack

    if not isinstance(data, (list, tuple)):
        made = data.detach() if isinstance(data, Tensor) else made_of(data, None, {})
        return made if common is None else cast(made, common)
    return stack([_stacked(one, common) for one in data])
