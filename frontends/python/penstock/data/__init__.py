"""Data: datasets, the order in which they are read, and loaders that make batches ahead.

>>> data = ps.data.ArrayDataset(ps.ones((6, 2)), ps.zeros(6))
>>> loader = ps.data.DataLoader(data, batch_size=4, shuffle=True, num_workers=1)
>>> [x.shape for x, y in loader]
[(4, 2), (2, 2)]
"""

from __future__ import annotations

from ._batchify import batchify
from ._dataset import ArrayDataset, Dataset, SelectDataset, TransformDataset
from ._loader import DataLoader
from ._progress import Progress, progress
from ._samplers import BatchSampler, RandomSampler, Sampler, SequentialSampler

__all__ = [
    "ArrayDataset",
    "BatchSampler",
    "DataLoader",
    "Dataset",
    "Progress",
    "RandomSampler",
    "Sampler",
    "SelectDataset",
    "SequentialSampler",
    "TransformDataset",
    "batchify",
    "progress",
]

for _name in __all__:
    globals()[_name].__module__ = __name__
del _name


def __dir__() -> list[str]:
    return __all__
