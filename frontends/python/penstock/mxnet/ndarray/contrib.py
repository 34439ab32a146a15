"""mx.nd.contrib: operations of layers, loops; the other names say that they are not built."""

from math import sqrt as _sqrt

from .. import _dialects
from .._layers import attention, ctc, norms, resizing
from .._missing import missing
from .._nd_array import NDArray
from ..base import MXNetValueError
from . import _control, _math
from ._call import array, call, into, known, layer, ops
from ._control import *  # noqa: F403

LAYERS = {
    "AdaptiveAvgPooling2D": resizing.adaptive_avg_pooling,
    "BatchNormWithReLU": norms.batch_norm_with_relu,
    "BilinearResize2D": resizing.bilinear_resize,
    "CTCLoss": ctc.ctc_loss,
    "SyncBatchNorm": norms.sync_batch_norm,
    "ctc_loss": ctc.ctc_loss,
    "interleaved_matmul_encdec_qk": attention.encdec_qk,
    "interleaved_matmul_encdec_valatt": attention.encdec_valatt,
    "interleaved_matmul_selfatt_qk": attention.selfatt_qk,
    "interleaved_matmul_selfatt_valatt": attention.selfatt_valatt,
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

__all__ = [
    *("arange_like", "boolean_mask", "div_sqrt_dim", "gradientmultiplier", "index_copy"),
    *("quadratic", "round_ste", "sign_ste"),
    *_control.__all__,
    *LAYERS,
    *TESTS,
]


def arange_like(data, start=0.0, step=1.0, repeat=1, axis=None, out=None, name=None, **unknown):
    """start, start + step, ... in the shape of data, or as many as data has along the axis."""
    known("arange_like", unknown)
    data = array("data", data)
    count = data.size if axis is None else data.shape[axis]
    made = ops["arange"](0, -(-count // repeat)) * step + start
    made = ops["cast"](ops["repeat"](made, repeat)[:count], "float32")
    return into(out, made.reshape(data.shape if axis is None else (count,)).as_subclass(NDArray))


def boolean_mask(data, index, axis=0, out=None, name=None, **unknown):
    """The rows of data where index is not 0. Waits for index."""
    known("boolean_mask", unknown)
    if axis != 0 or array("index", index).shape != array("data", data).shape[:1]:
        raise MXNetValueError(
            f"boolean_mask: index of shape {index.shape} for the first axis of {data.shape}"
        )
    return into(out, call(lambda x, places: x[places != 0], data, index))


def div_sqrt_dim(data, out=None, name=None):
    """data divided by the root of its last length."""
    return into(out, array("data", data) / _sqrt(data.shape[-1]))


def gradientmultiplier(data, scalar=1.0, out=None, name=None, **unknown):
    """data itself; what flows back is multiplied with a number."""
    known("gradientmultiplier", unknown)
    data = array("data", data)
    return into(out, data * scalar + _math.stop_gradient(data * (1 - scalar)))


def index_copy(old_tensor, index_vector, new_tensor, out=None, name=None):
    """old_tensor with rows of new_tensor in the places that index_vector names."""
    arrays = array("old_tensor", old_tensor), index_vector, array("new_tensor", new_tensor)
    return into(out, _dialects.call(NDArray, _copied, *arrays))


def _copied(old, places, new):
    return ops["put"](old, ops["cast"](places, "int64"), new, False, 0)


def quadratic(data, a=0.0, b=0.0, c=0.0, out=None, name=None, **unknown):
    """a * x * x + b * x + c."""
    known("quadratic", unknown)
    data = array("data", data)
    return into(out, a * data * data + b * data + c)


def _straight(name, function):
    """A function by which what flows back does as if it were the argument itself."""

    def through(data, out=None, name=None):
        data = array("data", data)
        return into(out, data + _math.stop_gradient(function(data) - data))

    through.__name__ = through.__qualname__ = name
    through.__doc__ = f"{function.__name__}(data), through which gradients flow as they are."
    return through


round_ste = _straight("round_ste", _math.round)
sign_ste = _straight("sign_ste", _math.sign)

__getattr__ = missing("mxnet.nd.contrib")
