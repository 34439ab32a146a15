"""Functions of torch that are methods of tensors too."""

from ._checked import method_of
from ._tensor import Tensor


def both(names, namespace, into):
    """The named functions of a module as methods, and in the list of what torch has."""
    for name in names.split():
        setattr(Tensor, name, method_of(namespace[name]))
        into.append(name)


def in_place(name, function):
    """The method name_ that writes what a function gives into the tensor itself."""

    def method(self, *args, **kwargs):
        return function(self, *args, **kwargs, out=self)

    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__ = f"As {name}, into the tensor itself."
    setattr(Tensor, f"{name}_", method)
