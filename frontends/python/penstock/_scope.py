"""Scopes: context managers that are decorators as well."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    _Function = TypeVar("_Function", bound=Callable[..., Any])


class Scope:
    """A context manager whose objects decorate functions: the function runs inside of it."""

    __slots__ = ()

    def __enter__(self) -> None:
        raise NotImplementedError

    def __exit__(self, *error: object) -> None:
        raise NotImplementedError

    def _again(self) -> Scope:
        """What a call of a decorated function enters."""
        return self

    def __call__(self, function: _Function) -> _Function:
        import inspect

        name = type(self).__name__
        if not callable(function):
            raise TypeError(f"{name}: expected a function to decorate, not {function!r}")
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError(
                f"{name}: {function!r} is a generator, whose mode would also be that of the code "
                f"between its values; use `with {self!r}` inside"
            )
        if inspect.iscoroutinefunction(function):
            return self._around_coroutine(function)
        return self._around(function)

    def _around(self, function):
        import functools

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with self._again():
                return function(*args, **kwargs)

        return wrapper

    def _around_coroutine(self, function):
        import functools

        @functools.wraps(function)
        async def wrapper(*args, **kwargs):
            with self._again():
                return await function(*args, **kwargs)

        return wrapper
