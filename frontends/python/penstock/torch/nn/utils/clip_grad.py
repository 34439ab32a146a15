"""Bounds for gradients, without waiting for them."""

from ... import _missing
from ..._create import tensor
from ..._dialect import row
from ..._elements import clamp_max
from ..._joining import stack
from ..._tensor import Tensor
from ...autograd._modes import no_grad

__all__ = [
    "clip_grad_norm",
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "get_total_norm",
]

_global_norm = row("global_norm", "get_total_norm", "tensors:x")


def _listed(tensors):
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


def _gradients(parameters):
    found = (one.grad for one in _listed(parameters))
    return [one for one in found if one is not None]


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """The norm of all elements of some tensors, as a tensor.

    With error_if_nonfinite it is waited for.
    """
    tensors, norm_type = _listed(tensors), float(norm_type)
    if not tensors:
        return tensor(0.0)
    with no_grad():
        if norm_type == 2 and len({one.device for one in tensors}) == 1:
            total = _global_norm(tensors)
        else:
            first = tensors[0].device
            norms = [one.norm(norm_type).to(first) for one in tensors]
            total = stack(norms).norm(norm_type)
        if error_if_nonfinite and not bool(total.isfinite()):
            raise RuntimeError(
                f"The total norm of order {norm_type} for gradients from `parameters` is "
                "non-finite, so it cannot be clipped."
            )
    return total


def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    """Scale gradients by max_norm / total_norm, if that is below 1."""
    with no_grad():
        factor = clamp_max(float(max_norm) / (total_norm + 1e-6), 1.0)
        for one in _gradients(parameters):
            one.mul_(factor if factor.device == one.device else factor.to(one.device))


def clip_grad_norm_(
    parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None
):
    """Scale gradients so that the norm of all together is at most max_norm; gives what it was."""
    parameters = _listed(parameters)
    total = get_total_norm(_gradients(parameters), norm_type, error_if_nonfinite)
    clip_grads_with_norm_(parameters, max_norm, total)
    return total


def clip_grad_norm(
    parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None
):
    """An older name of clip_grad_norm_."""
    import warnings

    warnings.warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of "
        "`torch.nn.utils.clip_grad_norm_`.",
        FutureWarning,
        stacklevel=2,
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite)


def clip_grad_value_(parameters, clip_value, foreach=None):
    """Bound each element of gradients by +-clip_value."""
    bound = float(clip_value)
    with no_grad():
        for one in _gradients(parameters):
            one.clamp_(-bound, bound)


__getattr__ = _missing.missing("torch.nn.utils.clip_grad")
