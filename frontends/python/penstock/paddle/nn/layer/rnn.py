"""Recurrent layers over whole sequences, and their cells for single steps."""

import math

from ..._dialect import default_dtype, row
from ..._random import default_generator
from ..._tensor import Tensor
from ..functional._arguments import absent
from ..initializer import Uniform
from .container import LayerList
from .layers import Layer

_rnn = row("rnn", "rnn", "x, parameters, state, mode, cell=None, mask=None, bidirectional=False")
_dropout = row("dropout", "rnn", "x, p=0.5, axes=None, generator=None")
_linear = row("linear", "rnn", "x, weight, bias=None")
_lstm_gates = row("lstm_gates", "lstm_cell", "gates, cell")
_gru_gates = row("gru_gates", "gru_cell", "gates, sent, state")
_concat = row("concatenate", "concat", "x:tensors, axis=0")
_tanh, _relu = row("tanh", "tanh", "x"), row("relu", "relu", "x")
_KINDS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def _zeros(shape, like):
    from ..._create import zeros

    return zeros(shape, dtype=like.dtype)


# ---- Cells ---------------------------------------------------------------------------------------


class RNNCellBase(Layer):
    """What the cells have in common: two weights (gates x hidden, inputs) and two biases."""

    _STATES = 1

    def _begin(self, input_size, hidden_size, gates, attrs):
        if hidden_size <= 0:
            raise ValueError(f"hidden_size of {type(self).__name__} must be greater than 0")
        self.input_size, self.hidden_size = input_size, hidden_size
        self._dtype = default_dtype()._name
        bound = 1.0 / math.sqrt(hidden_size)
        rows = gates * hidden_size
        shapes = ([rows, input_size], [rows, hidden_size], [rows], [rows])
        for name, shape, attr in zip(_KINDS, shapes, attrs):
            made = self.create_parameter(
                shape,
                attr,
                is_bias=name.startswith("bias"),
                default_initializer=Uniform(-bound, bound),
            )
            setattr(self, name, made)

    def get_initial_states(
        self, batch_ref, shape=None, dtype=None, init_value=0.0, batch_dim_idx=0
    ):
        """States to begin with: one number, of the batch size of a tensor."""
        from ..._create import full

        one = [batch_ref.shape[batch_dim_idx], *(shape or [self.hidden_size])]
        made = [full(one, init_value, dtype or batch_ref.dtype) for _ in range(self._STATES)]
        return made[0] if self._STATES == 1 else tuple(made)

    @property
    def state_shape(self):
        """The shape of a state without the batch."""
        one = (self.hidden_size,)
        return one if self._STATES == 1 else (one,) * self._STATES

    def extra_repr(self):
        return f"{self.input_size}, {self.hidden_size}"


class SimpleRNNCell(RNNCellBase):
    """h = tanh(W x + b + V h + c), or with relu."""

    def __init__(
        self,
        input_size,
        hidden_size,
        activation="tanh",
        weight_ih_attr=None,
        weight_hh_attr=None,
        bias_ih_attr=None,
        bias_hh_attr=None,
        name=None,
    ):
        super().__init__()
        if activation not in ("tanh", "relu"):
            raise ValueError(
                f"activation for SimpleRNNCell should be tanh or relu, but get {activation}"
            )
        self.activation = activation
        attrs = (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        self._begin(input_size, hidden_size, 1, attrs)

    def forward(self, inputs, states=None):
        states = self.get_initial_states(inputs) if states is None else states
        brought = _linear(inputs, self.weight_ih, self.bias_ih)
        made = brought + _linear(states, self.weight_hh, self.bias_hh)
        made = _tanh(made) if self.activation == "tanh" else _relu(made)
        return made, made

    def extra_repr(self):
        text = super().extra_repr()
        return text if self.activation == "tanh" else f"{text}, activation={self.activation}"


class LSTMCell(RNNCellBase):
    """A step with gates for what is kept, what comes in and what goes out."""

    _STATES = 2

    def __init__(
        self,
        input_size,
        hidden_size,
        weight_ih_attr=None,
        weight_hh_attr=None,
        bias_ih_attr=None,
        bias_hh_attr=None,
        proj_size=0,
        name=None,
    ):
        super().__init__()
        if proj_size:
            raise absent("LSTMCell", "proj_size")
        attrs = (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        self._begin(input_size, hidden_size, 4, attrs)

    def forward(self, inputs, states=None):
        state, cell = self.get_initial_states(inputs) if states is None else states
        gates = _linear(inputs, self.weight_ih, self.bias_ih)
        made = _lstm_gates(gates + _linear(state, self.weight_hh, self.bias_hh), cell)
        return made[0], (made[0], made[1])


class GRUCell(RNNCellBase):
    """A step with gates for what of the state is used, and what of it is kept."""

    def __init__(
        self,
        input_size,
        hidden_size,
        weight_ih_attr=None,
        weight_hh_attr=None,
        bias_ih_attr=None,
        bias_hh_attr=None,
        name=None,
    ):
        super().__init__()
        attrs = (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        self._begin(input_size, hidden_size, 3, attrs)

    def forward(self, inputs, states=None):
        states = self.get_initial_states(inputs) if states is None else states
        gates = _linear(inputs, self.weight_ih, self.bias_ih)
        made = _gru_gates(gates, _linear(states, self.weight_hh, self.bias_hh), states)
        return made, made


# ---- Cells over sequences ------------------------------------------------------------------------


class RNN(Layer):
    """A cell that is called for each step of a sequence."""

    def __init__(self, cell, is_reverse=False, time_major=False):
        super().__init__()
        self.cell, self.is_reverse, self.time_major = cell, is_reverse, time_major

    def forward(self, inputs, initial_states=None, sequence_length=None, **kwargs):
        if sequence_length is not None:
            raise absent("RNN", "sequence_length")
        axis = 0 if self.time_major else 1
        steps = range(inputs.shape[axis])
        states, outputs = initial_states, []
        for at in reversed(steps) if self.is_reverse else steps:
            one = inputs[at] if axis == 0 else inputs[:, at]
            output, states = self.cell(one, states, **kwargs)
            outputs.append(output.unsqueeze(axis))
        return _concat(outputs[::-1] if self.is_reverse else outputs, axis), states


class BiRNN(Layer):
    """A cell for each direction; what both give lies side by side."""

    def __init__(self, cell_fw, cell_bw, time_major=False):
        super().__init__()
        self.cell_fw, self.cell_bw, self.time_major = cell_fw, cell_bw, time_major

    def forward(self, inputs, initial_states=None, sequence_length=None, **kwargs):
        first, second = (None, None) if initial_states is None else initial_states
        one, after = RNN(self.cell_fw, False, self.time_major)(inputs, first, sequence_length)
        other, last = RNN(self.cell_bw, True, self.time_major)(inputs, second, sequence_length)
        return _concat([one, other], -1), (after, last)


# ---- Whole layers --------------------------------------------------------------------------------


class RNNBase(LayerList):
    """What SimpleRNN, LSTM and GRU have in common.

    The weights are those of cells, which are sublayers by number; names with the number of the
    layer, weight_ih_l0 and so on, are the same parameters.
    """

    _GATES, _STATES = 1, 1

    def __init__(
        self,
        mode,
        input_size,
        hidden_size,
        num_layers=1,
        direction="forward",
        time_major=False,
        dropout=0.0,
        weight_ih_attr=None,
        weight_hh_attr=None,
        bias_ih_attr=None,
        bias_hh_attr=None,
        proj_size=0,
    ):
        super().__init__()
        if proj_size:
            raise absent(type(self).__name__, "proj_size")
        if direction not in ("forward", "bidirect", "bidirectional"):
            raise ValueError(
                "direction should be forward or bidirect (or bidirectional), received direction = "
                f"{direction}"
            )
        self.mode, self.input_size, self.hidden_size = mode, input_size, hidden_size
        self.num_layers, self.time_major, self.dropout = num_layers, time_major, dropout
        self.num_directions = 1 if direction == "forward" else 2
        self.could_use_cudnn = False
        attrs = (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        for layer in range(num_layers):
            size = input_size if layer == 0 else hidden_size * self.num_directions
            cells = [self._cell(size, hidden_size, attrs) for _ in range(self.num_directions)]
            one = RNN(cells[0], False, time_major) if len(cells) == 1 else BiRNN(*cells, time_major)
            self.append(one)
        self._alias()

    def _cell(self, input_size, hidden_size, attrs):
        raise NotImplementedError

    def _cells(self):
        """The cells in order, with how the names of their parameters end."""
        for at in range(self.num_layers):
            one = self.__dict__[str(at)]
            if self.num_directions == 1:
                yield f"l{at}", one.cell
            else:
                yield f"l{at}", one.cell_fw
                yield f"l{at}_reverse", one.cell_bw

    def _alias(self):
        """Put the parameters under their other names."""
        for end, cell in self._cells():
            for name in _KINDS:
                one = cell.__dict__[name]
                if one is not None:
                    setattr(self, f"{name}_{end}", one)

    def flatten_parameters(self):
        """Nothing changes: parameters are put side by side where they are used."""

    def _packed(self, like):
        """All parameters one behind the other: weights, then biases."""
        cells = [cell.__dict__ for _, cell in self._cells()]
        parts = [
            one[name].reshape([-1]) for one in cells for name in ("weight_ih", "weight_hh")
        ]
        for one in cells:
            for name in ("bias_ih", "bias_hh"):
                missing = one[name] is None
                parts.append(
                    _zeros([self._GATES * self.hidden_size], like) if missing else one[name]
                )
        return _concat(parts, 0)

    def _mask(self, steps, batch, like):
        """What is dropped between layers, in training."""
        if not self.dropout or self.num_layers == 1 or not self.training:
            return None
        from ..._create import ones

        shape = [self.num_layers - 1, steps, batch, self.hidden_size * self.num_directions]
        return _dropout(ones(shape, dtype=like.dtype), self.dropout, None, default_generator)

    def _first(self, states, batch, like):
        shape = [self.num_layers * self.num_directions, batch, self.hidden_size]
        if states is None:
            return [_zeros(shape, like)] * self._STATES
        found = [states] if isinstance(states, Tensor) else list(states)
        for one in found:
            if list(one.shape) != shape:
                raise ValueError(
                    f"(InvalidArgument) {type(self).__name__}: a state has the shape "
                    f"{list(one.shape)}, not {shape}"
                )
        return found

    def forward(self, inputs, initial_states=None, sequence_length=None):
        if sequence_length is not None:
            raise absent(type(self).__name__, "sequence_length")
        if inputs.ndim != 3 or inputs.shape[-1] != self.input_size:
            raise ValueError(
                f"(InvalidArgument) {type(self).__name__}: the input should have the shape "
                f"[{'time, batch' if self.time_major else 'batch, time'}, {self.input_size}], but "
                f"received {list(inputs.shape)}"
            )
        x = inputs if self.time_major else inputs.transpose([1, 0, 2])
        steps, batch = x.shape[0], x.shape[1]
        first = self._first(initial_states, batch, x)
        cell = first[1] if self._STATES == 2 else None
        output, state, cell, _ = _rnn(
            *(x, self._packed(x), first[0], self.mode, cell, self._mask(steps, batch, x)),
            self.num_directions == 2,
        )
        output = output if self.time_major else output.transpose([1, 0, 2])
        return output, (state if self._STATES == 1 else (state, cell))

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        text += f", num_layers={self.num_layers}" if self.num_layers != 1 else ""
        text += f", time_major={self.time_major}" if self.time_major else ""
        return text + (f", dropout={self.dropout}" if self.dropout else "")


class SimpleRNN(RNNBase):
    """h = tanh(W x + b + V h + c) for each step, or with relu."""

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        direction="forward",
        time_major=False,
        dropout=0.0,
        activation="tanh",
        weight_ih_attr=None,
        weight_hh_attr=None,
        bias_ih_attr=None,
        bias_hh_attr=None,
        name=None,
    ):
        if activation not in ("tanh", "relu"):
            raise ValueError(f"Unknown activation '{activation}'")
        self.__dict__["activation"] = activation
        super().__init__(
            *(f"rnn_{activation}", input_size, hidden_size, num_layers, direction, time_major),
            *(dropout, weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr),
        )

    def _cell(self, input_size, hidden_size, attrs):
        return SimpleRNNCell(input_size, hidden_size, self.activation, *attrs)


class _Gated(RNNBase):
    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        direction="forward",
        time_major=False,
        dropout=0.0,
        weight_ih_attr=None,
        weight_hh_attr=None,
        bias_ih_attr=None,
        bias_hh_attr=None,
        proj_size=0,
        name=None,
    ):
        super().__init__(
            *(self._MODE, input_size, hidden_size, num_layers, direction, time_major, dropout),
            *(weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr, proj_size),
        )

    def _cell(self, input_size, hidden_size, attrs):
        return self._CELL(input_size, hidden_size, *attrs)


class LSTM(_Gated):
    """Steps with gates for what is kept, what comes in and what goes out."""

    _MODE, _CELL, _GATES, _STATES = "lstm", LSTMCell, 4, 2


class GRU(_Gated):
    """Steps with gates for what of the state is used, and what of it is kept."""

    _MODE, _CELL, _GATES = "gru", GRUCell, 3
