"""mx.contrib.text.embedding: vectors of words. Not built yet: see _unbuilt.py."""

from ..._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.contrib.text.embedding")

__getattr__ = unbuilt("mxnet.contrib.text.embedding")
