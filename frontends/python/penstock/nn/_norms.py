"""Layers that shift and scale what flows through them: LayerNorm, BatchNorm."""

from __future__ import annotations

from .. import _core
from ._block import Block
from ._parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._core import _DTypeLike, ndarray
    from .init import _InitializerLike

_layer_norm = _core._ops["layer_norm"]
_batch_norm = _core._ops["batch_norm"]
_is_training = _core._grad_is_training


def _array(parameter: Parameter | None) -> ndarray | None:
    return None if parameter is None else parameter.data


class LayerNorm(Block):
    """(x - mean) / sqrt(variance + epsilon) * gamma + beta, along an axis or several last ones.

    >>> layer = ps.nn.LayerNorm().initialize()
    >>> layer(ps.array([[1.0, 3.0]])).round()
    array([[-1.,  1.]])
    """

    gamma: Parameter | None
    beta: Parameter | None

    def __init__(
        self,
        axis: int | Sequence[int] = -1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        in_channels: int = 0,
        dtype: _DTypeLike = "float32",
        beta_init: _InitializerLike = "zeros",
        gamma_init: _InitializerLike = "ones",
    ) -> None:
        self.axis = axis
        self.epsilon = epsilon
        self._axes = tuple(axis) if not isinstance(axis, int) else (axis,)
        shape = (in_channels,) if len(self._axes) == 1 else (0,) * len(self._axes)
        self.gamma = Parameter(shape, dtype, gamma_init) if scale else None
        self.beta = Parameter(shape, dtype, beta_init) if center else None

    def infer_shape(self, x: ndarray) -> None:
        shape = tuple(x.shape[axis] for axis in self._axes)
        for one in (self.gamma, self.beta):
            if one is not None:
                one.settle(shape)

    def forward(self, x: ndarray) -> ndarray:
        gamma, beta = _array(self.gamma), _array(self.beta)
        return _layer_norm(x, gamma=gamma, beta=beta, axis=self._axes, eps=self.epsilon)

    def _described(self) -> str:
        return f"axis={self.axis}, epsilon={self.epsilon}"


class BatchNorm(Block):
    """(x - mean) / sqrt(variance + epsilon) * gamma + beta, for each place along the axis.

    In training mean and variance are the batch's, and the running ones become momentum times what
    they were plus 1 - momentum times the batch's. In prediction the running ones are used.

    >>> layer = ps.nn.BatchNorm().initialize()
    >>> with ps.autograd.train_mode():
    ...     layer(ps.array([[1.0], [3.0]])).round()
    array([[-1.],
           [ 1.]])
    >>> layer.running_mean.data.round(1)
    array([0.2])
    """

    gamma: Parameter | None
    beta: Parameter | None
    running_mean: Parameter
    running_var: Parameter

    def __init__(
        self,
        axis: int = 1,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        in_channels: int = 0,
        dtype: _DTypeLike = "float32",
        beta_init: _InitializerLike = "zeros",
        gamma_init: _InitializerLike = "ones",
    ) -> None:
        self.axis = axis
        self.momentum = momentum
        self.epsilon = epsilon
        self.gamma = Parameter(in_channels, dtype, gamma_init) if scale else None
        self.beta = Parameter(in_channels, dtype, beta_init) if center else None
        self.running_mean = Parameter(in_channels, dtype, "zeros", grad_request="null")
        self.running_var = Parameter(in_channels, dtype, "ones", grad_request="null")

    def infer_shape(self, x: ndarray) -> None:
        for one in self._parameters.values():
            one.settle((x.shape[self.axis],))

    def forward(self, x: ndarray) -> ndarray:
        gamma, beta = _array(self.gamma), _array(self.beta)
        mean, var = self.running_mean.data, self.running_var.data
        training = _is_training()
        out = (None, mean, var) if training else None
        y, _, _ = _batch_norm(
            x,
            gamma=gamma,
            beta=beta,
            running_mean=mean,
            running_var=var,
            momentum=self.momentum,
            eps=self.epsilon,
            axis=self.axis,
            training=training,
            out=out,
        )
        return y

    def _described(self) -> str:
        shape = self.running_mean.shape
        return f"{shape[0] or '?'}, axis={self.axis}, epsilon={self.epsilon}"
