"""Whether this thread records: contexts that are decorators too."""

from ... import _core

_set = _core._grad_set_state


def is_grad_enabled():
    """Whether operations of this thread are recorded for gradients."""
    return not _core._grad_is_paused()


class _Mode:
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


class no_grad(_Mode):
    """Nothing is recorded: `with torch.no_grad():`, or as a decorator.

    >>> from penstock import torch
    >>> x = torch.ones(1, requires_grad=True)
    >>> with torch.no_grad():
    ...     (x * 2).requires_grad
    False
    """

    __module__ = "torch"
    _paused = True

    def __new__(cls, orig_func=None):
        return object.__new__(cls) if orig_func is None else cls()(orig_func)

    def __init__(self, orig_func=None):
        super().__init__()


class enable_grad(no_grad):
    """Operations are recorded again, inside of no_grad."""

    __module__ = "torch"
    _paused = False


class inference_mode(_Mode):
    """As no_grad; with mode=False, recording goes on."""

    __module__ = "torch"

    def __new__(cls, mode=True):
        if isinstance(mode, bool):
            return object.__new__(cls)
        return cls()(mode)

    def __init__(self, mode=True):
        super().__init__()
        self._paused = bool(mode)

    def _again(self):
        return inference_mode(self._paused)


class set_grad_enabled(_Mode):
    """Sets at once whether this thread records; as a context, until the block ends."""

    __module__ = "torch"

    def __init__(self, mode):
        super().__init__()
        self._paused = not mode
        self._first = _set(None, None, self._paused)

    def __enter__(self):
        self._before.append(self._first)

    def _again(self):
        return set_grad_enabled(not self._paused)

    def __call__(self, function):
        _set(*self._first)
        return super().__call__(function)
