"""mx.gluon.nn.activations: functions of elements as layers."""

from .... import _core
from ... import _composed
from ..._layers.activations import leaky_relu
from ..._missing import missing
from ...base import MXNetValueError
from ..block import HybridBlock

__all__ = ["Activation", "ELU", "GELU", "LeakyReLU", "PReLU", "SELU", "Swish"]

_MODULE = "mxnet.gluon.nn.activations"
_ops = _core._ops
_ROWS = {name: _ops[operation] for name, operation in _composed.ACTIVATIONS.items()}


class Activation(HybridBlock):
    """An activation by its name: relu, sigmoid, tanh, softrelu or softsign."""

    __module__ = _MODULE

    def __init__(self, activation, **kwargs):
        self._act_type = activation
        super().__init__(**kwargs)

    def _alias(self):
        return self._act_type

    def hybrid_forward(self, F, x):
        row = _ROWS.get(self._act_type)
        if row is None:
            raise MXNetValueError(
                f"Invalid Input: {self._act_type!r}, valid values are: {set(_ROWS)}: act_type"
            )
        return row(x)

    def __repr__(self):
        return f"{type(self).__name__}({self._act_type})"


def fused(act):
    """The name of the operation that an activation block stands for, if it is no more than that."""
    if type(act) is not Activation or act._forward_hooks or act._forward_pre_hooks:
        return None
    return _composed.ACTIVATIONS.get(act._act_type)


class LeakyReLU(HybridBlock):
    """x where it is positive, else alpha * x."""

    __module__ = _MODULE

    def __init__(self, alpha, **kwargs):
        assert alpha >= 0, f"LeakyReLU: alpha must be 0 or more, not {alpha}"
        super().__init__(**kwargs)
        self._alpha = alpha

    def hybrid_forward(self, F, x):
        return leaky_relu(x, act_type="leaky", slope=self._alpha)

    def __repr__(self):
        return f"{type(self).__name__}({self._alpha})"


class PReLU(HybridBlock):
    """x where it is positive, else alpha * x, where alpha is learned: one, or one for a channel."""

    __module__ = _MODULE

    def __init__(self, alpha_initializer=None, in_channels=1, **kwargs):
        super().__init__(**kwargs)
        if alpha_initializer is None:
            from ... import initializer

            alpha_initializer = initializer.Constant(0.25)
        with self.name_scope():
            self.alpha = self.params.get("alpha", shape=(in_channels,), init=alpha_initializer)

    def hybrid_forward(self, F, x, alpha):
        return leaky_relu(x, alpha, act_type="prelu")


class ELU(HybridBlock):
    """x where it is positive, else alpha * (exp(x) - 1)."""

    __module__ = _MODULE

    def __init__(self, alpha=1.0, **kwargs):
        super().__init__(**kwargs)
        self._alpha = alpha

    def hybrid_forward(self, F, x):
        return leaky_relu(x, act_type="elu", slope=self._alpha)


class SELU(HybridBlock):
    """ELU, scaled so that mean 0 and variance 1 stay."""

    __module__ = _MODULE

    def hybrid_forward(self, F, x):
        return leaky_relu(x, act_type="selu")


class GELU(HybridBlock):
    """x times the normal distribution function of x."""

    __module__ = _MODULE

    def hybrid_forward(self, F, x):
        return leaky_relu(x, act_type="gelu")


class Swish(HybridBlock):
    """x * sigmoid(beta * x)."""

    __module__ = _MODULE

    def __init__(self, beta=1.0, **kwargs):
        super().__init__(**kwargs)
        self._beta = beta

    def hybrid_forward(self, F, x):
        if self._beta == 1:
            return _ops["silu"](x)
        return x * _ops["sigmoid"](self._beta * x)


__getattr__ = missing("mxnet.gluon.nn.activations")
