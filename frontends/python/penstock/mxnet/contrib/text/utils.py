"""mx.contrib.text.utils: counting words. Not built yet: see _unbuilt.py."""

from ..._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.contrib.text.utils")

__getattr__ = unbuilt("mxnet.contrib.text.utils")
