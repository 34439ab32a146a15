"""Sixty steps of every scheduler of torch, with each of its options: what rates become.

The same runs in the real PyTorch 2.15.0 and in ours; record_torch_optim.py recorded the answers of
the real one.
"""

from math import inf

STEPS = 60
WAYS = {
    "plain": {},
    "rate changed": {"changed": 20},
    "loaded again": {"reloads": True},
    "resumed": {"resumed": 7},
    "to epochs": {"epochs": (0, 5, 3, 11, 12, 40, 7, 33)},
    "rate in a tensor": {"tensor": True},
    "Adam": {"kind": "Adam"},
}


class _Halves:
    """A function that is an object, whose attributes are saved."""

    def __init__(self, period):
        self.period = period

    def __call__(self, epoch):
        return 0.5 ** (epoch // self.period)


def _lowered(epoch):
    return 0.95**epoch


def _pulse(epoch):
    return 1.1 if epoch % 3 == 0 else 0.9


def _inverse(cycle):
    return 1 / (5**cycle * 0.01)


SCHEDULERS = {
    "LambdaLR": {
        "one": ((_lowered,), {}),
        "two": (([_lowered, _Halves(4)],), {}),
        "object": ((_Halves(10),), {}),
    },
    "MultiplicativeLR": {"one": ((_pulse,), {}), "two": (([_pulse, _lowered],), {})},
    "StepLR": {"7": ((7,), {}), "3": ((3, 0.5), {})},
    "MultiStepLR": {"one": (([10, 30],), {}), "twice": (([12, 8, 8, 41],), {"gamma": 0.3})},
    "ConstantLR": {"one": ((), {}), "long": ((0.2,), {"total_iters": 25})},
    "LinearLR": {"one": ((), {}), "down": ((1.0, 0.1, 30), {})},
    "ExponentialLR": {"one": ((0.9,), {})},
    "PolynomialLR": {"one": ((), {}), "square": ((50,), {"power": 2.0})},
    "CosineAnnealingLR": {"one": ((20,), {}), "low": ((13,), {"eta_min": 0.01})},
    "CosineAnnealingWarmRestarts": {
        "one": ((9,), {}),
        "longer": ((4,), {"T_mult": 2, "eta_min": 0.003}),
    },
    "OneCycleLR": {
        "one": ((0.5,), {"total_steps": 70}),
        "linear": ((0.5,), {"epochs": 8, "steps_per_epoch": 9, "anneal_strategy": "linear"}),
        "three": (([0.5, 0.3],), {"total_steps": 66, "three_phase": True, "pct_start": 0.2}),
        "no momentum": ((0.5, 61), {"cycle_momentum": False, "div_factor": 10.0}),
        "momenta": (
            (0.5, 61),
            {"base_momentum": [0.7, 0.6], "max_momentum": 0.9, "final_div_factor": 100.0},
        ),
    },
    "CyclicLR": {
        "one": ((0.01, 0.2), {"step_size_up": 7}),
        "two": ((0.01, [0.2, 0.3]), {"step_size_up": 5, "step_size_down": 9}),
        "triangular2": ((0.01, 0.2), {"step_size_up": 6, "mode": "triangular2"}),
        "exp_range": ((0.01, 0.2), {"step_size_up": 6, "mode": "exp_range", "gamma": 0.97}),
        "function": ((0.01, 0.2), {"step_size_up": 4, "scale_fn": _inverse}),
        "object": (
            (0.01, 0.2),
            {"step_size_up": 4, "scale_fn": _Halves(3), "scale_mode": "iterations"},
        ),
        "no momentum": ((0.01, 0.2), {"step_size_up": 7, "cycle_momentum": False}),
        "momenta": (
            (0.01, 0.2),
            {"step_size_up": 7, "base_momentum": 0.5, "max_momentum": [0.9, 0.8]},
        ),
    },
    "ReduceLROnPlateau": {
        "one": ((), {"patience": 3}),
        "max": (("max", 0.5, 2), {"threshold": 0.01, "threshold_mode": "abs"}),
        "abs": ((), {"patience": 1, "threshold": 0.05, "threshold_mode": "abs", "factor": 0.7}),
        "rel max": ((), {"mode": "max", "patience": 0, "factor": 0.9, "threshold": 0.1}),
        "cooldown": ((), {"patience": 1, "cooldown": 4, "min_lr": [0.01, 0.001]}),
        "eps": ((), {"patience": 1, "factor": 0.99, "eps": 1e-3}),
    },
    "SequentialLR": {"two": None, "three": None, "nested": None, "cosine": None},
    "ChainedScheduler": {"two": None, "three": None},
}


def _joined(S, optimizer, name, option):
    parts = {
        "two": lambda: [S.ConstantLR(optimizer, 0.1, 10), S.ExponentialLR(optimizer, 0.9)],
        "three": lambda: [
            S.LinearLR(optimizer, 0.2, 1.0, 6),
            S.StepLR(optimizer, 4, 0.5),
            S.PolynomialLR(optimizer, 30, 2.0),
        ],
        "cosine": lambda: [
            S.LinearLR(optimizer, 0.01, 1.0, 5),
            S.CosineAnnealingLR(optimizer, 55, 0.001),
        ],
        "nested": lambda: [
            S.ChainedScheduler([S.ExponentialLR(optimizer, 0.9), S.StepLR(optimizer, 3)]),
            S.ExponentialLR(optimizer, 0.8),
        ],
    }[option]()
    if name == "ChainedScheduler":
        return S.ChainedScheduler(parts)
    return S.SequentialLR(optimizer, parts, [10, 25][: len(parts) - 1])


_ONLY_PLAIN = ("SequentialLR", "ChainedScheduler", "ReduceLROnPlateau", "OneCycleLR")


def cases():
    """Names of cases: scheduler, option, and way of using it."""
    for name, options in SCHEDULERS.items():
        for option in options:
            for way in WAYS:
                ways = ("plain", "rate changed", "loaded again", "Adam")
                if name in _ONLY_PLAIN and way not in ways:
                    continue
                if way == "to epochs" and name in ("MultiplicativeLR",):
                    continue
                yield name, option, way


def _digits(number):
    return float(f"{float(number):.10g}")


def _made(torch, optimizer, name, option, **more):
    S = torch.optim.lr_scheduler
    if SCHEDULERS[name][option] is None:
        return _joined(S, optimizer, name, option)
    args, kwargs = SCHEDULERS[name][option]
    return getattr(S, name)(optimizer, *args, **kwargs, **more)


def _shown(value):
    """A state for JSON: numbers rounded, dicts with text for keys."""
    if isinstance(value, dict):
        return {str(key): _shown(one) for key, one in sorted(value.items(), key=str)}
    if isinstance(value, (list, tuple)):
        return [_shown(one) for one in value]
    if value is None or isinstance(value, (str, bool)):
        return value
    return str(value) if value in (inf, -inf) else _digits(value)


def answer(torch, name, option, way):
    """Rates and momenta of all groups after each step, and the state at the end; or the error."""
    try:
        return _run(torch, name, option, WAYS[way])
    except (NotImplementedError, ValueError, TypeError, AttributeError, KeyError) as error:
        return {"raises": type(error).__name__}


def _run(torch, name, option, way):
    adam = way.get("kind") == "Adam"
    weights = [torch.zeros(1, requires_grad=True) for _ in range(2)]
    rates = (0.1, 0.04)
    if way.get("tensor"):
        rates = tuple(torch.tensor(rate, dtype=torch.float64) for rate in rates)
    groups = [{"params": [one], "lr": rate} for one, rate in zip(weights, rates)]
    more = {}
    if "resumed" in way:
        more["last_epoch"] = way["resumed"]
        for group in groups:
            group["initial_lr"] = group["lr"] * 2
    kind = torch.optim.Adam if adam else torch.optim.SGD
    optimizer = kind(groups, **({} if adam else {"momentum": 0.9}))
    scheduler = _made(torch, optimizer, name, option, **more)
    told = []

    def tell():
        row = [_digits(group["lr"]) for group in optimizer.param_groups]
        for group in optimizer.param_groups:
            row.append(_digits(group["betas"][0] if adam else group["momentum"]))
        told.append(row)

    tell()
    for step in range(STEPS) if "epochs" not in way else way["epochs"]:
        optimizer.step()
        if name == "ReduceLROnPlateau":
            scheduler.step(((step * 7) % 13) / 10 + 3 / (step + 1))
        elif "epochs" in way:
            scheduler.step(step)
        else:
            scheduler.step()
        if step == way.get("changed"):
            for group in optimizer.param_groups:
                group["lr"] *= 0.5
        if way.get("reloads") and step == 20:
            saved, kept = scheduler.state_dict(), optimizer.state_dict()
            scheduler = _made(torch, optimizer, name, option)
            scheduler.load_state_dict(saved)
            optimizer.load_state_dict(kept)
        tell()
    assert [_digits(rate) for rate in scheduler.get_last_lr()] == [
        _digits(rate) for rate in scheduler._last_lr
    ]
    return {"rates": told, "state": _shown(scheduler.state_dict())}
