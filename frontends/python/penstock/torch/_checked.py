"""Functions that take what torch's take: wrong arguments are a TypeError, before all else."""

import re

from ._dialect import row

_methods = {}  # function that takes out -> makes the method of it, which does not


def method_of(function):
    """A function as a method of tensors: without out, which torch's methods do not take."""
    make = _methods.get(function)
    return function if make is None else make()


def _without_out(signatures):
    """Signatures less the parameter out; None if they have none."""
    kept = tuple(_OUT.sub("", text) for text in signatures)
    return None if kept == signatures else kept


_OUT = re.compile(r"(, \*)?, out: [^,]*$|, out: [^,]*")


def checked(*signatures, numpy=True):
    """A function with torch's signatures, in the words of _arguments; with NumPy's names unless not.

    A call with types that came before goes straight to the function.
    """

    def decorate(function):
        call = _checked_call(function, signatures, numpy)
        plain = _without_out(signatures)
        if plain is not None:
            _methods[call] = lambda: _checked_call(function, plain, numpy)
        return call

    return decorate


def _checked_call(function, signatures, numpy):
    """The function behind its signatures."""
    known = set()

    def call(*args, **kwargs):
        key = tuple(map(type, args))
        if kwargs:
            key += (*kwargs, *map(type, kwargs.values()))
        if key in known:
            return function(*args, **kwargs)
        from ._arguments import look_again

        return look_again(function, known, key, signatures, args, kwargs, numpy)

    call.__name__, call.__doc__ = function.__name__, function.__doc__
    call.__qualname__, call.__wrapped__ = function.__name__, function
    return call


def checked_row(operation, name, plain, *signatures, run=None, **others):
    """A row of the table with torch's signatures.

    `plain` is the row's signature without out; calls that are not plain are looked at in Python.
    `run` is called then instead of the row; `others` are those of row.
    """
    run = run or row(operation, name, plain, **others)

    def make(signatures):
        unusual = _unusual_call(run, name, signatures)
        return row(operation, name, plain, unusual=unusual, **others)

    function, kept = make(signatures), _without_out(signatures)
    if kept is not None:
        _methods[function] = lambda: make(kept)
    return function


def _unusual_call(run, name, signatures):
    """What is done with a call of a row that is not plain."""
    known = set()

    def unusual(*args, **kwargs):
        key = tuple(map(type, args))
        if not kwargs and key in known:
            return run(*args)
        from ._arguments import run_unusual

        return run_unusual(run, name, known, key, signatures, args, kwargs)

    return unusual
