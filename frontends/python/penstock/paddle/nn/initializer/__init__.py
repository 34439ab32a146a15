"""paddle.nn.initializer: first values of parameters."""

from ... import _missing
from . import _kinds
from ._kinds import (
    Assign,
    Constant,
    Initializer,
    KaimingNormal,
    KaimingUniform,
    Normal,
    Orthogonal,
    TruncatedNormal,
    Uniform,
    XavierNormal,
    XavierUniform,
)

__all__ = (
    "Assign Constant Initializer KaimingNormal KaimingUniform Normal Orthogonal TruncatedNormal "
    "Uniform XavierNormal XavierUniform calculate_gain set_global_initializer"
).split()

_global = {"weight": None, "bias": None}


def set_global_initializer(weight_init, bias_init=None):
    """What parameters without an initialiser of their own begin with; None: the usual."""
    _global["weight"], _global["bias"] = weight_init, bias_init


def _global_for(is_bias):
    return _global["bias" if is_bias else "weight"]


def calculate_gain(nonlinearity, param=None):
    """The factor that weights before a nonlinearity should have."""
    return _kinds.gain_of(nonlinearity, 0.01 if param is None else param)


__getattr__ = _missing.missing("paddle.nn.initializer")
