"""Twenty steps of every optimiser of MXNet, with each of its options: what parameters become.

The same runs in the real MXNet 1.9.1 and in ours; record_mxnet_optimizers.py recorded the answers
of the real one.
"""

import numpy

STEPS = 20
TOLD = (6, STEPS - 1)  # steps after which parameters are told
SHAPES = {0: (2, 3), 1: (3, 2), 2: (4, 1)}
NAMES = {0: "fc_weight", 1: "fc_bias", 2: "bn_gamma"}

COMMON = {
    "plain": {},
    "decay": {"wd": 0.03},
    "clipped": {"clip_gradient": 0.4},
    "rescaled": {"rescale_grad": 0.14},
    "all three": {"wd": 0.05, "clip_gradient": 0.3, "rescale_grad": 1.5},
    "rate": {"learning_rate": 0.2},
    "begun": {"begin_num_update": 5, "wd": 0.03},
    "factor schedule": {"lr_scheduler": ["FactorScheduler", {"step": 4, "factor": 0.5}]},
    "schedule with rate": {
        "learning_rate": 0.3,
        "lr_scheduler": ["MultiFactorScheduler", {"step": [3, 9], "factor": 0.5}],
    },
    "warm-up": {
        "lr_scheduler": ["CosineScheduler", {"max_update": 15, "base_lr": 0.2, "warmup_steps": 5}]
    },
    "names": {"param_idx2name": NAMES, "wd": 0.05},
    "multiples": {
        "param_idx2name": NAMES,
        "wd": 0.05,
        "lr_mult": {"fc_weight": 0.5, 1: 2.0},
        "wd_mult": {"fc_bias": 3.0},
    },
    "one by one": {"wd": 0.03, "single": True},
    "float16": {"dtype": "float16", "multi_precision": True, "wd": 0.03, "clip_gradient": 0.4},
    "float64": {"dtype": "float64", "wd": 0.03},
}

OPTIONS = {
    "sgd": {
        "momentum": {"momentum": 0.9},
        "momentum and all": {"momentum": 0.8, "wd": 0.05, "clip_gradient": 0.3, "rescale_grad": 2},
        "momentum in float16": {"momentum": 0.9, "dtype": "float16", "multi_precision": True},
        "not lazy": {"lazy_update": False, "momentum": 0.9},
    },
    "ccsgd": {"momentum": {"momentum": 0.9}},
    "nag": {
        "momentum": {"momentum": 0.9},
        "momentum and all": {"momentum": 0.8, "wd": 0.05, "clip_gradient": 0.3, "rescale_grad": 2},
        "momentum in float16": {"momentum": 0.9, "dtype": "float16", "multi_precision": True},
    },
    "signum": {
        "no momentum": {"momentum": 0.0, "wd": 0.02},
        "decay apart": {"wd_lh": 0.1, "wd": 0.02},
        "no momentum, decay apart": {"momentum": 0.0, "wd_lh": 0.1, "rescale_grad": 0.5},
    },
    "ftml": {"betas": {"beta1": 0.5, "beta2": 0.9, "epsilon": 1e-4}},
    "lars": {
        "momentum": {"momentum": 0.9, "eta": 0.2, "param_idx2name": NAMES, "wd": 0.01},
        "no correction": {
            "momentum": 0.9,
            "eta": 0.2,
            "eps": 0.1,
            "momentum_correction": False,
            "lr_scheduler": ["FactorScheduler", {"step": 4, "factor": 0.5, "base_lr": 0.5}],
        },
        "correction": {
            "momentum": 0.9,
            "eta": 0.2,
            "lr_scheduler": ["FactorScheduler", {"step": 4, "factor": 0.5, "base_lr": 0.5}],
        },
        "momentum in float16": {
            "momentum": 0.9,
            "eta": 0.2,
            "dtype": "float16",
            "multi_precision": True,
        },
    },
    "lbsgd": {
        "momentum": {"momentum": 0.9, "wd": 0.02},
        "lars": {"warmup_strategy": "lars", "wd": 0.02},
        "lars of two": {"warmup_strategy": "lars", "batch_scale": 2, "momentum": 0.9},
        "linear": {"batch_scale": 3, "warmup_epochs": 1, "updates_per_epoch": 8},
        "power2": {
            "batch_scale": 2,
            "warmup_epochs": 1,
            "updates_per_epoch": 8,
            "warmup_strategy": "power2",
        },
        "sqrt": {
            "batch_scale": 2,
            "warmup_epochs": 2,
            "updates_per_epoch": 4,
            "warmup_strategy": "sqrt",
            "begin_epoch": 1,
        },
    },
    "dcasgd": {"lamda": {"lamda": 0.5, "wd": 0.02, "clip_gradient": 0.4}},
    "adam": {
        "betas": {"beta1": 0.5, "beta2": 0.9, "epsilon": 1e-3},
        "decay clipped": {"wd": 0.5, "clip_gradient": 0.2, "lazy_update": False},
    },
    "adagrad": {"eps": {"eps": 1e-2}},
    "rmsprop": {
        "gamma": {"gamma1": 0.5, "epsilon": 1e-3},
        "centered": {"centered": True},
        "centered and all": {
            "centered": True,
            "gamma1": 0.8,
            "gamma2": 0.5,
            "wd": 0.05,
            "clip_gradient": 0.4,
            "clip_weights": 0.9,
        },
        "bounded": {"clip_weights": 0.7},
    },
    "adadelta": {"rho": {"rho": 0.5, "epsilon": 1e-3}},
    "ftrl": {"lamda1": {"lamda1": 1.0, "beta": 0.5, "wd": 0.05}},
    "adamax": {"betas": {"beta1": 0.5, "beta2": 0.9}},
    "nadam": {"betas": {"beta1": 0.5, "beta2": 0.9, "epsilon": 1e-3, "schedule_decay": 0.1}},
    "lamb": {
        "bounds": {"lower_bound": 1.5, "upper_bound": 2.0},
        "no correction": {"bias_correction": False, "wd": 0.05},
        "betas": {"beta1": 0.5, "beta2": 0.9, "epsilon": 1e-3},
    },
    "groupadagrad": {"eps": {"eps": 1e-2}},
    "test": {},
}
_NO_DECAY = ("groupadagrad",)
_NO_ZERO_RATE = ("ftml", "ftrl")  # they divide by it


def cases():
    """Names of cases: optimiser, and option."""
    for optimizer, own in OPTIONS.items():
        for option, given in {**COMMON, **own}.items():
            decays = optimizer in _NO_DECAY and given.get("wd")
            if not decays and not (optimizer in _NO_ZERO_RATE and option == "warm-up"):
                yield optimizer, option


def _number(index, step):
    """Exact numbers around 0, but not 0, of the shape of a parameter."""
    places = numpy.arange(numpy.prod(SHAPES[index])).reshape(SHAPES[index])
    return ((places * 7 + index * 3 + step * 5) % 11 - 5 + ((places + step) % 3 + 1) / 8) / 8.0


def _digits(number):
    """As many digits as float32 has."""
    return float(f"{number:.8g}")


def _made(mx, name, given):
    given = dict(given)
    lr_mult, wd_mult = given.pop("lr_mult", None), given.pop("wd_mult", None)
    if "lr_scheduler" in given:
        kind, arguments = given["lr_scheduler"]
        given["lr_scheduler"] = getattr(mx.lr_scheduler, kind)(**arguments)
    optimizer = mx.optimizer.create(name, **given)
    if lr_mult:
        optimizer.set_lr_mult(lr_mult)
        optimizer.set_wd_mult(wd_mult)
    return optimizer


def answer(mx, name, option):
    """The elements of all parameters after some of the steps; or the exception's classes."""
    given = dict({**COMMON, **OPTIONS[name]}[option])
    dtype, single = given.pop("dtype", "float32"), given.pop("single", False)
    indices = list(SHAPES)
    weights = [mx.nd.array(1 + _number(i, 3), dtype=dtype) for i in indices]
    try:
        updater = mx.optimizer.get_updater(_made(mx, name, given))
        told = []
        for step in range(STEPS):
            grads = [mx.nd.array(_number(i, step), dtype=dtype) for i in indices]
            if single:
                for one in zip(indices, grads, weights):
                    updater(*one)
            else:
                updater(indices, grads, weights)
            if step in TOLD:
                told.append([_digits(x) for w in weights for x in w.asnumpy().ravel()])
    except Exception as error:
        return {"raises": [kind.__name__ for kind in type(error).__mro__]}
    return {"weights": told}
