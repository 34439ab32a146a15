"""mx.registry: classes by name, as initialisers and metrics are registered.

>>> from penstock.mxnet import registry
>>> class Shape: pass
>>> register = registry.get_register_func(Shape, "shape")
>>> @register
... class Circle(Shape): pass
>>> create = registry.get_create_func(Shape, "shape")
>>> isinstance(create("circle"), Circle)
True
"""

import json
import warnings

from ._missing import missing

__all__ = ["get_alias_func", "get_create_func", "get_register_func", "get_registry"]

_registries = {}  # base class -> class by name, in small letters


def _registry(base_class):
    return _registries.setdefault(base_class, {})


def get_registry(base_class):
    """A copy of what is registered for a base class: classes by name."""
    return dict(_registry(base_class))


def get_register_func(base_class, nickname):
    """A function, and decorator, that registers subclasses by their name in small letters."""
    registry = _registry(base_class)

    def register(klass, name=None):
        assert issubclass(klass, base_class), f"{klass} is no {base_class.__name__}"
        name = (klass.__name__ if name is None else name).lower()
        before = registry.get(name)
        if before is not None:
            warnings.warn(
                f"the {nickname} {name} is {_full(klass)} from now on, and no longer "
                f"{_full(before)}",
                UserWarning,
                stacklevel=2,
            )
        registry[name] = klass
        return klass

    register.__doc__ = f"Registers a {nickname} by its name."
    return register


def _full(klass):
    return f"{klass.__module__}.{klass.__name__}"


def get_alias_func(base_class, nickname):
    """A function that makes a decorator, which registers a class by other names."""
    register = get_register_func(base_class, nickname)

    def alias(*aliases):
        def named(klass):
            for name in aliases:
                register(klass, name)
            return klass

        return named

    alias.__doc__ = f"A decorator that registers a {nickname} by other names."
    return alias


def get_create_func(base_class, nickname):
    """A function that makes an object: by name, from text in JSON, or an object that is one."""
    registry = _registry(base_class)

    def create(*args, **kwargs):
        name, args = (args[0], args[1:]) if args else (kwargs.pop(nickname), ())
        if isinstance(name, base_class):
            assert not args and not kwargs, (
                f"this {nickname} is made already: there is nothing to give it arguments for"
            )
            return name
        if isinstance(name, dict):
            return create(**name)
        assert isinstance(name, str), f"{nickname} must be given by its name, not {name!r}"
        if name[:1] in ("[", "{"):
            assert not args and not kwargs, f"{nickname} is complete: {name}"
            return _from_json(create, name)
        assert name.lower() in registry, (
            f"there is no {nickname} of the name {name.lower()}: {nickname}.register adds classes"
        )
        return registry[name.lower()](*args, **kwargs)

    create.__doc__ = f"A {nickname} by its name, with the arguments of its class."
    return create


def _from_json(create, text):
    """From a name and its arguments in a list, or from a dict."""
    made = json.loads(text)
    if isinstance(made, dict):
        return create(**made)
    name, kwargs = made
    return create(name, **kwargs)


__getattr__ = missing("mxnet.registry")
