"""mx.monitor: statistics of what executors compute. Not built: see _unbuilt.py."""

from ._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.monitor")

__getattr__ = unbuilt("mxnet.monitor")
