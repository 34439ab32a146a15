"""What a module has registered, seen as dictionaries.

Parameters, buffers and submodules are attributes of their module like any other; a module notes
beside them, in order, which names are of which kind. `module._parameters` and the like show those
of one kind, and writing to them registers.
"""

from collections.abc import MutableMapping

PARAMETER, BUFFER, MODULE = "parameter", "buffer", "module"


class Registered(MutableMapping):
    """The attributes of one kind, by their names."""

    __slots__ = ("_attributes", "_kinds", "_kind")

    def __init__(self, module, kind):
        self._attributes = module.__dict__
        self._kinds, self._kind = module._kinds, kind

    def __getitem__(self, name):
        if self._kinds.get(name) != self._kind:
            raise KeyError(name)
        return self._attributes[name]

    def __setitem__(self, name, value):
        if self._kinds.get(name) != self._kind:
            self._kinds.pop(name, None)
            self._kinds[name] = self._kind
        self._attributes[name] = value

    def __delitem__(self, name):
        if self._kinds.get(name) != self._kind:
            raise KeyError(name)
        del self._kinds[name], self._attributes[name]

    def __iter__(self):
        kind = self._kind
        return iter([name for name, one in self._kinds.items() if one == kind])

    def __len__(self):
        kind = self._kind
        return sum(one == kind for one in self._kinds.values())

    def __contains__(self, name):
        return self._kinds.get(name) == self._kind

    def __repr__(self):
        return repr(dict(self))

    def copy(self):
        """A dictionary of its own."""
        return dict(self)


def listed(module, kind):
    """The names and values of one kind."""
    attributes = module.__dict__
    return [(name, attributes[name]) for name, one in module._kinds.items() if one == kind]
