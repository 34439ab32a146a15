"""mx.nd: legacy arrays and their functions.

>>> from penstock.mxnet import nd
>>> nd.dot(nd.ones((1, 2)), nd.ones((2, 1)))
<BLANKLINE>
[[2.]]
<NDArray 1x1 @cpu(0)>
"""

import sys
from builtins import slice as py_slice  # noqa: F401

from .._missing import missing
from .._nd_array import NDArray
from . import _internal, contrib, image, linalg, random, sparse, utils  # noqa: F401
from . import _create, _custom, _files, _index, _math, _network, _product, _reduce, _sample, _shape
from . import _updates
from ._create import *  # noqa: F403
from ._files import *  # noqa: F403
from ._index import *  # noqa: F403
from ._math import *  # noqa: F403
from ._network import *  # noqa: F403
from ._product import *  # noqa: F403
from ._reduce import *  # noqa: F403
from ._sample import *  # noqa: F403
from ._shape import *  # noqa: F403
from ._custom import *  # noqa: F403
from ._updates import *  # noqa: F403

__all__ = [
    "NDArray",
    *_create.__all__,
    *_custom.__all__,
    *_files.__all__,
    *_index.__all__,
    *_math.__all__,
    *_network.__all__,
    *_product.__all__,
    *_reduce.__all__,
    *_sample.__all__,
    *_shape.__all__,
    *_updates.__all__,
]

# Functions of linalg under the names of the operators behind them.
for _name in linalg.__all__:
    globals()[f"linalg_{_name}"] = getattr(linalg, _name)
del _name

# MXNet's module has it for its own use, and tests have found it there; py_slice too.
_STORAGE_TYPE_STR_TO_ID = {"undefined": -1, "default": 0, "row_sparse": 1, "csr": 2}

ndarray = sys.modules[__name__]  # where MXNet defines the class

__getattr__ = missing("mxnet.nd")
