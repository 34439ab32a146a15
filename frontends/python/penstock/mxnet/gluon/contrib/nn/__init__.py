"""mx.gluon.contrib.nn: further layers."""

from ...._missing import missing
from . import basic_layers
from .basic_layers import *  # noqa: F403

__all__ = [*basic_layers.__all__]

__getattr__ = missing("mxnet.gluon.contrib.nn")
