"""PyTorch's tensors as a dialect of Penstock: programs written for PyTorch run as they are.

>>> from penstock import torch
>>> x = torch.ones((1, 2))
>>> x * 2 + 1
tensor([[3., 3.]])

`penstock.install_as("torch")` lets programs import it as torch, and torchvision with it.
"""

__version__ = "2.15.0"

from math import e, inf, nan, pi  # noqa: F401

from .. import _install
from .._common.namespaces import bring as _bring, put as _put
from . import _create, _device, _dtypes, _later, _missing, _text
from ._dialect import OutOfMemoryError, set_default_dtype
from ._dialect import default_dtype as get_default_dtype
from ._size import Size
from ._tensor import Tensor

# Each module has the functions of its kind, in __all__, and adds those that are methods to Tensor.
from . import _elements, _reduce, _shape, _joining, _product, _convert, _random, _order, _index  # noqa: I001
from .autograd._modes import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_grad_enabled,
)

_bring(
    globals(),
    *(_create, _elements, _reduce, _shape, _joining, _product, _convert, _random, _order, _index),
)
_put(globals(), _dtypes.NAMES)
_put(globals(), _create.TENSOR_TYPES)

dtype, finfo, iinfo = _dtypes.dtype, _dtypes.finfo, _dtypes.iinfo
device = _device.device
set_default_device, get_default_device = _device.set_default_device, _device.get_default_device
set_printoptions = _text.set_printoptions


class layout:
    """How elements lie in memory: torch.strided."""

    __slots__ = ()

    def __repr__(self):
        return "torch.strided"


class memory_format:
    """An order of dimensions in memory."""

    __slots__ = ("_name",)

    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return f"torch.{self._name}"


strided = layout()
contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")


def get_num_threads():
    """How many workers run operations."""
    from .. import engine

    return engine.workers()


def set_num_threads(threads):
    """How many workers run operations from now on."""
    from .. import engine

    engine.set_workers(threads)


def set_default_tensor_type(t):
    """The element type of new tensors, by the name of a class of tensors."""
    name = t if isinstance(t, str) else f"torch.{t.__name__}"
    set_default_dtype(_convert._BY_TITLE[name])


def use_deterministic_algorithms(mode, *, warn_only=False):
    """Nothing changes: results are the same on any number of workers."""


def are_deterministic_algorithms_enabled():
    """Whether equal programs give equal bits: always."""
    return True


def save(obj, f, *args, **kwargs):
    """Write tensors, containers and numbers to a file that the real torch reads."""
    from .serialization import save as run

    run(obj, f, *args, **kwargs)


def load(f, *args, **kwargs):
    """Read what save or the real torch wrote: data only, no code of the file is run."""
    from .serialization import load as run

    return run(f, *args, **kwargs)


def compile(model=None, **options):
    """The model or function itself: operations are fused as they are queued."""
    return model if model is not None else lambda function: function


def get_float32_matmul_precision():
    """How products of float32 are computed: in float32."""
    return "highest"


def set_float32_matmul_precision(precision):
    """Nothing changes: products of float32 are computed in float32."""


# Modules that are loaded when they are first touched.
_LATER = {
    "autograd",
    "cuda",
    "distributions",
    "jit",
    "linalg",
    "nn",
    "optim",
    "random",
    "return_types",
    "serialization",
    "special",
    "utils",
    "version",
    "backends",
}

# Functions of torch that are those of torch.nn.functional.
_OF_LAYERS = {
    "dropout": "dropout",
    "softmax": "softmax",
    "log_softmax": "log_softmax",
    "conv1d": "conv1d",
    "conv2d": "conv2d",
    "conv_transpose2d": "conv_transpose2d",
    "max_pool2d": "max_pool2d",
    "embedding": "embedding",
    "layer_norm": "layer_norm",
    "batch_norm": "batch_norm",
    "selu": "selu",
    "celu": "celu",
    "prelu": "prelu",
    "cosine_similarity": "cosine_similarity",
    "pairwise_distance": "pairwise_distance",
    "pixel_shuffle": "pixel_shuffle",
}


def _method_of_layers(name):
    """x.softmax(1): what torch.softmax gives, loaded when it is first called."""

    def method(self, *args, **kwargs):
        return __getattr__(name)(self, *args, **kwargs)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"As torch.{name}."
    return method


for _name in ("softmax", "log_softmax", "prelu"):
    setattr(Tensor, _name, _method_of_layers(_name))

_finder = _install.Finder(__name__, {}, _missing.module_text)
_not_here = _missing.missing("torch")


def __getattr__(name):
    from importlib import import_module

    if name in _LATER:
        return import_module(f"{__name__}.{name}")
    if name in _OF_LAYERS:
        found = getattr(import_module(f"{__name__}.nn.functional"), _OF_LAYERS[name])
    elif name in _later.NAMES:
        found = _later.found(name)
    else:
        return _not_here(name)
    globals()[name] = found
    return found


def __dir__():
    here = {name for name in globals() if name[0] != "_" or name[:2] == "__"}
    return sorted(here | _LATER | set(_OF_LAYERS) | _later.NAMES)


_later.add_methods(Tensor)
_missing.NAMES.hide(Tensor)
del _name
