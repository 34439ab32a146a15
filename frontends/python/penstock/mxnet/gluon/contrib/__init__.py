"""mx.gluon.contrib: further layers and recurrent cells."""

from ..._missing import later

__getattr__ = later("mxnet.gluon.contrib", "nn", "rnn")
