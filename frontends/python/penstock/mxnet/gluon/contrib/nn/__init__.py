"""mx.gluon.contrib.nn: further layers."""

from ...._missing import missing
from .basic_layers import *  # noqa: F403
from .basic_layers import __all__

__getattr__ = missing("mxnet.gluon.contrib.nn")
