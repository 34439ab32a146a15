"""PaddlePaddle's tensors as a dialect of Penstock: programs written for it run as they are.

>>> from penstock import paddle
>>> x = paddle.ones((1, 2))
>>> x * 2 + 1
Tensor(shape=[1, 2], dtype=float32, place=Place(cpu), stop_gradient=True,
       [[3., 3.]])

`penstock.install_as("paddle")` lets programs import it as paddle.
"""

__version__ = "3.3.1"

from math import e, inf, nan, pi  # noqa: F401

from .. import _install
from .._common.namespaces import bring as _bring, put as _put
from . import _dtypes, _missing
from ._dialect import EnforceNotMet, get_default_dtype, set_default_dtype  # noqa: F401
from ._place import CPUPlace, CUDAPinnedPlace, CUDAPlace, get_device, set_device  # noqa: F401
from ._size import Size  # noqa: F401
from ._tensor import Tensor  # noqa: F401
from ._text import set_printoptions  # noqa: F401

# Each module has the functions of its kind, in __all__, and adds those that are methods to Tensor.
from . import _create, _unary, _binary, _reduce, _shape, _joining, _product  # noqa: I001
from . import _convert, _random, _order
from .autograd._modes import (  # noqa: F401
    enable_grad,
    is_grad_enabled,
    no_grad,
    set_grad_enabled,
)

_bring(
    globals(),
    *(_create, _unary, _binary, _reduce, _shape, _joining, _product, _convert, _random, _order),
)
_put(globals(), _dtypes.ALL)
_put(globals(), _convert.NAMED)
dtype, finfo, iinfo = _dtypes.dtype, _dtypes.finfo, _dtypes.iinfo
newaxis = None


def grad(outputs, inputs, *args, **kwargs):
    """Gradients of outputs to inputs, as a list; .grad stays as it is."""
    from .autograd import grad as run

    return run(outputs, inputs, *args, **kwargs)


def is_compiled_with_cuda():
    """Whether there is a GPU."""
    from ._place import gpu_count

    return gpu_count() > 0


def is_compiled_with_rocm():
    """Whether there is a GPU of another maker: never."""
    return False


def in_dynamic_mode():
    """Whether operations run as they are called: always."""
    return True


def disable_static(place=None):
    """Nothing changes: operations run as they are called."""


def enable_static():
    """Not here: raises."""
    raise NotImplementedError("paddle.enable_static: programs are not written down first here")


def disable_signal_handler():
    """Nothing changes: Penstock has no handlers of signals."""


def create_parameter(
    shape, dtype, name=None, attr=None, is_bias=False, default_initializer=None
):
    """A parameter with first values: those of an initialiser, else Xavier's, of a bias 0."""
    from ._parameter import create_parameter as run

    return run(shape, dtype, name, attr, is_bias, default_initializer)


# Modules that are loaded when they are first touched.
_LATER = {
    "autograd",
    "base",
    "device",
    "distribution",
    "framework",
    "io",
    "jit",
    "linalg",
    "metric",
    "nn",
    "optimizer",
    "regularizer",
    "static",
    "tensor",
    "text",
    "utils",
    "version",
    "vision",
}
# Names whose modules are loaded when they are first used.
_OF_MODULES = {
    "DataParallel": "nn._parallel",
    "ParamAttr": "nn._attribute",
    "einsum": "_einsum",
    "load": "_files",
    "save": "_files",
}

_finder = _install.Finder(__name__, {}, _missing.module_text)
_not_here = _missing.missing("paddle")


def __getattr__(name):
    from importlib import import_module

    if name in _LATER:
        try:
            return import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"paddle.{name}":
                raise
            return _not_here(name)
    if name in _OF_MODULES:
        found = getattr(import_module(f"{__name__}.{_OF_MODULES[name]}"), name)
        globals()[name] = found
        return found
    return _not_here(name)


def __dir__():
    here = {name for name in globals() if name[0] != "_" or name[:2] == "__"}
    return sorted(here | _LATER | set(_OF_MODULES))


_missing.NAMES.hide(Tensor)
