"""mx.metric: how good predictions are. Not built yet: see _unbuilt.py."""

from ._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.metric")

__getattr__ = unbuilt("mxnet.metric")
