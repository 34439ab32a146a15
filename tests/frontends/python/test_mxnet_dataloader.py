"""mx.gluon.data.DataLoader: batches, modes of threads, errors, and iterations that are left."""

import gc
import threading

import numpy
import pytest

from penstock import mxnet as mx
from penstock.mxnet import autograd, nd, np, npx
from penstock.mxnet.base import MXNetError
from penstock.mxnet.gluon import data
from penstock.mxnet.gluon.data.dataloader import default_batchify_fn, default_mp_batchify_fn

pytestmark = pytest.mark.timeout(60)
WORKERS = pytest.mark.parametrize("workers", [0, 1, 3])


@pytest.fixture(params=[False, True], ids=["nd", "np"])
def kind(request):
    if request.param:
        npx.set_np()
    yield np if request.param else nd
    npx.reset_np()


class Own(data.Dataset):
    """Items that a function gives."""

    def __init__(self, length, function):
        self._length, self._function = length, function

    def __len__(self):
        return self._length

    def __getitem__(self, index):
        return self._function(index)


def loader_threads():
    return [one for one in threading.enumerate() if one.name.startswith("penstock-loader")]


# ---- Batches -------------------------------------------------------------------------------------


@WORKERS
def test_arrays(kind, workers):
    x = numpy.arange(10, dtype="float32").reshape(5, 2)
    pairs = data.ArrayDataset(kind.array(x), numpy.arange(5))
    found = list(data.DataLoader(pairs, 2, num_workers=workers))
    assert [type(batch) for batch in found] == [list] * 3
    cls = kind.ndarray if kind is np else nd.NDArray
    assert all(type(part) is cls for batch in found for part in batch)
    numpy.testing.assert_array_equal(numpy.concatenate([b[0].asnumpy() for b in found]), x)
    assert [b[1].asnumpy().tolist() for b in found] == [[0, 1], [2, 3], [4]]
    assert found[0][1].dtype == numpy.int64


@pytest.mark.parametrize("dtype", ["float64", "float32", "uint8", "int32", "bool"])
def test_types_of_numpy_are_kept(kind, dtype):
    for dataset in (numpy.ones((4, 3), dtype), data.ArrayDataset(numpy.ones((4, 3), dtype))):
        (batch,) = data.DataLoader(dataset, 4)
        assert str(batch.asnumpy().dtype) == dtype and batch.shape == (4, 3)


def test_batchify(kind):
    def told(items):
        made = default_batchify_fn(items)
        parts = made if isinstance(made, list) else [made]
        return [(str(part.asnumpy().dtype), part.asnumpy().tolist()) for part in parts]

    assert told([1, 2]) == [("int64", [1, 2])]
    assert told([1.5, 2]) == [("float64", [1.5, 2.0])]
    assert told([(1, 2.0), (3, 4.0)]) == [("int64", [1, 3]), ("float64", [2.0, 4.0])]
    assert told([[1, 2], [3, 4]]) == [("int64", [[1, 2], [3, 4]])]
    assert told([kind.ones((2,), dtype="int32")] * 2) == [("int32", [[1, 1], [1, 1]])]
    assert default_mp_batchify_fn([1, 2]).asnumpy().tolist() == [1, 2]
    nested = default_batchify_fn([(1, (2, 3)), (4, (5, 6))])
    assert nested[1][0].asnumpy().tolist() == [2, 5]


def test_what_cannot_be_a_batch():
    with pytest.raises(TypeError, match="batchify_fn"):
        default_batchify_fn(["a", "b"])
    with pytest.raises(TypeError, match="mx.np"):
        default_batchify_fn([np.ones(2)])
    npx.set_np()
    try:
        with pytest.raises(TypeError, match="mx.nd"):
            default_batchify_fn([nd.ones(2)])
    finally:
        npx.reset_np()


@WORKERS
def test_batchify_fn_and_last_batch(workers):
    some = data.SimpleDataset(list(range(7)))
    loader = data.DataLoader(some, 3, last_batch="discard", batchify_fn=list, num_workers=workers)
    assert list(loader) == [[0, 1, 2], [3, 4, 5]] and len(loader) == 2
    rolling = data.DataLoader(some, 3, last_batch="rollover", batchify_fn=list, num_workers=workers)
    assert list(rolling)[0] == [0, 1, 2] and list(rolling)[0] == [6, 0, 1]


@WORKERS
def test_shuffling_follows_numpys_seed(workers):
    loader = data.DataLoader(list(range(8)), 3, shuffle=True, num_workers=workers)
    numpy.random.seed(3)
    order = numpy.arange(8)
    numpy.random.shuffle(order)
    numpy.random.seed(3)
    first = numpy.concatenate([batch.asnumpy() for batch in loader])
    numpy.testing.assert_array_equal(first, order)
    second = numpy.concatenate([batch.asnumpy() for batch in loader])
    assert sorted(second) == list(range(8)) and second.tolist() != first.tolist()


def test_samplers():
    some = data.SimpleDataset([10, 11, 12])
    assert [b.asnumpy().tolist() for b in data.DataLoader(some, 2, sampler=[2, 0])] == [[12, 10]]
    picked = data.DataLoader(some, batch_sampler=[[0], [2, 1]])
    assert [b.asnumpy().tolist() for b in picked] == [[10], [12, 11]]
    assert len(picked) == 2


def test_places_from_the_end():
    arrays = data.ArrayDataset(nd.array([[1], [2], [3]]))
    (batch,) = data.DataLoader(arrays, 2, sampler=[-1, 0])
    assert batch.asnumpy().tolist() == [[3], [1]]
    with pytest.raises(IndexError):
        list(data.DataLoader(arrays, 2, sampler=[7]))


@pytest.mark.parametrize(
    "given, text",
    [
        ({}, "either batch_size or batch_sampler"),
        ({"batch_size": 0}, "at least 1"),
        ({"batch_size": 2, "shuffle": True, "sampler": [1]}, "leave out shuffle"),
        ({"batch_size": 2, "batch_sampler": [[1]]}, "leave out batch_size, shuffle"),
        ({"shuffle": True, "batch_sampler": [[1]]}, "leave out batch_size, shuffle"),
    ],
)
def test_arguments_that_do_not_go_together(given, text):
    with pytest.raises(ValueError, match=text):
        data.DataLoader([1, 2, 3], **given)


def test_pinned_memory():
    (batch,) = data.DataLoader(data.ArrayDataset(numpy.ones((2, 3))), 2, pin_memory=True)
    assert batch.context == mx.cpu_pinned(0)
    net = mx.gluon.nn.Dense(1)
    net.initialize()
    assert net(batch.astype("float32")).shape == (2, 1)


# ---- Threads -------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [0, 2])
def test_threads_have_the_modes_of_the_one_that_iterates(kind, workers):
    def look(index):
        modes = mx.util.is_np_array(), mx.util.is_np_shape(), mx.current_context()
        return (*modes, autograd.is_recording(), autograd.is_training())

    loader = data.DataLoader(Own(4, look), 2, batchify_fn=list, num_workers=workers)
    with mx.Context(mx.cpu(2)), autograd.record():
        found = [item for batch in loader for item in batch]
    in_np = kind is np
    assert found == [(in_np, in_np, mx.cpu(2), False, True)] * 4


def test_arrays_are_made_in_the_context_of_the_one_that_iterates():
    loader = data.DataLoader(Own(2, lambda index: nd.ones(2)), 2, num_workers=1)
    with mx.Context(mx.cpu(1)):
        (batch,) = loader
    assert batch.context == mx.cpu(1)


def test_work_is_done_by_threads_of_this_process():
    names = set()
    loader = data.DataLoader(
        Own(8, lambda index: names.add(threading.current_thread().name) or index),
        2,
        num_workers=2,
        thread_pool=True,
        timeout=1,
        prefetch=1,
    )
    assert [b.asnumpy().tolist() for b in loader] == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert names and all(name.startswith("penstock-loader") for name in names)


@WORKERS
def test_an_error_is_raised_where_its_batch_would_be(workers):
    def item(index):
        if index == 5:
            raise KeyError("item five")
        return index

    found = []
    with pytest.raises(KeyError, match="item five"):
        for batch in data.DataLoader(Own(9, item), 2, num_workers=workers):
            found.append(batch.asnumpy().tolist())
    assert found == [[0, 1], [2, 3]]


@WORKERS
def test_an_error_of_an_operation(workers):
    loader = data.DataLoader(
        Own(4, lambda index: nd.ones(2) if index < 2 else nd.ones(3).reshape((2,))),
        2,
        num_workers=workers,
    )
    found = iter(loader)
    assert next(found).shape == (2, 2)
    with pytest.raises(MXNetError, match="reshape"):
        next(found)


def test_an_iteration_that_is_left_lets_its_threads_end():
    before = set(loader_threads())
    found = iter(data.DataLoader(list(range(100)), 2, num_workers=3))
    next(found)
    threads = set(loader_threads()) - before
    assert len(threads) == 3
    del found
    gc.collect()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()


def test_the_loader_may_go_before_its_iterator():
    found = iter(data.DataLoader(list(range(4)), 2, num_workers=1))
    gc.collect()
    assert [batch.asnumpy().tolist() for batch in found] == [[0, 1], [2, 3]]


@WORKERS
def test_auto_reload(workers):
    some = [1, 2, 3]
    loader = data.DataLoader(some, 2, num_workers=workers, auto_reload=True)
    for _ in range(3):
        assert [batch.asnumpy().tolist() for batch in loader] == [[1, 2], [3]]
    loader.clean()
    loader.refresh()
    assert [batch.asnumpy().tolist() for batch in loader] == [[1, 2], [3]]


def test_several_threads_iterate_over_one_loader():
    loader = data.DataLoader(data.ArrayDataset(nd.array(numpy.arange(40))), 4, num_workers=2)
    sums = []

    def run():
        sums.append(sum(float(batch.sum().asscalar()) for batch in loader))

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sums == [780.0] * 3
