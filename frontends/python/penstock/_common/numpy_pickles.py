"""NumPy's arrays and scalars in files, for programs that load with weights_only=False: numbers."""

import re

import numpy

from .unpickle import refusal, shown

_NUMBERS = re.compile(r"[<|=]?([biufc]\d{1,2}|[SU]\d{1,9})")


def _dtype(machine, name, align=False, copy=True):
    """numpy.dtype('f4', False, True)."""
    if type(name) is not str or not _NUMBERS.fullmatch(name):
        raise refusal(f"A NumPy array is of the type {shown(name)}: it must have numbers or texts.")
    try:
        return numpy.dtype(name)
    except TypeError as error:
        raise refusal(f"A NumPy array is of an unknown type: {error}.") from None


def _fill_dtype(machine, made, state):
    """What is said of a type beside its name: the order of its bytes."""
    if type(state) is not tuple or len(state) < 5 or type(state[1]) is not str:
        raise refusal("The type of a NumPy array is described in an unknown way.")
    if state[1] not in ("<", "|", "=") or any(part is not None for part in state[2:5]):
        raise refusal("A NumPy array has bytes of another order, or elements that are no numbers.")


def _reconstruct(machine, kind, shape, code):
    """An array that is filled afterwards."""
    if kind is not numpy.ndarray or type(shape) is not tuple or len(shape) != 1:
        raise refusal("A NumPy array is made in an unknown way.")
    machine.allowance(200)
    return numpy.empty((0,), "i1")


def _fill_array(machine, made, state):
    """The array's shape, type and bytes, in the place of none."""
    if type(state) is not tuple or len(state) != 5 or made.shape != (0,):
        raise refusal("A NumPy array is filled in an unknown way.")
    _, shape, kind, fortran, content = state
    if type(content) is str:  # Python 2 wrote bytes as texts
        machine.allowance(len(content))
        content = content.encode("latin1", "replace")
    _check(shape, kind, content)
    if type(fortran) not in (bool, int):
        raise refusal("A NumPy array has neither the one nor the other order.")
    machine.allowance(len(content))
    made.__setstate__((1, shape, kind, bool(fortran), content))


def _check(shape, kind, content):
    if type(shape) is not tuple or not all(type(one) is int and one >= 0 for one in shape):
        raise refusal("The shape of a NumPy array are no integers.")
    if not isinstance(kind, numpy.dtype) or type(content) is not bytes or len(shape) > 64:
        raise refusal("A NumPy array has no type, or no bytes.")
    count, most = 1, kind.itemsize or 1
    for length in shape:
        count *= length
        most *= length or 1
    if count * kind.itemsize != len(content):
        raise refusal(
            f"A NumPy array has {len(content)} bytes for {shown(count)} elements of {kind}."
        )
    if most >= 2**63:
        raise refusal("A NumPy array has no elements, and yet lengths that no array has.")


def _scalar(machine, kind, content):
    """A number of NumPy's."""
    _check((), kind, content)
    machine.allowance(100)
    return numpy.frombuffer(content, kind, 1)[0] if kind.itemsize else kind.type()


def _frombuffer(machine, content, kind, shape, order, axes=None):
    """How protocol 5 writes arrays."""
    content = bytes(content) if type(content) is bytearray else content
    _check(shape, kind, content)
    if type(order) is not str or order not in ("C", "F") or axes is not None:
        raise refusal("A NumPy array has an unknown order.")
    machine.allowance(2 * len(content) + 200)
    return numpy.frombuffer(content, kind).reshape(shape, order=order).copy(order)


VALUES = {("numpy", "dtype"): numpy.dtype, ("numpy", "ndarray"): numpy.ndarray}
for _module in ("numpy.core", "numpy._core"):
    VALUES[f"{_module}.multiarray", "_reconstruct"] = _reconstruct
    VALUES[f"{_module}.multiarray", "scalar"] = _scalar
    VALUES[f"{_module}.numeric", "_frombuffer"] = _frombuffer
CALLED = {id(numpy.dtype): _dtype}
CALLED.update((id(_one), _one) for _one in (_reconstruct, _scalar, _frombuffer))
_NAMES = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16 S1 U1"
_TYPES = {type(numpy.dtype(_name)) for _name in _NAMES.split()}
FILLED = {numpy.ndarray: _fill_array, **dict.fromkeys(_TYPES, _fill_dtype)}
