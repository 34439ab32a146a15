"""mx.test_utils: what tests of programs use: comparisons, random arrays, gradients by differences.

>>> from penstock import mxnet as mx
>>> mx.test_utils.almost_equal(mx.nd.ones((2,)), mx.nd.ones((2,)) + 1e-6)
True

Checks of symbols and sparse arrays raise: neither exists here.
"""

import numpy as np  # noqa: F401

from ... import mxnet as mx  # noqa: F401
from .. import context as _context
from .._missing import missing as _missing
from ..ndarray import array  # noqa: F401
from ..util import use_np  # noqa: F401
from ._arrays import *  # noqa: F403
from ._compare import *  # noqa: F403
from ._compare import _find_max_violation  # noqa: F401
from ._environment import *  # noqa: F403
from ._gradients import *  # noqa: F403
from ._samples import *  # noqa: F403
from ._symbols import *  # noqa: F403

Context = _context.Context
current_context = _context.current_context

__getattr__ = _missing("mxnet.test_utils")
