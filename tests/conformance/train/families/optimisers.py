"""Optimisers: twenty steps of each, with every option that PyTorch has, and clipping.

The gradients are inputs, others in each step, so that what is compared is the steps alone."""

import functools

from ..case import Case, normal

SHAPES = {"a": (3, 2), "b": (4,), "c": ()}


def inputs(steps):
    """Three weights, and so many gradients for each."""
    found = {}
    for i, (name, shape) in enumerate(SHAPES.items()):
        found[f"w_{name}"] = normal(i + 1, *shape)
        found[f"g_{name}"] = normal(i + 11, steps, *shape)
    return found


def ours(kind, options, clip, steps, ps, arrays):
    weights = [arrays[f"w_{name}"] for name in SHAPES]
    for weight in weights:
        weight.attach_grad()
    optimiser = getattr(ps.optim, kind)(weights, **options)
    norms = []
    for step in range(steps):
        for name, weight in zip(SHAPES, weights):
            weight.grad[...] = arrays[f"g_{name}"][step]
        if clip is not None:
            norms.append(ps.optim.clip_global_norm([w.grad for w in weights], clip))
        optimiser.step()
    found = {f"w_{name}": weight for name, weight in zip(SHAPES, weights)}
    if norms:
        found["norms"] = ps.stack(norms)
    return found


def theirs(kind, options, clip, value, told, steps, torch, tensors):
    weights = [torch.nn.Parameter(tensors[f"w_{name}"]) for name in SHAPES]
    optimiser = getattr(torch.optim, kind)(weights, **options)
    norms = []
    for step in range(steps):
        for name, weight in zip(SHAPES, weights):
            weight.grad = tensors[f"g_{name}"][step].clone()
        if clip is not None:
            norms.append(torch.nn.utils.clip_grad_norm_(weights, clip))
        if value is not None:
            torch.nn.utils.clip_grad_value_(weights, value)
        optimiser.step()
    found = {f"w_{name}": weight for name, weight in zip(SHAPES, weights)}
    if told:
        found["norms"] = torch.stack(norms)
    return found


def case(kind, name, options, other=None, theirs_of=None, clip=None, value=None, fused=False):
    """`options` are ours, `theirs_of` PyTorch's if they differ; `other` its name of the kind.

    `clip` is a norm, by a call or, `fused`, within the step; `value` bounds each number."""
    steps = 20
    mine = dict(options)
    if value is not None:
        mine["clip_gradient"] = value
    if fused:
        mine["clip_norm"] = clip
    told = clip is not None and not fused
    their_options = options if theirs_of is None else theirs_of
    return Case(
        f"{kind} {name}",
        inputs(steps),
        functools.partial(ours, kind, mine, clip if told else None, steps),
        functools.partial(theirs, other or kind, their_options, clip, value, told, steps),
        rtol=2e-5,
        atol=2e-6,
    )


SGD = {
    "plain": {"lr": 0.1},
    "decay": {"lr": 0.1, "weight_decay": 0.05},
    "momentum": {"lr": 0.05, "momentum": 0.9},
    "dampening": {"lr": 0.05, "momentum": 0.9, "dampening": 0.3},
    "momentum decay": {"lr": 0.05, "momentum": 0.8, "weight_decay": 0.05},
    "nesterov": {"lr": 0.05, "momentum": 0.9, "nesterov": True},
    "nesterov decay": {"lr": 0.05, "momentum": 0.9, "nesterov": True, "weight_decay": 0.1},
}
ADAM = {
    "plain": {"lr": 0.05},
    "betas": {"lr": 0.05, "betas": (0.8, 0.95)},
    "eps": {"lr": 0.05, "eps": 0.1},
    "decay": {"lr": 0.05, "weight_decay": 0.1},
}
ADAGRAD = {
    "plain": ({"lr": 0.1}, None),
    "decay": ({"lr": 0.1, "weight_decay": 0.1}, None),
    "eps": ({"lr": 0.1, "eps": 0.1}, None),
    "rate decay": ({"lr": 0.1, "lr_decay": 0.1}, None),
    "initial": ({"lr": 0.1, "initial": 0.5}, {"lr": 0.1, "initial_accumulator_value": 0.5}),
}
ADADELTA = {
    "plain": {},
    "rate": {"lr": 0.5},
    "rho": {"rho": 0.7, "eps": 1e-3},
    "decay": {"weight_decay": 0.1},
}
RMSPROP = {
    "plain": {"lr": 0.02},
    "rho": {"lr": 0.02, "rho": 0.9},
    "eps": {"lr": 0.02, "eps": 0.1},
    "decay": {"lr": 0.02, "weight_decay": 0.1},
    "momentum": {"lr": 0.02, "momentum": 0.9},
    "centered": {"lr": 0.02, "centered": True},
    "centered momentum": {"lr": 0.02, "centered": True, "momentum": 0.8, "weight_decay": 0.1},
}


def of_torch(options):
    """RMSprop's names."""
    return {{"rho": "alpha"}.get(name, name): value for name, value in options.items()}


def cases():
    found = [case("SGD", name, options) for name, options in SGD.items()]
    found += [case("Adam", name, options) for name, options in ADAM.items()]
    found += [case("AdamW", name, options) for name, options in ADAM.items()]
    for name, (mine, other) in ADAGRAD.items():
        found.append(case("Adagrad", name, mine, theirs_of=other))
    found += [case("Adadelta", name, options) for name, options in ADADELTA.items()]
    found += [
        case("RMSProp", name, options, "RMSprop", of_torch(options))
        for name, options in RMSPROP.items()
    ]
    for kind in ("SGD", "Adam"):
        found.append(case(kind, "clipped by norm", {"lr": 0.1}, clip=1.0))
        found.append(case(kind, "clipped by a norm that is not reached", {"lr": 0.1}, clip=100.0))
        found.append(case(kind, "clipped in the step", {"lr": 0.1}, clip=1.0, fused=True))
        found.append(case(kind, "clipped by value", {"lr": 0.1}, value=0.5))
    return found
