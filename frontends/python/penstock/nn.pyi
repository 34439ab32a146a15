"""Functions for neural networks: activations and others, of the table of operations."""

# Made by tools/python_stubs.py (make generate); do not edit.

from builtins import bool as _bool
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ._core import (
    _ArrayLike as _ArrayLike,
    _DTypeLike as _DTypeLike,
    _Ints as _Ints,
    ndarray as ndarray,
)

__all__ = [
    "elu",
    "gelu",
    "gelu_tanh",
    "gru_gates",
    "hard_sigmoid",
    "hard_swish",
    "leaky_relu",
    "linear",
    "log_softmax",
    "logsumexp",
    "lstm_gates",
    "mish",
    "one_hot",
    "relu",
    "relu6",
    "rnn",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
    "softsign",
    "swish",
    "tanh",
]

def elu(x: _ArrayLike, /, alpha: complex = 1.0, *, out: ndarray | None = None) -> ndarray:
    """The operand where it is positive, else alpha * (exp(x) - 1)."""
def gelu(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """x times the normal distribution function of x."""
def gelu_tanh(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """gelu by its approximation with tanh."""
def gru_gates(
    gates: _ArrayLike,
    sent: _ArrayLike,
    state: _ArrayLike,
    /,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """The state after one step of a GRU. What the input (gates) and the state (sent) bring to the gates, reset, update and candidate, lies one behind the other along the last axis, before their sigmoid or tanh; the reset is applied inside the candidate."""
def hard_sigmoid(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """A sigmoid of straight lines."""
def hard_swish(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """x * hard_sigmoid(x)."""
def leaky_relu(
    x: _ArrayLike,
    /,
    slope: complex = 0.01,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """The operand where it is positive, else a fraction of it."""
def linear(
    x: _ArrayLike,
    weight: _ArrayLike,
    bias: _ArrayLike | None = None,
    activation: str | None = None,
) -> ndarray:
    """x @ weight.T + bias, then an activation by its name: a layer in one call."""
def log_softmax(
    x: _ArrayLike,
    /,
    axis: SupportsIndex = -1,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """The logarithm of softmax, without overflow on the way."""
def logsumexp(
    x: _ArrayLike,
    /,
    axis: _Ints | None = None,
    *,
    keepdims: _bool = False,
    out: ndarray | None = None,
) -> ndarray:
    """The logarithm of the sum of exp(x) over the axes, without overflow on the way."""
def lstm_gates(
    gates: _ArrayLike,
    cell: _ArrayLike,
    /,
    *,
    out: tuple[ndarray | None,ndarray | None] | None = None,
) -> tuple[ndarray, ndarray]:
    """The state and the cell after one step of an LSTM. The gates, input, forget, candidate and output, lie one behind the other along the last axis, before their sigmoid or tanh."""
def mish(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """x * tanh(softplus(x))."""
def one_hot(
    x: _ArrayLike,
    num_classes: SupportsIndex,
    /,
    *,
    dtype: _DTypeLike | None = None,
    axis: SupportsIndex = -1,
) -> ndarray:
    """1 at the place that each integer names along a new axis of that length, else 0."""
def relu(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """The operand where it is positive, else 0."""
def relu6(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """relu, but at most 6."""
def rnn(
    x: _ArrayLike,
    parameters: _ArrayLike,
    state: _ArrayLike,
    /,
    mode: str,
    cell: _ArrayLike | None = None,
    mask: _ArrayLike | None = None,
    *,
    bidirectional: _bool = False,
    out: tuple[ndarray | None,...] | None = None,
) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """Recurrent layers over a sequence x (steps, batch, inputs), from states (layers x directions, batch, hidden) and, of lstm, cells like them: y (steps, batch, directions x hidden) of the last layer, the last states, the last cells (lstm; else no elements), and a reserve that only the gradient reads. The parameters are all weights, by layer and direction those of the input and of the state, then in the same order all biases; gates in the order input, forget, candidate, output (lstm) or reset, update, candidate (gru, with the reset inside the candidate). The mask (layers - 1, steps, batch, directions x hidden) is multiplied with what goes from a layer to the next: dropout."""
def sigmoid(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """1 / (1 + exp(-x))."""
def silu(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """x * sigmoid(x)."""
def softmax(
    x: _ArrayLike,
    /,
    axis: SupportsIndex = -1,
    *,
    out: ndarray | None = None,
) -> ndarray:
    """exp(x) divided by its sum along the axis."""
def softplus(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """log(1 + exp(x))."""
def softsign(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """x / (1 + |x|)."""
def swish(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """x * sigmoid(x)."""
def tanh(x: _ArrayLike, /, *, out: ndarray | None = None) -> ndarray:
    """Hyperbolic tangent."""
