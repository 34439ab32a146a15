"""Recurrent layers over whole sequences: RNN, LSTM, GRU.

All weights and biases are one flat parameter, in the order that the operation `rnn` states;
`unpacked` gives its parts by name.
"""

from __future__ import annotations

from math import prod

from .. import _core
from . import init as _init
from ._block import Block
from ._parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from .._core import _DTypeLike, ndarray
    from .init import _InitializerLike

_ops = _core._ops
_LAYOUTS = ("TNC", "NTC")


class _Recurrent(Block):
    """What the three have in common."""

    _mode: str
    _gates: int
    _states = 1  # how many arrays a state is

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        layout: str = "TNC",
        dropout: float = 0.0,
        bidirectional: bool = False,
        input_size: int = 0,
        dtype: _DTypeLike = "float32",
        weight_init: _InitializerLike = None,
    ) -> None:
        if layout not in _LAYOUTS:
            raise ValueError(f"layout must be one of {', '.join(_LAYOUTS)}, not {layout!r}")
        if hidden_size < 1 or num_layers < 1:
            raise ValueError(f"{hidden_size} units in {num_layers} layers: both must be above 0")
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.layout = layout
        self.dropout = dropout
        self.bidirectional = bidirectional
        init = _init.Uniform(hidden_size**-0.5) if weight_init is None else weight_init
        self.weights = Parameter(self._count(input_size) if input_size else 0, dtype, init)

    # ---- Weights --------------------------------------------------------------------------------

    def _parts(self, inputs: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Names and shapes of the weights and biases, in their order."""
        rows, hidden = self._gates * self.hidden_size, self.hidden_size
        directions = "lr" if self.bidirectional else "l"
        for layer in range(self.num_layers):
            columns = inputs if layer == 0 else len(directions) * hidden
            for way in directions:
                yield f"{way}{layer}_i2h_weight", (rows, columns)
                yield f"{way}{layer}_h2h_weight", (rows, hidden)
        for layer in range(self.num_layers):
            for way in directions:
                yield f"{way}{layer}_i2h_bias", (rows,)
                yield f"{way}{layer}_h2h_bias", (rows,)

    def _count(self, inputs: int) -> int:
        return sum(prod(shape) for _, shape in self._parts(inputs))

    @property
    def input_size(self) -> int:
        """The number of inputs; 0 before it is known."""
        (length,) = self.weights.shape
        columns = (1 + self.bidirectional) * self._gates * self.hidden_size
        return (length - self._count(0)) // columns if length else 0

    def unpacked(self) -> dict[str, ndarray]:
        """The weights and biases as views by name: l0_i2h_weight, r0_h2h_bias and so on."""
        found, flat, begin = {}, self.weights.data, 0
        for name, shape in self._parts(self.input_size):
            end = begin + prod(shape)
            found[name] = flat[begin:end].reshape(shape)
            begin = end
        return found

    def infer_shape(self, x: ndarray, *states: Any) -> None:
        if x.ndim != 3:
            kind = type(self).__name__
            raise ValueError(f"{kind}: x must have 3 dimensions, not shape {x.shape}")
        self.weights.settle((self._count(x.shape[2]),))

    # ---- Calls ----------------------------------------------------------------------------------

    def begin_state(self, batch_size: int) -> tuple[ndarray, ...]:
        """States of zeros: (layers x directions, batch, hidden)."""
        shape = (self.num_layers * (1 + self.bidirectional), batch_size, self.hidden_size)
        zeros = _ops["zeros"]
        return tuple(zeros(shape, self.weights.dtype) for _ in range(self._states))

    def _mask(self, x: ndarray) -> ndarray | None:
        """What is dropped between layers, in training."""
        if not self.dropout or self.num_layers == 1 or not _core._grad_is_training():
            return None
        width = self.hidden_size * (1 + self.bidirectional)
        shape = (self.num_layers - 1, *x.shape[:2], width)
        return _ops["dropout"](_ops["ones"](shape, self.weights.dtype), self.dropout)

    def _first(self, states: Any, batch_size: int) -> Sequence[ndarray]:
        """The states to begin with, as a sequence."""
        if states is None:
            return self.begin_state(batch_size)
        given = states if isinstance(states, (tuple, list)) else (states,)
        if len(given) != self._states:
            raise ValueError(f"{type(self).__name__}: {len(given)} states, not {self._states}")
        return given

    def forward(self, x: ndarray, *states: ndarray | Sequence[ndarray] | None) -> Any:
        if len(states) > 1:
            raise TypeError(f"{type(self).__name__}: states are one argument, not {len(states)}")
        weights = self.weights.data
        if self.layout == "NTC":
            x = x.swapaxes(0, 1)
        first = self._first(states[0] if states else None, x.shape[1])
        cell = first[1] if self._states == 2 else None
        settings = {"mode": self._mode, "bidirectional": self.bidirectional}
        y, *after, _ = _ops["rnn"](
            x, weights, first[0], cell=cell, mask=self._mask(x), **settings
        )
        if self.layout == "NTC":
            y = y.swapaxes(0, 1)
        return (y, tuple(after[: self._states])) if states else y

    def _described(self) -> str:
        text = f"{self.input_size or '?'} -> {self.hidden_size}"
        text += f", {self.num_layers} layers" if self.num_layers > 1 else ""
        return text + (", bidirectional" if self.bidirectional else "")


class RNN(_Recurrent):
    """h = activation(x @ w.T + b + h @ u.T + c), step by step; the activation is relu or tanh.

    x is (steps, batch, inputs), or with layout 'NTC' (batch, steps, inputs). A call gives the
    hidden states of all steps; with states as a second argument, these and the last states. States
    that are None are zeros.

    >>> layer = ps.nn.RNN(4).initialize()
    >>> layer(ps.ones((7, 2, 3))).shape
    (7, 2, 4)
    """

    _gates = 1

    def __init__(self, hidden_size: int, activation: str = "relu", **settings: Any) -> None:
        if activation not in ("relu", "tanh"):
            raise ValueError(f"RNN: activation must be relu or tanh, not {activation!r}")
        self._mode = f"rnn_{activation}"
        super().__init__(hidden_size, **settings)


class LSTM(_Recurrent):
    """Long short-term memory: gates in the order input, forget, candidate, output.

    As RNN; its states are two arrays, hidden states and cells.

    >>> layer = ps.nn.LSTM(4, num_layers=2).initialize()
    >>> y, (state, cell) = layer(ps.ones((7, 2, 3)), layer.begin_state(2))
    >>> y.shape, state.shape
    ((7, 2, 4), (2, 2, 4))
    """

    _mode = "lstm"
    _gates = 4
    _states = 2


class GRU(_Recurrent):
    """Gated recurrent units: reset, update and candidate, the reset inside of the candidate.

    As RNN.

    >>> layer = ps.nn.GRU(4, bidirectional=True, layout="NTC").initialize()
    >>> layer(ps.ones((2, 7, 3))).shape
    (2, 7, 8)
    """

    _mode = "gru"
    _gates = 3
