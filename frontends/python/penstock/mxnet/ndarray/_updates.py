"""Functions of mx.nd that are one step of an optimiser: they change the states that they are given.

A step is that of the optimiser of mx.optimizer, made for the call, so that both always agree; Adam's
has no correction by time here.
"""

from ... import _core
from ._call import array, call, known, ops

__all__ = [
    *("adam_update", "ftml_update", "ftrl_update", "mp_nag_mom_update", "mp_sgd_mom_update"),
    *("mp_sgd_update", "multi_all_finite", "multi_mp_sgd_mom_update", "multi_mp_sgd_update"),
    *("multi_sgd_mom_update", "multi_sgd_update", "multi_sum_sq", "nag_mom_update"),
    *("reset_arrays", "rmsprop_update", "rmspropalex_update", "sgd_mom_update", "sgd_update"),
    *("signsgd_update", "signum_update"),
]


def _target(weight, out):
    """Where the new weight goes, with the old one in it."""
    array("weight", weight)
    if out is None:
        return weight.copy()
    if out is not weight:
        out[:] = weight
    return out


def _optimiser(name, lr, wd, rescale_grad, clip_gradient, **others):
    from .. import optimizer

    clip = clip_gradient if clip_gradient > 0 else None
    kind = getattr(optimizer, name)
    return kind(learning_rate=lr, wd=wd, rescale_grad=rescale_grad, clip_gradient=clip, **others)


def _stepped(optimiser, weight, grad, state, out):
    target = _target(weight, out)
    optimiser.update(0, target, array("grad", grad), state)
    return target


# ---- Gradient descent ----------------------------------------------------------------------------


def sgd_update(
    weight,
    grad,
    lr,
    wd=0.0,
    rescale_grad=1.0,
    clip_gradient=-1.0,
    lazy_update=True,
    out=None,
    name=None,
    **unknown,
):
    """A step of gradient descent."""
    known("sgd_update", unknown)
    optimiser = _optimiser("SGD", lr, wd, rescale_grad, clip_gradient)
    return _stepped(optimiser, weight, grad, None, out)


def sgd_mom_update(
    weight,
    grad,
    mom,
    lr,
    momentum=0.0,
    wd=0.0,
    rescale_grad=1.0,
    clip_gradient=-1.0,
    lazy_update=True,
    out=None,
    name=None,
    **unknown,
):
    """The same with momentum, which has the rate inside."""
    known("sgd_mom_update", unknown)
    optimiser = _optimiser("SGD", lr, wd, rescale_grad, clip_gradient, momentum=momentum)
    return _stepped(optimiser, weight, grad, array("mom", mom), out)


def nag_mom_update(
    weight,
    grad,
    mom,
    lr,
    momentum=0.0,
    wd=0.0,
    rescale_grad=1.0,
    clip_gradient=-1.0,
    out=None,
    name=None,
    **unknown,
):
    """The same by the gradient a step ahead."""
    known("nag_mom_update", unknown)
    optimiser = _optimiser("NAG", lr, wd, rescale_grad, clip_gradient, momentum=momentum)
    return _stepped(optimiser, weight, grad, array("mom", mom), out)


def _with_master(optimiser, weight, grad, state, out):
    """A step of a float16 weight whose float32 copy is the last of the states."""
    target = _target(weight, out)
    optimiser.multi_precision = True
    optimiser.update_multi_precision(0, target, array("grad", grad), state)
    return target


def mp_sgd_update(
    weight,
    grad,
    weight32,
    lr,
    wd=0.0,
    rescale_grad=1.0,
    clip_gradient=-1.0,
    lazy_update=True,
    out=None,
    name=None,
    **unknown,
):
    """sgd_update of a float16 weight, by its float32 copy."""
    known("mp_sgd_update", unknown)
    optimiser = _optimiser("SGD", lr, wd, rescale_grad, clip_gradient)
    return _with_master(optimiser, weight, grad, (None, weight32), out)


def mp_sgd_mom_update(
    weight,
    grad,
    mom,
    weight32,
    lr,
    momentum=0.0,
    wd=0.0,
    rescale_grad=1.0,
    clip_gradient=-1.0,
    lazy_update=True,
    out=None,
    name=None,
    **unknown,
):
    """sgd_mom_update of a float16 weight, by its float32 copy."""
    known("mp_sgd_mom_update", unknown)
    optimiser = _optimiser("SGD", lr, wd, rescale_grad, clip_gradient, momentum=momentum)
    return _with_master(optimiser, weight, grad, (mom, weight32), out)


def mp_nag_mom_update(
    weight,
    grad,
    mom,
    weight32,
    lr,
    momentum=0.0,
    wd=0.0,
    rescale_grad=1.0,
    clip_gradient=-1.0,
    out=None,
    name=None,
    **unknown,
):
    """nag_mom_update of a float16 weight, by its float32 copy."""
    known("mp_nag_mom_update", unknown)
    optimiser = _optimiser("NAG", lr, wd, rescale_grad, clip_gradient, momentum=momentum)
    return _with_master(optimiser, weight, grad, (mom, weight32), out)


# ---- Of several weights --------------------------------------------------------------------------


def _several(update, width, data, lrs, wds, num_weights, out, options):
    """One update for each group of arrays; gives a list, or the array if there is one."""
    count = len(data) // width if num_weights is None else num_weights
    groups = [data[i * width : (i + 1) * width] for i in range(count)]
    outs = [None] * count if out is None else out if isinstance(out, (list, tuple)) else [out]
    made = [
        update(*group, lr=lr, wd=wd, out=one, **options)
        for group, lr, wd, one in zip(groups, lrs, wds, outs, strict=True)
    ]
    return made[0] if count == 1 else made


def multi_sgd_update(*data, lrs, wds, num_weights=None, out=None, name=None, **options):
    """sgd_update of weights and gradients in turn."""
    return _several(sgd_update, 2, data, lrs, wds, num_weights, out, options)


def multi_sgd_mom_update(*data, lrs, wds, num_weights=None, out=None, name=None, **options):
    """sgd_mom_update of weights, gradients and momenta in turn."""
    return _several(sgd_mom_update, 3, data, lrs, wds, num_weights, out, options)


def multi_mp_sgd_update(*data, lrs, wds, num_weights=None, out=None, name=None, **options):
    """mp_sgd_update of weights, gradients and float32 copies in turn."""
    return _several(mp_sgd_update, 3, data, lrs, wds, num_weights, out, options)


def multi_mp_sgd_mom_update(*data, lrs, wds, num_weights=None, out=None, name=None, **options):
    """mp_sgd_mom_update of weights, gradients, momenta and float32 copies in turn."""
    return _several(mp_sgd_mom_update, 4, data, lrs, wds, num_weights, out, options)


def multi_sum_sq(*data, num_arrays=None, out=None, name=None, **unknown):
    """The sums of squares of arrays, in one array."""
    known("multi_sum_sq", unknown)
    made = call(ops["stack"], [(one * one).sum().reshape(()) for one in map(_plain, data)])
    return made if out is None else _target(made, out)


def multi_all_finite(*data, num_arrays=None, init_output=True, out=None, name=None, **unknown):
    """1 if no array has an infinity or NaN, else 0."""
    known("multi_all_finite", unknown)
    each = [ops["all"](ops["isfinite"](one)) for one in map(_plain, data)]
    made = call(ops["cast"], ops["all"](ops["stack"](each)).reshape((1,)), "float32")
    if out is None:
        return made
    out[:] = made if init_output else made * out
    return out


def _plain(x):
    return array("data", x).as_subclass(_core.ndarray)


def reset_arrays(*data, num_arrays=None, out=None, name=None, **unknown):
    """Writes zeros into arrays."""
    known("reset_arrays", unknown)
    for one in data:
        array("data", one)[:] = 0


# ---- Others --------------------------------------------------------------------------------------


def adam_update(
    weight,
    grad,
    mean,
    var,
    lr,
    beta1=0.9,
    beta2=0.999,
    epsilon=1e-8,
    wd=0.0,
    rescale_grad=1.0,
    clip_gradient=-1.0,
    lazy_update=True,
    out=None,
    name=None,
    **unknown,
):
    """A step of Adam without its correction by time: the rate has it."""
    known("adam_update", unknown)
    target = _target(weight, out)
    clip = clip_gradient if clip_gradient > 0 else float("inf")
    _core._op_update(
        *("adam_update", None, [target], [array("mean", mean)], [array("var", var)]),
        *([array("grad", grad)], lr, 1.0 - beta1, 1.0 - beta2, epsilon, 0.0, 1.0, 1.0, 0.0),
        *(wd, rescale_grad, clip, 0.0),
    )
    return target


def rmsprop_update(
    weight,
    grad,
    n,
    lr,
    gamma1=0.95,
    epsilon=1e-8,
    wd=0.0,
    rescale_grad=1.0,
    clip_gradient=-1.0,
    clip_weights=-1.0,
    out=None,
    name=None,
    **unknown,
):
    """A step by a running mean of squares."""
    known("rmsprop_update", unknown)
    others = {"gamma1": gamma1, "epsilon": epsilon, "clip_weights": max(clip_weights, 0)}
    optimiser = _optimiser("RMSProp", lr, wd, rescale_grad, clip_gradient, **others)
    return _stepped(optimiser, weight, grad, (array("n", n),), out)


def rmspropalex_update(
    weight,
    grad,
    n,
    g,
    delta,
    lr,
    gamma1=0.95,
    gamma2=0.9,
    epsilon=1e-8,
    wd=0.0,
    rescale_grad=1.0,
    clip_gradient=-1.0,
    clip_weights=-1.0,
    out=None,
    name=None,
    **unknown,
):
    """A step by the spread of gradients, with momentum."""
    known("rmspropalex_update", unknown)
    others = {"gamma1": gamma1, "gamma2": gamma2, "epsilon": epsilon, "centered": True}
    others["clip_weights"] = max(clip_weights, 0)
    optimiser = _optimiser("RMSProp", lr, wd, rescale_grad, clip_gradient, **others)
    return _stepped(optimiser, weight, grad, (n, g, delta), out)


def ftrl_update(
    weight,
    grad,
    z,
    n,
    lr,
    lamda1=0.01,
    beta=1.0,
    wd=0.0,
    rescale_grad=1.0,
    clip_gradient=-1.0,
    out=None,
    name=None,
    **unknown,
):
    """A step of FTRL-proximal."""
    known("ftrl_update", unknown)
    others = {"lamda1": lamda1, "beta": beta}
    optimiser = _optimiser("Ftrl", lr, wd, rescale_grad, clip_gradient, **others)
    return _stepped(optimiser, weight, grad, (z, n), out)


def ftml_update(
    weight,
    grad,
    d,
    v,
    z,
    lr,
    beta1=0.6,
    beta2=0.999,
    epsilon=1e-8,
    t=1,
    wd=0.0,
    rescale_grad=1.0,
    clip_grad=-1.0,
    out=None,
    name=None,
    **unknown,
):
    """The step number t of the moving leader."""
    known("ftml_update", unknown)
    others = {"beta1": beta1, "beta2": beta2, "epsilon": epsilon, "begin_num_update": t - 1}
    optimiser = _optimiser("FTML", lr, wd, rescale_grad, clip_grad, **others)
    return _stepped(optimiser, weight, grad, (d, v, z), out)


def signsgd_update(
    weight,
    grad,
    lr,
    wd=0.0,
    rescale_grad=1.0,
    clip_gradient=-1.0,
    out=None,
    name=None,
    **unknown,
):
    """A step of one size, by the sign of the gradient."""
    known("signsgd_update", unknown)
    optimiser = _optimiser("Signum", lr, wd, rescale_grad, clip_gradient, momentum=0.0)
    return _stepped(optimiser, weight, grad, None, out)


def signum_update(
    weight,
    grad,
    mom,
    lr,
    momentum=0.0,
    wd=0.0,
    rescale_grad=1.0,
    clip_gradient=-1.0,
    wd_lh=0.0,
    out=None,
    name=None,
    **unknown,
):
    """A step of one size, by the sign of a running mean."""
    known("signum_update", unknown)
    others = {"momentum": momentum, "wd_lh": wd_lh}
    optimiser = _optimiser("Signum", lr, wd, rescale_grad, clip_gradient, **others)
    return _stepped(optimiser, weight, grad, array("mom", mom), out)
