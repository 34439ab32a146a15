"""mx.gluon.model_zoo: known networks. Not built yet: see _unbuilt.py."""

from ..._missing import missing
from . import vision

__getattr__ = missing("mxnet.gluon.model_zoo")
