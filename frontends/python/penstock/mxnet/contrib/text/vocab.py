"""mx.contrib.text.vocab: words and their numbers. Not built yet: see _unbuilt.py."""

from ..._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.contrib.text.vocab")

__getattr__ = unbuilt("mxnet.contrib.text.vocab")
