"""mx.nd.image: nothing of it is built; every name says so."""

from .._missing import missing

__all__ = []

__getattr__ = missing("mxnet.nd.image")
