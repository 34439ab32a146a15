"""Whether this thread records: contexts that are decorators too."""

from ..._grad_modes import Mode, Setting
from ..._grad_modes import is_recording as is_grad_enabled  # noqa: F401


class no_grad(Mode):
    """Nothing is recorded: `with paddle.no_grad():`, or as a decorator.

    >>> from penstock import paddle
    >>> x = paddle.to_tensor([1.0], stop_gradient=False)
    >>> with paddle.no_grad():
    ...     (x * 2).stop_gradient
    True
    """

    __module__ = "paddle"
    _paused = True

    def __new__(cls, func=None):
        return object.__new__(cls) if func is None else cls()(func)

    def __init__(self, func=None):
        super().__init__()


class enable_grad(no_grad):
    """Operations are recorded again, inside of no_grad."""

    __module__ = "paddle"
    _paused = False


class set_grad_enabled(Setting):
    """Sets at once whether this thread records; as a context, until the block ends."""

    __module__ = "paddle"
