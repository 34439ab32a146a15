"""Loaders: batches of a dataset."""

from __future__ import annotations

from ._batchify import batchify
from ._prefetch import Direct, Prefetched
from ._samplers import BatchSampler, RandomSampler, SequentialSampler, _checked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from ..random import Generator


class DataLoader:
    """Iterates over a dataset in batches, which threads may make ahead.

    Batches are of batch_size items, in order or, with shuffle, in a random one (`generator`: a
    generator or a seed; else the shared one), and the last one as BatchSampler says. Instead, a
    sampler says the order, or a batch_sampler the batches. batchify_fn makes a batch of a list of
    items; without one `penstock.data.batchify` does.

    With num_workers above 0 that many threads make batches, at most `prefetch` of them ahead (twice
    as many as there are threads unless given). They have the modes of the thread that iterates, but
    record nothing. What the dataset raises is raised where its batch would be given; the iteration
    is over then. An iteration that is abandoned lets its threads end.

    Several threads may share one iterator: they are served one after the other, and each batch is
    given to one of them. Each loop over the loader has an iterator of its own.

    >>> data = ps.data.ArrayDataset(ps.arange(5.0), ps.arange(5))
    >>> for x, y in ps.data.DataLoader(data, batch_size=2):
    ...     print(x, y)
    [0. 1.] [0 1]
    [2. 3.] [2 3]
    [4.] [4]
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = None,
        shuffle: bool = False,
        last_batch: str | None = None,
        sampler: Iterable[int] | None = None,
        batch_sampler: Iterable[Sequence[int]] | None = None,
        batchify_fn: Callable[[list[Any]], Any] | None = None,
        num_workers: int = 0,
        prefetch: int | None = None,
        generator: Generator | int | None = None,
    ) -> None:
        given = (batch_size, shuffle or None, last_batch, sampler)
        if batch_sampler is None:
            batch_sampler = _batches(dataset, *given, generator)
        elif any(one is not None for one in given):
            raise ValueError(
                "DataLoader: batch_size, shuffle, last_batch and sampler cannot be given beside "
                "batch_sampler"
            )
        self._dataset = dataset
        self._batches = batch_sampler
        self._batchify = batchify_fn
        self._threads = _checked("DataLoader: num_workers", num_workers, 0)
        ahead = 2 * self._threads if prefetch is None else prefetch
        self._ahead = max(1, _checked("DataLoader: prefetch", ahead, 0))

    def __len__(self) -> int:
        return len(self._batches)  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[Any]:
        if self._threads == 0:
            return Direct(self._batches, self._make)
        return Prefetched(self._batches, self._make, self._threads, self._ahead)

    def _make(self, indices: Sequence[int]) -> Any:
        """The batch of the items with these numbers."""
        if self._batchify is None:
            at_once = getattr(self._dataset, "batch", None)
            made = at_once(indices) if at_once is not None else None
            if made is not None:
                return made
        items = [self._dataset[index] for index in indices]
        return (self._batchify or batchify)(items)


def _batches(
    dataset: Any,
    batch_size: int | None,
    shuffle: bool | None,
    last_batch: str | None,
    sampler: Iterable[int] | None,
    generator: Generator | int | None,
) -> BatchSampler:
    """A sampler of batches, from what a loader is given."""
    if batch_size is None:
        raise ValueError("DataLoader: batch_size is needed, or a batch_sampler")
    if sampler is not None and shuffle:
        raise ValueError("DataLoader: shuffle cannot be given beside a sampler")
    if sampler is None:
        length = len(dataset)
        sampler = RandomSampler(length, generator) if shuffle else SequentialSampler(length)
    return BatchSampler(sampler, batch_size, "keep" if last_batch is None else last_batch)
