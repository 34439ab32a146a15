"""Twenty steps of every optimiser of torch, with each of its options: what parameters become.

The same runs in the real PyTorch 2.15.0 and in ours; record_torch_optim.py recorded the answers of
the real one.
"""

STEPS = 20
TOLD = (6, STEPS - 1)  # steps after which parameters are told
SHAPES = ((2, 3), (3,), (4, 1))

COMMON = {
    "plain": {},
    "rate": {"lr": 0.05},
    "maximize": {"lr": 0.05, "maximize": True},
    "groups": {"lr": 0.02, "own": {"lr": 0.1}},
    "rate that falls": {"lr": 0.1, "falls": 0.8},
    "rate in a tensor": {"lr": 0.05, "tensor_rate": True},
    "some without gradient": {"lr": 0.05, "skips": True},
    "one by one": {"lr": 0.05, "foreach": False},
    "all at once": {"lr": 0.05, "foreach": True},
    "loaded again": {"lr": 0.05, "reloads": True},
    "float64": {"lr": 0.05, "dtype": "float64"},
    "float16": {"lr": 0.05, "dtype": "float16"},
}

_DECAY = {
    "decay": {"lr": 0.05, "weight_decay": 0.1},
    "decay, maximize": {"lr": 0.05, "weight_decay": 0.2, "maximize": True},
    "decay of one group": {"lr": 0.05, "own": {"weight_decay": 0.3}},
}
_BETAS = {
    "betas": {"lr": 0.05, "betas": (0.5, 0.9)},
    "eps": {"lr": 0.05, "eps": 0.1},
    "all of them": {"lr": 0.05, "betas": (0.6, 0.95), "eps": 1e-3, "weight_decay": 0.1},
}
_AMS = {
    "amsgrad": {"lr": 0.05, "amsgrad": True, "betas": (0.9, 0.5)},
    "amsgrad, decay": {"lr": 0.05, "amsgrad": True, "weight_decay": 0.2, "betas": (0.9, 0.5)},
    "amsgrad, maximize": {"lr": 0.05, "amsgrad": True, "maximize": True, "betas": (0.5, 0.6)},
    "amsgrad, skips": {"lr": 0.05, "amsgrad": True, "skips": True, "betas": (0.9, 0.5)},
    "amsgrad, loaded": {"lr": 0.05, "amsgrad": True, "reloads": True, "betas": (0.9, 0.5)},
}
_DECOUPLED = {
    "decoupled": {"lr": 0.05, "weight_decay": 0.2, "decoupled_weight_decay": True},
    "decoupled, skips": {
        "lr": 0.05,
        "weight_decay": 0.2,
        "decoupled_weight_decay": True,
        "skips": True,
    },
}

OPTIONS = {
    "SGD": {
        **_DECAY,
        "fused": {"lr": 0.05, "fused": True, "momentum": 0.9},
        "momentum": {"lr": 0.05, "momentum": 0.9},
        "nesterov": {"lr": 0.05, "momentum": 0.9, "nesterov": True},
        "nesterov, decay": {"lr": 0.05, "momentum": 0.8, "nesterov": True, "weight_decay": 0.1},
        "dampening": {"lr": 0.05, "momentum": 0.9, "dampening": 0.5},
        "dampening alone": {"lr": 0.05, "dampening": 0.5},
        "dampening, skips": {"lr": 0.05, "momentum": 0.9, "dampening": 0.5, "skips": True},
        "dampening, decay, maximize": {
            "lr": 0.05,
            "momentum": 0.8,
            "dampening": 0.3,
            "weight_decay": 0.1,
            "maximize": True,
        },
        "momentum of one group": {"lr": 0.05, "own": {"momentum": 0.9, "dampening": 0.2}},
        "momentum, loaded": {"lr": 0.05, "momentum": 0.9, "dampening": 0.5, "reloads": True},
        "momentum from step 5 on": {"lr": 0.05, "later": ["momentum", 5, 0.9]},
    },
    "Adam": {
        **_DECAY,
        **_BETAS,
        **_AMS,
        **_DECOUPLED,
        "fused": {"lr": 0.05, "fused": True},
    },
    "AdamW": {**_DECAY, **_BETAS, **_AMS, "no decay": {"lr": 0.05, "weight_decay": 0}},
    "Adagrad": {
        **_DECAY,
        "lr_decay": {"lr": 0.1, "lr_decay": 0.3},
        "lr_decay, skips": {"lr": 0.1, "lr_decay": 0.3, "skips": True},
        "begun": {"lr": 0.1, "initial_accumulator_value": 0.5, "eps": 0.01},
    },
    "Adadelta": {**_DECAY, "rho": {"rho": 0.5, "eps": 1e-3}},
    "RMSprop": {
        **_DECAY,
        "alpha": {"lr": 0.05, "alpha": 0.5, "eps": 0.01},
        "momentum": {"lr": 0.02, "momentum": 0.8},
        "centered": {"lr": 0.02, "centered": True, "alpha": 0.8},
        "centered, skips": {"lr": 0.02, "centered": True, "alpha": 0.8, "skips": True},
        "centered and all": {
            "lr": 0.02,
            "centered": True,
            "momentum": 0.7,
            "alpha": 0.9,
            "weight_decay": 0.1,
            "maximize": True,
        },
        "centered, loaded": {"lr": 0.02, "centered": True, "momentum": 0.5, "reloads": True},
    },
    "Adamax": {**_DECAY, **_BETAS},
    "NAdam": {**_DECAY, **_BETAS, **_DECOUPLED, "decay of momentum": {"momentum_decay": 0.1}},
    "RAdam": {
        **_DECAY,
        **_BETAS,
        **_DECOUPLED,
        "short": {"lr": 0.05, "betas": (0.9, 0.6)},
        "skips, betas": {"lr": 0.05, "betas": (0.9, 0.99), "skips": True},
    },
    "Rprop": {
        "etas": {"lr": 0.05, "etas": (0.3, 1.5)},
        "sizes": {"lr": 0.05, "step_sizes": (0.03, 0.06)},
    },
    "ASGD": {
        **_DECAY,
        "mean": {"lr": 0.05, "t0": 3, "lambd": 0.01, "alpha": 0.5},
        "mean, loaded": {"lr": 0.05, "t0": 3, "lambd": 0.01, "reloads": True},
    },
}


def cases():
    """Names of cases: optimiser, and option."""
    for optimizer, own in OPTIONS.items():
        for option in {**COMMON, **own}:
            yield optimizer, option


def _number(place, step, shape):
    """Nested lists of exact numbers around 0, but not 0."""
    count = 1
    for length in shape:
        count *= length
    flat = [
        ((at * 7 + place * 3 + step * 5) % 11 - 5 + ((at + step) % 3 + 1) / 8) / 8.0
        for at in range(count)
    ]
    for length in shape[:0:-1]:
        flat = [flat[at : at + length] for at in range(0, len(flat), length)]
    return flat


def _digits(number):
    """As many digits as float32 has."""
    return float(f"{number:.8g}")


def _flat(tensors):
    return [_digits(x) for one in tensors for x in one.detach().reshape(-1).tolist()]


def _has_gradient(place, step):
    """In the runs with holes the first parameter always has one, others now and then."""
    return place == 0 or (step + place) % 3 != 0 and not (place == 2 and step < 4)


def _groups(weights, own):
    if own is None:
        return weights
    return [{"params": weights[:1]}, {"params": weights[1:], **own}]


def _kept(optimizer, weights):
    """What is kept of each parameter, by name."""
    found = []
    for one in weights:
        state = optimizer.state[one]
        found.append(
            {name: _flat([value]) for name, value in sorted(state.items()) if value is not None}
        )
    return found


def _first_weights(torch, dtype):
    numbers = [_number(place, 3, shape) for place, shape in enumerate(SHAPES)]
    return [(torch.tensor(one, dtype=dtype) + 1).requires_grad_() for one in numbers]


def _set_gradients(torch, weights, step, skips=False):
    for place, one in enumerate(weights):
        if not skips or _has_gradient(place, step):
            one.grad = torch.tensor(_number(place, step, SHAPES[place]), dtype=one.dtype)


def answer(torch, name, option):
    """The elements of parameters after some of the steps, and the states after the last."""
    given = dict({**COMMON, **OPTIONS[name]}[option])
    dtype = getattr(torch, given.pop("dtype", "float32"))
    own, falls = given.pop("own", None), given.pop("falls", None)
    skips, reloads = given.pop("skips", False), given.pop("reloads", False)
    later = given.pop("later", None)
    if given.pop("tensor_rate", False):
        given["lr"] = torch.tensor(given["lr"])
        given["foreach"] = False
    weights = _first_weights(torch, dtype)
    kind = getattr(torch.optim, name)
    optimizer = kind(_groups(weights, own), **given)
    told = []
    for step in range(STEPS):
        optimizer.zero_grad()
        _set_gradients(torch, weights, step, skips)
        if later is not None and step == later[1]:
            optimizer.param_groups[0][later[0]] = later[2]
        optimizer.step()
        if falls is not None:
            for group in optimizer.param_groups:
                group["lr"] *= falls
        if reloads and step % 7 == 3:
            saved = optimizer.state_dict()
            optimizer = kind(_groups(weights, own), **given)
            optimizer.load_state_dict(saved)
        if step in TOLD:
            told.append(_flat(weights))
    return {"weights": told, "states": _kept(optimizer, weights)}


# ---- States that one library saved and another goes on from --------------------------------------

OF_STATES = {
    "SGD": {"lr": 0.05, "momentum": 0.9, "dampening": 0.5},
    "Adam": {"lr": 0.05, "amsgrad": True, "betas": (0.8, 0.9)},
    "RMSprop": {"lr": 0.02, "centered": True, "momentum": 0.5},
    **{
        name: {"lr": 0.05}
        for name in ("AdamW", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam", "Rprop", "ASGD")
    },
}


def saved(torch, name):
    """Parameters and state_dict after ten steps, for JSON, and parameters ten steps later."""
    weights = _first_weights(torch, torch.float32)
    optimizer = getattr(torch.optim, name)(weights, **OF_STATES[name])
    _go_on(torch, optimizer, weights, range(10))
    kept = {"weights": [one.tolist() for one in weights], **_plain(optimizer.state_dict())}
    _go_on(torch, optimizer, weights, range(10, STEPS))
    return {"kept": kept, "end": _flat(weights)}


def resumed(torch, name, kept):
    """The parameters ten steps after what `saved` kept, with another optimiser."""
    weights = [torch.tensor(one).requires_grad_() for one in kept["weights"]]
    optimizer = getattr(torch.optim, name)(weights)
    state = {
        int(number): {key: torch.tensor(value) for key, value in values.items()}
        for number, values in kept["state"].items()
    }
    optimizer.load_state_dict({"state": state, "param_groups": kept["param_groups"]})
    _go_on(torch, optimizer, weights, range(10, STEPS))
    return _flat(weights)


def _go_on(torch, optimizer, weights, steps):
    for step in steps:
        optimizer.zero_grad()
        _set_gradients(torch, weights, step)
        optimizer.step()


def _plain(state_dict):
    state = {
        str(number): {key: value.tolist() for key, value in values.items()}
        for number, values in state_dict["state"].items()
    }
    return {"state": state, "param_groups": state_dict["param_groups"]}
