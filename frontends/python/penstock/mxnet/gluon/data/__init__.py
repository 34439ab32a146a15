"""mx.gluon.data: datasets, the order in which they are read, and loaders that make batches."""

from ..._missing import missing
from . import dataloader, dataset, sampler, vision  # noqa: F401
from .dataloader import *  # noqa: F403
from .dataset import *  # noqa: F403
from .sampler import *  # noqa: F403

__all__ = [*dataset.__all__, *sampler.__all__, *dataloader.__all__]

__getattr__ = missing("mxnet.gluon.data")
