"""mx.name: names for what a program does not name itself, counted for each thread."""

import threading
import warnings

from ._missing import missing

__all__ = ["NameManager", "Prefix"]


class _Current(threading.local):
    def __init__(self):
        self.manager = NameManager()


class _CurrentManager(type):
    """For `NameManager.current`, which each thread has its own of."""

    @property
    def current(cls):
        """The manager of the innermost `with` statement of this thread. Deprecated."""
        _warn("NameManager")
        return _current.manager

    @current.setter
    def current(cls, manager):
        _warn("NameManager")
        _current.manager = manager


def _warn(name):
    warnings.warn(
        f"{name}.current is deprecated: a `with` statement sets it.",
        DeprecationWarning,
        stacklevel=3,
    )


class NameManager(metaclass=_CurrentManager):
    """Gives names: what a program says, else a hint with a number: dense0, dense1, ..."""

    __module__ = "mxnet.name"

    def __init__(self):
        self._counter = {}
        self._outer = []

    def get(self, name, hint):
        """The name; if it is empty, one that the manager has not given yet."""
        if name:
            return name
        number = self._counter.get(hint, 0)
        self._counter[hint] = number + 1
        return f"{hint}{number}"

    def __enter__(self):
        self._outer.append(_current.manager)
        _current.manager = self
        return self

    def __exit__(self, *exception):
        _current.manager = self._outer.pop()


class Prefix(NameManager):
    """Gives names with something in front of them.

    >>> with mx.name.Prefix("mynet_") as names:
    ...     names.get(None, "dense")
    'mynet_dense0'
    """

    __module__ = "mxnet.name"

    def __init__(self, prefix):
        super().__init__()
        self._prefix = prefix

    def get(self, name, hint):
        return self._prefix + super().get(name, hint)


_current = _Current()


def given(hint):
    """A name for a hint, by the manager of this thread."""
    return _current.manager.get(None, hint)


__getattr__ = missing("mxnet.name")
