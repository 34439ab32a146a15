"""Parameters of blocks in files, by structured names."""

from __future__ import annotations

import os

from .. import files
from .._core import ndarray

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from ._block import Block
    from ._parameter import Parameter


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def save(block: Block, path: Any) -> None:
    parameters = block.parameters()
    missing = [name for name, one in parameters.items() if not one.is_initialized]
    if missing:
        raise ValueError(f"save: these parameters have no array yet: {_listed(missing)}")
    files.save(path, {name: one.data for name, one in parameters.items()})


def _read(source: Any) -> Mapping[str, ndarray]:
    if not isinstance(source, (str, bytes, os.PathLike)):
        return dict(source)
    found = files.load(source, copy=False)  # parameters have copies
    if isinstance(found, list):
        raise ValueError(f"load: the {len(found)} arrays of {source!r} have no names")
    return found


def _fits(parameter: Parameter, array: ndarray) -> bool:
    known, given = parameter.shape, array.shape
    return len(known) == len(given) and all(a in (0, b) for a, b in zip(known, given))


def _check(wanted: Mapping[str, Parameter], given: Mapping[str, ndarray], complaints: list[str]):
    """What does not go together, as sentences."""
    wrong = [
        f"{name} (here {wanted[name].shape}, there {array.shape})"
        for name, array in given.items()
        if name in wanted and not _fits(wanted[name], array)
    ]
    if wrong:
        complaints.append(f"shapes differ: {_listed(wrong)}")
    if complaints:
        raise ValueError("load: " + "; ".join(complaints))


def load(block: Block, source: Any, allow_missing: bool, ignore_extra: bool) -> None:
    given = _read(source)
    wanted = dict(block._all_parameters())
    have = {id(wanted[name]) for name in given if name in wanted}
    missing = [name for name, one in block.parameters().items() if id(one) not in have]
    extra = given.keys() - wanted.keys()
    complaints = []
    if missing and not allow_missing:
        complaints.append(f"these parameters are missing there: {_listed(missing)}")
    if extra and not ignore_extra:
        complaints.append(f"these have no parameter here: {_listed(extra)}")
    _check(wanted, given, complaints)
    for name, array in given.items():
        if name in wanted:
            wanted[name].set(array)
