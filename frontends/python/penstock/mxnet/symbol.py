"""mx.symbol: graphs that are made before they run. Not built: see _unbuilt.py."""

from ._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.symbol")

__getattr__ = unbuilt("mxnet.symbol")
