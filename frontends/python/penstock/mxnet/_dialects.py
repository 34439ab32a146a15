"""The two rows of rules, and ways to call what the native library has by them.

A function that is one operation of the table is taken as it is, for a dialect: `table`. What is
composed of several is called with native arrays, so that the rules of the dialect do not act inside
of it: `call`. Both give arrays of the dialect's class and raise its exceptions.
"""

from .. import Dialect, _core
from .base import ERRORS, MXNetError

_native = _core.ndarray
_ops = _core._ops

# What both have in common: every Python number becomes float32, an array keeps its element type
# beside a number, and only blocks of elements side by side are views.
_COMMON = {
    "float": "float32",
    "int": "float32",
    "bool": "float32",
    "scalar": "keep",
    "check_late": True,
    "modulo_zero": True,
    "foreign": "refuse",
    "errors": ERRORS,
    "gradients": ("no_writes", "integers", "ties_first", "ties_each", "norm_nan", "once"),
}

nd = Dialect(
    "mxnet.nd",
    mixed="refuse",
    compare="operands",
    divide_integers=True,
    one_dimension=True,
    integers="always",
    copies=("strided", "newaxis", "permute", "flatten", "broadcast"),
    **_COMMON,
)

np = Dialect(
    "mxnet.np",
    mixed="arithmetic",
    integers="keep",
    copies=("strided", "newaxis", "permute", "reshape", "flatten", "broadcast"),
    **_COMMON,
)


def table(dialect, operation, name=None, signature=None, module=None, **others):
    """The function of an operation of the table; `signature` has the dialect's argument names.

    "a:x, axis=None, out=None" calls the table's x a; "name:_=None" takes a name and ignores it.
    Of `others`, numbers is called instead when no argument is an array, unusual when an argument is
    not plain, arrays=True refuses numbers in the place of arrays, and ndim other numbers of
    dimensions.
    """
    return _ops[operation].for_dialect(dialect, name, signature, module, **others)


_PLAIN = frozenset((int, float, bool, str, type(None)))  # most arguments that are no arrays


def native(value):
    """The same array with the native rules; in lists and tuples too. Other values as they are."""
    if isinstance(value, _native):
        return value.as_subclass(_native)
    if type(value) in (list, tuple):
        return type(value)(map(native, value))
    return value


def wrapped(value, cls):
    """A native result as arrays of a class; in lists and tuples too."""
    if isinstance(value, _native):
        return value.as_subclass(cls)
    if isinstance(value, (list, tuple)):
        items = [wrapped(item, cls) for item in value]
        return items if type(value) is list else tuple(items)
    return value


def written(out, result):
    """`out`, which must have the shape of the result, with the elements of the result."""
    if out.shape != result.shape:
        raise ERRORS["value"](f"out has shape {out.shape}, the result {result.shape}")
    call(type(out), _ops["assign"], result, out=out)
    return out


def translated(error):
    """A native exception as the dialect's."""
    if isinstance(error, MXNetError):
        return error
    for kind, builtin in _BUILTINS:
        if isinstance(error, builtin):
            return ERRORS[kind](*error.args)
    return MXNetError(*error.args) if type(error) is RuntimeError else error


_BUILTINS = (
    ("index", IndexError),
    ("value", ValueError),
    ("type", TypeError),
    ("memory", MemoryError),
)


def call(cls, function, *args, **kwargs):
    """function(*args, **kwargs) by the native rules, with the result of the class."""
    args = [arg if type(arg) in _PLAIN else native(arg) for arg in args]
    if kwargs:
        kwargs = {name: native(value) for name, value in kwargs.items()}
    try:
        result = function(*args, **kwargs)
    except (ValueError, TypeError, IndexError, MemoryError, RuntimeError) as error:
        raise translated(error).with_traceback(error.__traceback__) from None
    return result.as_subclass(cls) if isinstance(result, _native) else wrapped(result, cls)


def copied(cls, function, *args, **kwargs):
    """The same with copies where the function gives views."""
    result = call(cls, function, *args, **kwargs)
    if isinstance(result, (list, tuple)):
        return [one.copy() for one in result]
    return result.copy()
