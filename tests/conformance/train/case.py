"""One comparison of two libraries."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy


@dataclasses.dataclass(frozen=True)
class Case:
    """`inputs` are NumPy arrays by name. `ours(ps, arrays)` and `theirs(torch, tensors)` are given
    the library and the inputs as its own, and return results by name; the names are the same.
    Numbers are close if |a - b| <= atol + rtol |b|."""

    name: str
    inputs: dict[str, numpy.ndarray]
    ours: Callable
    theirs: Callable
    rtol: float = 1e-5
    atol: float = 1e-6


def normal(seed, *shape, dtype="float32"):
    """Numbers around 0; the same for the same seed."""
    return numpy.random.default_rng(seed).standard_normal(shape).astype(dtype)


def integers(seed, high, *shape, dtype="int64"):
    """Integers from 0 to high - 1."""
    return numpy.random.default_rng(seed).integers(0, high, shape).astype(dtype)
