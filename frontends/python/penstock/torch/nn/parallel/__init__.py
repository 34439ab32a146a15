"""Several devices: torch.nn.parallel. A module runs on the one device that it is on."""

from ... import _missing
from .data_parallel import DataParallel, data_parallel
from .scatter_gather import gather, scatter

__all__ = ["DataParallel", "data_parallel", "gather", "scatter"]

__getattr__ = _missing.missing("torch.nn.parallel")
