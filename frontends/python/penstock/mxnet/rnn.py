"""mx.rnn: recurrent networks of symbols. Not built: see _unbuilt.py."""

from ._unbuilt import names_of, unbuilt

__all__ = names_of("mxnet.rnn")

__getattr__ = unbuilt("mxnet.rnn")
