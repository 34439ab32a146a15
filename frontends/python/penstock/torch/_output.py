"""Results in tensors that were given: out=."""

from .. import _core
from ._dtypes import TITLES
from ._ranks import can_become


def given(made, out):
    """A result, in `out` if that is a tensor."""
    return made if out is None else written(made, out)


def into(name, run, values, out):
    """What a row gives, written into `out`, which gets the result's shape."""
    flowing = [one for one in (*values.values(), out) if _flows(one)]
    if flowing and not _core._grad_is_paused():
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, "
            "but one of the arguments requires grad."
        )
    return written(run(**values), out)


def _flows(one):
    return isinstance(one, _core.ndarray) and _core._grad_info(one)[0]


def written(made, out):
    """A result in a tensor of the same kind, which gets its shape; gives that tensor."""
    check_kind(made.dtype, out.dtype)
    if out.shape != made.shape:
        _core._become(out, made.to(out.dtype, copy=True))
        return out
    return out.copy_(made)


def resized(made, out):
    """New elements in a tensor, which gets their shape."""
    if out.shape != made.shape:
        _core._become(out, made.to(out.dtype))
        return out
    return out.copy_(made)


def check_kind(one, other):
    """Elements become another type only within their kind or a higher one."""
    if not can_become(one, other):
        raise RuntimeError(
            f"result type {TITLES[one]} can't be cast to the desired output type {TITLES[other]}"
        )
