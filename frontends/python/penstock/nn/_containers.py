"""Blocks that are made of others, of functions, or of nothing: Sequential, Lambda, Flatten."""

from __future__ import annotations

from math import prod

from .. import _core
from ._block import Block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Self

    from .._core import ndarray


class Lambda(Block):
    """A function as a block: one of the program, or one of penstock.nn by its name.

    >>> ps.nn.Lambda(lambda x: x * 2)(ps.ones(2))
    array([2., 2.])
    >>> ps.nn.Lambda("relu")
    Lambda(relu)
    """

    def __init__(self, function: Callable[..., Any] | str) -> None:
        self.function = named(function) if isinstance(function, str) else function
        if isinstance(function, type) and issubclass(function, Block):
            raise TypeError(f"Lambda: {function.__name__} is a class; an object of it is needed")
        if not callable(self.function):
            raise TypeError(f"Lambda: a function or its name, not {function!r}")

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    def _described(self) -> str:
        return getattr(self.function, "__name__", repr(self.function))


def named(name: str) -> Callable[..., Any]:
    """The function of penstock.nn of that name."""
    from . import _SPELLINGS

    found = _core._nn.get(_SPELLINGS.get(name, name))
    if found is None:
        import difflib

        near = difflib.get_close_matches(name, _core._nn, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"penstock.nn has no function {name!r}{hint}")
    return found


class Sequential(Block):
    """Blocks one after the other: each is called with what the one before gives.

    Functions may stand between them. They are named by their numbers.

    >>> net = ps.nn.Sequential(ps.nn.Dense(4), ps.nn.relu, ps.nn.Dense(1)).initialize()
    >>> net(ps.ones((8, 3))).shape
    (8, 1)
    >>> net
    Sequential(
      (0): Dense(3 -> 4)
      (1): Lambda(relu)
      (2): Dense(4 -> 1)
    )
    """

    _calls: tuple[Callable[[Any], Any], ...] = ()

    def __init__(self, *blocks: Block | Callable[..., Any]) -> None:
        self.add(*blocks)

    def add(self, *blocks: Block | Callable[..., Any]) -> Self:
        """Put blocks at the end; gives the block itself.

        >>> len(ps.nn.Sequential().add(ps.nn.Dense(4), ps.nn.Dense(1)))
        2
        """
        for block in blocks:
            one = block if isinstance(block, Block) else Lambda(block)
            setattr(self, str(len(self._children)), one)
        return self

    def _children_changed(self) -> None:
        self.__dict__["_calls"] = tuple(one.__call__ for one in self._children.values())

    def forward(self, x: Any) -> Any:
        for call in self._calls:
            x = call(x)
        return x

    def __len__(self) -> int:
        return len(self._children)

    def __iter__(self) -> Iterator[Block]:
        return iter(tuple(self._children.values()))

    def __getitem__(self, index: Any) -> Any:
        """A block by its number; a slice gives a Sequential of the same blocks."""
        found = tuple(self._children.values())[index]
        return Sequential(*found) if isinstance(index, slice) else found


class Flatten(Block):
    """All dimensions but the first as one.

    >>> ps.nn.Flatten()(ps.ones((2, 3, 4))).shape
    (2, 12)
    """

    def forward(self, x: ndarray) -> ndarray:
        return flattened(x)


def flattened(x: Any) -> Any:
    """With two dimensions; also where there are no elements."""
    shape = x.shape
    if not shape:
        raise ValueError("Flatten: an array without dimensions has no batch")
    return x.reshape((shape[0], prod(shape[1:])))
