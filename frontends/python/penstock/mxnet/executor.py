"""mx.executor: what runs symbols. Not built: see _unbuilt.py."""

from ._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.executor")

__getattr__ = unbuilt("mxnet.executor")
