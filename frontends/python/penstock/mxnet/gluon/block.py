"""mx.gluon.block: what layers are made from. Not built yet: see _unbuilt.py."""

from .._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.gluon.block")

__getattr__ = unbuilt("mxnet.gluon.block")
