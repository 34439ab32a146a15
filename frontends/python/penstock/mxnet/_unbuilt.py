"""Modules of MXNet whose contents are not built: their names exist, for programs to be imported.

A module ends with `__getattr__ = unbuilt("mxnet.gluon.nn")`. Its classes are Python classes that
can be named, subclassed and asked about with isinstance; making an object of one raises
NotBuiltError, and so does calling a function. Which names there are is in the record of MXNet's
(_names.py).
"""

import sys

from ._missing import WHERE, text_for
from .base import NotBuiltError

_made = {}


def unbuilt(module):
    """The __getattr__ of the module that calls this: makes its classes and functions when asked."""
    here = sys._getframe(1).f_globals

    def __getattr__(name):
        made = None if name.startswith("_") else _make(module, name)
        if made is None:
            raise AttributeError(text_for(module, name, here), name=name)
        here[name] = made
        return made

    return __getattr__


def names_of(module):
    """The classes and functions that an unbuilt module has."""
    return sorted(_entries(module))


def raise_not_built(name):
    """For what is called by this name."""
    raise NotBuiltError(f"{name} is a part of MXNet that Penstock does not have yet: {WHERE}")


def _entries(module):
    """Kind, and where the class is from, by name."""
    from ._names import NAMES

    found = {}
    for kind in ("classes", "functions"):
        for entry in NAMES[module].get(kind, "").split():
            name, _, origin = entry.partition(":")
            found[name] = (kind, origin or f"{module}.{name}")
    return found


def _make(module, name):
    """The class or function of this name; the same one for all names that it has."""
    kind, origin = _entries(module).get(name, (None, None))
    if kind is None:
        return None
    if origin not in _made:
        # Two threads that ask at once get the same one.
        _made.setdefault(origin, (_class if kind == "classes" else not_built)(origin))
    return _made[origin]


def _class(origin):
    module, _, name = origin.rpartition(".")

    def __new__(cls, *args, **kwargs):
        own = "" if cls.__name__ == name else f"{cls.__qualname__}: its base "
        raise_not_built(own + origin)

    text = f"{origin}, which is not built yet: making one raises NotBuiltError."
    return type(name, (), {"__module__": module, "__doc__": text, "__new__": __new__})


def not_built(origin):
    """A function of this full name that says, when it is called, that it is not built."""

    def function(*args, **kwargs):
        raise_not_built(origin)

    function.__module__, _, function.__name__ = origin.rpartition(".")
    function.__qualname__ = function.__name__
    function.__doc__ = f"{origin}, which is not built yet: calling it raises NotBuiltError."
    return function
