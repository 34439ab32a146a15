"""Functions of elements: those of several modules, in one place."""

from . import _binary, _choice, _unary

__all__ = [*_unary.__all__, *_binary.__all__, *_choice.__all__]

for _module in (_unary, _binary, _choice):
    globals().update((_name, getattr(_module, _name)) for _name in _module.__all__)
del _module
