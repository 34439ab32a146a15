"""Files of well-known sets of pictures, with MXNet's errors."""

from functools import partial

from .._pictures import sets
from .base import MXNetValueError

idx_array = partial(sets.idx_array, error=MXNetValueError)
read_cifar = partial(sets.read_cifar, error=MXNetValueError)
read_idx = partial(sets.read_idx, error=MXNetValueError)
