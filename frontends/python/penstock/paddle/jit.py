"""paddle.jit: nothing is compiled ahead, as operations are fused while they are queued.

>>> from penstock import paddle
>>> net = paddle.nn.Linear(2, 1)
>>> paddle.jit.to_static(net) is net
True
"""

from . import _missing

__all__ = "enable_to_static ignore_module load not_to_static save to_static".split()


def to_static(function=None, input_spec=None, build_strategy=None, backend=None, **kwargs):
    """The layer or function itself; without one, a decorator that gives it."""
    if function is None:
        return lambda decorated: to_static(decorated, input_spec)
    if not callable(function):
        raise TypeError(f"jit.to_static: a layer or a function is needed, not {function!r}")
    return function


def not_to_static(func=None):
    """The function itself; without one, a decorator that gives it."""
    return (lambda decorated: decorated) if func is None else func


def enable_to_static(enable_to_static_bool):
    """Nothing changes: nothing is compiled ahead."""
    if not isinstance(enable_to_static_bool, bool):
        raise TypeError(f"enable_to_static: True or False is needed, not {enable_to_static_bool!r}")


def ignore_module(modules):
    """Nothing changes: nothing is compiled ahead."""


def save(layer, path, input_spec=None, **configs):
    """Write a layer to the file <path>.pdmodel: for load, not for PaddlePaddle. Waits.

    >>> import os, tempfile
    >>> from penstock import paddle
    >>> net = paddle.nn.Sequential(paddle.nn.Linear(3, 2), paddle.nn.ReLU())
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paddle.jit.save(net, os.path.join(folder, "net"))
    ...     paddle.jit.load(os.path.join(folder, "net"))
    Sequential(
      (0): Linear(in_features=3, out_features=2, dtype=float32)
      (1): ReLU()
    )
    """
    from ._described import save as write

    write(layer, path)


def load(path, **configs):
    """The layer that save wrote; a program that PaddlePaddle wrote is not read."""
    from ._described import load as read

    return read(path)


__getattr__ = _missing.missing("paddle.jit")
