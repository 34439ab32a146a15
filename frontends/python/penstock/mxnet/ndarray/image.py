"""mx.nd.image: functions of pictures, which are (height, width, channels).

>>> from penstock import mxnet as mx
>>> mx.nd.image.to_tensor(mx.nd.ones((4, 5, 3), dtype="uint8")).shape
(3, 4, 5)
"""

from ..._common.namespaces import put as _put
from .._missing import missing
from .._picture_functions import NAMES as _NAMES, functions as _functions
from ._call import array as _array, call as _call, into as _into

__all__ = _NAMES

_put(globals(), _functions("mxnet.ndarray.image", _array, _call, _into))

__getattr__ = missing("mxnet.nd.image")
