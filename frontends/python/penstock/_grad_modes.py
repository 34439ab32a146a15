"""Whether this thread records: what dialects' contexts and decorators for that are made of."""

from . import _core

_set = _core._grad_set_state


def is_recording():
    """Whether operations of this thread are recorded for gradients."""
    return not _core._grad_is_paused()


class Mode:
    """Sets the thread's state for a block, or for the calls of a function."""

    _paused = False

    def __init__(self):
        self._before = []

    def __enter__(self):
        self._before.append(_set(None, None, self._paused))
        return None

    def __exit__(self, *error):
        _set(*self._before.pop())

    def _again(self):
        return type(self)()

    def __call__(self, function):
        import functools
        import inspect

        if inspect.isclass(function):
            function.__init__ = self(function.__init__)
            return function
        if inspect.isgeneratorfunction(function):
            return self._around_generator(function)

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with self._again():
                return function(*args, **kwargs)

        return wrapper

    def _around_generator(self, function):
        """The mode is on while the generator runs, not between its values."""
        import functools

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            inner = function(*args, **kwargs)
            sent = None
            try:
                while True:
                    with self._again():
                        value = inner.send(sent)
                    sent = yield value
            except StopIteration as end:
                return end.value
            finally:
                inner.close()

        return wrapper


class Setting(Mode):
    """Sets at once whether this thread records; as a context, until the block ends."""

    def __init__(self, mode):
        super().__init__()
        self._paused = not mode
        self._first = _set(None, None, self._paused)

    def __enter__(self):
        self._before.append(self._first)

    def _again(self):
        return type(self)(not self._paused)
