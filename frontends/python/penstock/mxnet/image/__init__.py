"""mx.image: pictures read, resized, cut and changed. Files of pictures need Pillow."""

import sys

from .._unbuilt import names_of, unbuilt
from ..util import is_np_array  # noqa: F401
from . import _augmenters, _functions, _iter
from ._augmenters import *  # noqa: F403
from ._functions import *  # noqa: F403
from ._functions import interp_method as _get_interp_method  # noqa: F401
from ._iter import *  # noqa: F403

# What finds objects in pictures (Det...) is not built: see _unbuilt.py.
__all__ = names_of("mxnet.image")

for _name in _functions.__all__:
    globals()[_name].__module__ = "mxnet.image.image"
del _name

image = det = detection = sys.modules[__name__]  # where MXNet defines them

__getattr__ = unbuilt("mxnet.image")
