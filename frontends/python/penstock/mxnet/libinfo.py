"""mx.libinfo: where the library is, and which version."""

from . import __version__  # noqa: F401
from ._missing import missing
from ._unbuilt import not_built

__all__ = ["find_conf_path", "find_include_path", "find_lib_path"]


def find_lib_path(prefix="libmxnet"):
    """The file with the compiled library, in a list."""
    from .. import _core

    return [_core.__file__]


find_conf_path = not_built("mxnet.libinfo.find_conf_path")
find_include_path = not_built("mxnet.libinfo.find_include_path")

__getattr__ = missing("mxnet.libinfo")
