"""mx.gluon.nn: layers. Not built yet: see _unbuilt.py."""

from ..._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.gluon.nn")

__getattr__ = unbuilt("mxnet.gluon.nn")
