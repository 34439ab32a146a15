"""What is said of names that are not here: torch has them, or somebody mistyped.

A module ends with `__getattr__ = missing("torch.nn")`, or torchvision's with its name. Names are
looked up in the record of torch's and torchvision's (_names.py), which is loaded when it is needed.
"""

import sys

WHERE = "see docs/torch.md"

# What the libraries are called, and the versions whose names are recorded.
_LIBRARIES = {"torch": ("PyTorch", "2.15.0"), "torchvision": ("torchvision", "0.29.2")}


def missing(module):
    """The __getattr__ of the module that calls this: raises AttributeError for every name."""
    here = sys._getframe(1).f_globals

    def __getattr__(name):
        raise AttributeError(text_for(module, name, here), name=name)

    return __getattr__


def recorded(module):
    """The names that the module has in torch: their kinds by name; empty for an unknown module."""
    from ._names import NAMES

    kinds = NAMES.get(module, {})
    return {name: kind for kind, names in kinds.items() for name in names.split()}


def text_for(module, name, here):
    """What is wrong with module.name, where `here` has the names that there are."""
    if name.startswith("_"):
        return f"module {module!r} has no attribute {name!r}"
    if name in recorded(module):
        return _absent(module, name)
    import difflib

    library, version = _LIBRARIES[module.partition(".")[0]]
    near = difflib.get_close_matches(name, _public(here), 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return (
        f"module {module!r} has no attribute {name!r}, and neither has {library} {version}{hint} "
        f"({WHERE})"
    )


def _absent(owner, name):
    library = _LIBRARIES.get(owner.partition(".")[0], _LIBRARIES["torch"])[0]
    return f"{owner}.{name} is a part of {library} that Penstock does not have: {WHERE}"


def _public(here):
    """The names that a module's namespace has or says that it has."""
    names = {*here, *here.get("__all__", ()), *(here["__dir__"]() if "__dir__" in here else ())}
    return [name for name in names if not name.startswith("_")]


def tensor_text(cls, name):
    """What is wrong with tensor.name."""
    if not name.startswith("_") and name in recorded("torch.Tensor"):
        return _absent("Tensor", name)
    return f"'{cls}' object has no attribute {name!r}"


def module_text(inner):
    """What is wrong with importing torch.<inner>: a module, or a name from one."""
    above, _, name = inner.rpartition(".")
    package = __name__.rpartition(".")[0]
    loaded = sys.modules.get(f"{package}.{above}" if above else package)
    module = f"torch.{above}" if above else "torch"
    return text_for(module, name, vars(loaded) if loaded is not None else {})
