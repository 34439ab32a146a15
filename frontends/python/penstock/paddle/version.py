"""Which PaddlePaddle the dialect follows."""

from . import _missing

full_version = "3.3.1"
major, minor, patch = full_version.split(".")


def cuda():
    """The version of CUDA: none is needed."""
    return "False"


def cudnn():
    """The version of cuDNN: none is needed."""
    return "False"


__getattr__ = _missing.missing("paddle.version")
