"""GPUs: whether there are any, and settings of products that change nothing."""

from types import SimpleNamespace

from ..cuda import is_available

matmul = SimpleNamespace(
    allow_tf32=False,
    allow_fp16_reduced_precision_reduction=True,
    allow_bf16_reduced_precision_reduction=True,
)


def is_built():
    """Whether tensors can be on a GPU of this machine."""
    return is_available()
