"""mx.image: pictures read, resized, cut and changed. Files of pictures need Pillow."""

import sys

from .._missing import missing
from ..util import is_np_array  # noqa: F401
from . import _augmenters, _functions, _iter, detection
from ._augmenters import *  # noqa: F403
from ._functions import *  # noqa: F403
from ._functions import interp_method as _get_interp_method  # noqa: F401
from ._iter import *  # noqa: F403
from .detection import *  # noqa: F403

__all__ = [*_augmenters.__all__, *_functions.__all__, *_iter.__all__, *detection.__all__]

for _name in _functions.__all__:
    globals()[_name].__module__ = "mxnet.image.image"
del _name

det = detection
image = sys.modules[__name__]  # where MXNet defines the others

__getattr__ = missing("mxnet.image")
