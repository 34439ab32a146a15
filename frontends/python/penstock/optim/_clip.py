"""Clipping by the norm of many arrays."""

from __future__ import annotations

from .. import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .._core import ndarray

_ops = _core._ops


def positive(name: str, value: float) -> float:
    """The number, if it is above 0."""
    number = float(value)
    if not number > 0:
        raise ValueError(f"{name} must be above 0, not {value!r}")
    return number


def limit(name: str, value: float | None) -> float:
    """The same of what clips; infinite if there is none."""
    return float("inf") if value is None else positive(name, value)


def global_norm(arrays: Iterable[ndarray]) -> ndarray:
    """The norm of all elements of the arrays, as an array without dimensions. Does not wait.

    >>> ps.optim.global_norm([ps.array([3.0]), ps.array([[4.0], [0.0]])])
    array(5.)
    """
    norm: ndarray = _ops["global_norm"](list(arrays))
    return norm


def scale_for(norm: ndarray, max_norm: float) -> ndarray:
    """What brings a norm down to max_norm; 1 where it is not above that."""
    scale: ndarray = _ops["minimum"](max_norm / (norm + 1e-6), 1.0)
    return scale


def for_each(scale: ndarray, arrays: list[ndarray]) -> ndarray | list[ndarray]:
    """A scale as the arrays take it: in their element types."""
    if all(array.dtype == scale.dtype for array in arrays):
        return scale
    made = {array.dtype: _ops["cast"](scale, array.dtype) for array in arrays}
    return [made[array.dtype] for array in arrays]


def clip_global_norm(arrays: Iterable[ndarray], max_norm: float) -> ndarray:
    """Scale the arrays, in place, so that the norm of all their elements is at most max_norm.

    Gives the norm that they had, as an array without dimensions. Nothing is waited for.

    >>> x, y = ps.array([3.0]), ps.array([4.0])
    >>> ps.optim.clip_global_norm([x, y], 1.0)
    array(5.)
    >>> round(x.item(), 3), round(y.item(), 3)
    (0.6, 0.8)
    """
    arrays = list(arrays)
    max_norm = positive("max_norm", max_norm)
    norm = global_norm(arrays)
    _core._op_update("multiply", None, arrays, for_each(scale_for(norm, max_norm), arrays))
    return norm
