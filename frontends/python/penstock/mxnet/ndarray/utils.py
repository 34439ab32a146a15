"""mx.nd.utils: functions that make, save and load arrays."""

from .._missing import missing
from ._create import array, empty, zeros  # noqa: F401
from ._files import load, load_frombuffer, save  # noqa: F401

__all__ = ["array", "empty", "load", "load_frombuffer", "save", "zeros"]

__getattr__ = missing("mxnet.nd.utils")
