"""mx.gluon.data.vision: sets of pictures. Not built yet: see _unbuilt.py."""

from ...._unbuilt import names_of, unbuilt
from . import transforms

__all__ = names_of("mxnet.gluon.data.vision")

__getattr__ = unbuilt("mxnet.gluon.data.vision")
