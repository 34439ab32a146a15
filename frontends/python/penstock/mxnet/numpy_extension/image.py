"""mx.npx.image: functions of pictures, which are (height, width, channels)."""

from ..._common.namespaces import put as _put
from .._missing import missing
from .._picture_functions import NAMES as _NAMES, functions as _functions
from ..numpy._table import composed as _composed, into as _into, need_arrays as _need_arrays

__all__ = _NAMES

_put(globals(), _functions("mxnet.numpy_extension.image", _need_arrays, _composed, _into))


def __dir__():
    return __all__


__getattr__ = missing("mxnet.npx.image")
