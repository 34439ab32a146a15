"""What is said of names that are not here."""

import sys

WHERE = "see docs/torch.md"


def missing(module):
    """The __getattr__ of the module that calls this: raises AttributeError for every name."""
    return later(module)


def later(module, *inner):
    """The same for a package that loads some of its modules when they are first touched."""
    here = sys._getframe(1 if inner else 2).f_globals

    def __getattr__(name):
        if name not in inner:
            raise AttributeError(text_for(module, name, here), name=name)
        from importlib import import_module

        return import_module(f"{here['__name__']}.{name}")

    return __getattr__


def text_for(module, name, here):
    """What is wrong with module.name, where `here` has the names that there are."""
    if name.startswith("_"):
        return f"module {module!r} has no attribute {name!r}"
    import difflib

    near = difflib.get_close_matches(name, [one for one in here if one[0] != "_"], 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"{module}.{name} is not a part of torchvision that Penstock has{hint} ({WHERE})"


def module_text(inner):
    """What is wrong with importing torchvision.<inner>."""
    above, _, name = inner.rpartition(".")
    package = __name__.rpartition(".")[0]
    loaded = sys.modules.get(f"{package}.{above}" if above else package)
    shown = f"torchvision.{above}" if above else "torchvision"
    return text_for(shown, name, vars(loaded) if loaded is not None else {})
