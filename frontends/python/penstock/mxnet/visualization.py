"""mx.visualization: pictures of symbols. Not built: see _unbuilt.py."""

from ._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.visualization")

__getattr__ = unbuilt("mxnet.visualization")
