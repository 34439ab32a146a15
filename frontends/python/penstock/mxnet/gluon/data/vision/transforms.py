"""mx.gluon.data.vision.transforms: changes to pictures. Not built yet: see _unbuilt.py."""

from ...._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.gluon.data.vision.transforms")

__getattr__ = unbuilt("mxnet.gluon.data.vision.transforms")
