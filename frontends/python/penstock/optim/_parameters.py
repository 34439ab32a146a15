"""What optimisers are given to train: arrays, or parameters that have one.

A parameter is any object with the attributes `data`, an array, and perhaps `lr_mult` and `wd_mult`:
what its learning rate and its weight decay are multiplied by.
"""

from __future__ import annotations

from .._core import ndarray

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any


def named(params: Iterable[Any] | Mapping[str, Any]) -> dict[str, Any]:
    """Parameters by name: those of a mapping, else their places in the order."""
    if isinstance(params, ndarray):
        raise TypeError("params must be several arrays, in a list or a dict; this is one")
    found = dict(params.items() if hasattr(params, "items") else _numbered(params))
    for name, param in found.items():
        # Not of the object: a parameter may find its array at the first call of its layer.
        if not isinstance(param, ndarray) and not (
            hasattr(type(param), "data") or hasattr(param, "data")
        ):
            raise TypeError(f"params: {name} must be an array or a parameter, not {param!r}")
    if not found:
        raise ValueError("params: there are none")
    return found


def _numbered(params: Iterable[Any]) -> Iterable[tuple[str, Any]]:
    return ((str(number), param) for number, param in enumerate(params))


def array_of(param: Any) -> ndarray:
    array: ndarray = param if isinstance(param, ndarray) else param.data
    return array


def multiples(params: Iterable[Any], attribute: str) -> list[float] | None:
    """What the parameters have for an attribute; None if that is 1 for all of them."""
    found = [float(getattr(param, attribute, 1.0)) for param in params]
    return found if any(value != 1.0 for value in found) else None
