"""The version of PyTorch whose names and rules these are."""

from . import __version__, _missing  # noqa: F401

cuda = hip = rocm = xpu = None
debug = False
git_version = None

__getattr__ = _missing.missing("torch.version")
