"""Datasets and loaders: torch.utils.data.

>>> from penstock import torch
>>> from penstock.torch.utils import data
>>> pairs = data.TensorDataset(torch.arange(5.0), torch.arange(5))
>>> for x, y in data.DataLoader(pairs, batch_size=2):
...     print(x, y)
tensor([0., 1.]) tensor([0, 1])
tensor([2., 3.]) tensor([2, 3])
tensor([4.]) tensor([4])
"""

from ... import _missing
from ._collate import default_collate, default_convert
from ...._common.workers import get_worker_info
from .dataloader import DataLoader
from .dataset import (
    ChainDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    StackDataset,
    Subset,
    TensorDataset,
    random_split,
)
from .sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)

__all__ = [
    "BatchSampler",
    "ChainDataset",
    "ConcatDataset",
    "DataLoader",
    "Dataset",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "StackDataset",
    "Subset",
    "SubsetRandomSampler",
    "TensorDataset",
    "WeightedRandomSampler",
    "default_collate",
    "default_convert",
    "get_worker_info",
    "random_split",
]

__getattr__ = _missing.missing("torch.utils.data")
