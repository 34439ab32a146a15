"""Functions that take what torch's take: wrong arguments are a TypeError, before all else."""

from ._dialect import row


def checked(*signatures, numpy=True):
    """A function with torch's signatures, in the words of _arguments; with NumPy's names unless not.

    A call with types that came before goes straight to the function.
    """

    def decorate(function):
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

    return decorate


def checked_row(operation, name, plain, *signatures, run=None, **others):
    """A row of the table with torch's signatures.

    `plain` is the row's signature without out; calls that are not plain are looked at in Python.
    `run` is called then instead of the row; `others` are those of row.
    """
    run = run or row(operation, name, plain, **others)
    known = set()

    def unusual(*args, **kwargs):
        key = tuple(map(type, args))
        if not kwargs and key in known:
            return run(*args)
        from ._arguments import run_unusual

        return run_unusual(run, name, known, key, signatures, args, kwargs)

    return row(operation, name, plain, unusual=unusual, **others)
