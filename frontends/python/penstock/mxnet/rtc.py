"""mx.rtc: kernels that are compiled for GPUs while the program runs. Not built: see _unbuilt.py."""

from ._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.rtc")

__getattr__ = unbuilt("mxnet.rtc")
