"""The steps of optimisers, as operations: each states its formula."""

# Made by tools/python_stubs.py (make generate); do not edit.

from builtins import bool as _bool
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from .._core import (
    _ArrayLike as _ArrayLike,
    _DTypeLike as _DTypeLike,
    _Ints as _Ints,
    ndarray as ndarray,
)

__all__ = [
    "adadelta_update",
    "adagrad_update",
    "adam_update",
    "ftrl_update",
    "global_norm",
    "momentum_update",
    "nesterov_update",
    "rmsprop_centered_update",
    "rmsprop_momentum_update",
    "rmsprop_update",
    "sgd_update",
]

def adadelta_update(
    w: _ArrayLike,
    v: _ArrayLike,
    d: _ArrayLike,
    g: _ArrayLike,
    /,
    rate: _ArrayLike = 1.0,
    gain: _ArrayLike = 0.1,
    inside: _ArrayLike = 1e-06,
    shrink: _ArrayLike = 0.0,
    rescale: _ArrayLike = 1.0,
    clip: _ArrayLike = ...,
    decay: _ArrayLike = 0.0,
    *,
    out: tuple[ndarray | None,...] | None = None,
) -> tuple[ndarray, ...]:
    """AdaDelta: h = clip(rescale * g, -clip, clip) + decay * w; v = v + gain * (h * h - v); x = sqrt(d + inside) / sqrt(v + inside) * h; d = d + gain * (x * x - d); w - rate * (shrink * w + x)."""
def adagrad_update(
    w: _ArrayLike,
    v: _ArrayLike,
    g: _ArrayLike,
    /,
    rate: _ArrayLike,
    epsilon: _ArrayLike = 1e-10,
    inside: _ArrayLike = 0.0,
    shrink: _ArrayLike = 0.0,
    rescale: _ArrayLike = 1.0,
    clip: _ArrayLike = ...,
    decay: _ArrayLike = 0.0,
    *,
    out: tuple[ndarray | None,...] | None = None,
) -> tuple[ndarray, ...]:
    """AdaGrad: h = clip(rescale * g, -clip, clip) + decay * w; v = v + h * h; w - rate * (shrink * w + h / (sqrt(v + inside) + epsilon))."""
def adam_update(
    w: _ArrayLike,
    m: _ArrayLike,
    v: _ArrayLike,
    g: _ArrayLike,
    /,
    rate: _ArrayLike,
    gain1: _ArrayLike = 0.1,
    gain2: _ArrayLike = 0.001,
    epsilon: _ArrayLike = 1e-08,
    inside: _ArrayLike = 0.0,
    correct1: _ArrayLike = 1.0,
    correct2: _ArrayLike = 1.0,
    shrink: _ArrayLike = 0.0,
    rescale: _ArrayLike = 1.0,
    clip: _ArrayLike = ...,
    decay: _ArrayLike = 0.0,
    *,
    out: tuple[ndarray | None,...] | None = None,
) -> tuple[ndarray, ...]:
    """Adam and AdamW: h = clip(rescale * g + early * w, -clip, clip) + decay * w; m = m + gain1 * (h - m); v = v + gain2 * (h * h - v); w - rate * (shrink * w + correct1 * m / (sqrt(correct2 * v + inside) + epsilon)). In step t with gains 1 - beta: correct1 = 1 / (1 - beta1^t) and correct2 = 1 / (1 - beta2^t); for an uncorrected epsilon correct1 = sqrt(1 - beta2^t) / (1 - beta1^t) and correct2 = 1. AdamW has shrink instead of decay."""
def ftrl_update(
    w: _ArrayLike,
    z: _ArrayLike,
    n: _ArrayLike,
    g: _ArrayLike,
    /,
    rate: _ArrayLike,
    l1: _ArrayLike = 0.01,
    beta: _ArrayLike = 1.0,
    rescale: _ArrayLike = 1.0,
    clip: _ArrayLike = ...,
    decay: _ArrayLike = 0.0,
    *,
    out: tuple[ndarray | None,...] | None = None,
) -> tuple[ndarray, ...]:
    """FTRL-proximal: h = clip(rescale * g, -clip, clip); k = n + h * h; z = z + h - (sqrt(k) - sqrt(n)) * w / rate; n = k; (sign(z) * l1 - z) / ((beta + sqrt(n)) / rate + decay) where |z| > l1, else 0."""
def global_norm(x: Sequence[_ArrayLike], *, out: ndarray | None = None) -> ndarray:
    """The norm of all elements of some tensors: the norm of their norms."""
def momentum_update(
    w: _ArrayLike,
    m: _ArrayLike,
    g: _ArrayLike,
    /,
    rate: _ArrayLike,
    momentum: _ArrayLike = 0.9,
    factor: _ArrayLike = 1.0,
    rescale: _ArrayLike = 1.0,
    clip: _ArrayLike = ...,
    decay: _ArrayLike = 0.0,
    *,
    out: tuple[ndarray | None,...] | None = None,
) -> tuple[ndarray, ...]:
    """Gradient descent with momentum: h = clip(rescale * g, -clip, clip) + decay * w; m = momentum * m + factor * h; w - rate * m. The learning rate is `rate`, outside of the momentum, or `factor`, inside of it."""
def nesterov_update(
    w: _ArrayLike,
    m: _ArrayLike,
    g: _ArrayLike,
    /,
    rate: _ArrayLike,
    momentum: _ArrayLike = 0.9,
    factor: _ArrayLike = 1.0,
    rescale: _ArrayLike = 1.0,
    clip: _ArrayLike = ...,
    decay: _ArrayLike = 0.0,
    *,
    out: tuple[ndarray | None,...] | None = None,
) -> tuple[ndarray, ...]:
    """As momentum_update, a step ahead: h = clip(rescale * g, -clip, clip) + decay * w; m = momentum * m + factor * h; w - rate * (momentum * m + factor * h)."""
def rmsprop_centered_update(
    w: _ArrayLike,
    v: _ArrayLike,
    a: _ArrayLike,
    m: _ArrayLike,
    g: _ArrayLike,
    /,
    rate: _ArrayLike,
    momentum: _ArrayLike = 0.0,
    factor: _ArrayLike = 1.0,
    gain: _ArrayLike = 0.01,
    epsilon: _ArrayLike = 1e-08,
    inside: _ArrayLike = 0.0,
    rescale: _ArrayLike = 1.0,
    clip: _ArrayLike = ...,
    decay: _ArrayLike = 0.0,
    *,
    out: tuple[ndarray | None,...] | None = None,
) -> tuple[ndarray, ...]:
    """RMSProp by the spread of gradients: h = clip(rescale * g + early * w, -clip, clip) + decay * w; v = v + gain * (h * h - v); a = a + gain * (h - a); m = momentum * m + factor * h / (sqrt(v - a * a + inside) + epsilon); clip(w - rate * m, -bound, bound)."""
def rmsprop_momentum_update(
    w: _ArrayLike,
    v: _ArrayLike,
    m: _ArrayLike,
    g: _ArrayLike,
    /,
    rate: _ArrayLike,
    momentum: _ArrayLike = 0.9,
    factor: _ArrayLike = 1.0,
    gain: _ArrayLike = 0.01,
    epsilon: _ArrayLike = 1e-08,
    inside: _ArrayLike = 0.0,
    rescale: _ArrayLike = 1.0,
    clip: _ArrayLike = ...,
    decay: _ArrayLike = 0.0,
    *,
    out: tuple[ndarray | None,...] | None = None,
) -> tuple[ndarray, ...]:
    """RMSProp with momentum: h = clip(rescale * g + early * w, -clip, clip) + decay * w; v = v + gain * (h * h - v); m = momentum * m + factor * h / (sqrt(v + inside) + epsilon); clip(w - rate * m, -bound, bound)."""
def rmsprop_update(
    w: _ArrayLike,
    v: _ArrayLike,
    g: _ArrayLike,
    /,
    rate: _ArrayLike,
    gain: _ArrayLike = 0.01,
    epsilon: _ArrayLike = 1e-08,
    inside: _ArrayLike = 0.0,
    rescale: _ArrayLike = 1.0,
    clip: _ArrayLike = ...,
    decay: _ArrayLike = 0.0,
    *,
    out: tuple[ndarray | None,...] | None = None,
) -> tuple[ndarray, ...]:
    """RMSProp: h = clip(rescale * g + early * w, -clip, clip) + decay * w; v = v + gain * (h * h - v); clip(w - rate * h / (sqrt(v + inside) + epsilon), -bound, bound)."""
def sgd_update(
    w: _ArrayLike,
    g: _ArrayLike,
    /,
    rate: _ArrayLike,
    rescale: _ArrayLike = 1.0,
    clip: _ArrayLike = ...,
    decay: _ArrayLike = 0.0,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """A step of gradient descent: h = clip(rescale * g, -clip, clip) + decay * w; w - rate * h."""
