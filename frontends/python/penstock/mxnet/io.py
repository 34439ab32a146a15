"""mx.io: iterators of batches for modules. Not built: see _unbuilt.py."""

from ._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.io")

__getattr__ = unbuilt("mxnet.io")
