"""mx.registry: classes that programs register under a name, and make by that name.

>>> from penstock import mxnet as mx
>>> class Shape: pass
>>> register = mx.registry.get_register_func(Shape, "shape")
>>> @register
... class Circle(Shape): pass
>>> type(mx.registry.get_create_func(Shape, "shape")("circle")).__name__
'Circle'
"""

import json
import warnings

from ._missing import missing

__all__ = ["get_alias_func", "get_create_func", "get_register_func", "get_registry"]

_registries = {}


def get_registry(base_class):
    """The classes that are registered for a base, by their names in lower case; a copy."""
    return dict(_registries.get(base_class, {}))


def get_register_func(base_class, nickname):
    """A decorator that registers a class under its own name, or another one."""
    known = _registries.setdefault(base_class, {})

    def register(klass, name=None):
        if not (isinstance(klass, type) and issubclass(klass, base_class)):
            raise AssertionError(f"Can only register subclass of {base_class.__name__}")
        name = (name or klass.__name__).lower()
        if known.get(name, klass) is not klass:
            warnings.warn(
                f"New {nickname} {_full_name(klass)} registered with name {name} is overriding "
                f"existing {nickname} {_full_name(known[name])}",
                UserWarning,
                stacklevel=2,
            )
        known[name] = klass
        return klass

    register.__doc__ = f"Register {nickname} to the {nickname} factory"
    return register


def get_alias_func(base_class, nickname):
    """A decorator with names, under which it registers a class as well."""
    register = get_register_func(base_class, nickname)

    def alias(*aliases):
        def registered(klass):
            for name in aliases:
                register(klass, name)
            return klass

        return registered

    alias.__doc__ = f"Get registrator function that allows aliases of {nickname}"
    return alias


def get_create_func(base_class, nickname):
    """A function that makes an object of a class by its name.

    The name may be an object already, or JSON: a list of a name and arguments, or a dictionary.
    """
    known = _registries.setdefault(base_class, {})

    def create(*args, **kwargs):
        name, args = (args[0], args[1:]) if args else (kwargs.pop(nickname), ())
        if isinstance(name, base_class):
            if args or kwargs:
                raise AssertionError(
                    f"{nickname} is already an instance. Additional arguments are invalid"
                )
            return name
        if isinstance(name, dict):
            return create(**name)
        if not isinstance(name, str):
            raise AssertionError(f"{nickname} must be of string type")
        if name.startswith("["):
            name, kwargs = json.loads(name)
            return create(name, **kwargs)
        if name.startswith("{"):
            return create(**json.loads(name))
        if name.lower() not in known:
            raise AssertionError(
                f"{name} is not registered. Please register with {nickname}.register first"
            )
        return known[name.lower()](*args, **kwargs)

    create.__doc__ = f"Create a {nickname} instance from config"
    return create


def _full_name(klass):
    return f"{klass.__module__}.{klass.__name__}"


__getattr__ = missing("mxnet.registry")
