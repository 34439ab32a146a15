"""Apache MXNet's arrays as a dialect of Penstock: programs written for MXNet 1.9.1 run as they are.

>>> from penstock import mxnet as mx
>>> mx.nd.ones((1, 2)) * 2 + 1
<BLANKLINE>
[[3. 3.]]
<NDArray 1x2 @cpu(0)>

`penstock.install_as("mxnet")` lets programs import it as mxnet.
"""

__version__ = "1.9.1"

from .. import _install  # noqa: E402
from . import _missing, _settings  # noqa: E402

_settings.apply()

from . import base, context, ndarray, numpy, numpy_extension, random, util  # noqa: E402
from .base import MXNetError  # noqa: E402
from .context import Context, cpu, cpu_pinned, current_context, gpu, num_gpus  # noqa: E402
from .util import (  # noqa: E402
    is_np_array,
    is_np_shape,
    np_array,
    np_shape,
    set_np_shape,
    use_np,
    use_np_array,
    use_np_shape,
)

nd = ndarray
np = numpy
npx = numpy_extension
rnd = random

# For layers, which are given mx.nd as F: F.np and F.npx.
for _module, _names in ((numpy, ("np", "numpy")), (numpy_extension, ("npx", "numpy_extension"))):
    for _name in _names:
        setattr(ndarray, _name, _module)
del _module, _name, _names

# Other names of modules, also where MXNet spreads over several what is one here.
_ALIASES = {
    "img": "image",
    "init": "initializer",
    "kv": "kvstore",
    "mod": "module",
    "mon": "monitor",
    "nd": "ndarray",
    "np": "numpy",
    "npx": "numpy_extension",
    "rnd": "random",
    "sym": "symbol",
    "viz": "visualization",
    "contrib.nd": "ndarray.contrib",
    "contrib.ndarray": "ndarray.contrib",
    "kvstore.base": "kvstore",
    "kvstore.kvstore": "kvstore",
    "ndarray.ndarray": "ndarray",
    "numpy.multiarray": "numpy",
    "image.det": "image.detection",
    "image.image": "image",
    "io.io": "io",
    "optimizer.optimizer": "optimizer",
}

# Modules that are loaded when they are first touched.
_LATER = {
    "attribute",
    "autograd",
    "callback",
    "contrib",
    "engine",
    "error",
    "executor",
    "gluon",
    "image",
    "img",
    "init",
    "initializer",
    "io",
    "kv",
    "kvstore",
    "libinfo",
    "log",
    "lr_scheduler",
    "metric",
    "mod",
    "model",
    "module",
    "mon",
    "monitor",
    "name",
    "operator",
    "optimizer",
    "profiler",
    "recordio",
    "registry",
    "rnn",
    "rtc",
    "runtime",
    "sym",
    "symbol",
    "test_utils",
    "visualization",
    "viz",
}

# Classes that are here too, and load their modules when they are first touched.
_LATER_CLASSES = {"AttrScope": "attribute"}

_finder = _install.Finder(__name__, _ALIASES, _missing.module_text)
_not_here = _missing.missing("mxnet")


def __getattr__(name):
    module = _LATER_CLASSES.get(name, name)
    if module not in _LATER:
        return _not_here(name)
    from importlib import import_module

    found = import_module(f"{__name__}.{module}")
    globals()[name] = found = found if module == name else getattr(found, name)
    return found


def __dir__():
    here = {name for name in globals() if name[0] != "_" or name[:2] == "__"}
    return sorted(here | _LATER | set(_LATER_CLASSES))
