"""Functions of mx.nd and mx.npx made of those of both dialects."""

from functools import update_wrapper

from .. import _dialects


def made(function, name, module, array_class, check, into):
    """The function under a dialect's name; `check` refuses what is no array of its class."""

    def call(data, *args, out=None, name=None, **settings):
        if type(data) is not array_class:
            check("data", data)
        try:
            result = function(data, *args, **settings)
        except TypeError as error:  # also of Python, for arguments that there are not
            raise _dialects.translated(error).with_traceback(error.__traceback__) from None
        return result if out is None else into(out, result)

    update_wrapper(call, function)
    call.__name__ = call.__qualname__ = name
    call.__module__ = module
    return call
