"""NumPy mode, for each thread, and what goes with it.

`set_np` switches two things on: shapes without dimensions or elements in mx.nd (`np_shape`), and
arrays of mx.np where a library makes arrays (`np_array`).

>>> from penstock import mxnet as mx
>>> mx.util.is_np_array()
False
>>> with mx.util.np_shape(True):
...     mx.util.is_np_shape()
True
"""

import os

from ._missing import missing
from ._mode import mode
from .base import MXNetValueError, NotBuiltError

__all__ = [
    "get_cuda_compute_capability",
    "get_gpu_count",
    "get_gpu_memory",
    "getenv",
    "is_np_array",
    "is_np_shape",
    "np_array",
    "np_shape",
    "np_ufunc_legal_option",
    "reset_np",
    "set_module",
    "set_np",
    "set_np_shape",
    "setenv",
    "use_np",
    "use_np_array",
    "use_np_shape",
    "wrap_np_binary_func",
    "wrap_np_unary_func",
]


def __dir__():
    return __all__


# ---- Modes -------------------------------------------------------------------------------------


def is_np_shape():
    """Whether shapes without dimensions or elements are allowed in this thread."""
    return mode.shape


def is_np_array():
    """Whether libraries make arrays of mx.np in this thread."""
    return mode.array


def set_np_shape(active):
    """Switches np_shape; returns what it was."""
    if not active and mode.array:
        raise MXNetValueError("set_np_shape: np_array needs np_shape; npx.reset_np() ends both")
    before, mode.shape = mode.shape, bool(active)
    return before


def set_np(shape=True, array=True):
    """Switches NumPy mode on, for this thread."""
    if array and not shape:
        raise MXNetValueError("set_np: array=True needs shape=True")
    mode.array, mode.shape = bool(array), bool(shape)


def reset_np():
    """Switches NumPy mode off, for this thread."""
    set_np(shape=False, array=False)


class _Scope:
    """A `with` statement in which one of the two has a value; None leaves it."""

    __slots__ = ("_active", "_outer")

    def __init__(self, active):
        self._active, self._outer = active, []

    def __enter__(self):
        before = getattr(mode, self._name)
        if self._active is not None:
            _switch(self._name, self._active)
        self._outer.append(before)
        return self

    def __exit__(self, *exception):
        before = self._outer.pop()
        if self._active is not None:
            setattr(mode, self._name, before)


class _NumpyShapeScope(_Scope):
    _name = "shape"


class _NumpyArrayScope(_Scope):
    _name = "array"

    @property
    def _is_np_array(self):
        return self._active


def _switch(name, active):
    if name == "shape":
        set_np_shape(active)
    else:
        mode.array = bool(active)


def np_shape(active=True):
    """A `with` statement with np_shape on or off."""
    return _NumpyShapeScope(active)


def np_array(active=True):
    """A `with` statement with np_array on or off."""
    return _NumpyArrayScope(active)


# ---- Decorators --------------------------------------------------------------------------------


def _decorated(name, scope, thing):
    """A function that runs in a scope; of a class, all its methods and properties."""
    if isinstance(thing, type):
        return _decorated_class(name, scope, thing)
    if not callable(thing):
        raise TypeError(f"{name} decorates classes and functions, not {type(thing)}")
    from functools import wraps

    @wraps(thing)
    def function(*args, **kwargs):
        with scope():
            return thing(*args, **kwargs)

    return function


def _decorated_class(name, scope, cls):
    from types import FunctionType

    for attribute in dir(cls):
        found = _defined(cls, attribute)
        if isinstance(found, FunctionType):
            setattr(cls, attribute, _decorated(name, scope, found))
        elif isinstance(found, (staticmethod, classmethod)):
            setattr(cls, attribute, type(found)(_decorated(name, scope, found.__func__)))
        elif isinstance(found, property):
            parts = (found.fget, found.fset, found.fdel)
            wrapped = [part and _decorated(name, scope, part) for part in parts]
            setattr(cls, attribute, property(*wrapped, found.__doc__))
    return cls


def _defined(cls, attribute):
    """An attribute as a class in the order of bases defines it."""
    for base in cls.__mro__:
        if attribute in base.__dict__:
            return base.__dict__[attribute]
    return None


def use_np_shape(func):
    """A decorator: the function, or every method of the class, runs with np_shape on."""
    return _decorated("use_np_shape", np_shape, func)


def use_np_array(func):
    """A decorator: the function, or every method of the class, runs with np_array on."""
    return _decorated("use_np_array", np_array, func)


def use_np(func):
    """A decorator: the function, or every method of the class, runs in NumPy mode.

    >>> @mx.util.use_np
    ... def modes():
    ...     return mx.util.is_np_shape(), mx.util.is_np_array()
    >>> modes(), mx.util.is_np_array()
    ((True, True), False)
    """
    return use_np_shape(use_np_array(func))


def set_module(module):
    """A decorator: what it decorates says that it is of another module."""

    def decorator(func):
        if module is not None:
            func.__module__ = module
        return func

    return decorator


# ---- NumPy's options of functions --------------------------------------------------------------

_OPTIONS = {"where": True, "casting": "same_kind", "order": "K", "dtype": None, "subok": True}
_CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")


def np_ufunc_legal_option(key, value):
    """Whether NumPy's functions of elements take an option with such a value."""
    if key == "where":
        return True
    if key == "casting":
        return value in _CASTINGS
    if key == "order":
        return isinstance(value, str)
    if key == "dtype":
        from .numpy._types import native_type

        try:
            return native_type(value) is not None
        except TypeError:
            return False
    return key == "subok" and isinstance(value, bool)


def _check_options(name, options):
    for key, value in options.items():
        if key not in _OPTIONS:
            raise TypeError(f"{name}: {key} is not an argument of it")
        if value != _OPTIONS[key]:
            if np_ufunc_legal_option(key, value):
                raise NotImplementedError(f"{name}: {key}={value!r} is not supported")
            raise TypeError(f"{name}: {key} cannot be {value!r}")


def wrap_np_unary_func(func):
    """A decorator: a function of one array takes NumPy's options where they say nothing new."""
    from functools import wraps

    @wraps(func)
    def function(x, out=None, **options):
        _check_options(func.__name__, options)
        return func(x, out=out)

    return function


def wrap_np_binary_func(func):
    """A decorator: a function of two arrays takes NumPy's options where they say nothing new."""
    from functools import wraps

    @wraps(func)
    def function(x1, x2, out=None, **options):
        _check_options(func.__name__, options)
        return func(x1, x2, out=out)

    return function


# ---- The machine -------------------------------------------------------------------------------


def get_gpu_count():
    """How many GPUs can be used."""
    from .context import num_gpus

    return num_gpus()


def get_gpu_memory(gpu_dev_id):
    """Free and total bytes of a GPU."""
    from .context import gpu_memory_info

    return gpu_memory_info(gpu_dev_id)


def get_cuda_compute_capability(ctx):
    """Which generation a GPU is of."""
    if ctx.device_type != "gpu":
        raise MXNetValueError(f"get_cuda_compute_capability: a GPU is needed, not {ctx}")
    raise NotBuiltError("mxnet.util.get_cuda_compute_capability is not built; see docs/mxnet.md")


def getenv(name):
    """A variable of the environment; None if it is not set."""
    return os.environ.get(name)


def setenv(name, value):
    """Sets a variable of the environment; None removes it."""
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


__getattr__ = missing("mxnet.util")
