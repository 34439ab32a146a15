"""Which PaddlePaddle the dialect follows."""

full_version = "3.3.1"
major, minor, patch = full_version.split(".")


def cuda():
    """The version of CUDA: none is needed."""
    return "False"


def cudnn():
    """The version of cuDNN: none is needed."""
    return "False"
