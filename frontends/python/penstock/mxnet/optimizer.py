"""mx.optimizer: rules of training. Not built yet: see _unbuilt.py."""

from ._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.optimizer")

__getattr__ = unbuilt("mxnet.optimizer")
