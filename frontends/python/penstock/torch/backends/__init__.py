"""torch.backends: settings that programs make. They can be made and read, and change nothing."""

from .. import _missing
from . import cpu, cuda, cudnn, mkl, mkldnn, mps, openmp  # noqa: F401

__getattr__ = _missing.missing("torch.backends")
