"""torch.utils: `data` has datasets and loaders."""

from .. import _missing

_LATER = ("data", "hooks")
_not_here = _missing.missing("torch.utils")


def __getattr__(name):
    if name in _LATER:
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    return _not_here(name)


def __dir__():
    return sorted(_LATER)
