"""Loaders: batches in order, how far ahead, modes, errors, iterations that are given up, forks."""

import gc
import os
import sys
import threading
import traceback

import numpy as np
import pytest

import penstock as ps
from penstock import autograd, data
from processes import run_quietly

WORKERS = [0, 1, 3]


class Watched(data.Dataset):
    """Notes what is read; item 0 may wait until it is let go."""

    def __init__(self, length=10, gated=False):
        self.length = length
        self.read = []
        self.began = threading.Event()
        self.go = threading.Event()
        if not gated:
            self.go.set()

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        self.read.append(index)
        self.began.set()
        self.go.wait()
        return index


class Failing(data.Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, index):
        if index == 3:
            raise KeyError(f"item {index} is broken")
        return index


def loader_threads():
    return [one for one in threading.enumerate() if one.name.startswith("penstock-loader")]


@pytest.fixture(autouse=True)
def no_threads_are_left():
    yield
    gc.collect()
    for thread in loader_threads():
        thread.join()  # a hang here is a thread that does not end


# ---- Batches -------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", WORKERS)
def test_batches_come_in_order(workers):
    loader = data.DataLoader(Watched(), 3, num_workers=workers)
    assert len(loader) == 4
    for _ in range(2):
        assert [batch.tolist() for batch in loader] == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9]]


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("kind", [np.array, ps.array, list])
def test_kinds_of_arrays(workers, kind):
    x = np.arange(20, dtype="float32").reshape(5, 4)
    y = np.array([4, 3, 2, 1, 0])
    dataset = data.ArrayDataset(kind(x), kind(y.tolist() if kind is list else y))
    found = list(data.DataLoader(dataset, 2, num_workers=workers))
    assert all(type(part) is ps.ndarray for batch in found for part in batch)
    np.testing.assert_array_equal(np.concatenate([a.asnumpy() for a, _ in found]), x)
    np.testing.assert_array_equal(np.concatenate([b.asnumpy() for _, b in found]), y)
    assert [a.shape for a, _ in found] == [(2, 4), (2, 4), (1, 4)]


def test_a_batch_is_captured():
    x = np.zeros((4, 2))
    for loader in (
        data.DataLoader(data.ArrayDataset(x), 4),
        data.DataLoader(data.ArrayDataset(x).transform(lambda row: row), 4),
    ):
        x[...] = 0
        (batch,) = loader
        x[...] = 9
        assert not batch.any()


def test_shuffling_follows_the_seed():
    dataset = data.ArrayDataset(np.arange(40))

    def orders(**settings):
        loader = data.DataLoader(dataset, 7, shuffle=True, **settings)
        return [[i for batch in loader for i in batch.tolist()] for _ in range(2)]

    first = orders(generator=3)
    assert sorted(first[0]) == list(range(40)) != first[0]
    assert first[0] != first[1]
    for workers in WORKERS:
        assert orders(generator=3, num_workers=workers) == first
        assert orders(generator=ps.random.default_rng(3), num_workers=workers) == first


@pytest.mark.parametrize("workers", WORKERS)
def test_samplers_and_batchify(workers):
    dataset = Watched()
    loader = data.DataLoader(dataset, 2, sampler=[9, 7, 5], batchify_fn=sum, num_workers=workers)
    assert list(loader) == [16, 5]
    batches = [[1], [2, 3]]
    loader = data.DataLoader(
        dataset, batch_sampler=batches, batchify_fn=list, num_workers=workers
    )
    assert list(loader) == batches
    discards = data.DataLoader(dataset, 4, last_batch="discard", num_workers=workers)
    assert len(discards) == len(list(discards)) == 2


def test_wrong_arguments():
    dataset = Watched()
    with pytest.raises(ValueError, match="batch_size is needed"):
        data.DataLoader(dataset)
    with pytest.raises(ValueError, match="cannot be given beside batch_sampler"):
        data.DataLoader(dataset, 2, batch_sampler=[[1]])
    with pytest.raises(ValueError, match="shuffle cannot be given beside a sampler"):
        data.DataLoader(dataset, 2, shuffle=True, sampler=[1])
    with pytest.raises(ValueError, match="num_workers must be at least 0, not -1"):
        data.DataLoader(dataset, 2, num_workers=-1)
    with pytest.raises(TypeError, match="prefetch must be an integer, not 'a'"):
        data.DataLoader(dataset, 2, prefetch="a")


@pytest.mark.parametrize("workers", WORKERS)
def test_nothing_to_load(workers):
    assert list(data.DataLoader(Watched(0), 2, num_workers=workers)) == []


# ---- Ahead ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("ahead", [1, 2, 5])
def test_how_far_ahead(ahead):
    """The sampler is read by the iterating thread, and no further than may be."""
    asked = []

    def sampler():
        for i in range(20):
            asked.append(i)
            yield [i]

    loader = data.DataLoader(
        Watched(20), batch_sampler=sampler(), num_workers=2, prefetch=ahead, batchify_fn=list
    )
    for count, batch in enumerate(loader):
        assert batch == [count]
        assert len(asked) == min(20, count + 1 + ahead)


def test_an_endless_sampler():
    def sampler():
        while True:
            yield [1]

    loader = data.DataLoader(Watched(), batch_sampler=sampler(), num_workers=2)
    for count, batch in enumerate(loader):
        if count == 50:
            break
    assert batch.tolist() == [1]


# ---- Modes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("sync", [True, False])
def test_modes_are_inherited(workers, training, sync):
    def modes(index):
        return (autograd.is_recording(), autograd.is_training(), ps.engine.is_sync())

    dataset = Watched(2).transform(modes)
    loader = data.DataLoader(dataset, 1, batchify_fn=list, num_workers=workers)
    with autograd.record(train_mode=training), ps.engine.sync(sync):
        for batch in loader:
            assert batch == [(False, training, sync)]
            assert autograd.is_recording()


@pytest.mark.parametrize("workers", WORKERS)
def test_what_the_dataset_computes_is_not_recorded(workers):
    weight = ps.ones(2)
    weight.attach_grad()
    dataset = data.ArrayDataset(ps.ones((4, 2))).transform(lambda x: x * weight)
    with autograd.record():
        for batch in data.DataLoader(dataset, 2, num_workers=workers):
            y = batch * 2
    with pytest.raises((ValueError, RuntimeError)):
        y.backward()


# ---- Errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", WORKERS)
def test_a_dataset_that_raises(workers):
    iterator = iter(data.DataLoader(Failing(), 1, num_workers=workers, prefetch=6))
    assert [next(iterator).item() for _ in range(3)] == [0, 1, 2]
    with pytest.raises(KeyError, match="item 3 is broken") as caught:
        next(iterator)
    lines = traceback.extract_tb(caught.value.__traceback__)
    assert lines[0].name == "test_a_dataset_that_raises"
    assert (lines[-1].name, lines[-1].line) == (
        "__getitem__",
        'raise KeyError(f"item {index} is broken")',
    )
    assert list(iterator) == []


@pytest.mark.parametrize("workers", WORKERS)
def test_a_sampler_that_raises(workers):
    def sampler():
        yield [1]
        yield [2]
        raise RuntimeError("no more")

    iterator = iter(data.DataLoader(Watched(), batch_sampler=sampler(), num_workers=workers))
    assert [next(iterator).item(), next(iterator).item()] == [1, 2]
    with pytest.raises(RuntimeError, match="no more"):
        next(iterator)
    assert list(iterator) == []


def test_errors_leave_no_cycles():
    gc.collect()
    gc.disable()
    try:
        for _ in range(2):
            with pytest.raises(KeyError):
                list(data.DataLoader(Failing(), 1, num_workers=1))
        for thread in loader_threads():
            thread.join()
        assert not [one for one in gc.get_objects() if type(one).__name__ == "_Job"]
    finally:
        gc.enable()


def test_late_errors_name_the_line():
    """What fails in the engine is raised where the batch is read, as always."""
    dataset = Watched(1).transform(lambda i: ps.take(ps.ones(2), ps.array([i + 5])))
    (batch,) = data.DataLoader(dataset, 2, num_workers=1)
    with pytest.raises(IndexError, match=r"queued at .*test_data_loader\.py"):
        batch.wait()


# ---- Given up ------------------------------------------------------------------------------------


def test_threads_end_after_the_last_batch():
    iterator = iter(data.DataLoader(Watched(), 3, num_workers=2))
    assert len(list(iterator)) == 4
    for thread in loader_threads():
        thread.join()
    assert list(iterator) == []


def test_break_ends_the_threads():
    for batch in data.DataLoader(Watched(1000), 1, num_workers=3):
        break
    for thread in loader_threads():
        thread.join()
    assert batch.item() == 0


def test_an_iterator_in_a_cycle():
    cycle = [iter(data.DataLoader(Watched(1000), 1, num_workers=2))]
    cycle.append(cycle)
    next(cycle[0])
    del cycle
    gc.collect()
    for thread in loader_threads():
        thread.join()


def test_given_up_while_an_item_is_in_hand():
    dataset = Watched(1000, gated=True)
    iterator = iter(data.DataLoader(dataset, 1, num_workers=1))
    dataset.began.wait()
    threads = loader_threads()
    del iterator  # does not wait
    dataset.go.set()
    for thread in threads:
        thread.join()
    assert dataset.read == [0]


def test_two_iterations_at_once():
    loader = data.DataLoader(Watched(6), 2, num_workers=2)
    first, second = iter(loader), iter(loader)
    assert next(first).tolist() == next(second).tolist() == [0, 1]
    assert [b.tolist() for b in first] == [b.tolist() for b in second] == [[2, 3], [4, 5]]


# ---- Threads that share an iterator --------------------------------------------------------------


def shared(iterator, count):
    """What each of some threads gets of an iterator, until it ends for it; what they raise."""
    found, raised, together = [], [], threading.Barrier(count)

    def run(batches):
        together.wait()
        try:
            batches.extend(batch.item() for batch in iterator)
        except Exception as error:
            raised.append(error)

    threads = []
    for _ in range(count):
        found.append([])
        threads.append(threading.Thread(target=run, args=(found[-1],)))
        threads[-1].start()
    for thread in threads:
        thread.join()
    return found, raised


@pytest.fixture
def often():
    """Threads take turns as often as may be."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("workers", WORKERS)
def test_each_batch_is_given_once(workers, often):
    found, raised = shared(iter(data.DataLoader(Watched(400), 1, num_workers=workers)), 4)
    assert raised == []
    assert sorted(sum(found, [])) == list(range(400))
    assert all(batches == sorted(batches) for batches in found)


@pytest.mark.parametrize("workers", WORKERS)
def test_an_error_is_raised_once(workers):
    found, raised = shared(iter(data.DataLoader(Failing(), 1, num_workers=workers)), 3)
    assert [str(error) for error in raised] == [str(KeyError("item 3 is broken"))]
    assert sorted(sum(found, [])) == [0, 1, 2]


@pytest.mark.parametrize("workers", WORKERS)
def test_threads_have_turns(workers):
    dataset = Watched(2, gated=True)
    iterator = iter(data.DataLoader(dataset, 1, num_workers=workers, prefetch=1))
    found = []

    def take():
        found.append(next(iterator).item())

    threads = [threading.Thread(target=take) for _ in range(2)]
    threads[0].start()
    dataset.began.wait()
    threads[1].start()
    dataset.go.set()
    for thread in threads:
        thread.join()
    assert sorted(found) == [0, 1]


@pytest.mark.parametrize("workers", [0, 1])
def test_a_child_has_its_turn(workers):
    parent = os.getpid()

    class Gated(Watched):
        def __getitem__(self, index):
            return super().__getitem__(index) if os.getpid() == parent else index

    dataset = Gated(3, gated=True)
    iterator = iter(data.DataLoader(dataset, 1, num_workers=workers))
    other = threading.Thread(target=next, args=(iterator,))
    other.start()
    dataset.began.wait()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if [batch.item() for batch in iterator][-2:] == [1, 2] else 2
        finally:
            os._exit(code)
    dataset.go.set()
    other.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


# ---- Processes -----------------------------------------------------------------------------------

PROGRAM = """
import os, sys, threading
from penstock import data
class Numbers(data.Dataset):
    def __len__(self):
        return 1000
    def __getitem__(self, index):
        return index
"""


@pytest.mark.parametrize("workers", [1, 4])
def test_a_program_that_ends_in_the_middle(workers):
    out = run_quietly(f"""{PROGRAM}
iterator = iter(data.DataLoader(Numbers(), 2, num_workers={workers}))
print(next(iterator).tolist())
kept = [iterator]
kept.append(kept)
""")
    assert out == "[0, 1]\n"


def test_a_program_that_ends_by_an_exception():
    out = run_quietly(f"""{PROGRAM}
try:
    for batch in data.DataLoader(Numbers(), 2, num_workers=3):
        raise SystemExit(0)
finally:
    print(batch.tolist())
""")
    assert out == "[0, 1]\n"


def test_a_child_goes_on_with_the_iteration():
    out = run_quietly(f"""{PROGRAM}
from penstock import autograd
iterator = iter(data.DataLoader(Numbers(), 100, num_workers=3, prefetch=4))
first = next(iterator).sum().item()
child = os.fork()
total = first + sum(batch.sum().item() for batch in iterator)
assert total == sum(range(1000)), total
left = [one for one in threading.enumerate() if one.name.startswith("penstock-loader")]
for one in left:
    one.join()
if child == 0:
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""")
    assert out == "0\n"


def test_a_child_that_ends_like_a_program():
    out = run_quietly(f"""{PROGRAM}
iterator = iter(data.DataLoader(Numbers(), 2, num_workers=3))
next(iterator)
child = os.fork()
if child == 0:
    sys.exit(3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""")
    assert out == "3\n"


def test_a_child_iterates_anew():
    readable, writable = os.pipe()
    loader = data.DataLoader(Watched(10), 5, num_workers=2)
    child = os.fork()
    if child == 0:
        try:
            os.write(writable, str([b.tolist() for b in loader]).encode())
        finally:
            os._exit(0)
    os.close(writable)
    with os.fdopen(readable) as pipe:
        assert pipe.read() == "[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]"
    os.waitpid(child, 0)
