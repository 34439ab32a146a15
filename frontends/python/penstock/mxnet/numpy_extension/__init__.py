"""mx.npx: what NumPy does not have: modes, contexts, waiting, functions of neural networks.

>>> from penstock import mxnet as mx
>>> mx.npx.set_np()
>>> mx.npx.relu(mx.np.array([-1, 2]))
array([0., 2.])
"""

from .._missing import missing as _missing
from .._unbuilt import not_built as _not_built
from ..context import (
    Context,
    cpu,
    cpu_pinned,
    current_context,
    gpu,
    gpu_memory_info,
    num_gpus,
)
from ..ndarray._files import waitall
from ..util import get_cuda_compute_capability, is_np_array, is_np_shape, reset_np, set_np
from . import _arrays, _nn, image, random
from ._arrays import *  # noqa: F403
from ._nn import *  # noqa: F403

_NOT_BUILT = (
    *("erfinv", "gamma", "gammaln", "multibox_detection", "multibox_prior", "multibox_target"),
    *("roi_pooling",),
)

globals().update((name, _not_built(f"mxnet.npx.{name}")) for name in _NOT_BUILT)

__all__ = [
    *("Context", "cpu", "cpu_pinned", "current_context", "get_cuda_compute_capability", "gpu"),
    *("gpu_memory_info", "image", "is_np_array", "is_np_shape", "num_gpus", "random"),
    *("reset_np", "set_np", "waitall"),
    *_arrays.__all__,
    *_nn.__all__,
    *_NOT_BUILT,
]
__all__.sort()


def __dir__():
    return __all__


__getattr__ = _missing("mxnet.npx")
