"""Dropout: elements, or whole channels, become 0; the others grow by as much."""

from ..._dialect import row
from ..._random import default_generator
from ..._tensor import Tensor
from ._arguments import refuse

__all__ = "alpha_dropout dropout dropout1d dropout2d dropout3d feature_alpha_dropout".split()

_dropout = row(
    "dropout", "dropout", "input:x, p=0.5, dims:axes=None, generator=None, *, out=None", arrays=True
)


def _dropped(name, input, p, dims, inplace):
    """What training makes of the elements."""
    if not isinstance(input, Tensor):
        refuse(name, input)
    if not input.dtype.is_floating_point:
        raise RuntimeError(
            f"{name}: result type Float can't be cast to the desired output type {input.dtype}"
        )
    if not p:
        return input if inplace else input * 1.0
    made = _dropout(input, p, dims, default_generator)
    return input.copy_(made) if inplace else made


def check_probability(p):
    """ValueError unless it is one."""
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def dropout(input, p=0.5, training=True, inplace=False):
    """Each element 0 with probability p, else divided by 1 - p; outside of training the tensor."""
    check_probability(p)
    return _dropped("dropout", input, p, None, inplace) if training else input


def _channels(name, spatial):
    """Dropout of channels with so many dimensions; one more dimension is the batch."""

    def function(input, p=0.5, training=True, inplace=False):
        check_probability(p)
        if not training:
            return input
        dims = tuple(range(input.ndim - spatial, input.ndim)) or None
        return _dropped(name, input, p, dims, inplace)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Each channel 0 with probability p, else divided by 1 - p."
    return function


dropout1d, dropout3d = _channels("dropout1d", 1), _channels("dropout3d", 3)
_dropout2d = _channels("dropout2d", 2)


def dropout2d(input, p=0.5, training=True, inplace=False):
    """Each channel 0 with probability p, else divided by 1 - p; channels along dimension 1."""
    if isinstance(input, Tensor) and input.ndim == 3:
        _warn_of_shape()
        check_probability(p)
        return _dropped("dropout2d", input, p, (2,), inplace) if training else input
    return _dropout2d(input, p, training, inplace)


def _warn_of_shape():
    import warnings

    warnings.warn(
        "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout "
        "behavior is desired - input is interpreted as shape (N, C, L).",
        UserWarning,
        stacklevel=3,
    )


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Not here in training: raises."""
    check_probability(p)
    if training and p:
        raise NotImplementedError("alpha_dropout is not here")
    return input


def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Not here in training: raises."""
    check_probability(p)
    if training and p:
        raise NotImplementedError("feature_alpha_dropout is not here")
    return input
