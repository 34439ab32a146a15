"""Recurrent cells whose products are convolutions: inputs and states are lines or pictures."""

from ..... import _core
from ...._layers.convolution import convolution
from ...rnn._cells import HybridRecurrentCell, activated, known_or_none, parts_of

__all__ = [
    f"Conv{dimensions}D{kind}Cell" for kind in ("RNN", "LSTM", "GRU") for dimensions in (1, 2, 3)
]

_MODULE = "mxnet.gluon.contrib.rnn.conv_rnn_cell"
_sigmoid = _core._ops["sigmoid"]


def _several(value, count):
    return (value,) * count if isinstance(value, int) else tuple(value)


class _ConvCell(HybridRecurrentCell):
    """What the cells have in common: a convolution of the input and one of the state.

    That of the state is padded so that the state keeps its shape; input_shape is without the batch.
    """

    _gates = 1
    _states = 1
    _dimensions = None

    def __init__(
        self,
        input_shape,
        hidden_channels,
        i2h_kernel,
        h2h_kernel,
        i2h_pad=0,
        i2h_dilate=1,
        h2h_dilate=1,
        i2h_weight_initializer=None,
        h2h_weight_initializer=None,
        i2h_bias_initializer="zeros",
        h2h_bias_initializer="zeros",
        conv_layout=None,
        activation="tanh",
        prefix=None,
        params=None,
    ):
        super().__init__(prefix=prefix, params=params)
        count = self._dimensions
        self._layout = ("NCW", "NCHW", "NCDHW")[count - 1] if conv_layout is None else conv_layout
        self._hidden_channels = hidden_channels
        self._input_shape = tuple(input_shape)
        self._activation = activation
        self._i2h = tuple(_several(one, count) for one in (i2h_kernel, i2h_pad, i2h_dilate))
        kernel, dilate = _several(h2h_kernel, count), _several(h2h_dilate, count)
        if not all(length % 2 for length in kernel):
            raise AssertionError(f"h2h_kernel must have odd lengths, and is {h2h_kernel}")
        pad = tuple(
            step * (length - 1) // 2 for step, length in zip(dilate, kernel, strict=True)
        )
        self._h2h = kernel, pad, dilate
        rows = self._gates * hidden_channels
        shapes = {
            "i2h_weight": self._laid_out(self._channels(), self._i2h[0], rows),
            "h2h_weight": self._laid_out(hidden_channels, kernel, rows),
            "i2h_bias": (rows,),
            "h2h_bias": (rows,),
        }
        weights, biases = (
            (i2h_weight_initializer, h2h_weight_initializer),
            (i2h_bias_initializer, h2h_bias_initializer),
        )
        for (name, shape), init in zip(shapes.items(), (*weights, *biases), strict=True):
            settings = {"shape": shape, "init": init, "allow_deferred_init": True}
            setattr(self, name, self.params.get(name, **settings))

    # ---- Shapes -------------------------------------------------------------------------------

    def _laid_out(self, channels, lengths, *before):
        """A shape in which channels are where the layout has them."""
        if self._layout[-1] == "C":
            return (*before, *lengths, channels)
        return (*before, channels, *lengths)

    def _channels(self):
        """How many channels the input has."""
        return self._input_shape[self._layout.find("C") - 1]

    def _lengths(self):
        """The lengths of the state: what the convolution makes of those of the input."""
        place = self._layout.find("C") - 1
        given = self._input_shape[:place] + self._input_shape[place + 1 :]
        return tuple(
            length + 2 * pad - dilate * (kernel - 1)
            for length, kernel, pad, dilate in zip(given, *self._i2h, strict=True)
        )

    def state_info(self, batch_size=0):
        """Shape and layout of each state."""
        shape = self._laid_out(self._hidden_channels, self._lengths(), batch_size)
        return [{"shape": shape, "__layout__": self._layout} for _ in range(self._states)]

    def infer_shape(self, inputs, states=None):
        """Settles how many channels the input has."""
        channels = inputs.shape[self._layout.find("C")]
        rows = self._gates * self._hidden_channels
        self.i2h_weight.shape = self._laid_out(channels, self._i2h[0], rows)

    # ---- Text ---------------------------------------------------------------------------------

    def _alias(self):
        return f"conv_{self._kind}"

    def __repr__(self):
        channels = self.i2h_weight.shape[self._layout.find("C")]
        mapping = f"{known_or_none(channels)} -> {self._gates * self._hidden_channels}"
        return f"{type(self).__name__}({mapping}, {self._activation}, {self._layout})"

    # ---- Calls --------------------------------------------------------------------------------

    def _convolved(self, x, weight, bias, settings):
        kernel, pad, dilate = settings
        return convolution(
            x,
            weight,
            bias,
            kernel,
            pad=pad,
            dilate=dilate,
            num_filter=self._gates * self._hidden_channels,
            layout=self._layout,
        )

    def _parts(self, gates):
        return parts_of(gates, self._gates, self._layout.find("C"))

    def hybrid_forward(self, F, inputs, states, i2h_weight, h2h_weight, i2h_bias, h2h_bias):
        i2h = self._convolved(inputs, i2h_weight, i2h_bias, self._i2h)
        h2h = self._convolved(states[0], h2h_weight, h2h_bias, self._h2h)
        return self._step(i2h, h2h, states)


class _ConvRNNCell(_ConvCell):
    _kind = "rnn"

    def _step(self, i2h, h2h, states):
        output = activated(i2h + h2h, self._activation)
        return output, [output]


class _ConvLSTMCell(_ConvCell):
    _kind = "lstm"
    _gates = 4
    _states = 2

    def _step(self, i2h, h2h, states):
        enter, forget, candidate, leave = self._parts(i2h + h2h)
        new = _sigmoid(enter) * activated(candidate, self._activation)
        cell = _sigmoid(forget) * states[1] + new
        output = _sigmoid(leave) * activated(cell, self._activation)
        return output, [output, cell]


class _ConvGRUCell(_ConvCell):
    _kind = "gru"
    _gates = 3

    def _step(self, i2h, h2h, states):
        reset, update, candidate = self._parts(i2h)
        reset_state, update_state, candidate_state = self._parts(h2h)
        reset = _sigmoid(reset + reset_state)
        update = _sigmoid(update + update_state)
        candidate = activated(candidate + reset * candidate_state, self._activation)
        output = (1 - update) * candidate + update * states[0]
        return output, [output]


for _kind in (_ConvRNNCell, _ConvLSTMCell, _ConvGRUCell):
    for _count in (1, 2, 3):
        _name = f"Conv{_count}D{_kind.__name__[5:]}"
        _doc = f"A cell with convolutions in {_count} dimensions: {_kind._kind}."
        _fields = {"__module__": _MODULE, "__doc__": _doc, "_dimensions": _count}
        globals()[_name] = type(_name, (_kind,), _fields)
del _kind, _count, _name, _doc, _fields
