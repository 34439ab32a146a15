"""Normalisation: mean 0 and deviation 1, of batches, layers, groups or single channels."""

from ..._dialect import row
from ._arguments import absent, tensor

__all__ = "batch_norm layer_norm group_norm instance_norm".split()

_batch_norm = row(
    "batch_norm",
    "batch_norm",
    "x, weight:gamma=None, bias:beta=None, running_mean=None, running_var=None, training=True, "
    "momentum=0.9, epsilon:eps=1e-05, axis=1, *, out=None",
)
_layer_norm = row(
    "layer_norm", "layer_norm", "x, weight:gamma=None, bias:beta=None, axis=None, epsilon:eps=1e-05"
)
_group_norm = row(
    "group_norm",
    "group_norm",
    "x, weight:gamma=None, bias:beta=None, num_groups:groups=1, epsilon:eps=1e-05",
)
_instance_norm = row(
    "instance_norm", "instance_norm", "x, weight:gamma=None, bias:beta=None, epsilon:eps=1e-05"
)
_LAST = ("NHWC", "NLC", "NDHWC")


def batch_norm(
    x,
    running_mean,
    running_var,
    weight=None,
    bias=None,
    training=False,
    momentum=0.9,
    epsilon=1e-05,
    data_format="NCHW",
    use_global_stats=None,
    name=None,
):
    """Mean 0 and deviation 1 for each channel, times weight, plus bias.

    In training by the batch's mean and variance, of which 1 - momentum's part goes into the running
    ones; else by the running ones.
    """
    tensor("batch_norm", x)
    axis = x.ndim - 1 if data_format in _LAST else 1
    for what, one in (("scale", weight), ("bias", bias), ("mean", running_mean)):
        if one is not None and one.shape != [x.shape[axis]]:
            raise ValueError(
                f"(InvalidArgument) ShapeError: the shape of {what} must equal to "
                f"[{x.shape[axis]}], but received {list(one.shape)}"
            )
    if use_global_stats is None:
        use_global_stats = not training
    if use_global_stats or not training:
        given = (running_mean, running_var, False, momentum, epsilon, axis)
        return _batch_norm(x, weight, bias, *given)[0]
    given = (running_mean, running_var, True, momentum, epsilon, axis)
    return _batch_norm(x, weight, bias, *given, out=(None, running_mean, running_var))[0]


def layer_norm(x, normalized_shape, weight=None, bias=None, epsilon=1e-05, name=None):
    """Mean 0 and deviation 1 over the last dimensions, times weight, plus bias."""
    given = normalized_shape
    wanted = [given] if isinstance(given, int) else list(given)
    shape = tensor("layer_norm", x).shape
    if not wanted or shape[-len(wanted) :] != wanted:
        raise ValueError(
            f"Given normalized_shape is {wanted}, expected input with shape "
            f"[*, {', '.join(map(str, wanted))}], but got input shape {list(shape)}"
        )
    axis = -1 if len(wanted) == 1 else tuple(range(-len(wanted), 0))
    weight, bias = _shaped(weight, wanted), _shaped(bias, wanted)
    return _layer_norm(x, weight, bias, axis, epsilon)


def _shaped(one, shape):
    return one if one is None or one.shape == shape else one.reshape(shape)


def group_norm(
    x, num_groups, epsilon=1e-05, weight=None, bias=None, data_format="NCHW", name=None
):
    """Mean 0 and deviation 1 over each group of channels, times weight, plus bias."""
    if data_format in _LAST:
        raise absent("group_norm", f"data_format={data_format!r}")
    if tensor("group_norm", x).shape[1] % num_groups:
        raise ValueError(
            f"(InvalidArgument) group_norm: {x.shape[1]} channels of {list(x.shape)} are no "
            f"multiple of {num_groups} groups"
        )
    return _group_norm(x, weight, bias, num_groups, epsilon)


def instance_norm(
    x,
    running_mean=None,
    running_var=None,
    weight=None,
    bias=None,
    use_input_stats=True,
    momentum=0.9,
    eps=1e-05,
    data_format="NCHW",
    name=None,
):
    """Mean 0 and deviation 1 for each channel of each sample, times weight, plus bias."""
    return _instance_norm(tensor("instance_norm", x), weight, bias, eps)
