"""Names of layers and parameters, each once in a program: linear_0, linear_0.w_0."""

import re
from collections import Counter

_given = Counter()
_WORD = re.compile(r"(.)([A-Z][a-z]+)")
_EDGE = re.compile(r"([a-z])([A-Z])")


def snake(name):
    """BatchNorm2D as batch_norm2d."""
    return _EDGE.sub(r"\1_\2", _WORD.sub(r"\1_\2", name)).lower()


def numbered(prefix, between="_"):
    """The next name that begins so."""
    number = _given[prefix]
    _given[prefix] = number + 1
    return f"{prefix}{between}{number}"
