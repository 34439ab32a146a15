"""Errors that come up inside of blocks get a note that names the layer by its structured name.

The innermost block makes the note. Each block around it puts its own part of the name in front, as
the error passes through it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._block import Block

_MARK = "_penstock_layer"


def _shapes(args: tuple[Any, ...]) -> str:
    """The arguments of a call, in short."""
    shown = []
    for one in args:
        shape, dtype = getattr(one, "shape", None), getattr(one, "dtype", None)
        if shape is None:
            shown.append(type(one).__name__)
        else:
            text = getattr(dtype, "name", None) or getattr(dtype, "__name__", dtype)
            shown.append(f"{text} {tuple(shape)}")
    return ", ".join(shown) or "nothing"


def _name_in(block: Block, inner: Block) -> str:
    """The structured name of a block inside of another; that of its class if it is not there."""
    for name, one in block._walk():
        if one is inner:
            return name
    return type(inner).__name__


class _Place:
    """Where an error came up: the innermost block, and the name of it in the outermost so far."""

    __slots__ = ("_blocks", "_name", "_what", "note")

    def __init__(self, block: Block, args: tuple[Any, ...]) -> None:
        head = repr(block).partition("\n")[0].removesuffix("(")
        self._blocks = [block]
        self._name = ""
        self._what = f"{head}, called with {_shapes(args)}"
        self.note = f"in {self._what}"

    def has(self, block: Block) -> bool:
        return any(block is one for one in self._blocks)

    def put_inside(self, block: Block) -> None:
        step = _name_in(block, self._blocks[-1])
        self._blocks.append(block)
        self._name = f"{step}.{self._name}" if self._name else step
        self.note = f"in layer {self._name!r}: {self._what}"


def explain(error: Exception, block: Block, args: tuple[Any, ...]) -> None:
    """Says in a note of the error in which layer it came up, and what that was called with."""
    place = getattr(error, _MARK, None)
    notes = getattr(error, "__notes__", [])
    if place is not None and place.note in notes:
        notes.remove(place.note)
    if place is None or place.has(block):  # in a block again: the error is raised once more
        place = _Place(block, args)
        setattr(error, _MARK, place)
    else:
        place.put_inside(block)
    error.add_note(place.note)
