"""mx.gluon.trainer: steps of training. Not built yet: see _unbuilt.py."""

from .._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.gluon.trainer")

__getattr__ = unbuilt("mxnet.gluon.trainer")
