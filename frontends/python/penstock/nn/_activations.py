"""Activations as blocks: functions of penstock.nn, without parameters."""

from __future__ import annotations

from .. import _core
from ._block import Block
from ._containers import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .._core import ndarray


class Activation(Block):
    """A function of penstock.nn by its name, such as 'relu'.

    >>> ps.nn.Activation("relu")(ps.array([-1.0, 2.0]))
    array([0., 2.])
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._function = named(name)

    def forward(self, x: ndarray) -> ndarray:
        return self._function(x)

    def _described(self) -> str:
        return self.name


class _Fixed(Block):
    """A function without settings."""

    _function: Callable[[Any], Any]

    def forward(self, x: ndarray) -> ndarray:
        return self._function(x)


def _operation(name: str) -> Any:
    """An operation as a class's attribute that is no method."""
    return staticmethod(_core._ops[name])


class ReLU(_Fixed):
    """The operand where it is positive, else 0.

    >>> ps.nn.ReLU()(ps.array([-1.0, 2.0]))
    array([0., 2.])
    """

    _function = _operation("relu")


class ReLU6(_Fixed):
    """relu, but at most 6.

    >>> ps.nn.ReLU6()(ps.array([-1.0, 20.0]))
    array([0., 6.])
    """

    _function = _operation("relu6")


class Sigmoid(_Fixed):
    """1 / (1 + exp(-x)).

    >>> ps.nn.Sigmoid()(ps.array([0.0]))
    array([0.5])
    """

    _function = _operation("sigmoid")


class Tanh(_Fixed):
    """Hyperbolic tangent.

    >>> ps.nn.Tanh()(ps.array([0.0]))
    array([0.])
    """

    _function = _operation("tanh")


class SiLU(_Fixed):
    """x * sigmoid(x).

    >>> ps.nn.SiLU()(ps.array([0.0]))
    array([0.])
    """

    _function = _operation("silu")


class Mish(_Fixed):
    """x * tanh(softplus(x)).

    >>> ps.nn.Mish()(ps.array([0.0]))
    array([0.])
    """

    _function = _operation("mish")


class Softplus(_Fixed):
    """log(1 + exp(x)).

    >>> ps.nn.Softplus()(ps.array([0.0]))
    array([0.6931472])
    """

    _function = _operation("softplus")


class Softsign(_Fixed):
    """x / (1 + |x|).

    >>> ps.nn.Softsign()(ps.array([1.0]))
    array([0.5])
    """

    _function = _operation("softsign")


class HardSigmoid(_Fixed):
    """A sigmoid of straight lines.

    >>> ps.nn.HardSigmoid()(ps.array([-9.0, 9.0]))
    array([0., 1.])
    """

    _function = _operation("hard_sigmoid")


class HardSwish(_Fixed):
    """x * hard_sigmoid(x).

    >>> ps.nn.HardSwish()(ps.array([0.0, 9.0]))
    array([0., 9.])
    """

    _function = _operation("hard_swish")


class GELU(Block):
    """x times the normal distribution function of x; with approximate, by a formula with tanh.

    >>> ps.nn.GELU()(ps.array([0.0]))
    array([0.])
    """

    def __init__(self, approximate: bool = False) -> None:
        self.approximate = approximate
        self._function = _core._ops["gelu_tanh" if approximate else "gelu"]

    def forward(self, x: ndarray) -> ndarray:
        return self._function(x)

    def _described(self) -> str:
        return "approximate=True" if self.approximate else ""


class LeakyReLU(Block):
    """The operand where it is positive, else a fraction of it.

    >>> ps.nn.LeakyReLU(0.5)(ps.array([-2.0, 2.0]))
    array([-1.,  2.])
    """

    def __init__(self, slope: float = 0.01) -> None:
        self.slope = slope

    def forward(self, x: ndarray) -> ndarray:
        return _core._ops["leaky_relu"](x, self.slope)

    def _described(self) -> str:
        return f"{self.slope}"


class ELU(Block):
    """The operand where it is positive, else alpha * (exp(x) - 1).

    >>> ps.nn.ELU(2.0)(ps.array([0.0, 3.0]))
    array([0., 3.])
    """

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def forward(self, x: ndarray) -> ndarray:
        return _core._ops["elu"](x, self.alpha)

    def _described(self) -> str:
        return f"{self.alpha}"


class Softmax(Block):
    """exp(x) divided by its sum along the axis.

    >>> ps.nn.Softmax()(ps.zeros((1, 4)))
    array([[0.25, 0.25, 0.25, 0.25]])
    """

    def __init__(self, axis: int = -1) -> None:
        self.axis = axis

    def forward(self, x: ndarray) -> ndarray:
        return _core._ops["softmax"](x, self.axis)

    def _described(self) -> str:
        return f"axis={self.axis}"


class LogSoftmax(Softmax):
    """The logarithm of softmax, without overflow on the way.

    >>> ps.nn.LogSoftmax()(ps.zeros((1, 1)))
    array([[0.]])
    """

    def forward(self, x: ndarray) -> ndarray:
        return _core._ops["log_softmax"](x, self.axis)
