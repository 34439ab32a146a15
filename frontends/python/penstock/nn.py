"""Functions for neural networks: activations and others, of the table of operations.

>>> ps.nn.relu(ps.array([-1.0, 2.0]))
array([0., 2.])
"""

from . import _core

__all__ = ["linear"]

_ops = _core._ops

globals().update(_core._nn)
__all__ += _core._nn


def __dir__():
    return __all__


# Other names of activations.
_SPELLINGS = {"swish": "silu"}


def linear(x, weight, bias=None, activation=None):
    """x @ weight.T + bias, then an activation by its name: a layer in one call.

    >>> ps.nn.linear(ps.ones((1, 3)), ps.ones((2, 3)), ps.array([0.0, -5.0]), 'relu')
    array([[3., 0.]])
    """
    return _ops["linear"](x, weight, bias, _SPELLINGS.get(activation, activation))
