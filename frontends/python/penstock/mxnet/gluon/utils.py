"""mx.gluon.utils: helpers for training. Not built yet: see _unbuilt.py."""

from .._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.gluon.utils")

__getattr__ = unbuilt("mxnet.gluon.utils")
