"""Pickles of objects whose classes go by MXNet's names: they load also without install_as.

A class of this package says that it is of mxnet.optimizer or the like, a module that need not exist
in the process. So a pickle names the function below, which finds the class here.
"""

from importlib import import_module

_PACKAGE = __name__.rpartition(".")[0]


def found(name):
    """The class that goes by a full name of MXNet's."""
    module, _, name = name.rpartition(".")
    return getattr(import_module(_PACKAGE + module.removeprefix("mxnet")), name)


def restored(name):
    """An object without its state yet, of the class of this full name."""
    cls = found(name)
    return cls.__new__(cls)


class Pickled:
    """What classes derive from that go by MXNet's names; classes of programs pickle as always."""

    def __reduce_ex__(self, protocol):
        cls = type(self)
        if not cls.__module__.startswith("mxnet."):
            return super().__reduce_ex__(protocol)
        return restored, (f"{cls.__module__}.{cls.__qualname__}",), self.__getstate__()
