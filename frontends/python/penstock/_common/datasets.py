"""What datasets of dialects do: items by number, of tensors or of other datasets; and reading."""

from bisect import bisect_right
from itertools import accumulate


class OfTensors:
    """Items that are tuples of what `tensors` have at one place."""

    def __getitem__(self, index):
        return tuple(one[index] for one in self.tensors)

    def __len__(self):
        return self.tensors[0].shape[0]


class Joined:
    """The items of `datasets`, one dataset after the other, up to their `cumulative_sizes`."""

    def __len__(self):
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx):
        if idx < 0:
            if -idx > len(self):
                raise ValueError(
                    f"absolute value of index should not exceed dataset length: {idx}, {len(self)}"
                )
            idx += len(self)
        place = bisect_right(self.cumulative_sizes, idx)
        before = self.cumulative_sizes[place - 1] if place > 0 else 0
        return self.datasets[place][idx - before]


def ends_of(datasets):
    """How many items there are up to the end of each dataset."""
    return list(accumulate(len(one) for one in datasets))


class Chosen:
    """Some items of a dataset, in the order of their numbers as given."""

    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, idx):
        return self.dataset[self.indices[idx]]

    def __len__(self):
        return len(self.indices)


def parts_of(order, lengths):
    """A list in parts of these lengths."""
    return [order[end - length : end] for end, length in zip(accumulate(lengths), lengths)]


# ---- Reading -------------------------------------------------------------------------------------


class InTurn:
    """Iterates over what is made of indices when it is asked for."""

    def __init__(self, indices, fetch):
        self._indices = iter(indices)
        self._fetch = fetch

    def __iter__(self):
        return self

    def __next__(self):
        return self._fetch(next(self._indices))


def of_iterator(dataset, collate, size, drop_last):
    """A function that makes batches of the next items of an iterable dataset; size None: items."""
    items = iter(dataset)

    def fetch(_):
        if size is None:
            return collate(next(items))
        batch = [one for _, one in zip(range(size), items)]
        if not batch or drop_last and len(batch) < size:
            raise StopIteration
        return collate(batch)

    return fetch
