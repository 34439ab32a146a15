"""mx.gluon.contrib.nn.basic_layers: blocks side by side, and pixels out of channels."""

from ..... import _core
from .... import _dialects
from ...._layers import norms
from ...._missing import missing
from ...._unbuilt import raise_not_built
from ...block import Block, HybridBlock
from ...nn import BatchNorm, HybridSequential, Sequential

__all__ = [
    *("Concurrent", "HybridConcurrent", "Identity", "PixelShuffle1D", "PixelShuffle2D"),
    *("PixelShuffle3D", "SparseEmbedding", "SyncBatchNorm"),
]

_MODULE = "mxnet.gluon.contrib.nn.basic_layers"
_ops = _core._ops


class Concurrent(Sequential):
    """Blocks with the same argument; their results are put side by side along the axis."""

    __module__ = _MODULE

    def __init__(self, axis=-1, prefix=None, params=None):
        super().__init__(prefix=prefix, params=params)
        self.axis = axis

    def forward(self, x):
        return _ops["concatenate"]([block(x) for block in self._children.values()], self.axis)


class HybridConcurrent(HybridSequential):
    """Hybrid blocks with the same argument; their results are put side by side along the axis."""

    __module__ = _MODULE

    def __init__(self, axis=-1, prefix=None, params=None):
        super().__init__(prefix=prefix, params=params)
        self.axis = axis

    def hybrid_forward(self, F, x):
        return _ops["concatenate"]([block(x) for block in self._children.values()], self.axis)


class Identity(HybridBlock):
    """What it is called with."""

    __module__ = _MODULE

    def hybrid_forward(self, F, x):
        return x


class SparseEmbedding(Block):
    """An embedding with sparse gradients. Not built: making one raises NotBuiltError."""

    __module__ = _MODULE

    def __init__(self, *args, **kwargs):
        raise_not_built("mxnet.gluon.contrib.nn.SparseEmbedding")


class SyncBatchNorm(BatchNorm):
    """BatchNorm over a batch that several devices share; here there is one."""

    __module__ = _MODULE

    def __init__(
        self,
        in_channels=0,
        num_devices=None,
        momentum=0.9,
        epsilon=1e-5,
        center=True,
        scale=True,
        use_global_stats=False,
        beta_initializer="zeros",
        gamma_initializer="ones",
        running_mean_initializer="zeros",
        running_variance_initializer="ones",
        **kwargs,
    ):
        initial = beta_initializer, gamma_initializer
        running = running_mean_initializer, running_variance_initializer
        settings = 1, momentum, epsilon, center, scale, use_global_stats
        super().__init__(*settings, *initial, *running, in_channels, **kwargs)
        self._devices = {"ndev": 1 if num_devices is None else num_devices, "key": self.prefix}

    def hybrid_forward(self, F, x, gamma, beta, running_mean, running_var):
        settings = {key: value for key, value in self._kwargs.items() if key != "axis"}
        parameters = gamma, beta, running_mean, running_var
        return norms.sync_batch_norm(x, *parameters, **settings, **self._devices)

    def _described(self):
        settings = {**self._kwargs, **self._devices}
        return ", ".join(f"{key}={settings[key]!r}" for key in settings if key != "axis")


class _PixelShuffle(HybridBlock):
    """Channels of lower images become pixels of higher ones."""

    _COUNT = 0

    def __init__(self, factor):
        super().__init__()
        count = self._COUNT
        try:
            factors = (int(factor),) * count
        except TypeError:
            factors = tuple(map(int, factor))
            assert len(factors) == count, f"wrong length {len(factors)}"
        self._factors = factors

    def hybrid_forward(self, F, x):
        return _dialects.call(type(x), _shuffled, x, self._factors)

    def __repr__(self):
        factors = self._factors if self._COUNT > 1 else self._factors[0]
        return f"{type(self).__name__}({factors})"


def _shuffled(x, factors):
    n, channels, *lengths = x.shape
    count = len(factors)
    x = _ops["reshape"](x, (n, -1, *factors, *lengths))
    order = [0, 1]
    for place in range(count):
        order += [2 + count + place, 2 + place]
    made = _ops["permute"](x, order)
    shape = [a * b for a, b in zip(lengths, factors)]
    return _ops["reshape"](made, (n, made.shape[1], *shape))


class PixelShuffle1D(_PixelShuffle):
    """(N, f * C, W) as (N, C, f * W)."""

    __module__ = _MODULE
    _COUNT = 1


class PixelShuffle2D(_PixelShuffle):
    """f1 * f2 times as many channels become pictures f1 times as high and f2 times as wide."""

    __module__ = _MODULE
    _COUNT = 2


class PixelShuffle3D(_PixelShuffle):
    """The same for volumes: f1 times as deep, f2 times as high, f3 times as wide."""

    __module__ = _MODULE
    _COUNT = 3


__getattr__ = missing("mxnet.gluon.contrib.nn.basic_layers")
