"""Recurrent layers over whole sequences, and their cells for single steps."""

import math
import warnings

from ... import _missing
from ..._create import empty, ones, zeros
from ..._dialect import row
from ..._random import default_generator
from ..._joining import cat
from ..._tensor import Tensor
from .. import init
from ..functional import linear
from ..parameter import Parameter
from .module import Module

__all__ = ["GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNBase", "RNNCell", "RNNCellBase"]

_rnn = row(
    "rnn", "rnn", "input:x, parameters, state, mode, cell=None, mask=None, bidirectional=False"
)
_dropout = row("dropout", "rnn", "input:x, p=0.5, dims:axes=None, generator=None")
_lstm_gates = row("lstm_gates", "lstm_cell", "gates, cell")
_gru_gates = row("gru_gates", "gru_cell", "gates, sent, state")
_tanh, _relu = row("tanh", "rnn_tanh_cell", "input:x"), row("relu", "rnn_relu_cell", "input:x")

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


class RNNBase(Module):
    """What RNN, LSTM and GRU have in common."""

    _states = 1  # how many tensors a state is

    def __init__(
        self,
        mode,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
    ):
        super().__init__()
        _check(hidden_size, num_layers, dropout, proj_size)
        self.mode, self.input_size, self.hidden_size = mode, input_size, hidden_size
        self.num_layers, self.bias, self.batch_first = num_layers, bias, batch_first
        self.dropout, self.bidirectional = float(dropout), bidirectional
        self.proj_size = proj_size
        rows = _GATES[mode] * hidden_size
        settings = {"device": device, "dtype": dtype}
        for layer, suffix in self._places():
            columns = input_size if layer == 0 else hidden_size * (1 + bidirectional)
            shapes = {"weight_ih": (rows, columns), "weight_hh": (rows, hidden_size)}
            if bias:
                shapes.update(bias_ih=(rows,), bias_hh=(rows,))
            for name, shape in shapes.items():
                setattr(self, f"{name}_{suffix}", Parameter(empty(shape, **settings)))
        self.reset_parameters()

    def _places(self):
        """The layers and directions in order, with how the names of their parameters end."""
        for layer in range(self.num_layers):
            yield layer, f"l{layer}"
            if self.bidirectional:
                yield layer, f"l{layer}_reverse"

    def reset_parameters(self):
        """New weights and biases, spread evenly over +-1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for one in self.parameters():
            init.uniform_(one, -bound, bound)

    def flatten_parameters(self):
        """Nothing: the operation takes the parameters as they are."""

    @property
    def _flat_weights_names(self):
        """The names of the parameters in order; programs that set first values look here."""
        return list(self._parameters)

    @property
    def all_weights(self):
        """The parameters of each layer and direction."""
        names = ("weight_ih", "weight_hh", *(("bias_ih", "bias_hh") if self.bias else ()))
        suffixes = [suffix for _, suffix in self._places()]
        return [[getattr(self, f"{name}_{suffix}") for name in names] for suffix in suffixes]

    # ---- Calls -----------------------------------------------------------------------------------

    def _packed(self, like):
        """All parameters one behind the other: weights, then biases."""
        own, suffixes = self.__dict__, [suffix for _, suffix in self._places()]
        ends = [f"{kind}_{one}" for one in suffixes for kind in ("ih", "hh")]
        parts = [own[f"weight_{end}"].reshape(-1) for end in ends]
        if self.bias:
            parts += [own[f"bias_{end}"] for end in ends]
        else:
            count = 2 * len(suffixes) * _GATES[self.mode] * self.hidden_size
            parts.append(zeros(count, dtype=like.dtype, device=like.device))
        return cat(parts)

    def _mask(self, input):
        """What is dropped between layers, in training."""
        if not self.dropout or self.num_layers == 1 or not self.training:
            return None
        steps, batch, _ = input.shape
        shape = (self.num_layers - 1, steps, batch, self.hidden_size * (1 + self.bidirectional))
        made = ones(shape, dtype=input.dtype, device=input.device)
        return _dropout(made, self.dropout, None, default_generator)

    def _check_input(self, input):
        if not isinstance(input, Tensor):
            raise NotImplementedError(
                f"{type(self).__name__}: a tensor is needed, not {type(input).__name__}: packed "
                "sequences are not here"
            )
        if input.ndim not in (2, 3):
            raise ValueError(
                f"{type(self).__name__}: Expected input to be 2D or 3D, got {input.ndim}D instead"
            )
        weight = self.weight_ih_l0
        if input.dtype is not weight.dtype:
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({weight.dtype}). "
                f"Convert input: input.to({weight.dtype}), or convert model: "
                f"model.to({input.dtype})"
            )
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                "input.size(-1) must be equal to input_size. Expected "
                f"{self.input_size}, got {input.shape[-1]}"
            )
        if input.shape[1 if self.batch_first and input.ndim == 3 else 0] == 0:
            raise RuntimeError("Expected sequence length to be larger than 0 in RNN")

    def _first(self, states, input, batched):
        """The states to begin with, each (layers x directions, batch, hidden)."""
        expected = (self.num_layers * (1 + self.bidirectional), input.shape[1], self.hidden_size)
        if states is None:
            return [zeros(expected, dtype=input.dtype, device=input.device)] * self._states
        wanted = 3 if batched else 2
        if any(one.ndim != wanted for one in states):
            kind = "batched 3-D" if batched else "unbatched 2-D"
            have = ", ".join(f"{one.ndim}-D" for one in states)
            names = "hx and cx" if self._states > 1 else "hx"
            raise RuntimeError(
                f"For {kind} input, {names} should also be {wanted}-D but got {have} tensors"
            )
        found = [one if batched else one.unsqueeze(1) for one in states]
        for at, one in enumerate(found):
            if tuple(one.shape) != expected:
                name = f"hidden[{at}]" if self._states > 1 else "hidden"
                raise RuntimeError(f"Expected {name} size {expected}, got {list(one.shape)}")
            if one.dtype is not input.dtype:
                raise RuntimeError(
                    f"mat1 and mat2 must have the same dtype, but got {one.dtype} and {input.dtype}"
                )
        return found

    def _run(self, input, states):
        """What all steps give, and the last states."""
        self._check_input(input)
        batched = input.ndim == 3
        if not batched:
            input = input.unsqueeze(1)
        elif self.batch_first:
            input = input.transpose(0, 1)
        first = self._first(states, input, batched)
        cell = first[1] if self._states == 2 else None
        output, state, cell, _ = _rnn(
            *(input, self._packed(input), first[0], self.mode.lower(), cell),
            *(self._mask(input), self.bidirectional),
        )
        after = [state, cell][: self._states]
        if not batched:
            return output.squeeze(1), [one.squeeze(1) for one in after]
        return (output.transpose(0, 1) if self.batch_first else output), after

    def forward(self, input, hx=None):
        output, (state,) = self._run(input, None if hx is None else (hx,))
        return output, state

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        text += f", proj_size={self.proj_size}" if self.proj_size else ""
        text += f", num_layers={self.num_layers}" if self.num_layers != 1 else ""
        text += f", bias={self.bias}" if self.bias is not True else ""
        text += f", batch_first={self.batch_first}" if self.batch_first is not False else ""
        text += f", dropout={self.dropout}" if self.dropout != 0 else ""
        return text + (", bidirectional=True" if self.bidirectional else "")


def _check(hidden_size, num_layers, dropout, proj_size):
    if isinstance(dropout, bool) or not isinstance(dropout, (int, float)) or not 0 <= dropout <= 1:
        raise ValueError(
            "dropout should be a number in range [0, 1] representing the probability of an element "
            "being zeroed"
        )
    if dropout > 0 and num_layers == 1:
        warnings.warn(
            "dropout option adds dropout after all but last recurrent layer, so non-zero dropout "
            f"expects num_layers greater than 1, but got dropout={dropout} and "
            f"num_layers={num_layers}",
            stacklevel=4,
        )
    if not isinstance(hidden_size, int):
        raise TypeError(f"hidden_size should be of type int, got: {type(hidden_size).__name__}")
    if hidden_size <= 0:
        raise ValueError("hidden_size must be greater than zero")
    if num_layers <= 0:
        raise ValueError("num_layers must be greater than zero")
    if proj_size:
        raise NotImplementedError("LSTM: proj_size is not here")


class RNN(RNNBase):
    """h = tanh(x @ w_ih.T + b_ih + h @ w_hh.T + b_hh), step by step; or with relu.

    >>> from penstock import torch
    >>> output, state = torch.nn.RNN(3, 4)(torch.ones(7, 2, 3))
    >>> output.shape, state.shape
    (torch.Size([7, 2, 4]), torch.Size([1, 2, 4]))
    """

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        nonlinearity="tanh",
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        device=None,
        dtype=None,
    ):
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(
                f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'."
            )
        super().__init__(
            *(f"RNN_{nonlinearity.upper()}", input_size, hidden_size, num_layers, bias),
            *(batch_first, dropout, bidirectional, 0, device, dtype),
        )
        self.nonlinearity = nonlinearity


class GRU(RNNBase):
    """Gated recurrent units: reset, update and candidate, the reset inside of the candidate."""

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        device=None,
        dtype=None,
    ):
        super().__init__(
            *("GRU", input_size, hidden_size, num_layers, bias, batch_first, dropout),
            *(bidirectional, 0, device, dtype),
        )


class LSTM(RNNBase):
    """Long short-term memory: gates in the order input, forget, candidate, output.

    >>> from penstock import torch
    >>> output, (state, cell) = torch.nn.LSTM(3, 4)(torch.ones(7, 2, 3))
    >>> output.shape, cell.shape
    (torch.Size([7, 2, 4]), torch.Size([1, 2, 4]))
    """

    _states = 2

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
    ):
        super().__init__(
            *("LSTM", input_size, hidden_size, num_layers, bias, batch_first, dropout),
            *(bidirectional, proj_size, device, dtype),
        )

    def forward(self, input, hx=None):
        states = None if hx is None else (hx[0], hx[1])
        output, after = self._run(input, states)
        return output, tuple(after)


# ---- Cells ---------------------------------------------------------------------------------------


class RNNCellBase(Module):
    """What cells have in common: one step, (batch, inputs) or (inputs)."""

    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows, settings = num_chunks * hidden_size, {"device": device, "dtype": dtype}
        self.weight_ih = Parameter(empty((rows, input_size), **settings))
        self.weight_hh = Parameter(empty((rows, hidden_size), **settings))
        for name in ("bias_ih", "bias_hh"):
            made = Parameter(empty(rows, **settings)) if bias else None
            self.register_parameter(name, made)
        self.reset_parameters()

    def reset_parameters(self):
        """New weights and biases, spread evenly over +-1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for one in self.parameters():
            init.uniform_(one, -bound, bound)

    def _check(self, input, *states):
        if input.ndim not in (1, 2):
            raise ValueError(
                f"{type(self).__name__}: Expected input to be 1D or 2D, got {input.ndim}D instead"
            )
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input has inconsistent input_size: got {input.shape[-1]} expected "
                f"{self.input_size}"
            )
        for at, one in enumerate(states):
            if one.ndim != input.ndim:
                raise RuntimeError(
                    f"Expected {input.ndim}D hidden{at} (batch x hidden_size), but got {one.ndim}D "
                    "tensor"
                )
            if one.shape[:-1] != input.shape[:-1]:
                raise RuntimeError(
                    f"Input batch size {input.shape[0]} doesn't match hidden{at} batch size "
                    f"{one.shape[0]}"
                )
            if one.shape[-1] != self.hidden_size:
                raise RuntimeError(
                    f"hidden{at} has inconsistent hidden_size: got {one.shape[-1]}, expected "
                    f"{self.hidden_size}"
                )

    def _zeros(self, input):
        shape = (*input.shape[:-1], self.hidden_size)
        return zeros(shape, dtype=input.dtype, device=input.device)

    def _sent(self, input, state):
        """What the input and the state bring to the gates."""
        return (
            linear(input, self.weight_ih, self.bias_ih),
            linear(state, self.weight_hh, self.bias_hh),
        )

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        text += f", bias={self.bias}" if self.bias is not True else ""
        kind = getattr(self, "nonlinearity", "tanh")
        return text + (f", nonlinearity={kind}" if kind != "tanh" else "")


class RNNCell(RNNCellBase):
    """One step of an RNN: the next state."""

    def __init__(
        self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None
    ):
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        self._check(input, *(() if hx is None else (hx,)))
        first, second = self._sent(input, self._zeros(input) if hx is None else hx)
        return (_tanh if self.nonlinearity == "tanh" else _relu)(first + second)


class GRUCell(RNNCellBase):
    """One step of a GRU: the next state."""

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input, hx=None):
        self._check(input, *(() if hx is None else (hx,)))
        state = self._zeros(input) if hx is None else hx
        return _gru_gates(*self._sent(input, state), state)


class LSTMCell(RNNCellBase):
    """One step of an LSTM: the next state and cell."""

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input, hx=None):
        self._check(input, *(() if hx is None else hx))
        state, cell = (self._zeros(input), self._zeros(input)) if hx is None else hx
        first, second = self._sent(input, state)
        return tuple(_lstm_gates(first + second, cell))


__getattr__ = _missing.missing("torch.nn.modules.rnn")
