"""What the records of the public names of libraries share.

A module's public names are its __all__; where it has none, or one that leaves names out, what is in
it without an underscore and comes from the library. Modules inside of a package are found in its
folder too, since many of them are loaded by those alone who use them.
"""

import importlib
import pkgutil
import sys
import textwrap
import types
import warnings


class Library:
    """A library, or several that are recorded together.

    `wanted` has their versions; `modules` the modules and classes to look at; `opened` those whose
    __all__ leaves out names that programs use. `is_own(path, name, thing)` says what modules define
    or import for their own use.
    """

    def __init__(self, wanted, modules, head, opened, is_own):
        self.wanted, self.modules, self.head = wanted, modules, head
        self.opened, self.is_own = opened, is_own

    def belongs(self, path, name, thing):
        """Whether it is the library's, and not something that the module imported for itself."""
        if isinstance(thing, types.ModuleType):
            return thing.__name__ == f"{path}.{name}"
        return home(thing).partition(".")[0] in self.wanted

    def found_in(self, path, module):
        """The names of a module by their kinds."""
        listed = set(getattr(module, "__all__", ()))
        found = {}
        for name in public(dir(module)):
            thing = getattr(module, name)
            look = not listed or path in self.opened or isinstance(thing, types.ModuleType)
            if name in listed or look and self.belongs(path, name, thing):
                if not self.is_own(path, name, thing):
                    found.setdefault(kind(thing), set()).add(name)
        inner = public(one.name for one in pkgutil.iter_modules(getattr(module, "__path__", ())))
        if inner:
            found.setdefault("modules", set()).update(inner)
        return found

    def write(self):
        """The record, on standard output."""
        warnings.simplefilter("ignore")
        for name, version in self.wanted.items():
            there = importlib.import_module(name).__version__.partition("+")[0]
            if there != version:
                raise SystemExit(f"{name} {version} is needed, not {there}")
        sys.stdout.write(self.head)
        for path in self.modules:
            thing = find(path)
            found = methods_of(thing) if isinstance(thing, type) else self.found_in(path, thing)
            sys.stdout.write(entry(path, found))
        sys.stdout.write("}\n")


def find(path):
    """The module of a name, or a class, whose last part begins with a capital."""
    above, _, name = path.rpartition(".")
    if name[:1].isupper():
        return getattr(importlib.import_module(above), name)
    return importlib.import_module(path)


def home(thing):
    """The name of the module that a thing, or the class of a value, is from."""
    return str(getattr(thing, "__module__", None) or type(thing).__module__)


def kind(thing):
    if isinstance(thing, types.ModuleType):
        return "modules"
    if isinstance(thing, type):
        return "classes"
    return "functions" if callable(thing) else "values"


def public(names):
    return [name for name in names if not name.startswith("_")]


def methods_of(cls):
    """Methods and properties; what Python calls by itself is not noted."""
    names = public(dir(cls))
    methods = {name for name in names if callable(getattr(cls, name))}
    return {"functions": methods, "values": set(names) - methods}


def entry(path, found):
    lines = [f'    "{path}": {{\n']
    for what, names in sorted(found.items()):
        text = textwrap.fill(" ".join(sorted(names)), 98, break_long_words=False)
        lines.append(f'        "{what}": """\n{text}\n""",\n')
    return "".join(lines) + "    },\n"
