"""mx.nd: legacy arrays and their functions.

>>> from penstock.mxnet import nd
>>> nd.dot(nd.ones((1, 2)), nd.ones((2, 1)))
<BLANKLINE>
[[2.]]
<NDArray 1x1 @cpu(0)>
"""

import sys
from builtins import slice as py_slice  # noqa: F401

from ..._common.namespaces import bring as _bring, put as _put
from .._missing import missing
from .._nd_array import NDArray
from . import _internal, contrib, image, linalg, random, sparse, utils  # noqa: F401
from . import _create, _custom, _files, _index, _math, _network, _product, _reduce, _sample, _shape
from . import _updates

__all__ = [
    "NDArray",
    *_bring(
        globals(),
        *(_create, _files, _index, _math, _network, _product, _reduce, _sample, _shape, _custom),
        _updates,
    ),
]

# Functions of linalg under the names of the operators behind them.
_put(globals(), {f"linalg_{name}": getattr(linalg, name) for name in linalg.__all__})

# MXNet's module has it for its own use, and tests have found it there; py_slice too.
_STORAGE_TYPE_STR_TO_ID = {"undefined": -1, "default": 0, "row_sparse": 1, "csr": 2}

ndarray = sys.modules[__name__]  # where MXNet defines the class

__getattr__ = missing("mxnet.nd")
