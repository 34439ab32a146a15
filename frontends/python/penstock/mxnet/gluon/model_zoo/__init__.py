"""mx.gluon.model_zoo: known networks, as code. There are no downloads: weights come from files."""

from ..._missing import missing
from . import model_store, vision

__all__ = ["model_store", "vision"]

__getattr__ = missing("mxnet.gluon.model_zoo")
