"""What is said of names that are not here.

A module ends with `__getattr__ = missing("paddle.nn")`.
"""

import sys

WHERE = "see docs/paddle.md"


def missing(module):
    """The __getattr__ of the module that calls this: raises AttributeError for every name."""
    here = sys._getframe(1).f_globals

    def __getattr__(name):
        raise AttributeError(text_for(module, name, here), name=name)

    return __getattr__


def text_for(module, name, here):
    """What is wrong with module.name, where `here` has the names that there are."""
    if name.startswith("_"):
        return f"module {module!r} has no attribute {name!r}"
    import difflib

    names = {*here, *(here["__dir__"]() if "__dir__" in here else ())}
    near = difflib.get_close_matches(name, [one for one in names - {name} if one[0] != "_"], 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"{module}.{name} is not a part of PaddlePaddle that Penstock has{hint} ({WHERE})"


def module_text(inner):
    """What is wrong with importing paddle.<inner>: a module, or a name from one."""
    above, _, name = inner.rpartition(".")
    package = __name__.rpartition(".")[0]
    loaded = sys.modules.get(f"{package}.{above}" if above else package)
    module = f"paddle.{above}" if above else "paddle"
    return text_for(module, name, vars(loaded) if loaded is not None else {})
