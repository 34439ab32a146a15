"""Hooks of blocks: functions that are called before and after a block's forward.

A block without hooks does not look for any: the first hook gives the block a `forward` of its own,
which calls them and the class's; the last that is removed takes it away.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ._block import Block


class Hook:
    """What register_forward_hook gives: takes the hook away, also as a context manager."""

    __slots__ = ("_block", "_function", "_hooks")

    def __init__(self, block: Block, before: bool, function: Callable[..., Any]) -> None:
        if not callable(function):
            raise TypeError(f"a hook must be a function, not {function!r}")
        hooks = block.__dict__.setdefault("_hooks", ([], []))
        self._block: Block | None = block
        self._hooks = hooks[not before]
        self._function = function
        self._hooks.append(self)
        block.__dict__["forward"] = block._forward_with_hooks

    def __call__(self, *args: Any) -> Any:
        return self._function(*args)

    def __enter__(self) -> Hook:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()

    def remove(self) -> None:
        """Take the hook away; once more does nothing."""
        block, self._block = self._block, None
        if block is None:
            return
        self._hooks.remove(self)
        if not any(block.__dict__["_hooks"]):
            del block.__dict__["forward"]


def call(block: Block, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """forward of the block's class, with its hooks around."""
    before, after = block.__dict__["_hooks"]
    for hook in tuple(before):
        given = hook(block, args)
        if given is not None:
            args = given if isinstance(given, tuple) else (given,)
    result = type(block).forward(block, *args, **kwargs)
    for hook in tuple(after):
        given = hook(block, args, result)
        if given is not None:
            result = given
    return result
