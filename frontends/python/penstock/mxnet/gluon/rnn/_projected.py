"""LSTM layers whose hidden states are projected to fewer elements, step by step."""

from .... import _core

_ops = _core._ops
linear, _lstm_gates, _stack = (_ops[name] for name in "linear lstm_gates stack".split())


def projected(layer, x, arrays, states, infos):
    """What the layer computes, over native arrays: the outputs and the last states."""
    if layer._layout == "NTC":
        x = x.swapaxes(0, 1)
    arrays = dict(zip(layer._order, arrays, strict=True))
    if states is None:
        states = [_ops["zeros"](info["shape"], x.dtype, device=x.device) for info in infos]
    after, place = ([], []), 0
    for number in range(layer._num_layers):
        outputs = []
        for way in "lr"[: layer._dir]:
            weights = _weights(arrays, f"{way}{number}_")
            first = states[0][place], states[1][place]
            output, last = _line(x, weights, first, way == "r")
            outputs.append(output)
            for kind, state in zip(after, last, strict=True):
                kind.append(state)
            place += 1
        x = outputs[0] if layer._dir == 1 else _ops["concatenate"](outputs, 2)
        if layer._dropout and number != layer._num_layers - 1 and _core._grad_is_training():
            x = _ops["dropout"](x, layer._dropout)
    if layer._layout == "NTC":
        x = x.swapaxes(0, 1)
    return x, [_stack(kind, 0) for kind in after]


def _weights(arrays, prefix):
    names = "i2h_weight", "i2h_bias", "h2h_weight", "h2h_bias", "h2r_weight"
    return [arrays[prefix + name] for name in names]


def _line(x, weights, states, backwards):
    """One layer in one direction."""
    i2h_weight, i2h_bias, h2h_weight, h2h_bias, h2r_weight = weights
    gates = linear(x, i2h_weight, i2h_bias)
    state, cell = states
    outputs = []
    steps = range(x.shape[0])
    for step in reversed(steps) if backwards else steps:
        hidden, cell = _lstm_gates(gates[step] + linear(state, h2h_weight, h2h_bias), cell)
        state = linear(hidden, h2r_weight)
        outputs.append(state)
    return _stack(outputs[::-1] if backwards else outputs, 0), (state, cell)
