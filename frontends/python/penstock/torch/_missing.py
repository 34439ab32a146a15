"""What is said of names that are not here: torch has them, or somebody mistyped.

A module ends with `__getattr__ = missing("torch.nn")`. Names are looked up in the record of torch's
(_names.py), which is loaded when it is needed.
"""

import sys

WHERE = "see docs/torch.md"


def missing(module):
    """The __getattr__ of the module that calls this: raises AttributeError for every name."""
    here = sys._getframe(1).f_globals

    def __getattr__(name):
        raise AttributeError(text_for(module, name, here), name=name)

    return __getattr__


def recorded(module):
    """The public names that the module has in torch; empty for an unknown module."""
    from ._names import NAMES

    return set(NAMES.get(module, "").split())


def text_for(module, name, here):
    """What is wrong with module.name, where `here` has the names that there are."""
    if name.startswith("_"):
        return f"module {module!r} has no attribute {name!r}"
    if name in recorded(module):
        return f"{module}.{name} is a part of PyTorch that Penstock does not have: {WHERE}"
    import difflib

    near = difflib.get_close_matches(name, [one for one in here if one[0] != "_"], 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"module {module!r} has no attribute {name!r}, and neither has PyTorch 2.15.0{hint} ({WHERE})"


def tensor_text(cls, name):
    """What is wrong with tensor.name."""
    if not name.startswith("_") and name in recorded("torch.Tensor"):
        return f"Tensor.{name} is a part of PyTorch that Penstock does not have: {WHERE}"
    return f"'{cls}' object has no attribute {name!r}"


def module_text(inner):
    """What is wrong with importing torch.<inner>."""
    above, _, name = inner.rpartition(".")
    module = f"torch.{above}" if above else "torch"
    package = __name__.rpartition(".")[0]
    loaded = sys.modules.get(f"{package}.{above}" if above else package)
    if name in recorded(f"{module} modules"):
        return f"{module}.{name} is a part of PyTorch that Penstock does not have: {WHERE}"
    return text_for(module, name, vars(loaded) if loaded is not None else {})
