"""Normalisation over layers and groups of channels."""

from ... import _missing
from ..._create import empty
from .. import functional as F
from .. import init
from ..parameter import Parameter
from .module import Module

__all__ = ["GroupNorm", "LayerNorm", "LocalResponseNorm", "RMSNorm"]


def _lengths(normalized_shape):
    return (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)


class LayerNorm(Module):
    """Mean 0 and deviation 1 over the last dimensions, times weight, plus bias.

    >>> from penstock import torch
    >>> torch.nn.LayerNorm(2)(torch.tensor([[1.0, 3.0]])).detach().round()
    tensor([[-1.,  1.]])
    """

    def __init__(
        self,
        normalized_shape,
        eps=1e-05,
        elementwise_affine=True,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.normalized_shape = _lengths(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        settings = {"device": device, "dtype": dtype}
        weight = Parameter(empty(self.normalized_shape, **settings)) if elementwise_affine else None
        self.register_parameter("weight", weight)
        shifts = elementwise_affine and bias
        shift = Parameter(empty(self.normalized_shape, **settings)) if shifts else None
        self.register_parameter("bias", shift)
        self.reset_parameters()

    def reset_parameters(self):
        """Weights 1, biases 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input):
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return (
            f"{self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )


class GroupNorm(Module):
    """Mean 0 and deviation 1 over each group of channels, times weight, plus bias."""

    def __init__(
        self,
        num_groups,
        num_channels,
        eps=1e-05,
        affine=True,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(
                f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})"
            )
        self.num_groups, self.num_channels = num_groups, num_channels
        self.eps, self.affine = eps, affine
        settings = {"device": device, "dtype": dtype}
        weight = Parameter(empty(num_channels, **settings)) if affine else None
        self.register_parameter("weight", weight)
        shift = Parameter(empty(num_channels, **settings)) if affine and bias else None
        self.register_parameter("bias", shift)
        self.reset_parameters()

    reset_parameters = LayerNorm.reset_parameters

    def forward(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )


class RMSNorm(Module):
    """The elements divided by the root of their mean square over the last dimensions."""

    def __init__(
        self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None
    ):
        super().__init__()
        self.normalized_shape = _lengths(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        weight = None
        if elementwise_affine:
            weight = Parameter(empty(self.normalized_shape, device=device, dtype=dtype))
        self.register_parameter("weight", weight)
        self.reset_parameters()

    def reset_parameters(self):
        """Weights 1."""
        if self.weight is not None:
            init.ones_(self.weight)

    def forward(self, input):
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self):
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        )


class LocalResponseNorm(Module):
    """The elements divided by a power of the mean of squares of neighbouring channels."""

    def __init__(self, size, alpha=0.0001, beta=0.75, k=1.0):
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input):
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self):
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


__getattr__ = _missing.missing("torch.nn.modules.normalization")
