"""Samplers: in which order the items of a dataset are read, and in which batches."""

from __future__ import annotations

from operator import index as _index

from .. import random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

_LAST = ("keep", "discard", "rollover")


class Sampler:
    """Numbers of items in some order, each time that it is iterated. For classes to define."""

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError(f"{type(self).__name__} does not define __iter__")

    def __len__(self) -> int:
        raise NotImplementedError(f"{type(self).__name__} does not define __len__")


class SequentialSampler(Sampler):
    """start, start + 1, ... for as many items as there are.

    >>> list(ps.data.SequentialSampler(3))
    [0, 1, 2]
    """

    def __init__(self, length: int, start: int = 0) -> None:
        self._range = range(start, start + _checked("SequentialSampler: length", length, 0))

    def __iter__(self) -> Iterator[int]:
        return iter(self._range)

    def __len__(self) -> int:
        return len(self._range)


class RandomSampler(Sampler):
    """0 .. length - 1 in a new random order each time.

    The order is drawn from a generator of penstock.random, from one with that seed, or from the
    shared one.

    >>> sorted(ps.data.RandomSampler(4, generator=1))
    [0, 1, 2, 3]
    """

    def __init__(self, length: int, generator: random.Generator | int | None = None) -> None:
        self._length = _checked("RandomSampler: length", length, 0)
        self._generator = random._shared if generator is None else random.default_rng(generator)

    def __iter__(self) -> Iterator[int]:
        return iter(self._generator.permutation(self._length).tolist())

    def __len__(self) -> int:
        return self._length


class BatchSampler(Sampler):
    """Lists of numbers that a sampler gives.

    If the last batch is not full, it is kept ('keep'), left out ('discard'), or becomes the
    beginning of the next iteration's first one ('rollover').

    >>> list(ps.data.BatchSampler(ps.data.SequentialSampler(5), 2, "discard"))
    [[0, 1], [2, 3]]
    """

    def __init__(self, sampler: Iterable[Any], batch_size: int, last_batch: str = "keep") -> None:
        if last_batch not in _LAST:
            raise ValueError(f"last_batch must be one of {', '.join(_LAST)}, not {last_batch!r}")
        self._sampler = sampler
        self._size = _checked("batch_size", batch_size, 1)
        self._last = last_batch
        self._left: list[Any] = []  # of the last iteration

    def __iter__(self) -> Iterator[list[Any]]:
        batch, self._left = self._left, []
        for index in self._sampler:
            batch.append(index)
            if len(batch) == self._size:
                yield batch
                batch = []
        if batch and self._last == "keep":
            yield batch
        elif self._last == "rollover":
            self._left = batch

    def __len__(self) -> int:
        count = len(self._sampler) + len(self._left)  # type: ignore[arg-type]
        return -(-count // self._size) if self._last == "keep" else count // self._size


def _checked(what: str, value: Any, least: int) -> int:
    try:
        number = _index(value)
    except TypeError:
        raise TypeError(f"{what} must be an integer, not {value!r}") from None
    if number < least:
        raise ValueError(f"{what} must be at least {least}, not {number}")
    return number
