"""mx.gluon.loss: losses. Not built yet: see _unbuilt.py."""

from .._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.gluon.loss")

__getattr__ = unbuilt("mxnet.gluon.loss")
