"""Recurrent layers over whole sequences, against torch.nn: results and all gradients."""

import itertools

from ..case import Case, normal

MODES = {"rnn_tanh": "RNN", "rnn_relu": "RNN", "lstm": "LSTM", "gru": "GRU"}
GATES = {"rnn_tanh": 1, "rnn_relu": 1, "lstm": 4, "gru": 3}
STEPS, BATCH, INPUTS, HIDDEN = 4, 2, 3, 2


def weight_names(layers, directions):
    """torch's names of the parameters, in the order of the flat one."""
    places = [f"l{i}{'_reverse' * d}" for i in range(layers) for d in range(directions)]
    return [
        f"{kind}_{side}_{at}"
        for kind in ("weight", "bias")
        for at in places
        for side in ("ih", "hh")
    ]


def count_of(mode, layers, directions):
    rows = GATES[mode] * HIDDEN
    inputs = [INPUTS] + [directions * HIDDEN] * (layers - 1)
    return sum(directions * rows * (n + HIDDEN + 2) for n in inputs)


def ours(mode, bidirectional):
    def run(ps, arrays):
        names = [name for name in ("x", "parameters", "state", "cell") if name in arrays]
        for name in names:
            arrays[name].attach_grad()
        with ps.autograd.record():
            y, state, cell, _ = ps.nn.rnn(
                arrays["x"],
                arrays["parameters"],
                arrays["state"],
                mode=mode,
                cell=arrays.get("cell"),
                bidirectional=bidirectional,
            )
            total = (y * arrays["dy"]).sum() + (state * arrays["dstate"]).sum()
            if "cell" in arrays:
                total = total + (cell * arrays["dcell"]).sum()
        total.backward()
        results = {"y": y, "last": state}
        if "cell" in arrays:
            results["last_cell"] = cell
        return results | {f"d{name}": arrays[name].grad for name in names}

    return run


def theirs(mode, layers, bidirectional):
    def run(torch, tensors):
        directions = 2 if bidirectional else 1
        options = {"nonlinearity": mode[4:]} if MODES[mode] == "RNN" else {}
        module = getattr(torch.nn, MODES[mode])(
            INPUTS, HIDDEN, layers, bidirectional=bidirectional, **options
        )
        weights = [getattr(module, name) for name in weight_names(layers, directions)]
        at = 0
        with torch.no_grad():
            for weight in weights:
                part = tensors["parameters"][at : at + weight.numel()]
                weight.copy_(part.reshape(weight.shape))
                at += weight.numel()
        first = [tensors[name] for name in ("x", "state", "cell") if name in tensors]
        for tensor in first:
            tensor.requires_grad_()
        lstm = mode == "lstm"
        y, last = module(first[0], tuple(first[1:]) if lstm else first[1])
        state, cell = last if lstm else (last, None)
        total = (y * tensors["dy"]).sum() + (state * tensors["dstate"]).sum()
        if lstm:
            total = total + (cell * tensors["dcell"]).sum()
        total.backward()
        results = {"y": y, "last": state, "dx": first[0].grad, "dstate": first[1].grad}
        results["dparameters"] = torch.cat([weight.grad.reshape(-1) for weight in weights])
        if lstm:
            results |= {"last_cell": cell, "dcell": first[2].grad}
        return results

    return run


def case(seed, mode, layers, bidirectional):
    directions = 2 if bidirectional else 1
    tracks = layers * directions
    inputs = {
        "x": normal(seed, STEPS, BATCH, INPUTS),
        "parameters": normal(seed + 1, count_of(mode, layers, directions)),
        "state": normal(seed + 2, tracks, BATCH, HIDDEN),
        "dy": normal(seed + 3, STEPS, BATCH, directions * HIDDEN),
        "dstate": normal(seed + 4, tracks, BATCH, HIDDEN),
    }
    if mode == "lstm":
        inputs["cell"] = normal(seed + 5, tracks, BATCH, HIDDEN)
        inputs["dcell"] = normal(seed + 6, tracks, BATCH, HIDDEN)
    both = " both" if bidirectional else ""
    return Case(
        f"{mode} {layers}{both}",
        inputs,
        ours(mode, bidirectional),
        theirs(mode, layers, bidirectional),
        rtol=1e-4,
        atol=1e-5,
    )


def cases():
    kinds = itertools.product(MODES, (1, 2), (False, True))
    return [case(100 * i, *kind) for i, kind in enumerate(kinds)]
