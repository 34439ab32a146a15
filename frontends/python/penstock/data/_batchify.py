"""Batches: the items of a list as arrays with one dimension more."""

from __future__ import annotations

from .. import _core
from .._core import ndarray

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def batchify(items: Sequence[Any]) -> Any:
    """Items as one batch: arrays and numbers are stacked, tuples and dicts taken apart.

    Arrays of NumPy are stacked by NumPy, and the stack is copied in. What is none of these stays a
    list.

    >>> ps.data.batchify([(ps.array([1.0]), 5), (ps.array([2.0]), 6)])
    (array([[1.],
           [2.]]), array([5, 6]))
    """
    first = items[0]
    if isinstance(first, ndarray):
        return _core._ops["stack"](list(items))
    if isinstance(first, dict):
        return {key: batchify([item[key] for item in items]) for key in first}
    if isinstance(first, (tuple, list)):
        return _by_part(first, items)
    if isinstance(first, (bool, int, float, complex)):
        return _core.array(list(items))
    if hasattr(first, "__array__"):
        return _of_numpy(items)
    return list(items)


def _by_part(first: Any, items: Sequence[Any]) -> Any:
    """A batch for each part of tuples or lists, which must have as many."""
    lengths = {len(item) for item in items}
    if len(lengths) > 1:
        raise ValueError(f"batchify: items of different lengths: {sorted(lengths)}")
    parts = [batchify(part) for part in zip(*items)]
    if hasattr(first, "_fields"):
        return type(first)(*parts)
    return parts if isinstance(first, list) else tuple(parts)


def _of_numpy(items: Sequence[Any]) -> ndarray:
    import numpy

    return _core.array(numpy.stack([numpy.asarray(item) for item in items]))
