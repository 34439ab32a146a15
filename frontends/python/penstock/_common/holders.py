"""What modules of one dialect and layers of another are: holders of parameters and of each other.

How members are registered is in registered.py; here is what is asked of a holder that has them.
"""

from .registered import BUFFER, MODULE, PARAMETER, Registered, listed


class Holder:
    """Has parameters, buffers and other holders among its attributes, in order."""

    _UNSAVED = ""  # the attribute that has the names of buffers which are not saved

    _parameters = property(lambda self: Registered(self, PARAMETER), doc="Parameters by name.")
    _buffers = property(lambda self: Registered(self, BUFFER), doc="Buffers by name.")

    def __getattr__(self, name):
        raise AttributeError(
            f"'{type(self).__name__}' object has no attribute '{name}'", name=name, obj=self
        )

    def __delattr__(self, name):
        object.__delattr__(self, name)
        self._kinds.pop(name, None)
        getattr(self, self._UNSAVED).discard(name)

    def _keep_buffer(self, name, tensor, saved):
        """Register a buffer, and whether it is saved."""
        Registered(self, BUFFER)[name] = tensor
        passed = getattr(self, self._UNSAVED)
        passed.discard(name) if saved else passed.add(name)

    def named_children(self):
        """Those directly in this one, with their names."""
        seen = set()
        for name, child in listed(self, MODULE):
            if child is not None and child not in seen:
                seen.add(child)
                yield name, child

    def children(self):
        """Those directly in this one."""
        for _, child in self.named_children():
            yield child

    def eval(self):
        """Set this one and all in it to evaluation."""
        return self.train(False)

    def apply(self, fn):
        """Call a function with each one in it, those inside before this one."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self):
        """What the text says of this one itself; for classes to define."""
        return ""

    def _lines_of_children(self):
        return [f"({name}): {indented(repr(one))}" for name, one in listed(self, MODULE)]


def indented(text):
    """A text whose lines after the first one stand further right."""
    first, *rest = text.split("\n")
    return "\n".join([first, *("  " + line for line in rest)])


def named(holders, kind, once=True):
    """The full names and members of one kind of holders, which come with their own names."""
    seen = set()
    for path, holder in holders:
        for name, one in listed(holder, kind):
            if one is None or id(one) in seen:
                continue
            if once:
                seen.add(id(one))
            yield (f"{path}.{name}" if path else name), one


def saved(holder):
    """The names and values of what a holder saves: parameters, and buffers but for some."""
    passed = getattr(holder, holder._UNSAVED)
    yield from listed(holder, PARAMETER)
    for name, buffer in listed(holder, BUFFER):
        if name not in passed:
            yield name, buffer


# ---- Holders of nothing but others ---------------------------------------------------------------


class Numbered:
    """A holder of others under the names 0, 1, 2, ... or other ones, in order.

    `_put(name, one)` of a class registers one; `_held()` gives those that there are by name.
    """

    def _values(self):
        return [one for _, one in listed(self, MODULE)]

    def _renumber(self, given):
        """Others, under the names 0, 1, 2, ..."""
        held = self._held()
        for name in list(held):
            del held[name]
        for at, one in enumerate(given):
            self._put(str(at), one)

    def __len__(self):
        return len(self._held())

    def __iter__(self):
        return iter(self._values())

    def append(self, module):
        """Put one more at the end; gives this one."""
        self._put(str(len(self)), module)
        return self


class Named:
    """A holder that is a dictionary: `_held()` gives what is in it by name."""

    def __contains__(self, key):
        return key in self._held()

    def __len__(self):
        return len(self._held())

    def __iter__(self):
        return iter(self._held())

    def keys(self):
        """The names."""
        return self._held().keys()

    def items(self):
        """Pairs of a name and a value."""
        return self._held().items()

    def values(self):
        """The values."""
        return self._held().values()

    def clear(self):
        """Take all out."""
        for name in list(self._held()):
            del self[name]
