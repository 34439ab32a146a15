"""What is said of names that are not here: MXNet has them, or somebody mistyped.

A module ends with `__getattr__ = missing("mxnet.np")`, by MXNet's own name for it. Names are looked
up in the record of MXNet's (_names.py), which is loaded when it is needed.
"""

import sys

WHERE = "see docs/mxnet.md"

# How the record calls modules that have two names.
_SHORT = {"numpy": "np", "numpy_extension": "npx", "ndarray": "nd", "init": "initializer"}


def missing(module):
    """The __getattr__ of the module that calls this: raises AttributeError for every name."""
    here = sys._getframe(1).f_globals

    def __getattr__(name):
        raise AttributeError(text_for(module, name, here), name=name)

    return __getattr__


def later(module, *inner):
    """The same for a package that loads some of its modules when they are first touched."""
    here = sys._getframe(1).f_globals

    def __getattr__(name):
        if name not in inner:
            raise AttributeError(text_for(module, name, here), name=name)
        from importlib import import_module

        return import_module(f"{here['__name__']}.{name}")

    return __getattr__


def recorded(module):
    """The names that the module has in MXNet: their kinds by name; empty for an unknown module."""
    from ._names import NAMES

    kinds = {}
    for kind, names in NAMES.get(module, {}).items():
        kinds.update((name.partition(":")[0], kind) for name in names.split())
    return kinds


def text_for(module, name, here):
    """What is wrong with module.name, where `here` has the names that there are."""
    if name.startswith("_"):
        return f"module {module!r} has no attribute {name!r}"
    if name in recorded(module):
        return f"{module}.{name} is a part of MXNet that Penstock does not have: {WHERE}"
    import difflib

    near = difflib.get_close_matches(name, _public(here), 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"{module} has no {name!r}, and neither has MXNet 1.9.1{hint} ({WHERE})"


def _public(here):
    """The names that a module's namespace has or says that it has."""
    names = {*here, *here.get("__all__", ()), *(here["__dir__"]() if "__dir__" in here else ())}
    return [name for name in names if not name.startswith("_")]


def module_text(inner):
    """What is wrong with importing mxnet.<inner>: a module, or a name from one."""
    above, _, name = inner.rpartition(".")
    short = ".".join(_SHORT.get(part, part) for part in above.split(".") if part)
    module = f"mxnet.{short}" if short else "mxnet"
    package = __name__.rpartition(".")[0]
    loaded = sys.modules.get(f"{package}.{above}" if above else package)
    return text_for(module, name, vars(loaded) if loaded is not None else {})
