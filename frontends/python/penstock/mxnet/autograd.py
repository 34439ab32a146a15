"""mx.autograd: gradients. Functions of the program's own (`Function`) and symbols are not built."""

from .. import _core
from .. import autograd as _native
from ._missing import missing
from ._nd_array import NDArray
from ._unbuilt import raise_not_built
from .base import MXNetValueError, NotArrayError

__all__ = [
    "Function",
    "backward",
    "get_symbol",
    "grad",
    "is_recording",
    "is_training",
    "mark_variables",
    "pause",
    "predict_mode",
    "record",
    "set_recording",
    "set_training",
    "train_mode",
]

# ---- What a thread does -------------------------------------------------------------------------


def record(train_mode=True):
    """A scope in which operations are recorded; layers behave as in training or in prediction."""
    return _native.record(bool(train_mode))


def pause(train_mode=False):
    """A scope in which nothing is recorded."""
    return _native.pause(bool(train_mode))


def train_mode():
    """A scope in which layers behave as in training."""
    return _native.train_mode()


def predict_mode():
    """A scope in which layers behave as in prediction."""
    return _native.predict_mode()


def is_recording():
    """Whether operations of this thread are recorded."""
    return _native.is_recording()


def is_training():
    """Whether layers behave as in training, on this thread."""
    return _native.is_training()


def set_recording(is_recording):
    """Switches recording; gives what it was."""
    return _core._grad_set_state(bool(is_recording), None)[0]


def set_training(train_mode):
    """Switches between training and prediction; gives what it was."""
    return _core._grad_set_state(None, bool(train_mode))[1]


# ---- Gradients ----------------------------------------------------------------------------------


def _arrays(name, values):
    """One array or a list of them as a list."""
    listed = [values] if isinstance(values, NDArray) else values
    if not isinstance(listed, (list, tuple)) or not all(isinstance(x, NDArray) for x in listed):
        raise NotArrayError(f"{name} must be an NDArray or a list of them, not {values!r}")
    return list(listed)


def _head_grads(values):
    """The same, where there may be none, or none for some."""
    if values is None or isinstance(values, NDArray):
        return None if values is None else [values]
    if not isinstance(values, (list, tuple)):
        raise NotArrayError(f"head_grads must be an NDArray or a list of them, not {values!r}")
    for value in values:
        if value is not None:
            _arrays("each of head_grads", value)
    return list(values)


def _mode(training):
    return _native.train_mode() if training else _native.predict_mode()


def mark_variables(variables, gradients, grad_reqs="write"):
    """Attaches arrays for gradients, of the same shapes and types."""
    variables, gradients = _arrays("variables", variables), _arrays("gradients", gradients)
    requests = [grad_reqs] * len(variables) if isinstance(grad_reqs, str) else list(grad_reqs)
    if not len(variables) == len(gradients) == len(requests):
        raise MXNetValueError(
            f"mark_variables: {len(variables)} variables, {len(gradients)} gradients and "
            f"{len(requests)} requests"
        )
    for variable, gradient, request in zip(variables, gradients, requests):
        _core._grad_attach(variable, gradient, request)


def backward(heads, head_grads=None, retain_graph=False, train_mode=True):
    """Gradients of the sum of the heads, into the arrays that have one attached."""
    heads, head_grads = _arrays("heads", heads), _head_grads(head_grads)
    with _mode(train_mode):
        _native.backward(heads, head_grads, bool(retain_graph))


def grad(heads, variables, head_grads=None, retain_graph=None, create_graph=False, train_mode=True):
    """Gradients of the sum of the heads, as a list of new arrays."""
    heads, head_grads = _arrays("heads", heads), _head_grads(head_grads)
    variables = _arrays("variables", variables)
    if not variables:
        raise MXNetValueError("grad: variables is an empty list")
    with _mode(train_mode):
        return _native.grad(heads, variables, head_grads, retain_graph, bool(create_graph))


def get_symbol(x):
    """What was recorded for an array. Not built: raises NotBuiltError."""
    raise_not_built("mxnet.autograd.get_symbol")


class Function:
    """An operation with a gradient of its own. Not built: making one raises NotBuiltError."""

    __module__ = "mxnet.autograd"

    def __new__(cls, *args, **kwargs):
        raise_not_built("mxnet.autograd.Function")


__getattr__ = missing("mxnet.autograd")
