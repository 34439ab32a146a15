"""mx.nd.contrib: operations of layers; the other names say that they are not built."""

from .._layers import ctc, norms, resizing
from .._missing import missing
from ._call import array, call, layer, ops

LAYERS = {
    "AdaptiveAvgPooling2D": resizing.adaptive_avg_pooling,
    "BatchNormWithReLU": norms.batch_norm_with_relu,
    "BilinearResize2D": resizing.bilinear_resize,
    "CTCLoss": ctc.ctc_loss,
    "SyncBatchNorm": norms.sync_batch_norm,
    "ctc_loss": ctc.ctc_loss,
}
globals().update((name, layer(name, function)) for name, function in LAYERS.items())

TESTS = ("isfinite", "isinf", "isnan")


def _test(name):
    """Ones and zeros, of the array's element type, that say what its elements are."""

    def function(data):
        return call(ops[name], array("data", data)).astype(data.dtype)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"1 where numpy.{name} of an element is true, else 0."
    return function


globals().update((name, _test(name)) for name in TESTS)

__all__ = [*LAYERS, *TESTS]

__getattr__ = missing("mxnet.nd.contrib")
