"""The type of what operands give: first tensors count, then those without dimensions, numbers."""

from .. import _core
from ._dialect import default_dtype
from ._dtypes import ALL, BY_NATIVE
from ._tensor import Tensor

_bool, _int64 = ALL["bool"], ALL["int64"]


def promoted(one, other):
    """The type of what tensors of two types give."""
    return BY_NATIVE[_core._promote(one._native, other._native)]


def of_number(number):
    """The type that a Python number becomes."""
    if isinstance(number, bool):
        return _bool
    if isinstance(number, int):
        return _int64
    if isinstance(number, complex):
        return complex_beside(default_dtype())
    return default_dtype()


def complex_beside(one):
    """The complex type whose parts are no more precise than a floating-point type."""
    return ALL["complex128" if one is ALL["float64"] else "complex64"]


def result_type(*operands):
    """The type of what operands give."""
    ranks = [None, None, None]
    for one in operands:
        if isinstance(one, Tensor):
            rank, found = (0 if one.ndim else 1), one.dtype
        else:
            rank, found = 2, of_number(one)
        ranks[rank] = found if ranks[rank] is None else promoted(ranks[rank], found)
    return _over(ranks[0], _over(ranks[1], ranks[2]))


def _over(higher, lower):
    """A lower rank changes the type only if it is of a higher kind."""
    if higher is None or lower is None:
        return lower if higher is None else higher
    if higher.is_complex:
        return higher
    if higher.is_floating_point:
        return complex_beside(higher) if lower.is_complex else higher
    if higher is _bool or lower.is_floating_point or lower.is_complex:
        return promoted(higher, lower)
    return higher


_KINDS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


def can_become(one, other):
    """Whether a type can become another within its kind or a higher one."""
    return _KINDS[one._native.kind] <= _KINDS[other._native.kind]
