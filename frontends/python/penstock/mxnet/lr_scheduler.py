"""mx.lr_scheduler: learning rates over time. Not built yet: see _unbuilt.py."""

from ._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.lr_scheduler")

__getattr__ = unbuilt("mxnet.lr_scheduler")
