"""mx.contrib: experiments that became habits. Not built yet; `contrib.nd` is `mx.nd.contrib`."""

from .._missing import missing
from ..ndarray import contrib as ndarray
from . import text

nd = ndarray

__getattr__ = missing("mxnet.contrib")
