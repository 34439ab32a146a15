"""What is said of names that a dialect has not: its library has them, or somebody mistyped.

Names are looked up in the dialect's record of the library's (its module _names), which is loaded
when it is needed.
"""

import sys


class Missing:
    """What a dialect's modules say of names that are not here.

    `package` is the dialect's, `libraries` has what those that it stands for are called and the
    versions whose names are recorded, by the first part of their modules' names; `page` tells of it.
    """

    def __init__(self, package, libraries, page):
        self.package, self.libraries, self.where = package, libraries, f"see {page}"
        self.first = next(iter(libraries))

    def missing(self, module):
        """The __getattr__ of the module that calls this: raises AttributeError for every name."""
        here = sys._getframe(1).f_globals

        def __getattr__(name):
            raise AttributeError(self.text_for(module, name, here), name=name)

        return __getattr__

    def _kinds(self, module):
        from importlib import import_module

        return import_module(f"{self.package}._names").NAMES.get(module)

    def recorded(self, module):
        """The names that the module has there: their kinds by name; empty for an unknown module."""
        kinds = self._kinds(module) or {}
        return {name: kind for kind, names in kinds.items() for name in names.split()}

    def text_for(self, module, name, here):
        """What is wrong with module.name, where `here` has the names that there are."""
        if name.startswith("_"):
            return f"module {module!r} has no attribute {name!r}"
        if name in self.recorded(module):
            return self._absent(module, name)
        import difflib

        near = difflib.get_close_matches(name, _public(here), 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        library, version = self.libraries[module.partition(".")[0]]
        nor = "" if self._kinds(module) is None else f", and neither has {library} {version}"
        return f"module {module!r} has no attribute {name!r}{nor}{hint} ({self.where})"

    def _absent(self, owner, name):
        library = self.libraries.get(owner.partition(".")[0], self.libraries[self.first])[0]
        return f"{owner}.{name} is a part of {library} that Penstock does not have: {self.where}"

    def tensor_text(self, cls, name):
        """What is wrong with tensor.name."""
        if not name.startswith("_") and name in self.recorded(f"{self.first}.Tensor"):
            return self._absent("Tensor", name)
        return f"'{cls}' object has no attribute {name!r}"

    def module_text(self, inner):
        """What is wrong with importing <the dialect>.<inner>: a module, or a name from one."""
        above, _, name = inner.rpartition(".")
        loaded = sys.modules.get(f"{self.package}.{above}" if above else self.package)
        module = f"{self.first}.{above}" if above else self.first
        return self.text_for(module, name, vars(loaded) if loaded is not None else {})

    def hide(self, tensors):
        """Has the class of tensors say what it lacks, which costs other attributes nothing."""
        for name in self.recorded(f"{self.first}.Tensor").keys() - dir(tensors):
            setattr(tensors, name, Hidden(name, self))


class Hidden:
    """An attribute that tensors do not have: its text says whether the library's have it."""

    __slots__ = ("_name", "_missing")

    def __init__(self, name, missing):
        self._name, self._missing = name, missing

    def __get__(self, tensor, owner=None):
        name = "Tensor" if owner is None else owner.__name__
        raise AttributeError(self._missing.tensor_text(name, self._name), name=self._name)


def hidden(cls):
    """The names of a class that say that they are not here."""
    return {name for name, found in vars(cls).items() if isinstance(found, Hidden)}


def _public(here):
    """The names that a module's namespace has or says that it has."""
    names = {*here, *here.get("__all__", ()), *(here["__dir__"]() if "__dir__" in here else ())}
    return [name for name in names if not name.startswith("_")]
