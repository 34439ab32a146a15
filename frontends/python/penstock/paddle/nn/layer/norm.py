"""Normalisation as layers."""

import math

from ..._dialect import default_dtype
from .. import functional as F
from .._attribute import ParamAttr
from ..initializer import Constant
from .layers import Layer


def _kept(value):
    """What is said of statistics: parameters that no optimiser changes."""
    return ParamAttr(initializer=Constant(value), trainable=False)


class _BatchNormBase(Layer):
    def __init__(
        self,
        num_features,
        momentum=0.9,
        epsilon=1e-05,
        weight_attr=None,
        bias_attr=None,
        data_format=None,
        use_global_stats=None,
        name=None,
    ):
        super().__init__()
        self._num_features, self._momentum, self._epsilon = num_features, momentum, epsilon
        self._data_format = data_format or self._FORMAT
        self._use_global_stats, self._name = use_global_stats, name
        self._dtype = default_dtype()._name
        shape = [num_features]
        self.weight = self.create_parameter(
            shape, weight_attr, default_initializer=Constant(1.0)
        )
        self.bias = self.create_parameter(shape, bias_attr, is_bias=True)
        self._mean = self.create_parameter(shape, _kept(0.0))
        self._variance = self.create_parameter(shape, _kept(1.0))

    def _check(self, input):
        if input.ndim not in self._RANKS:
            wanted = " or ".join(f"{one}D" for one in self._RANKS)
            raise ValueError(f"expected {wanted} input (got {input.ndim}D input)")

    def forward(self, input):
        if self._RANKS:
            self._check(input)
        return F.batch_norm(
            *(input, self._mean, self._variance, self.weight, self.bias, self.training),
            *(self._momentum, self._epsilon, self._data_format, self._use_global_stats),
        )

    def extra_repr(self):
        text = (
            f"num_features={self._num_features}, momentum={self._momentum}, "
            f"epsilon={self._epsilon}"
        )
        text += f", data_format={self._data_format}" if self._data_format != "NCHW" else ""
        return text + (f", name={self._name}" if self._name is not None else "")


class BatchNorm1D(_BatchNormBase):
    """Mean 0 and deviation 1 for each feature (batch, features) or channel of lines."""

    _FORMAT, _RANKS = "NCL", (2, 3)


class BatchNorm2D(_BatchNormBase):
    """Mean 0 and deviation 1 for each channel of images (batch, channels, H, W)."""

    _FORMAT, _RANKS = "NCHW", (4,)


class BatchNorm3D(_BatchNormBase):
    """Mean 0 and deviation 1 for each channel of volumes."""

    _FORMAT, _RANKS = "NCDHW", (5,)


class BatchNorm(_BatchNormBase):
    """Mean 0 and deviation 1 for each channel of whatever has channels."""

    _FORMAT, _RANKS = "NCHW", ()

    def __init__(
        self,
        num_channels,
        act=None,
        is_test=False,
        momentum=0.9,
        epsilon=1e-05,
        param_attr=None,
        bias_attr=None,
        dtype="float32",
        data_layout="NCHW",
        in_place=False,
        moving_mean_name=None,
        moving_variance_name=None,
        do_model_average_for_mean_and_var=True,
        use_global_stats=False,
        trainable_statistics=False,
    ):
        given = (num_channels, momentum, epsilon, param_attr, bias_attr, data_layout)
        super().__init__(*given, use_global_stats or None)
        self._act = act
        if is_test:
            self.training = False

    def forward(self, input):
        made = super().forward(input)
        return made if self._act is None else getattr(F, self._act)(made)

    def extra_repr(self):
        return ""


class SyncBatchNorm(_BatchNormBase):
    """BatchNorm of one process, which has all of the batch."""

    _FORMAT, _RANKS = "NCHW", ()


class LayerNorm(Layer):
    """Mean 0 and deviation 1 over the last dimensions."""

    def __init__(
        self, normalized_shape, epsilon=1e-05, weight_attr=None, bias_attr=None, name=None
    ):
        super().__init__()
        given = normalized_shape
        self._normalized_shape = [given] if isinstance(given, int) else list(given)
        self._epsilon = epsilon
        self._dtype = default_dtype()._name
        shape = [math.prod(self._normalized_shape)]
        self.weight = self.create_parameter(
            shape, weight_attr, default_initializer=Constant(1.0)
        )
        self.bias = self.create_parameter(shape, bias_attr, is_bias=True)

    def forward(self, input):
        return F.layer_norm(
            input, self._normalized_shape, self.weight, self.bias, self._epsilon
        )

    def extra_repr(self):
        return f"normalized_shape={self._normalized_shape}, epsilon={self._epsilon}"


class GroupNorm(Layer):
    """Mean 0 and deviation 1 over each group of channels."""

    def __init__(
        self,
        num_groups,
        num_channels,
        epsilon=1e-05,
        weight_attr=None,
        bias_attr=None,
        data_format="NCHW",
        name=None,
    ):
        super().__init__()
        self._num_groups, self._num_channels, self._epsilon = num_groups, num_channels, epsilon
        self._data_format = data_format
        shape = [num_channels]
        self.weight = self.create_parameter(
            shape, weight_attr, default_initializer=Constant(1.0)
        )
        self.bias = self.create_parameter(shape, bias_attr, is_bias=True)

    def forward(self, input):
        given = (self._num_groups, self._epsilon, self.weight, self.bias, self._data_format)
        return F.group_norm(input, *given)

    def extra_repr(self):
        return (
            f"num_groups={self._num_groups}, num_channels={self._num_channels}, "
            f"epsilon={self._epsilon}"
        )


class _InstanceNorm(Layer):
    def __init__(
        self,
        num_features,
        epsilon=1e-05,
        momentum=0.9,
        weight_attr=None,
        bias_attr=None,
        data_format=None,
        name=None,
    ):
        super().__init__()
        self._num_features, self._epsilon = num_features, epsilon
        shape = [num_features]
        self.scale = self.create_parameter(
            shape, weight_attr, default_initializer=Constant(1.0)
        )
        self.bias = self.create_parameter(shape, bias_attr, is_bias=True)

    def forward(self, input):
        if input.ndim not in self._RANKS:
            wanted = " or ".join(f"{one}D" for one in self._RANKS)
            raise ValueError(f"expected {wanted} input (got {input.ndim}D input)")
        return F.instance_norm(input, weight=self.scale, bias=self.bias, eps=self._epsilon)

    def extra_repr(self):
        return f"num_features={self._num_features}, epsilon={self._epsilon}"


class InstanceNorm1D(_InstanceNorm):
    """Mean 0 and deviation 1 for each channel of each line."""

    _RANKS = (2, 3)


class InstanceNorm2D(_InstanceNorm):
    """Mean 0 and deviation 1 for each channel of each image."""

    _RANKS = (4,)
