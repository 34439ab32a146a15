"""Operations by their names in the table."""

from . import _core

_ops = _core._ops


def call(name, /, *args, **kwargs):
    """Call an operation by its name, also one that C code has added to the running program.

    The names are those of docs/operations.md. What `ps_op_register` adds is there at once: with its
    arguments, their defaults, and `out`. An operation with several outputs gives a tuple.

    >>> ps.call("relu", ps.array([-1.0, 2.0]))
    array([0., 2.])
    """
    function = _ops.get(name) if isinstance(name, str) else None
    return (function or _find(name))(*args, **kwargs)


def _find(name):
    """The function of an operation that was added since, which stays in _ops."""
    if not isinstance(name, str):
        raise TypeError(f"call: the name of an operation is a str, not {name!r}")
    function = _core._add_operation(name)
    if function is None:
        import difflib

        near = difflib.get_close_matches(name, _ops, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"call: there is no operation {name!r}{hint}")
    return function
