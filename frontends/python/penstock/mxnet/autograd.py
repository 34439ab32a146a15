"""mx.autograd: gradients. Symbols of what was recorded are not built."""

from .. import _core
from .. import _function
from .. import autograd as _native
from .. import zeros_like
from . import _dialects
from ._missing import missing
from ._nd_array import NDArray
from ._unbuilt import raise_not_built
from .base import MXNetValueError, NotArrayError

__all__ = [
    "Function",
    "NDArray",
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
        raise NotArrayError(f"{name} must be one NDArray or several in a list, not {values!r}")
    return list(listed)


def _head_grads(values):
    """The same, where there may be none, or none for some."""
    if values is None or isinstance(values, NDArray):
        return None if values is None else [values]
    if not isinstance(values, (list, tuple)):
        raise NotArrayError(f"head_grads must be one NDArray or several in a list, not {values!r}")
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
        found = _native.grad(heads, variables, head_grads, retain_graph, bool(create_graph))
    if create_graph and is_recording():
        for gradient in found:
            _record_constant(gradient, variables)
    return found


def _record_constant(gradient, variables):
    """A gradient that depends on no variable is in the graph too: its own gradients are zeros."""
    if _core._grad_is_recorded(gradient):
        return

    def zeros(gradients, saved, wanted):
        made = (_dialects.call(type(x), zeros_like, x) for x in saved)
        return [x if one else None for x, one in zip(made, wanted)]

    saved = [x.detach() for x in variables]
    _function.record_node("constant", variables, [gradient], saved, zeros)


def get_symbol(x):
    """What was recorded for an array. Not built: raises NotBuiltError."""
    raise_not_built("mxnet.autograd.get_symbol")


# ---- Functions of the program's own -------------------------------------------------------------


def _like(x, shape, dtype):
    x = x if x.dtype == dtype else x.astype(dtype)
    return x if x.shape == shape else x.broadcast_to(shape)


class Function(_function.Saves):
    """A function of arrays with a gradient of its own, to be called once.

    forward is given the arguments of the call, and gives an array or several; nothing in it is
    recorded. backward is given a gradient for each of those, and gives one for each argument.
    """

    __module__ = "mxnet.autograd"
    _used = False

    @property
    def saved_tensors(self):
        """What was given to save_for_backward; nothing while the graph has it."""
        return () if self._saved is None and self._turn() is None else super().saved_tensors

    def __call__(self, *inputs):
        if self._used:
            raise AssertionError(
                f"this {type(self).__name__} was called before: make a new one for each call"
            )
        self._used = True
        recording = set_recording(False)
        try:
            outputs = self.forward(*inputs)
        finally:
            set_recording(recording)
        if recording:
            self._record(_arrays("each argument", inputs), _arrays("what forward gives", outputs))
        return outputs

    def _record(self, inputs, outputs):
        likes = [(x.shape, x.dtype) for x in inputs]

        def call(gradients, saved, wanted):
            found = self._during_turn(saved, wanted, self.backward, *gradients)
            return self._fitted(found, likes)

        saved = self._take_saves()
        _function.record_node(type(self).__name__, inputs, outputs, saved, call)

    def _fitted(self, found, likes):
        """What backward gave, as if it were written to arrays like the arguments."""
        found = _arrays("what backward gives", found)
        if len(found) != len(likes):
            raise NotArrayError(
                f"{type(self).__name__}.backward gave {len(found)} arrays, but forward was called "
                f"with {len(likes)}: each needs a gradient"
            )
        return [_like(x, *like) for x, like in zip(found, likes)]

    def forward(self, *inputs):
        """What the function gives."""
        raise NotImplementedError

    def backward(self, *output_grads):
        """The gradients of its arguments."""
        raise NotImplementedError


__getattr__ = missing("mxnet.autograd")
