"""mx.gluon.data: data sets and their loaders. Not built yet: see _unbuilt.py."""

from ..._unbuilt import names_of, unbuilt
from . import vision

__all__ = names_of("mxnet.gluon.data")

__getattr__ = unbuilt("mxnet.gluon.data")
