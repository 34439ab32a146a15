"""Whether this thread records: contexts that are decorators too."""

from ... import _core
from ..._grad_modes import Mode, Setting
from ..._grad_modes import is_recording as is_grad_enabled  # noqa: F401

_set = _core._grad_set_state


class no_grad(Mode):
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


class inference_mode(Mode):
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


class set_grad_enabled(Setting):
    """Sets at once whether this thread records; as a context, until the block ends."""

    __module__ = "torch"

    def __call__(self, function):
        _set(*self._first)
        return super().__call__(function)
