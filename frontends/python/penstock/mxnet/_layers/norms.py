"""Normalisation: over a batch, a layer, groups of channels, or each channel of an instance."""

from ... import _core
from .. import _composed, _dialects
from ..base import MXNetValueError
from ._arguments import shape_is

_ops = _core._ops
_batch_norm, _layer_norm = _ops["batch_norm"], _ops["layer_norm"]
_group_norm, _instance_norm = _ops["group_norm"], _ops["instance_norm"]
_assign, _cast, _repeat, _reshape = (_ops[n] for n in ("assign", "cast", "repeat", "reshape"))
_is_training = _core._grad_is_training
_native = _core.ndarray
_dtype = _native.dtype.__get__


# ---- Over a batch ------------------------------------------------------------------------------


def batch_norm(
    data,
    gamma,
    beta,
    moving_mean,
    moving_var,
    eps=1e-3,
    momentum=0.9,
    fix_gamma=True,
    use_global_stats=False,
    output_mean_var=False,
    axis=1,
    cudnn_off=False,
    min_calib_range=None,
    max_calib_range=None,
):
    """(data - mean) / sqrt(variance + eps) * gamma + beta, for each place along the axis.

    In training mean and variance are the batch's, and the moving ones, which are written to, become
    momentum times what they were plus 1 - momentum times the batch's. Otherwise, and with
    use_global_stats, the moving ones are used. fix_gamma takes 1 for gamma. With output_mean_var
    the result is a list with the mean and 1 / sqrt(variance + eps).
    """
    training = not use_global_stats and _is_training()
    if fix_gamma:
        gamma = _ones(gamma)
    if output_mean_var or _dtype(data) is not _dtype(moving_mean):
        moving = moving_mean, moving_var, momentum
        values = data, gamma, beta, *moving, eps, axis, training, output_mean_var
        return _dialects.call(type(data), _other_batch_norm, *values)
    return _batch_norm(
        data,
        gamma,
        beta,
        moving_mean,
        moving_var,
        momentum,
        eps,
        axis,
        training,
        out=(None, moving_mean, moving_var) if training else None,
    )[0]


def _ones(gamma):
    """What is multiplied with: 1, from which nothing flows back but zeros to one that asks."""
    return None if gamma is None or gamma.grad is None else gamma * 0 + 1


def _other_batch_norm(x, gamma, beta, mean, var, momentum, eps, axis, training, statistics):
    """With the statistics as further results, or for elements of another type than they have."""
    dtype = x.dtype
    x = x if dtype is mean.dtype else _cast(x, mean.dtype)
    settings = momentum, eps, axis, training
    if training:
        y, batch_mean, batch_var = _batch_norm(x, gamma, beta, None, None, *settings)
        _assign(mean * momentum + batch_mean * (1 - momentum), out=mean)
        _assign(var * momentum + batch_var * (1 - momentum), out=var)
        mean, var = batch_mean, batch_var
    else:
        y = _batch_norm(x, gamma, beta, mean, var, *settings)[0]
    y = y if y.dtype is dtype else _cast(y, dtype)
    return [y, _ops["copy"](mean), _ops["rsqrt"](var + eps)] if statistics else y


def batch_norm_with_relu(*args, **settings):
    """batch_norm, and 0 in the place of what is negative."""
    found = batch_norm(*args, **settings)
    if type(found) is list:
        return [_ops["relu"](found[0]), *found[1:]]
    return _ops["relu"](found)


def sync_batch_norm(
    data,
    gamma,
    beta,
    moving_mean,
    moving_var,
    eps=1e-3,
    momentum=0.9,
    fix_gamma=True,
    use_global_stats=False,
    output_mean_var=False,
    ndev=1,
    key=None,
):
    """batch_norm of a batch that is on several devices; here on one."""
    if ndev != 1:
        raise MXNetValueError(f"SyncBatchNorm: one device is what there is, not {ndev}")
    moving = moving_mean, moving_var
    settings = eps, momentum, fix_gamma, use_global_stats, output_mean_var
    return batch_norm(data, gamma, beta, *moving, *settings)


# ---- Without a batch's statistics --------------------------------------------------------------


def layer_norm(data, gamma, beta, axis=-1, eps=1e-5, output_mean_var=False):
    """Mean 0 and variance 1 along an axis, times gamma, plus beta.

    With output_mean_var the result is a list with the mean and the deviation.
    """
    if not output_mean_var:
        return _layer_norm(data, gamma, beta, axis, eps)
    values = data, (axis,), eps, gamma, beta, axis
    return _dialects.call(type(data), _composed.normalised, *values)


def group_norm(data, gamma, beta, num_groups=1, eps=1e-5, output_mean_var=False):
    """Mean 0 and variance 1 of each group of channels, times gamma, plus beta of the group.

    With output_mean_var the result is a list with the mean and the deviation of each group.
    """
    if data.ndim < 2 or num_groups < 1 or data.shape[1] % num_groups:
        raise MXNetValueError(f"GroupNorm: {num_groups} groups of data of shape {data.shape}")
    shape_is("gamma", gamma.shape, (num_groups,))
    shape_is("beta", beta.shape, (num_groups,))
    each = data.shape[1] // num_groups
    if each > 1:
        gamma, beta = _repeat(gamma, each), _repeat(beta, each)
    found = _group_norm(data, gamma, beta, num_groups, eps)
    if not output_mean_var:
        return found
    return [found, *_dialects.call(type(data), _of_groups, data, num_groups, eps)]


def _of_groups(x, groups, eps):
    """The mean and the deviation of each group."""
    x = _reshape(x, (x.shape[0], groups, -1))
    return [_ops["mean"](x, -1), _ops["sqrt"](_ops["var"](x, -1) + eps)]


def instance_norm(data, gamma, beta, eps=1e-3):
    """Mean 0 and variance 1 of each channel of each instance, times gamma, plus beta."""
    return _instance_norm(data, gamma, beta, eps)


def local_response_norm(data, alpha=1e-4, beta=0.75, knorm=2.0, nsize=None):
    """data / (knorm + alpha / nsize * sum of squares over nsize channels) ** beta."""
    if nsize is None or nsize % 2 == 0 or data.ndim != 4:
        raise MXNetValueError(
            f"LRN: nsize must be odd, not {nsize}, and data 4D, not of shape {data.shape}"
        )
    return _dialects.call(type(data), _responded, data, alpha, beta, knorm, nsize)


def _responded(x, alpha, beta, knorm, nsize):
    n, c = x.shape[:2]
    squares = _reshape(x * x, (n, 1, c, -1))
    means = _ops["avg_pool2d"](squares, (nsize, 1), stride=1, padding=(nsize // 2, 0))
    return x * (knorm + alpha * _reshape(means, x.shape)) ** -beta
