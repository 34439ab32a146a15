"""Workers of a loader: threads, each of which makes its share of the batches, in its order.

Batch number i is made by worker i % n. A worker is a native loader with one thread, which makes
batches ahead; the loader's iterator takes one from each in turn. What a worker raises is given in
the place of its batch, so that the iteration can go on after it.
"""

from collections import deque
from contextvars import ContextVar

from ..data._prefetch import Prefetched

_info = ContextVar("worker", default=None)


class WorkerInfo:
    """What code in a worker can know: its id, num_workers, seed and the dataset."""

    def __init__(self, id, num_workers, seed, dataset):
        self.id = id
        self.num_workers = num_workers
        self.seed = seed
        self.dataset = dataset

    def __repr__(self):
        shown = (f"{name}={value}" for name, value in vars(self).items())
        return f"WorkerInfo({', '.join(shown)})"


def get_worker_info():
    """The WorkerInfo of the worker that calls this; None elsewhere."""
    return _info.get()


class _Raised:
    """An error in the place of a batch."""

    def __init__(self, error):
        self.error = error


class _Ended:
    """In the place of a batch: the worker has no more."""


class _Worker:
    """Makes batches, with what get_worker_info gives set meanwhile."""

    def __init__(self, info, fetcher, initialise):
        self._info = info
        self._fetcher = fetcher
        self._initialise = initialise
        self._fetch = None

    def __call__(self, indices):
        token = _info.set(self._info)
        try:
            if isinstance(indices, _Raised):
                return indices
            if self._fetch is None:
                if self._initialise is not None:
                    self._initialise(self._info.id)
                self._fetch = self._fetcher()
            return self._fetch(indices)
        except StopIteration:
            return _Ended
        except Exception as error:
            return _Raised(error)
        finally:
            _info.reset(token)


class _Dealer:
    """Deals what a sampler gives to workers: the first to the first, and round again."""

    def __init__(self, indices, count):
        self._indices = iter(indices)
        self._hands = [deque() for _ in range(count)]
        self._next = 0

    def hand(self, place):
        """An iterator over what one worker gets."""
        hand = self._hands[place]
        while True:
            while not hand:
                if not self._deal():
                    return
            yield hand.popleft()

    def _deal(self):
        """Reads one more; an error of the sampler is dealt as the last one."""
        if self._indices is None:
            return False
        try:
            dealt = next(self._indices)
        except StopIteration:
            self._indices = None
            return False
        except Exception as error:
            self._indices = None
            dealt = _Raised(error)
        self._hands[self._next].append(dealt)
        self._next = (self._next + 1) % len(self._hands)
        return True


class Workers:
    """Iterates over the batches that workers make."""

    def __init__(self, indices, fetcher, infos, ahead, initialise=None, timeout=0):
        dealer = _Dealer(indices, len(infos))
        self._timeout = timeout
        self._turn = 0
        self._workers = [
            Prefetched(dealer.hand(info.id), _Worker(info, fetcher, initialise), 1, ahead)
            for info in infos
        ]

    def __iter__(self):
        return self

    def __next__(self):
        while self._workers:
            self._turn %= len(self._workers)
            value = self._value(self._workers[self._turn])
            if value is _Ended:
                self._workers.pop(self._turn).close()
                continue
            self._turn += 1
            if isinstance(value, _Raised):
                raise value.error
            return value
        raise StopIteration

    def _value(self, worker):
        if self._timeout > 0 and not worker.wait(self._timeout):
            raise RuntimeError(f"DataLoader timed out after {self._timeout} seconds")
        return next(worker, _Ended)
