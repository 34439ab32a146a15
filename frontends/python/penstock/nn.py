"""Functions for neural networks: activations of the table, and what is made of them.

>>> ps.nn.relu(ps.array([-1.0, 2.0]))
array([0., 2.])
"""

from . import _core

__all__ = ["linear", "log_softmax", "logsumexp", "one_hot", "softmax"]

_ops = _core._ops
asarray = _core.asarray

globals().update(_core._nn)
__all__ += _core._nn


def __dir__():
    return __all__


def _shifted(x, axis):
    """x less its largest element along the axis, and that element: finite, so that exp is safe."""
    x = asarray(x)
    if x.dtype.kind in "biu":
        x = _ops["cast"](x, "float32")
    most = _ops["max"](x, axis, keepdims=True)
    most = _ops["where"](_ops["isfinite"](most), most, False)
    return x - most, most


def softmax(x, /, axis=-1):
    """exp(x) divided by its sum along the axis.

    >>> ps.nn.softmax(ps.zeros(4))
    array([0.25, 0.25, 0.25, 0.25])
    """
    x, _ = _shifted(x, axis)
    x = _ops["exp"](x)
    return x / _ops["sum"](x, axis, keepdims=True)


def log_softmax(x, /, axis=-1):
    """The logarithm of softmax, without overflow on the way.

    >>> ps.nn.log_softmax(ps.array([0.0, 1000.0]))
    array([-1000.,     0.])
    """
    x, _ = _shifted(x, axis)
    return x - _ops["log"](_ops["sum"](_ops["exp"](x), axis, keepdims=True))


def logsumexp(x, /, axis=None, *, keepdims=False):
    """The logarithm of the sum of exp(x) over the axes, without overflow on the way.

    >>> float(ps.nn.logsumexp(ps.array([1000.0, -1000.0])))
    1000.0
    """
    x, most = _shifted(x, axis)
    total = _ops["log"](_ops["sum"](_ops["exp"](x), axis, keepdims=True)) + most
    return total if keepdims else _ops["squeeze"](total, axis)


def one_hot(x, num_classes, /, *, dtype=None, axis=-1):
    """1 at the place that each integer names along a new axis, else 0.

    >>> ps.nn.one_hot(ps.array([0, 2]), 3)
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    x = asarray(x)
    if x.dtype.kind not in "iu":
        raise TypeError(f"one_hot: integers are needed, not {x.dtype}")
    hot = _ops["expand_dims"](x, axis)
    shape = [1] * hot.ndim
    shape[axis] = -1
    hot = hot == _ops["arange"](0, num_classes, dtype=x.dtype).reshape(shape)
    return _ops["cast"](hot, "float32" if dtype is None else dtype)


def linear(x, weight, bias=None, activation=None):
    """x @ weight.T + bias, then an activation by its name: a layer in one call.

    >>> ps.nn.linear(ps.ones((1, 3)), ps.ones((2, 3)), ps.array([0.0, -5.0]), 'relu')
    array([[3., 0.]])
    """
    if activation is None or activation == "relu":
        return _ops["matmul"](x, weight, transpose2=True, bias=bias, activation=activation)
    if activation not in _core._nn:
        raise ValueError(
            f"linear: there is no activation {activation!r}; those: {sorted(_core._nn)}"
        )
    return _core._nn[activation](_ops["matmul"](x, weight, transpose2=True, bias=bias))
