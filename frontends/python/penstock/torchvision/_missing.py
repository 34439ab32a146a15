"""What is said of names that are not here: torchvision has them, or somebody mistyped."""

import sys

from ..torch._missing import missing, text_for

__all__ = ["later", "missing", "module_text"]


def later(module, *inner):
    """The __getattr__ of a package that loads some of its modules when they are first touched."""
    here = sys._getframe(1).f_globals

    def __getattr__(name):
        if name not in inner:
            raise AttributeError(text_for(module, name, here), name=name)
        from importlib import import_module

        return import_module(f"{here['__name__']}.{name}")

    return __getattr__


def module_text(inner):
    """What is wrong with importing torchvision.<inner>."""
    above, _, name = inner.rpartition(".")
    package = __name__.rpartition(".")[0]
    loaded = sys.modules.get(f"{package}.{above}" if above else package)
    shown = f"torchvision.{above}" if above else "torchvision"
    return text_for(shown, name, vars(loaded) if loaded is not None else {})
