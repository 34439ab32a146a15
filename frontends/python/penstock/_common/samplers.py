"""What samplers of dialects do: numbers of items in some order, and batches of such numbers."""


class InOrder:
    """0, 1, ... for as many items as `data_source` has."""

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


class Drawn:
    """So many numbers of the items of `data_source`: `_num_samples`, or as many as there are."""

    @property
    def num_samples(self):
        """How many numbers there are: as many as items unless given."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __len__(self):
        return self.num_samples


class Shuffled:
    """The numbers in `indices` in a new order each time, which `_order(count)` of a class gives."""

    def __iter__(self):
        for place in self._order(len(self.indices)):
            yield self.indices[place]

    def __len__(self):
        return len(self.indices)


class Batches:
    """Lists of `batch_size` numbers of `sampler`; `drop_last` leaves out one that is not full."""

    def __iter__(self):
        batch = []
        for one in self.sampler:
            batch.append(one)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self):
        return batch_count(len(self.sampler), self.batch_size, self.drop_last)


def batch_count(count, size, drop_last):
    """How many batches so many items make."""
    return count // size if drop_last else -(-count // size)


class Endless:
    """The sampler of what is not read by number."""

    def __iter__(self):
        while True:
            yield None
