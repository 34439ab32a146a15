"""mx.gluon.rnn.rnn_layer: recurrent layers over whole sequences, each one operation.

Weights and biases are parameters of their own, named {l|r}{layer}_{i2h|h2h}_{weight|bias}; a call
puts them one behind the other for the operation `rnn`.
"""

from .... import _core
from ... import _dialects
from ...base import MXNetValueError
from ..block import HybridBlock
from . import _sequences, rnn_cell
from ._cells import known_or_none
from ._projected import projected

__all__ = ["RNN", "LSTM", "GRU"]

_MODULE = "mxnet.gluon.rnn.rnn_layer"
_ops = _core._ops
_rnn, _concatenate, _zeros = _ops["rnn"], _ops["concatenate"], _ops["zeros"]
_is_training = _core._grad_is_training
_dtype = _core.ndarray.dtype.__get__

_GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}


class _RNNLayer(HybridBlock):
    """What the layers have in common."""

    __module__ = _MODULE

    def __init__(
        self,
        hidden_size,
        num_layers,
        layout,
        dropout,
        bidirectional,
        input_size,
        i2h_weight_initializer,
        h2h_weight_initializer,
        i2h_bias_initializer,
        h2h_bias_initializer,
        mode,
        projection_size,
        h2r_weight_initializer,
        lstm_state_clip_min,
        lstm_state_clip_max,
        lstm_state_clip_nan,
        dtype,
        use_sequence_length=False,
        **kwargs,
    ):
        super().__init__(**kwargs)
        if layout not in ("TNC", "NTC"):
            raise AssertionError(f"layout must be 'TNC' or 'NTC', not {layout!r}")
        self._hidden_size = hidden_size
        self._projection_size = projection_size or None
        self._num_layers = num_layers
        self._mode = mode
        self._layout = layout
        self._dropout = dropout
        self._dir = 2 if bidirectional else 1
        self._input_size = input_size
        self._i2h_weight_initializer = i2h_weight_initializer
        self._h2h_weight_initializer = h2h_weight_initializer
        self._i2h_bias_initializer = i2h_bias_initializer
        self._h2h_bias_initializer = h2h_bias_initializer
        self._h2r_weight_initializer = h2r_weight_initializer
        self._lstm_state_clip_min = lstm_state_clip_min
        self._lstm_state_clip_max = lstm_state_clip_max
        self._lstm_state_clip_nan = lstm_state_clip_nan
        self._dtype = dtype
        self._use_sequence_length = use_sequence_length
        self._gates = _GATES[mode]
        self._register_all()
        # The operation has all weights, then all biases.
        self._order = sorted(self._reg_params, key=lambda name: name.endswith("bias"))

    # ---- Parameters ---------------------------------------------------------------------------

    def _register_all(self):
        rows, hidden = self._gates * self._hidden_size, self._projection_size or self._hidden_size
        for layer in range(self._num_layers):
            columns = self._dir * hidden if layer else self._input_size
            for way in "lr"[: self._dir]:
                name = f"{way}{layer}_"
                self._register(f"{name}i2h_weight", (rows, columns), self._i2h_weight_initializer)
                self._register(f"{name}h2h_weight", (rows, hidden), self._h2h_weight_initializer)
                self._register(f"{name}i2h_bias", (rows,), self._i2h_bias_initializer)
                self._register(f"{name}h2h_bias", (rows,), self._h2h_bias_initializer)
                if self._projection_size:
                    shape = (hidden, self._hidden_size)
                    self._register(f"{name}h2r_weight", shape, self._h2r_weight_initializer)

    def _register(self, name, shape, init):
        settings = {"shape": shape, "init": init, "dtype": self._dtype}
        setattr(self, name, self.params.get(name, allow_deferred_init=True, **settings))

    def _collect_params_with_prefix(self, prefix=""):
        """The parameters by the names that files have: those of the cells that they would be of."""
        prefix = f"{prefix}." if prefix else ""
        found = {}
        for name, param in self._reg_params.items():
            way, layer = name[0], name[1 : name.index("_")]
            cell = f"{way}_cell." if self._dir == 2 else ""
            found[f"{prefix}_unfused.{layer}.{cell}{name[name.index('_') + 1 :]}"] = param
        return found

    def infer_shape(self, inputs, *args):
        """Settles how many inputs there are."""
        _check_inputs(inputs)
        for way in "lr"[: self._dir]:
            weight = self._reg_params[f"{way}0_i2h_weight"]
            weight.shape = (weight.shape[0], inputs.shape[2])

    def cast(self, dtype):
        """Changes the element type of all parameters, and of states that begin_state makes."""
        super().cast(dtype)
        self._dtype = dtype

    def __repr__(self):
        columns = self.l0_i2h_weight.shape[1]
        text = f"{known_or_none(columns)} -> {self._hidden_size}, {self._layout}"
        text += f", num_layers={self._num_layers}" if self._num_layers != 1 else ""
        text += f", dropout={self._dropout}" if self._dropout else ""
        text += ", bidirectional" if self._dir == 2 else ""
        return f"{type(self).__name__}({text})"

    # ---- States -------------------------------------------------------------------------------

    def state_info(self, batch_size=0):
        """Shape, layout and element type of each state."""
        shape = (self._num_layers * self._dir, batch_size, self._hidden_size)
        return [{"shape": shape, "__layout__": "LNC", "dtype": self._dtype}]

    def begin_state(self, batch_size=0, func=None, **kwargs):
        """States to begin with: zeros, or what func(shape=..., **kwargs) makes."""
        return [
            _sequences.made_state(func, f"{self.prefix}h0_{place}", {**info, **kwargs})
            for place, info in enumerate(self.state_info(batch_size))
        ]

    def _checked_states(self, states, batch_size):
        """The given states as a list."""
        states = [states] if _sequences.is_array(states) else list(states)
        expected = self.state_info(batch_size)
        if len(states) != len(expected):
            raise MXNetValueError(
                f"{type(self).__name__}: {len(expected)} states are needed, not {len(states)}"
            )
        for state, info in zip(states, expected, strict=True):
            if state.shape != info["shape"]:
                raise ValueError(
                    f"a state must have shape {info['shape']}, not {state.shape}"
                )
        return states

    # ---- Calls --------------------------------------------------------------------------------

    def __call__(self, inputs, states=None, sequence_length=None, **kwargs):
        return super().__call__(inputs, states, sequence_length)

    def hybrid_forward(self, F, inputs, states=None, sequence_length=None, **params):
        """What the last layer gives at each step; with states, also the last ones.

        Lengths of sequences change nothing, and neither do limits of an LSTM's cells: MXNet heeds
        them on GPUs only.
        """
        _check_inputs(inputs)
        if self._use_sequence_length and sequence_length is None:
            raise MXNetValueError(f"{type(self).__name__}: sequence_length is needed")
        batch_size = inputs.shape[1 if self._layout == "TNC" else 0]
        given = None if states is None else self._checked_states(states, batch_size)
        infos = self.state_info(batch_size) if given is None else None
        arrays = [params[name] for name in self._order]
        run = projected if self._projection_size else _run
        y, after = _dialects.call(type(inputs), run, self, inputs, arrays, given, infos)
        return y if states is None else (y, list(after))

    # ---- As cells -----------------------------------------------------------------------------

    def _unfuse(self):
        """Cells with the same parameters that compute the same step by step."""
        if self._projection_size:
            raise AssertionError("there are no cells with a projection to make of this layer")
        stack = rnn_cell.HybridSequentialRNNCell(prefix=self.prefix, params=self.params)
        with stack.name_scope():
            for layer in range(self._num_layers):
                inputs = self._dir * self._hidden_size if layer else self._input_size
                cells = [self._cell(f"{way}{layer}_", inputs) for way in "lr"[: self._dir]]
                stack.add(rnn_cell.BidirectionalCell(*cells) if self._dir == 2 else cells[0])
                if self._dropout and layer != self._num_layers - 1:
                    stack.add(rnn_cell.DropoutCell(self._dropout))
        return stack

    def _cell(self, prefix, input_size):
        settings = {
            "prefix": prefix,
            "input_size": input_size,
            "i2h_weight_initializer": self._i2h_weight_initializer,
            "h2h_weight_initializer": self._h2h_weight_initializer,
            "i2h_bias_initializer": self._i2h_bias_initializer,
            "h2h_bias_initializer": self._h2h_bias_initializer,
        }
        if self._mode == "lstm":
            return rnn_cell.LSTMCell(self._hidden_size, **settings)
        if self._mode == "gru":
            return rnn_cell.GRUCell(self._hidden_size, **settings)
        activation = self._mode.removeprefix("rnn_")
        return rnn_cell.RNNCell(self._hidden_size, activation=activation, **settings)


def _check_inputs(inputs):
    if len(inputs.shape) != 3:
        raise MXNetValueError(
            "RNN: the input has 3 dimensions, which are steps, batch and inputs as layout says, "
            f"not shape {inputs.shape}"
        )


def _run(layer, x, arrays, states, infos):
    """What the layer computes, over native arrays: the outputs and the last states."""
    if layer._layout == "NTC":
        x = x.swapaxes(0, 1)
    parameters = _concatenate([array.reshape(-1) for array in arrays], 0)
    if states is None:
        states = [_zeros(info["shape"], x.dtype, device=x.device) for info in infos]
    mask = None
    if layer._dropout and layer._num_layers > 1 and _is_training():
        width = layer._dir * layer._hidden_size
        shape = (layer._num_layers - 1, *x.shape[:2], width)
        mask = _ops["dropout"](_ops["ones"](shape, x.dtype), layer._dropout)
    cell = states[1] if layer._mode == "lstm" else None
    both = layer._dir == 2
    y, *after, _ = _rnn(x, parameters, states[0], layer._mode, cell, mask, bidirectional=both)
    if layer._layout == "NTC":
        y = y.swapaxes(0, 1)
    return y, after[: len(states)]


class RNN(_RNNLayer):
    """h = activation(x @ i2h.T + b + h @ h2h.T + c), step by step; with relu or tanh."""

    __module__ = _MODULE

    def __init__(
        self,
        hidden_size,
        num_layers=1,
        activation="relu",
        layout="TNC",
        dropout=0,
        bidirectional=False,
        i2h_weight_initializer=None,
        h2h_weight_initializer=None,
        i2h_bias_initializer="zeros",
        h2h_bias_initializer="zeros",
        input_size=0,
        dtype="float32",
        **kwargs,
    ):
        super().__init__(
            hidden_size,
            num_layers,
            layout,
            dropout,
            bidirectional,
            input_size,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            f"rnn_{activation}",
            None,
            None,
            None,
            None,
            False,
            dtype,
            **kwargs,
        )


class LSTM(_RNNLayer):
    """Long short-term memory: gates in the order input, forget, candidate, output.

    Its states are two arrays, hidden states and cells. With a projection_size, hidden states are
    made so small by h2r_weight.
    """

    __module__ = _MODULE

    def __init__(
        self,
        hidden_size,
        num_layers=1,
        layout="TNC",
        dropout=0,
        bidirectional=False,
        input_size=0,
        i2h_weight_initializer=None,
        h2h_weight_initializer=None,
        i2h_bias_initializer="zeros",
        h2h_bias_initializer="zeros",
        projection_size=None,
        h2r_weight_initializer=None,
        state_clip_min=None,
        state_clip_max=None,
        state_clip_nan=False,
        dtype="float32",
        **kwargs,
    ):
        super().__init__(
            hidden_size,
            num_layers,
            layout,
            dropout,
            bidirectional,
            input_size,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            "lstm",
            projection_size,
            h2r_weight_initializer,
            state_clip_min,
            state_clip_max,
            state_clip_nan,
            dtype,
            **kwargs,
        )

    def state_info(self, batch_size=0):
        """Shape, layout and element type of each state."""
        (cell,) = super().state_info(batch_size)
        layers, batch_size, hidden = cell["shape"]
        return [{**cell, "shape": (layers, batch_size, self._projection_size or hidden)}, cell]


class GRU(_RNNLayer):
    """Gated recurrent units: reset, update and candidate, the reset inside of the candidate."""

    __module__ = _MODULE

    def __init__(
        self,
        hidden_size,
        num_layers=1,
        layout="TNC",
        dropout=0,
        bidirectional=False,
        input_size=0,
        i2h_weight_initializer=None,
        h2h_weight_initializer=None,
        i2h_bias_initializer="zeros",
        h2h_bias_initializer="zeros",
        dtype="float32",
        **kwargs,
    ):
        super().__init__(
            hidden_size,
            num_layers,
            layout,
            dropout,
            bidirectional,
            input_size,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            "gru",
            None,
            None,
            None,
            None,
            False,
            dtype,
            **kwargs,
        )
