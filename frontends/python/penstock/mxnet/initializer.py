"""mx.init: initial values of parameters. Not built yet: see _unbuilt.py."""

from ._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.initializer")

__getattr__ = unbuilt("mxnet.initializer")
