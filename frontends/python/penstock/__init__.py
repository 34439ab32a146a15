"""Penstock: arrays whose operations are queued and run in the background.

>>> import penstock as ps
>>> x = ps.ones((2, 2))
>>> y = x @ x + 1          # queued; this returns at once
>>> print(y)               # waits for y
[[3. 3.]
 [3. 3.]]
"""

from . import _core

# Frames of the package are not the user's: errors name the line that called into it.
_core._set_package_folder(__file__.rpartition("/")[0] + "/")

from . import _functions, _methods, autograd, engine, files, linalg, memory, random  # noqa: E402
from ._core import (  # noqa: E402
    Dialect,
    __version__,
    array,
    asarray,
    dtype,
    from_dlpack,
    frombuffer,
    ndarray,
    waitall,
)
from ._functions import *  # noqa: E402, F403
from ._functions import __array_namespace_info__  # noqa: E402
from ._install import install_as  # noqa: E402
from ._named import call  # noqa: E402
from .files import load, save  # noqa: E402

_DTYPES = (
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "complex64",
    "complex128",
)

# Modules that are imported when they are first asked for: programs of arrays alone start faster.
_LATER = ("data", "metric", "nn", "optim")

__array_api_version__ = "2024.12"

__all__ = [
    "Dialect",
    "array",
    "asarray",
    "autograd",
    "call",
    "data",
    "dtype",
    "engine",
    "files",
    "from_dlpack",
    "frombuffer",
    "install_as",
    "linalg",
    "load",
    "memory",
    "metric",
    "ndarray",
    "nn",
    "optim",
    "random",
    "save",
    "waitall",
    *_DTYPES,
    *_core._functions,
    *_functions.__all__,
]

globals().update(_core._functions)
globals().update((name, getattr(_core, name)) for name in _DTYPES)


def _propose_blas():
    """Products use the library of the package scipy-openblas32, if that is installed.

    It is loaded at the first product. It lies beside this package, or elsewhere on the path.
    """
    from os.path import isfile
    from sys import path

    for folder in (__file__.rpartition("/penstock/")[0], *path):
        file = f"{folder}/scipy_openblas32/lib/libscipy_openblas.so"
        if folder and isfile(file):
            _core._blas_propose(file)
            return


_propose_blas()


def __dir__():
    return [*__all__, "__version__"]


def __getattr__(name):
    if name in _LATER:
        from importlib import import_module

        return import_module("." + name, __name__)
    if name.startswith("__"):
        raise AttributeError(f"module 'penstock' has no attribute {name!r}")
    import difflib

    near = difflib.get_close_matches(name, __all__, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise AttributeError(f"penstock has no {name!r}{hint}")
