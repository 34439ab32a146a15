"""paddle.io: datasets, orders in which they are read, and loaders of batches."""

from ..._common.workers import get_worker_info
from .. import _missing
from ._dataset import (
    ChainDataset,
    ComposeDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    Subset,
    TensorDataset,
    random_split,
)
from ._loader import DataLoader
from ._samplers import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequenceSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)

__all__ = (
    "BatchSampler ChainDataset ComposeDataset ConcatDataset DataLoader Dataset IterableDataset "
    "RandomSampler Sampler SequenceSampler Subset SubsetRandomSampler TensorDataset "
    "WeightedRandomSampler get_worker_info random_split"
).split()

__getattr__ = _missing.missing("paddle.io")
