"""mx.gluon.data.vision: sets of pictures, and what changes them."""

from ...._missing import missing
from . import datasets, transforms  # noqa: F401
from .datasets import *  # noqa: F403

__all__ = datasets.__all__

__getattr__ = missing("mxnet.gluon.data.vision")
