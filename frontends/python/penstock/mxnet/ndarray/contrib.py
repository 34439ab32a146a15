"""mx.nd.contrib: operations of layers; the other names say that they are not built."""

from .._layers import ctc, norms, resizing
from .._missing import missing
from ._call import layer

LAYERS = {
    "AdaptiveAvgPooling2D": resizing.adaptive_avg_pooling,
    "BatchNormWithReLU": norms.batch_norm_with_relu,
    "BilinearResize2D": resizing.bilinear_resize,
    "CTCLoss": ctc.ctc_loss,
    "SyncBatchNorm": norms.sync_batch_norm,
    "ctc_loss": ctc.ctc_loss,
}
globals().update((name, layer(name, function)) for name, function in LAYERS.items())

__all__ = [*LAYERS]

__getattr__ = missing("mxnet.nd.contrib")
