"""mx.gluon.model_zoo: known networks, as code. There are no downloads: weights come from files."""

from ..._missing import later

__getattr__ = later("mxnet.gluon.model_zoo", "model_store", "vision")
