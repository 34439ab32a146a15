"""mx.gluon.rnn: recurrent layers. Not built yet: see _unbuilt.py."""

from ..._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.gluon.rnn")

__getattr__ = unbuilt("mxnet.gluon.rnn")
