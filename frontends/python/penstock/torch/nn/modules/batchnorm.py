"""Batch normalisation as layers."""

from ... import _missing
from ..._create import empty, tensor
from ..._dtypes import ALL
from ...autograd._modes import no_grad
from .. import functional as F
from .. import init
from ..functional._norm import with_statistics
from ..parameter import Parameter, UninitializedBuffer, UninitializedParameter
from .lazy import LazyModuleMixin
from .module import Module

__all__ = ["BatchNorm1d", "BatchNorm2d", "LazyBatchNorm1d", "LazyBatchNorm2d"]

_VECTORS = ("running_mean", "running_var")


class _NormBase(Module):
    """What normalisation with running statistics has in common."""

    _version = 2

    def __init__(
        self,
        num_features,
        eps=1e-05,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        settings = {"device": device, "dtype": dtype}
        weight = Parameter(empty(num_features, **settings)) if affine else None
        self.register_parameter("weight", weight)
        shift = Parameter(empty(num_features, **settings)) if affine and bias else None
        self.register_parameter("bias", shift)
        for name in _VECTORS:
            found = empty(num_features, **settings) if track_running_stats else None
            self.register_buffer(name, found)
        count = tensor(0, dtype=ALL["int64"], device=device) if track_running_stats else None
        self.register_buffer("num_batches_tracked", count)
        self.reset_parameters()

    def reset_running_stats(self):
        """Statistics as before the first batch."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        """Weights 1, biases 0, and statistics as before the first batch."""
        self.reset_running_stats()
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def _check_input_dim(self, input):
        raise NotImplementedError(f"{type(self).__name__} does not say which inputs it takes")

    def extra_repr(self):
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, *others):
        key = f"{prefix}num_batches_tracked"
        version = local_metadata.get("version")
        if (version is None or version < 2) and self.track_running_stats and key not in state_dict:
            known = self.num_batches_tracked
            state_dict[key] = tensor(0, dtype=ALL["int64"]) if known is None else known
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *others)


class _BatchNorm(_NormBase):
    """Batch normalisation of inputs of any dimensions."""

    def forward(self, input):
        self._check_input_dim(input)
        mean, var = self.running_mean, self.running_var
        if not self.training:
            batch = mean is None and var is None
            return F.batch_norm(
                input, mean, var, self.weight, self.bias, batch, 0.0, self.eps
            )
        if not self.track_running_stats:
            return F.batch_norm(input, None, None, self.weight, self.bias, True, 0.0, self.eps)
        if self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
        if self.momentum is None:
            return self._with_plain_means(input)
        return F.batch_norm(
            input, mean, var, self.weight, self.bias, True, self.momentum, self.eps
        )

    def _with_plain_means(self, input):
        """The running statistics are the means of those of all batches so far."""
        made, mean, var = with_statistics(input, self.weight, self.bias, self.eps)
        with no_grad():
            count = self.num_batches_tracked
            self.running_mean.add_((mean - self.running_mean) / count)
            self.running_var.add_((var - self.running_var) / count)
        return made


class BatchNorm1d(_BatchNorm):
    """Mean 0 and deviation 1 for each channel of (batch, channels) or (batch, channels, length).

    >>> from penstock import torch
    >>> torch.nn.BatchNorm1d(1)(torch.tensor([[1.0], [3.0]])).round()
    tensor([[-1.],
            [ 1.]], grad_fn=<RoundBackward0>)
    """

    def _check_input_dim(self, input):
        if input.ndim not in (2, 3):
            raise ValueError(f"expected 2D or 3D input (got {input.ndim}D input)")


class BatchNorm2d(_BatchNorm):
    """Mean 0 and deviation 1 for each channel of images."""

    def _check_input_dim(self, input):
        if input.ndim != 4:
            raise ValueError(f"expected 4D input (got {input.ndim}D input)")


# ---- Lazy ----------------------------------------------------------------------------------------


class _LazyNormBase(LazyModuleMixin):
    """Layers that learn num_features from the first call."""

    def __init__(
        self,
        eps=1e-05,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__(0, eps, momentum, False, False, device, dtype)
        self.affine, self.track_running_stats = affine, track_running_stats
        settings = {"device": device, "dtype": dtype}
        if affine:
            self.weight = UninitializedParameter(**settings)
            if bias:
                self.bias = UninitializedParameter(**settings)
        if track_running_stats:
            for name in _VECTORS:
                setattr(self, name, UninitializedBuffer(**settings))
            self.num_batches_tracked = tensor(0, dtype=ALL["int64"], device=device)

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input):
        if not self.has_uninitialized_params():
            if self.num_features == 0 and self.running_mean is not None:  # loaded, not called
                self.num_features = self.running_mean.shape[0]
            return
        self.num_features = input.shape[1]
        for one in (self.weight, self.bias, self.running_mean, self.running_var):
            if one is not None:
                one.materialize((self.num_features,))
        self.reset_parameters()


class LazyBatchNorm1d(_LazyNormBase, BatchNorm1d):
    """A BatchNorm1d that learns num_features from the first call."""

    cls_to_become = BatchNorm1d


class LazyBatchNorm2d(_LazyNormBase, BatchNorm2d):
    """A BatchNorm2d that learns num_features from the first call."""

    cls_to_become = BatchNorm2d


__getattr__ = _missing.missing("torch.nn.modules.batchnorm")
