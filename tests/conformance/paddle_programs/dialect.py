"""The dialect of PaddlePaddle."""

from dialect_programs.dialect import Dialect

from .differences import known_difference
from .ends import known_end
from .families import FAMILIES

PADDLE = Dialect(
    "paddle",
    "PaddlePaddle",
    "3.3.1",
    "paddle_programs.runner",
    FAMILIES,
    known_difference,
    known_end,
)
