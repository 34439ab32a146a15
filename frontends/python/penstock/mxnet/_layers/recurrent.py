"""Recurrent layers over a sequence: MXNet's flat parameters are those of the table's rnn."""

from ... import _core
from .._unbuilt import raise_not_built
from ..base import MXNetValueError
from ._arguments import one_of, required, shape_is

_ops = _core._ops
_rnn = _ops["rnn"]
_is_training = _core._grad_is_training
_dtype = _core.ndarray.dtype.__get__

GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}


def parameter_count(mode, inputs, hidden, layers, directions):
    """How many weights and biases there are."""
    rows = directions * GATES[mode] * hidden
    first = rows * (inputs + hidden + 2)
    return first + (layers - 1) * rows * (directions * hidden + hidden + 2)


def rnn(
    data,
    parameters,
    state,
    state_cell=None,
    sequence_length=None,
    state_size=None,
    num_layers=None,
    bidirectional=False,
    mode=None,
    p=0.0,
    state_outputs=False,
    projection_size=None,
    lstm_state_clip_min=None,
    lstm_state_clip_max=None,
    lstm_state_clip_nan=False,
    use_sequence_length=False,
):
    """Layers of rnn_relu, rnn_tanh, lstm or gru over data (steps, batch, inputs).

    The result is what the last layer gives at each step; with state_outputs a list with the last
    states, and cells of an lstm. In training a part p of what goes from a layer to the next is 0.
    Lengths of sequences are not looked at, as MXNet does not on processors.
    """
    required("RNN", state_size=state_size, num_layers=num_layers, mode=mode)
    one_of("RNN", "mode", mode, GATES)
    if projection_size is not None:
        raise_not_built("mxnet.nd.RNN with projection_size")
    if lstm_state_clip_min is not None or lstm_state_clip_max is not None:
        raise_not_built("mxnet.nd.RNN with lstm_state_clip_min or lstm_state_clip_max")
    if data.ndim != 3:
        raise MXNetValueError(f"RNN: data must have 3 dimensions, not shape {data.shape}")
    steps, batch, inputs = data.shape
    directions = 2 if bidirectional else 1
    count = parameter_count(mode, inputs, state_size, num_layers, directions)
    shape_is("parameters", parameters.shape, (count,))
    shape = (num_layers * directions, batch, state_size)
    shape_is("state", state.shape, shape)
    mask, cell = None, None
    if mode == "lstm":
        if state_cell is None:
            raise MXNetValueError("Operator RNN expects 4 inputs, but got 3 instead: no state_cell")
        shape_is("state_cell", state_cell.shape, shape)
        cell = state_cell
    if p and num_layers > 1 and _is_training():
        mask = _mask(data, p, (num_layers - 1, steps, batch, directions * state_size))
    both = bool(bidirectional)
    y, last, last_cell, _ = _rnn(data, parameters, state, mode, cell, mask, bidirectional=both)
    if not state_outputs:
        return y
    return [y, last] if cell is None else [y, last, last_cell]


def _mask(data, p, shape):
    """What is multiplied with between layers."""
    made = _ops["dropout"](_ops["ones"](shape, _dtype(data)), p)
    return made.as_subclass(type(data))
