"""What NumPy asks of an array of this library. Loaded when NumPy asks for the first time.

NumPy's functions of elements (ufuncs), and with them the operators of NumPy arrays and scalars,
give arrays of this library: they call the function of the same name here, and are queued like it.
All other functions of NumPy read an array through ``__array__``: they wait, and give NumPy arrays.
"""

import numpy

import penstock
from penstock._spellings import NUMPY

# Ufuncs whose function here has another name; the others have the same.
_NAMES = NUMPY | {"rint": "round"}


def as_array(x, dtype=None, *, copy=None):
    """``x.__array__``: a snapshot that cannot be written to, or a copy that can."""
    if copy or x.dtype == penstock.bfloat16:
        if copy is False:
            raise ValueError("copy=False: NumPy cannot share elements of bfloat16")
        array = x.asnumpy()
    else:
        array = numpy.asarray(memoryview(x))
    if dtype is None or array.dtype == dtype:
        return array
    if copy is False:
        raise ValueError(
            f"copy=False: elements of type {x.dtype} cannot become {numpy.dtype(dtype)} in place"
        )
    return array.astype(dtype)


def call_ufunc(x, ufunc, method, *inputs, **kwargs):
    """``x.__array_ufunc__``."""
    name = ufunc.__name__
    called = name if method == "__call__" else f"{name}.{method}"
    function = getattr(penstock, _NAMES.get(name, name), None)
    if function is None or method != "__call__":
        raise TypeError(
            f"numpy.{called} has no counterpart for penstock arrays; "
            "give it x.asnumpy(), or numpy.asarray(x)"
        )
    out = kwargs.pop("out", (None,))
    if len(out) != 1 or not (out[0] is None or isinstance(out[0], penstock.ndarray)):
        raise TypeError(
            f"numpy.{name}: a penstock array cannot be written into a NumPy array; "
            "use x.asnumpy() on the operands"
        )
    if kwargs:
        raise TypeError(
            f"numpy.{name}: {', '.join(sorted(kwargs))} cannot be used with penstock arrays"
        )
    if out[0] is not None:
        return function(*inputs, out=out[0])
    return function(*inputs)
