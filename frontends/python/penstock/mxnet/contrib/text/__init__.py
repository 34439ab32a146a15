"""mx.contrib.text: words and their vectors. Not built yet: see _unbuilt.py."""

from ..._missing import missing
from . import embedding, utils, vocab

__getattr__ = missing("mxnet.contrib.text")
