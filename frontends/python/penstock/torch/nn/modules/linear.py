"""Layers that are products: Linear, Bilinear, Identity."""

import math

from ... import _missing
from ..._create import empty
from .. import init
from ..functional import bilinear
from ..functional import linear as _linear
from ..parameter import Parameter, UninitializedParameter
from .lazy import LazyModuleMixin
from .module import Module

__all__ = ["Bilinear", "Identity", "LazyLinear", "Linear"]


class Identity(Module):
    """Gives what it is given; its arguments mean nothing."""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


class Linear(Module):
    """x @ weight.T + bias, with a weight of shape (out_features, in_features).

    >>> from penstock import torch
    >>> layer = torch.nn.Linear(2, 3)
    >>> layer, layer(torch.ones(4, 2)).shape
    (Linear(in_features=2, out_features=3, bias=True), torch.Size([4, 3]))
    """

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        settings = {"device": device, "dtype": dtype}
        self.weight = Parameter(empty((out_features, in_features), **settings))
        if bias:
            self.bias = Parameter(empty(out_features, **settings))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        """New weights and biases, spread evenly over +-1 / sqrt(in_features)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            init._spread_bias(self.weight, self.bias)

    def forward(self, input):
        return _linear(input, self.weight, self.bias)

    def extra_repr(self):
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class LazyLinear(LazyModuleMixin, Linear):
    """A Linear that learns in_features from the first call."""

    cls_to_become = Linear

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super().__init__(0, 0, False)
        settings = {"device": device, "dtype": dtype}
        self.weight = UninitializedParameter(**settings)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(**settings)

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input):
        if self.has_uninitialized_params():
            self.in_features = input.shape[-1]
            self.weight.materialize((self.out_features, self.in_features))
            if self.bias is not None:
                self.bias.materialize((self.out_features,))
            self.reset_parameters()
        elif self.in_features == 0:  # loaded, not called
            self.in_features = self.weight.shape[-1]


class Bilinear(Module):
    """x1 @ weight @ x2 + bias, with a matrix for each of out_features."""

    def __init__(
        self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None
    ):
        super().__init__()
        if in1_features <= 0:
            raise ValueError(f"in1_features must be > 0, but got {in1_features}")
        self.in1_features, self.in2_features = in1_features, in2_features
        self.out_features = out_features
        settings = {"device": device, "dtype": dtype}
        self.weight = Parameter(empty((out_features, in1_features, in2_features), **settings))
        if bias:
            self.bias = Parameter(empty(out_features, **settings))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        """New weights and biases, spread evenly over +-1 / sqrt(in1_features)."""
        bound = 1 / math.sqrt(self.in1_features)
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1, input2):
        return bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self):
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
            f"out_features={self.out_features}, bias={self.bias is not None}"
        )


__getattr__ = _missing.missing("torch.nn.modules.linear")
