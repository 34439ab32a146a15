"""The table of a block's layers, shapes and numbers of parameters."""

from __future__ import annotations

from math import prod

from .. import _core
from ..autograd import _State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._block import Block

_HEAD = ("layer", "output", "parameters")


def _as_input(given: Any) -> Any:
    """An array; a shape stands for zeros."""
    if isinstance(given, (tuple, list)) and all(isinstance(one, int) for one in given):
        return _core._ops["zeros"](tuple(given), "float32")
    return given


def _shape_text(result: Any) -> str:
    if isinstance(result, (tuple, list)):
        return ", ".join(_shape_text(one) for one in result)
    return str(getattr(result, "shape", type(result).__name__))


def _outputs(block: Block, inputs: tuple[Any, ...]) -> dict[int, str]:
    """Calls the block, and tells the shapes that it and those inside gave, by their ids."""
    shapes: dict[int, str] = {}

    def note(one: Block, args: Any, result: Any) -> None:
        shapes[id(one)] = _shape_text(result)

    hooks = [one.register_forward_hook(note) for _, one in block._walk()]
    try:
        with _State(False, False):
            block(*map(_as_input, inputs))
    finally:
        for hook in hooks:
            hook.remove()
    return shapes


def _rows(block: Block, shapes: dict[int, str]) -> list[tuple[str, str, str]]:
    rows, seen = [], set()
    for name, one in block._walk():
        depth = name.count(".") + 1 if name else 0
        own = [p for p in one._parameters.values() if id(p) not in seen]
        seen.update(map(id, own))
        label = f"{name.rpartition('.')[2]}: " if name else ""
        text = "  " * depth + label + type(one).__name__
        rows.append((text, shapes.get(id(one), "-"), f"{sum(prod(p.shape) for p in own):,}"))
    return rows


def table(block: Block, inputs: tuple[Any, ...]) -> str:
    rows = _rows(block, _outputs(block, inputs))
    first, second = (max(len(row[i]) for row in (_HEAD, *rows)) + 2 for i in (0, 1))
    lines = [f"{a:<{first}}{b:<{second}}{c:>{len(_HEAD[2])}}" for a, b, c in (_HEAD, *rows)]
    rule = "-" * max(map(len, lines))
    parameters = block.parameters().values()
    total = sum(prod(one.shape) for one in parameters)
    learned = sum(prod(one.shape) for one in parameters if one.grad_request != "null")
    end = f"parameters: {total:,}, with gradients: {learned:,}"
    return "\n".join((lines[0], rule, *lines[1:], rule, end))
