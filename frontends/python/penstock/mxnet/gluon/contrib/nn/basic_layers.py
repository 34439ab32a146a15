"""Layers side by side, and layers that move elements between axes."""

from ..... import _core
from ...._missing import missing
from ...._unbuilt import not_built
from ...block import HybridBlock
from ...nn import BatchNorm, HybridSequential, Sequential

__all__ = [
    *("Concurrent", "HybridConcurrent", "Identity", "SparseEmbedding", "SyncBatchNorm"),
    *("PixelShuffle1D", "PixelShuffle2D", "PixelShuffle3D"),
]

_MODULE = "mxnet.gluon.contrib.nn.basic_layers"
_concatenate, _permute = _core._ops["concatenate"], _core._ops["permute"]

SparseEmbedding = not_built(f"{_MODULE}.SparseEmbedding")


class Concurrent(Sequential):
    """Blocks that all get the input; their results one behind the other along an axis."""

    __module__ = _MODULE

    def __init__(self, axis=-1, prefix=None, params=None):
        super().__init__(prefix=prefix, params=params)
        self.axis = axis

    def forward(self, x):
        return _concatenate([block(x) for block in self._children.values()], self.axis)


class HybridConcurrent(HybridSequential):
    """The same of hybrid blocks."""

    __module__ = _MODULE

    def __init__(self, axis=-1, prefix=None, params=None):
        super().__init__(prefix=prefix, params=params)
        self.axis = axis

    def forward(self, x):
        return _concatenate([block(x) for block in self._children.values()], self.axis)

    def hybrid_forward(self, F, x):
        return self.forward(x)


class Identity(HybridBlock):
    """Gives what it gets."""

    __module__ = _MODULE

    def __init__(self, prefix=None, params=None):
        super().__init__(prefix=prefix, params=params)

    def hybrid_forward(self, F, x):
        return x


class SyncBatchNorm(BatchNorm):
    """BatchNorm over the samples of all devices: here these are one."""

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
        super().__init__(
            axis=1,
            momentum=momentum,
            epsilon=epsilon,
            center=center,
            scale=scale,
            use_global_stats=use_global_stats,
            beta_initializer=beta_initializer,
            gamma_initializer=gamma_initializer,
            running_mean_initializer=running_mean_initializer,
            running_variance_initializer=running_variance_initializer,
            in_channels=in_channels,
            **kwargs,
        )


class _PixelShuffle(HybridBlock):
    """Channels become pixels: f times fewer channels, each axis behind them so much longer."""

    _dimensions = None

    def __init__(self, factor):
        super().__init__()
        count = self._dimensions
        try:
            self._factors = (int(factor),) * count
        except TypeError:
            self._factors = tuple(map(int, factor))
            if len(self._factors) != count:
                raise AssertionError(f"wrong length {len(self._factors)}, not {count}") from None
        self._factor = self._factors[0] if count == 1 else self._factors

    def __repr__(self):
        return f"{type(self).__name__}({self._factor})"

    def hybrid_forward(self, F, x):
        batch, channels, *lengths = x.shape
        count = len(lengths)
        made = channels
        for factor in self._factors:
            made //= factor
        x = x.reshape((batch, made, *self._factors, *lengths))
        pairs = [axis for place in range(count) for axis in (2 + count + place, 2 + place)]
        x = _permute(x, (0, 1, *pairs))
        longer = [length * factor for length, factor in zip(lengths, self._factors, strict=True)]
        return x.reshape((batch, made, *longer))


class PixelShuffle1D(_PixelShuffle):
    """(N, f C, W) becomes (N, C, f W)."""

    __module__ = _MODULE
    _dimensions = 1


class PixelShuffle2D(_PixelShuffle):
    """(N, f g C, H, W) becomes (N, C, f H, g W)."""

    __module__ = _MODULE
    _dimensions = 2


class PixelShuffle3D(_PixelShuffle):
    """(N, f g h C, D, H, W) becomes (N, C, f D, g H, h W)."""

    __module__ = _MODULE
    _dimensions = 3


__getattr__ = missing("mxnet.gluon.contrib.nn")
