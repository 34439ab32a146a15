"""mx.autograd: gradients. Not built yet: nothing is ever recorded, and what would record raises.

`pause` and `predict_mode` are true to that: inside and outside of them nothing is recorded and no
layer is being trained.
"""

from ._missing import missing
from ._unbuilt import raise_not_built

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


def is_recording():
    """Whether operations are recorded for gradients: never, so far."""
    return False


def is_training():
    """Whether layers behave as in training: never, so far."""
    return False


class _Scope:
    """A `with` statement inside which nothing is recorded: as it is outside."""

    def __enter__(self):
        return None

    def __exit__(self, *exception):
        return None


def pause(train_mode=False):
    """A scope in which nothing is recorded."""
    if train_mode:
        raise_not_built("mxnet.autograd.pause(train_mode=True)")
    return _Scope()


def predict_mode():
    """A scope in which layers behave as in prediction."""
    return _Scope()


def record(train_mode=True):
    """A scope in which operations are recorded. Not built: raises NotBuiltError."""
    raise_not_built("mxnet.autograd.record")


def train_mode():
    """A scope in which layers behave as in training. Not built: raises NotBuiltError."""
    raise_not_built("mxnet.autograd.train_mode")


def set_recording(is_recording):
    """Switches recording; gives what it was."""
    if is_recording:
        raise_not_built("mxnet.autograd.set_recording(True)")
    return False


def set_training(train_mode):
    """Switches between training and prediction; gives what it was."""
    if train_mode:
        raise_not_built("mxnet.autograd.set_training(True)")
    return False


def backward(heads, head_grads=None, retain_graph=False, train_mode=True):
    """Gradients, into the arrays that have one attached. Not built: raises NotBuiltError."""
    raise_not_built("mxnet.autograd.backward")


def grad(heads, variables, head_grads=None, retain_graph=None, create_graph=False, train_mode=True):
    """Gradients, as new arrays. Not built: raises NotBuiltError."""
    raise_not_built("mxnet.autograd.grad")


def mark_variables(variables, gradients, grad_reqs="write"):
    """Attaches arrays for gradients. Not built: raises NotBuiltError."""
    raise_not_built("mxnet.autograd.mark_variables")


def get_symbol(x):
    """What was recorded for an array. Not built: raises NotBuiltError."""
    raise_not_built("mxnet.autograd.get_symbol")


class Function:
    """An operation with a gradient of its own. Not built: making one raises NotBuiltError."""

    __module__ = "mxnet.autograd"

    def __new__(cls, *args, **kwargs):
        raise_not_built("mxnet.autograd.Function")


__getattr__ = missing("mxnet.autograd")
