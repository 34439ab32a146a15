"""Settings of convolutions on GPUs. They can be made and read, and change nothing."""

from ..cuda import is_available  # noqa: F401

enabled = True
benchmark = False
benchmark_limit = 10
deterministic = False
allow_tf32 = True


def version():
    """None: that library is not used."""
    return None
