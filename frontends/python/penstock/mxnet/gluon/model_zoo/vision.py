"""mx.gluon.model_zoo.vision: known networks. Not built yet: see _unbuilt.py."""

from ..._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.gluon.model_zoo.vision")

__getattr__ = unbuilt("mxnet.gluon.model_zoo.vision")
