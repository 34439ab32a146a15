"""mx.image: reading and changing pictures. Not built yet: see _unbuilt.py."""

from ._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.image")

__getattr__ = unbuilt("mxnet.image")
