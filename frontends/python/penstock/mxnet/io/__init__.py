"""mx.io: iterators over batches in the older style: `for batch in iterator: batch.data[0]`.

>>> from penstock import mxnet as mx
>>> import numpy
>>> for batch in mx.io.NDArrayIter(numpy.arange(3), batch_size=2):
...     print(batch.data[0].asnumpy(), batch.pad)
[0. 1.] 0
[2. 0.] 1
"""

import sys

from .._missing import missing
from .._unbuilt import not_built
from ._arrays import *  # noqa: F403
from ._base import *  # noqa: F403
from ._files import *  # noqa: F403
from ._records import *  # noqa: F403
from . import _arrays, _base, _files, _records

_NOT_BUILT = (
    *("ImageDetRecordIter", "ImageRecordInt8Iter", "ImageRecordIter_v1", "ImageRecordUInt8Iter_v1"),
    "LibSVMIter",
)

globals().update((name, not_built(f"mxnet.io.{name}")) for name in _NOT_BUILT)

__all__ = [*_base.__all__, *_arrays.__all__, *_files.__all__, *_records.__all__, *_NOT_BUILT]

io = sys.modules[__name__]  # where MXNet defines them

__getattr__ = missing("mxnet.io")
