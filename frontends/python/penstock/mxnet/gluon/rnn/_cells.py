"""Cells: what all of them have in common, and RNN, LSTM and GRU."""

from .... import _core
from ... import _composed
from ...base import MXNetValueError
from ..block import Block, HybridBlock
from . import _sequences

_MODULE = "mxnet.gluon.rnn.rnn_cell"
_ops = _core._ops
linear, _lstm_gates, _gru_gates = (_ops[name] for name in "linear lstm_gates gru_gates".split())


def activated(x, activation):
    """An activation by its name, or what a block or function makes of x."""
    if not isinstance(activation, str):
        return activation(x)
    operation = _composed.ACTIVATIONS.get(activation)
    if operation is None:
        raise MXNetValueError(f"Activation: there is no act_type {activation!r}")
    return _ops[operation](x)


def known_or_none(length):
    """A length of a shape, as texts have it: 0 is not known."""
    return length if length else None


class RecurrentCell(Block):
    """One step of a recurrent layer: from an input and states an output and new states."""

    __module__ = _MODULE

    def __init__(self, prefix=None, params=None):
        super().__init__(prefix=prefix, params=params)
        self._modified = False
        self.reset()

    def reset(self):
        """To be called before a new sequence: steps are counted anew."""
        self._init_counter = -1
        self._counter = -1
        for cell in self._children.values():
            if isinstance(cell, RecurrentCell):
                cell.reset()

    def state_info(self, batch_size=0):
        """Shape and layout of each state."""
        raise NotImplementedError(f"{type(self).__name__} does not define state_info")

    def _check_not_modified(self):
        if self._modified:
            raise AssertionError(
                f"cell {self.name} is inside of a ZoneoutCell, ResidualCell or the like: call that "
                "one, and not the cell itself"
            )

    def begin_state(self, batch_size=0, func=None, **kwargs):
        """States to begin with: zeros, or what func(shape=..., **kwargs) makes."""
        self._check_not_modified()
        states = []
        for info in self.state_info(batch_size):
            self._init_counter += 1
            name = f"{self._prefix}begin_state_{self._init_counter}"
            states.append(_sequences.made_state(func, name, {**(info or {}), **kwargs}))
        return states

    def unroll(
        self,
        length,
        inputs,
        begin_state=None,
        layout="NTC",
        merge_outputs=None,
        valid_length=None,
    ):
        """So many steps: the outputs, as one array if merge_outputs, and the last states.

        With valid_length, outputs beyond the end of each sequence are 0 and its last states are
        those of its own end.
        """
        self.reset()
        states = _sequences.first_states(self, begin_state, inputs, layout)
        outputs, passed = [], []
        for step in _sequences.steps_of(length, inputs, layout):
            output, states = self(step, states)
            outputs.append(output)
            passed.append(states)
        if valid_length is not None:
            states = [_sequences.last_of(list(one), valid_length) for one in zip(*passed)]
            outputs = _sequences.merged(outputs, layout)
            outputs = _sequences.masked(outputs, valid_length, _sequences.time_axis(layout))
        return _sequences.formatted(length, outputs, layout, merge_outputs), states

    def _get_activation(self, F, inputs, activation, **kwargs):
        """An activation of the inputs."""
        return activated(inputs, activation)

    def forward(self, inputs, states):
        """One step."""
        self._counter += 1
        return super().forward(inputs, states)


class HybridRecurrentCell(RecurrentCell, HybridBlock):
    """A cell whose classes say in hybrid_forward what a step computes."""

    __module__ = _MODULE

    def __init__(self, prefix=None, params=None):
        super().__init__(prefix=prefix, params=params)

    def hybrid_forward(self, F, x, *args, **kwargs):
        raise NotImplementedError(f"{type(self).__name__} does not define hybrid_forward")


class GatedCell(HybridRecurrentCell):
    """A cell with weights and biases of the input and of the state, for so many gates."""

    _gates = 1
    _states = 1

    def __init__(self, hidden_size, input_size, prefix, params, **initializers):
        super().__init__(prefix=prefix, params=params)
        self._hidden_size = hidden_size
        self._input_size = input_size
        for name, init in initializers.items():
            settings = {"shape": self._shape_of(name), "init": init, "allow_deferred_init": True}
            setattr(self, name, self.params.get(name, **settings))

    def _shape_of(self, name):
        """The shape of a parameter."""
        rows = self._gates * self._hidden_size
        if name == "i2h_weight":
            return (rows, self._input_size)
        return (rows, self._hidden_size) if name == "h2h_weight" else (rows,)

    def state_info(self, batch_size=0):
        """Shape and layout of each state."""
        shape = (batch_size, self._hidden_size)
        return [{"shape": shape, "__layout__": "NC"} for _ in range(self._states)]

    def infer_shape(self, inputs, states=None):
        """Settles how many inputs there are."""
        self.i2h_weight.shape = (self.i2h_weight.shape[0], inputs.shape[-1])

    def _mapping(self):
        rows, columns = self.i2h_weight.shape
        return f"{known_or_none(columns)} -> {rows}"

    def __repr__(self):
        return f"{type(self).__name__}({self._mapping()})"


class RNNCell(GatedCell):
    """activation(x @ i2h.T + b + h @ h2h.T + c), which is the output and the state."""

    __module__ = _MODULE

    def __init__(
        self,
        hidden_size,
        activation="tanh",
        i2h_weight_initializer=None,
        h2h_weight_initializer=None,
        i2h_bias_initializer="zeros",
        h2h_bias_initializer="zeros",
        input_size=0,
        prefix=None,
        params=None,
    ):
        super().__init__(
            hidden_size,
            input_size,
            prefix,
            params,
            i2h_weight=i2h_weight_initializer,
            h2h_weight=h2h_weight_initializer,
            i2h_bias=i2h_bias_initializer,
            h2h_bias=h2h_bias_initializer,
        )
        self._activation = activation

    def _alias(self):
        return "rnn"

    def __repr__(self):
        return f"{type(self).__name__}({self._mapping()}, {self._activation})"

    def hybrid_forward(self, F, inputs, states, i2h_weight, h2h_weight, i2h_bias, h2h_bias):
        both = linear(inputs, i2h_weight, i2h_bias) + linear(states[0], h2h_weight, h2h_bias)
        output = activated(both, self._activation)
        return output, [output]


class LSTMCell(GatedCell):
    """Long short-term memory: gates in the order input, forget, candidate, output."""

    __module__ = _MODULE
    _gates = 4
    _states = 2

    def __init__(
        self,
        hidden_size,
        i2h_weight_initializer=None,
        h2h_weight_initializer=None,
        i2h_bias_initializer="zeros",
        h2h_bias_initializer="zeros",
        input_size=0,
        prefix=None,
        params=None,
        activation="tanh",
        recurrent_activation="sigmoid",
    ):
        super().__init__(
            hidden_size,
            input_size,
            prefix,
            params,
            i2h_weight=i2h_weight_initializer,
            h2h_weight=h2h_weight_initializer,
            i2h_bias=i2h_bias_initializer,
            h2h_bias=h2h_bias_initializer,
        )
        self._activation = activation
        self._recurrent_activation = recurrent_activation

    def _alias(self):
        return "lstm"

    def hybrid_forward(self, F, inputs, states, i2h_weight, h2h_weight, i2h_bias, h2h_bias):
        state, cell = states
        gates = linear(inputs, i2h_weight, i2h_bias) + linear(state, h2h_weight, h2h_bias)
        state, cell = stepped(gates, cell, self._activation, self._recurrent_activation)
        return state, [state, cell]


def stepped(gates, cell, activation, recurrent):
    """The state and the cell after one step of an LSTM, by the sums of its gates."""
    if activation == "tanh" and recurrent == "sigmoid":
        return _lstm_gates(gates, cell)
    enter, forget, candidate, leave = parts_of(gates, 4)
    forget = activated(forget, recurrent)
    cell = forget * cell + activated(enter, recurrent) * activated(candidate, activation)
    return activated(leave, recurrent) * activated(cell, activation), cell


def parts_of(gates, count, axis=-1):
    """Gates that lie one behind the other along an axis."""
    axis %= gates.ndim
    width = gates.shape[axis] // count
    before = (slice(None),) * axis
    return [gates[(*before, slice(one * width, (one + 1) * width))] for one in range(count)]


class GRUCell(GatedCell):
    """Gated recurrent unit: reset, update and candidate, the reset inside of the candidate."""

    __module__ = _MODULE
    _gates = 3

    def __init__(
        self,
        hidden_size,
        i2h_weight_initializer=None,
        h2h_weight_initializer=None,
        i2h_bias_initializer="zeros",
        h2h_bias_initializer="zeros",
        input_size=0,
        prefix=None,
        params=None,
    ):
        super().__init__(
            hidden_size,
            input_size,
            prefix,
            params,
            i2h_weight=i2h_weight_initializer,
            h2h_weight=h2h_weight_initializer,
            i2h_bias=i2h_bias_initializer,
            h2h_bias=h2h_bias_initializer,
        )

    def _alias(self):
        return "gru"

    def hybrid_forward(self, F, inputs, states, i2h_weight, h2h_weight, i2h_bias, h2h_bias):
        gates = linear(inputs, i2h_weight, i2h_bias)
        output = _gru_gates(gates, linear(states[0], h2h_weight, h2h_bias), states[0])
        return output, [output]
