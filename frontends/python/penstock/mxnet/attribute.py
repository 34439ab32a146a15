"""mx.attribute: attributes of symbols. There are none here; the scopes are kept for who asks."""

import threading

from ._missing import missing
from .name import _warn

__all__ = ["AttrScope"]


class _Current(threading.local):
    def __init__(self):
        self.scope = AttrScope()


class _CurrentScope(type):
    """For `AttrScope.current`, which each thread has its own of."""

    @property
    def current(cls):
        """The scope of the innermost `with` statement of this thread. Deprecated."""
        _warn("AttrScope")
        return _current.scope

    @current.setter
    def current(cls, scope):
        _warn("AttrScope")
        _current.scope = scope


class AttrScope(metaclass=_CurrentScope):
    """A `with` statement in which symbols would get these attributes; values are strings."""

    __module__ = "mxnet.attribute"

    def __init__(self, **kwargs):
        for value in kwargs.values():
            if not isinstance(value, str):
                raise ValueError(f"attributes are strings, not {value!r}")
        self._attr = kwargs
        self._outer = []

    def get(self, attr):
        """The attributes of the scope with those given, which win."""
        return {**self._attr, **attr} if attr else dict(self._attr)

    def __enter__(self):
        outer = _current.scope
        self._outer.append((outer, self._attr))
        self._attr = {**outer._attr, **self._attr}
        _current.scope = self
        return self

    def __exit__(self, *exception):
        _current.scope, self._attr = self._outer.pop()


_current = _Current()

__getattr__ = missing("mxnet.attribute")
