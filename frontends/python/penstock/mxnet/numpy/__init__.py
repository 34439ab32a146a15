"""mx.np: arrays and functions like NumPy's.

>>> from penstock import mxnet as mx
>>> mx.np.ones((1, 2)) * 2 + 1
array([[3., 3.]])
"""

from .._missing import missing as _missing
from .._np_array import ndarray
from . import _by_numpy, _creation, _elementwise, _products, _reductions, _selection, _shapes
from . import _types, linalg, random
from ._by_numpy import *  # noqa: F403
from ._creation import *  # noqa: F403
from ._elementwise import *  # noqa: F403
from ._products import *  # noqa: F403
from ._reductions import *  # noqa: F403
from ._selection import *  # noqa: F403
from ._shapes import *  # noqa: F403

# What NumPy's functions of the same name become for arrays of mx.np.
_DISPATCHED = frozenset(
    (
        *_elementwise.__all__,
        *_products.__all__,
        *_reductions.__all__,
        *_selection.__all__,
        *_shapes.__all__,
        *("copy", "full_like", "ones_like", "zeros_like"),
    )
)

globals().update(_types.CONSTANTS)

__all__ = [
    "linalg",
    "ndarray",
    "random",
    *_by_numpy.__all__,
    *_creation.__all__,
    *_types.CONSTANTS,
    *_types.FROM_NUMPY,
    *(set(_DISPATCHED) - set(_creation.__all__)),
]
__all__.sort()

_unknown = _missing("mxnet.np")


def __getattr__(name):
    if name not in _types.FROM_NUMPY:
        return _unknown(name)
    import numpy

    found = globals()[name] = getattr(numpy, name)
    return found


def __dir__():
    return __all__
