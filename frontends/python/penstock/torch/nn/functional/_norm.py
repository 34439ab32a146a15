"""Normalisation: mean 0 and deviation 1, of batches, layers, groups or single channels."""

from ..._dialect import row
from ..._dtypes import finfo
from ...autograd._modes import no_grad
from ._arguments import floats

__all__ = "batch_norm layer_norm group_norm instance_norm rms_norm local_response_norm".split()

_batch_norm = row(
    "batch_norm",
    "batch_norm",
    "input:x, weight:gamma=None, bias:beta=None, running_mean=None, running_var=None, "
    "training=True, momentum=0.9, eps=1e-05, correction=0.0, *, out=None",
)
_layer_norm = row(
    "layer_norm", "layer_norm", "input:x, weight:gamma=None, bias:beta=None, dim:axis=None, "
    "eps=1e-05"
)
_group_norm = row(
    "group_norm",
    "group_norm",
    "input:x, weight:gamma=None, bias:beta=None, num_groups:groups=1, eps=1e-05",
)
_instance_norm = row(
    "instance_norm", "instance_norm", "input:x, weight:gamma=None, bias:beta=None, eps=1e-05"
)
_rms_norm = row("rms_norm", "rms_norm", "input:x, weight:gamma=None, eps=1e-05")


def check_count(shape):
    """A batch must have more than one value for each channel, to have a deviation."""
    count = shape.numel() // max(shape[1], 1) if len(shape) > 1 else shape.numel()
    if count == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {shape}"
        )


def _check_vectors(name, input, count, vectors):
    """One number for each channel, and of the same type."""
    for what, one in vectors:
        if one is None:
            continue
        if one.numel() != count:
            raise RuntimeError(f"{what} should contain {count} elements not {one.numel()}")
        if one.dtype is not input.dtype:
            raise RuntimeError(
                f"{name}: mixed dtype: expected {what} to be {input.dtype}, but it is {one.dtype}"
            )


def batch_norm(
    input,
    running_mean,
    running_var,
    weight=None,
    bias=None,
    training=False,
    momentum=0.1,
    eps=1e-05,
):
    """Mean 0 and deviation 1 for each channel, times weight, plus bias.

    In training by the batch's mean and variance, of which momentum's part goes into the running
    ones; else by the running ones.
    """
    floats("batch_norm", input)
    shape = input.shape
    if training:
        check_count(shape)
        training = 0 not in shape  # of nothing there are no statistics
    vectors = (("running_mean", running_mean), ("running_var", running_var))
    _check_vectors("batch_norm", input, shape[1], (*vectors, ("weight", weight), ("bias", bias)))
    if not training:
        if 0 in shape and running_mean is None:
            running_mean = running_var = input.new_ones(shape[1])
        if running_mean is None or running_var is None:
            raise RuntimeError("running_mean and running_var must be defined in evaluation mode")
        return _batch_norm(input, weight, bias, running_mean, running_var, False, 0.0, eps)[0]
    kept = running_mean is not None and running_var is not None
    out = (None, running_mean, running_var) if kept else None
    mean, var = (running_mean, running_var) if kept else (None, None)
    return _batch_norm(input, weight, bias, mean, var, True, 1.0 - momentum, eps, 1.0, out=out)[0]


def with_statistics(input, weight, bias, eps):
    """batch_norm of a batch alone; and its mean and its variance divided by count - 1."""
    floats("batch_norm", input)
    check_count(input.shape)
    _check_vectors("batch_norm", input, input.shape[1], (("weight", weight), ("bias", bias)))
    return _batch_norm(input, weight, bias, None, None, True, 0.0, eps, 1.0)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """Mean 0 and deviation 1 over the last dimensions, times weight, plus bias."""
    if weight is None and bias is None:
        floats("layer_norm", input)
    wanted, shape = tuple(normalized_shape), input.shape
    if not wanted or shape[-len(wanted) :] != wanted:
        raise RuntimeError(
            f"Given normalized_shape={list(wanted)}, expected input with shape "
            f"[*, {', '.join(map(str, wanted))}], but got input of size{list(shape)}"
        )
    for what, one in (("weight", weight), ("bias", bias)):
        if one is not None and one.shape != wanted:
            raise RuntimeError(
                f"Expected {what} to be of same shape as normalized_shape, but got {what} of shape "
                f"{list(one.shape)} and normalized_shape = {list(wanted)}"
            )
        if one is not None and one.dtype is not input.dtype:
            raise RuntimeError(
                f"layer_norm: mixed dtype: expected {what} to be {input.dtype}, but it is "
                f"{one.dtype}"
            )
    if len(wanted) == 1:
        return _layer_norm(input, weight, bias, -1, eps)
    return _layer_norm(input, weight, bias, tuple(range(-len(wanted), 0)), eps)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    """Mean 0 and deviation 1 over each group of channels, times weight, plus bias."""
    floats("group_norm", input)
    shape = input.shape
    if len(shape) < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {len(shape)}"
        )
    if shape[1] % num_groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of "
            f"shape {list(shape)} and num_groups={num_groups}"
        )
    if shape.numel() == shape[1] and shape[1] // num_groups == 1:
        check_count(shape)
    for what, one in (("weight", weight), ("bias", bias)):
        if one is not None and one.shape != shape[1:2]:
            raise RuntimeError(
                f"Expected {what} to be a vector of size equal to the number of channels in input, "
                f"but got {what} of shape {list(one.shape)} and input of shape {list(shape)}"
            )
    return _group_norm(input, weight, bias, num_groups, eps)


def instance_norm(
    input,
    running_mean=None,
    running_var=None,
    weight=None,
    bias=None,
    use_input_stats=True,
    momentum=0.1,
    eps=1e-05,
):
    """Mean 0 and deviation 1 for each channel of each sample, times weight, plus bias."""
    floats("instance_norm", input)
    if not use_input_stats:
        return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    shape = input.shape
    if shape[2:].numel() == 1:
        raise ValueError(
            f"Expected more than 1 spatial element when training, got input size {shape}"
        )
    if running_mean is not None:
        _keep(input, running_mean, running_var, momentum)
    return _instance_norm(input, weight, bias, eps)


def _keep(input, running_mean, running_var, momentum):
    """The means over the batch of each sample's statistics, into the running ones."""
    with no_grad():
        dims = tuple(range(2, input.ndim))
        mean, var = input.mean(dims).mean(0), input.var(dims).mean(0)
        running_mean.lerp_(mean, momentum)
        running_var.lerp_(var, momentum)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    """The elements divided by the root of their mean square over the last dimensions."""
    floats("rms_norm", input)
    wanted, shape = tuple(normalized_shape), input.shape
    if not wanted or shape[-len(wanted) :] != wanted:
        raise RuntimeError(
            f"Given normalized_shape={list(wanted)}, expected input with shape "
            f"[*, {', '.join(map(str, wanted))}], but got input of size{list(shape)}"
        )
    eps = finfo(input.dtype).eps if eps is None else eps
    if len(wanted) == 1:
        return _rms_norm(input, weight, eps)
    flat = input.flatten(-len(wanted))
    return _rms_norm(flat, None if weight is None else weight.flatten(), eps).reshape(shape)


def local_response_norm(input, size, alpha=0.0001, beta=0.75, k=1.0):
    """The elements divided by a power of the mean of squares of neighbouring channels."""
    if input.ndim < 3:
        raise ValueError(
            f"Expected 3D or higher dimensionality input (got {input.ndim} dimensions)"
        )
    from ._pad import pad

    around = [0, 0] * (input.ndim - 2) + [size // 2, (size - 1) // 2]
    squares = pad(input * input, around)
    channels = input.shape[1]
    total = squares[:, :channels]
    for at in range(1, size):
        total = total + squares[:, at : at + channels]
    return input / (total * (alpha / size) + k) ** beta
