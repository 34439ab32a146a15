"""mx.random: the seed of all random numbers, and the functions of mx.nd.random."""

from .. import random as _random
from ._missing import missing
from .context import Context
from .ndarray.random import *  # noqa: F403
from .ndarray.random import __all__ as _drawn

__all__ = [*_drawn, "seed"]


def seed(seed_state, ctx="all"):
    """Random numbers that are drawn from here on are those of the seed, on every context."""
    if not isinstance(seed_state, int):
        raise ValueError(f"seed_state must be int, not {seed_state!r}")
    if ctx != "all":
        Context(ctx)
    _random.seed(seed_state & 0xFFFFFFFF)


__getattr__ = missing("mxnet.random")
