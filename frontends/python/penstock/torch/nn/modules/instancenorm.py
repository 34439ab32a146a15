"""Normalisation of each channel of each sample."""

from ... import _missing
from .. import functional as F
from .batchnorm import _LazyNormBase, _NormBase

__all__ = ["InstanceNorm1d", "InstanceNorm2d", "LazyInstanceNorm1d", "LazyInstanceNorm2d"]


class _InstanceNorm(_NormBase):
    _version = 1

    def __init__(
        self,
        num_features,
        eps=1e-05,
        momentum=0.1,
        affine=False,
        track_running_stats=False,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__(
            num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias
        )

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, *others):
        local_metadata = {**local_metadata, "version": 2}
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *others)

    def forward(self, input):
        self._check_input_dim(input)
        channels = input.ndim - self._spatial - 1
        if input.shape[channels] != self.num_features:
            self._mismatch(input, channels)
        batched = channels == 1
        made = self._normalised(input if batched else input.unsqueeze(0))
        return made if batched else made.squeeze(0)

    def _normalised(self, input):
        mean, var = self.running_mean, self.running_var
        by_input = self.training or not self.track_running_stats
        return F.instance_norm(
            *(input, mean, var, self.weight, self.bias, by_input),
            *(0.0 if self.momentum is None else self.momentum, self.eps),
        )

    def _mismatch(self, input, channels):
        if self.affine:
            raise ValueError(
                f"expected input's size at dim={channels} to match num_features "
                f"({self.num_features}), but got: {input.shape[channels]}."
            )
        import warnings

        warnings.warn(
            f"input's size at dim={channels} does not match num_features. You can silence this "
            "warning by not passing in num_features, which is not used because affine=False",
            stacklevel=3,
        )

    def _check_input_dim(self, input):
        if input.ndim not in (self._spatial + 1, self._spatial + 2):
            first = self._spatial + 1
            raise ValueError(f"expected {first}D or {first + 1}D input (got {input.ndim}D input)")


class InstanceNorm1d(_InstanceNorm):
    """Mean 0 and deviation 1 for each channel of each line."""

    _spatial = 1


class InstanceNorm2d(_InstanceNorm):
    """Mean 0 and deviation 1 for each channel of each image."""

    _spatial = 2


class LazyInstanceNorm1d(_LazyNormBase, InstanceNorm1d):
    """An InstanceNorm1d that learns num_features from the first call."""

    cls_to_become = InstanceNorm1d


class LazyInstanceNorm2d(_LazyNormBase, InstanceNorm2d):
    """An InstanceNorm2d that learns num_features from the first call."""

    cls_to_become = InstanceNorm2d


__getattr__ = _missing.missing("torch.nn.modules.instancenorm")
