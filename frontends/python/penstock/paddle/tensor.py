"""paddle.tensor: the functions of tensors under their older place."""

import sys

from . import _missing

_package = sys.modules[__package__]
_not_here = _missing.missing("paddle.tensor")


def __getattr__(name):
    found = vars(_package).get(name)
    if found is None or name.startswith("_"):
        return _not_here(name)
    return found
