"""How functions take their arguments: names of other libraries too, errors of PaddlePaddle."""

from .. import _core
from ._dialect import row
from ._tensor import Tensor

# Other names that arguments have.
_OTHERS = {
    "input": "x",
    "other": "y",
    "dim": "axis",
    "tensors": "x",
    "self": "x",
    "a": "x",
    "exponent": "y",
    "mat2": "y",
    "size": "shape",
    "dims": "perm",
    "tensor": "x",
}


# Functions of which PaddlePaddle reads the arguments in C++: wrong counts and names of them are
# ValueErrors. Those of the others are TypeErrors, as Python's are.
_NATIVE = frozenset(
    (
        "abs acos acosh all amax amin any argmax argmin asin atanh bmm ceil cos cosh diagonal dot "
        "exp expand_as expm1 floor greater_than isclose isfinite isinf isnan log log10 log1p log2 "
        "logical_and logical_not logical_or logical_xor logsumexp matmul maximum meshgrid minimum "
        "multiply roll round rsqrt sigmoid sign sin sinh sqrt sum tanh tril triu"
    ).split()
)


def public(function):
    """A function with the argument names that PaddlePaddle takes, and its classes of errors.

    An argument x or y must be a tensor, unless the function's `y` is marked by a default. All take
    `name`, which is for programs that are written down first, and `out`.
    """
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    positional, known = code.co_argcount, frozenset(names)
    required = positional - len(function.__defaults__ or ())
    first_is_tensor = bool(names) and names[0] == "x"

    def call(*args, **kwargs):
        out = None
        if kwargs and not known.issuperset(kwargs):
            kwargs, out = _renamed(function.__name__, known, kwargs)
        if len(args) > positional or len(args) < required:
            _check_count(function.__name__, names, required, positional, args, kwargs)
        if first_is_tensor and not isinstance(args[0] if args else kwargs["x"], Tensor):
            refuse(function.__name__, "x", 0, "Tensor", args[0] if args else kwargs["x"])
        made = function(*args, **kwargs)
        return made if out is None else into(out, made)

    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__, call.__wrapped__, call.__module__ = function.__doc__, function, "paddle"
    return call


def _renamed(name, known, kwargs):
    found, out = {}, None
    for key, value in kwargs.items():
        if key == "out" and key not in known:
            out = value
        elif key in known or _OTHERS.get(key) in known:
            found[key if key in known else _OTHERS[key]] = value
        elif key != "name":
            if name in _NATIVE:
                what = f"{key}={nearest(key, known)}"
                raise ValueError(f"(InvalidArgument) {name}() has too many arguments: {what}")
            what = f"'{key}'{nearest(key, known)}"
            raise TypeError(f"{name}() got an unexpected keyword argument {what}")
    return found, out


def nearest(key, known):
    """A hint at the argument that was meant; nothing where none is near."""
    import difflib

    near = difflib.get_close_matches(key, known, 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _check_count(name, names, required, positional, args, kwargs):
    if len(args) > positional:
        extra = args[positional:]
        if len(extra) == 1 and (extra[0] is None or isinstance(extra[0], str)):
            raise TypeError(f"{name}(): give name= by name")
        if name not in _NATIVE:
            raise TypeError(
                f"{name}() takes {positional} positional arguments but {len(args)} were given"
            )
        raise ValueError(
            f"(InvalidArgument) {name}() has too many arguments, support max values: {positional}, "
            f"but got: {len(args)}"
        )
    for at in range(len(args), required):
        if names[at] in kwargs:
            continue
        if name not in _NATIVE:
            raise TypeError(f"{name}() missing a required positional argument: '{names[at]}'")
        refuse(name, names[at], at, "Tensor", None)


def refuse(name, argument, position, wanted, got):
    """Raises for an argument of a wrong kind."""
    kind = "None" if got is None else type(got).__name__
    if isinstance(got, _core.ndarray):
        kind = f"{type(got).__module__}.{kind}"
    raise ValueError(
        f"(InvalidArgument) {name}(): argument '{argument}' (position {position}) must be "
        f"{wanted}, but got {kind}"
    )


def into(out, made):
    """A result in a tensor that was given; gives that tensor."""
    if isinstance(out, Tensor):
        _core._become(out, made)
        return out
    for one, other in zip(out, made):
        _core._become(one, other)
    return out


def both(names, namespace, into):
    """The named functions of a module as methods, and in the list of what the package has."""
    for name in names.split():
        setattr(Tensor, name, namespace[name])
        into.append(name)


def checked_row(operation, name, plain, run, **others):
    """A row of the table; calls that are not plain go to `run`, a function of `public`."""
    return row(operation, name, plain, unusual=run, **others)
