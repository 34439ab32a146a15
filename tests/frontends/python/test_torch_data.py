"""torch.utils.data of the torch dialect: datasets, samplers, batches, loaders and their workers."""

import collections
import threading
import warnings

import numpy as np
import pytest

from penstock import torch

data = torch.utils.data
WORKERS = [0, 1, 3]


def lists(batches):
    return [batch.tolist() for batch in batches]


class Squares(data.Dataset):
    def __init__(self, length=7):
        self.length = length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        return index * index


class Counting(data.IterableDataset):
    """0, 1, ...; workers share the numbers if asked to."""

    def __init__(self, length, shared=False):
        self.length, self.shared = length, shared

    def __iter__(self):
        info = data.get_worker_info()
        if info is None or not self.shared:
            return iter(range(self.length))
        return iter(range(info.id, self.length, info.num_workers))


class Failing(Squares):
    def __getitem__(self, index):
        if index == 3:
            raise KeyError("three")
        return index


# ---- Batches of items ------------------------------------------------------------------------------


def test_what_items_become():
    first = (1, 1.0, np.float32(1), "a", {"k": 1}, True, b"x", [1, 2])
    batch = next(iter(data.DataLoader([first] * 2, 2)))
    assert type(batch) is list
    assert [one.dtype for one in batch[:3]] == [torch.int64, torch.float64, torch.float32]
    assert batch[3] == ("a", "a") and batch[6] == (b"x", b"x")
    assert batch[4]["k"].tolist() == [1, 1] and batch[5].dtype is torch.bool
    assert lists(batch[7]) == [[1, 1], [2, 2]]


def test_collate():
    collate = data.default_collate
    pair = collections.namedtuple("pair", "a b")
    found = collate([pair(1, 2.0), pair(3, 4.0)])
    assert type(found) is pair and found.a.tolist() == [1, 3] and found.b.dtype is torch.float64
    found = collate([np.ones(2, dtype=np.int16)] * 3)
    assert found.shape == (3, 2) and found.dtype is torch.int16
    assert collate([np.int32(3)] * 2).dtype is torch.int32
    assert collate([torch.tensor(1), torch.tensor(2)]).tolist() == [1, 2]
    found = collate([collections.OrderedDict(a=1)] * 2)
    assert type(found) is collections.OrderedDict and found["a"].tolist() == [1, 1]
    assert collate(["a", "b"]) == ["a", "b"] and collate([[], []]) == []
    for given, error, text in (
        ([(1, 2), (3,)], RuntimeError, "equal size"),
        ([None], TypeError, "NoneType"),
        ([object()], TypeError, "found"),
        ([np.array("a")], TypeError, "found"),
        ([torch.ones(2), torch.ones(3)], RuntimeError, r"\[2\] at entry 0 and \[3\] at entry 1"),
    ):
        with pytest.raises(error, match=text):
            collate(given)


def test_convert():
    convert = data.default_convert
    found = convert([np.ones(1), 1.5, "a", {"x": np.float32(2)}])
    assert found[0].dtype is torch.float64 and found[1:3] == [1.5, "a"]
    assert found[3]["x"].item() == 2 and convert((1, None)) == [1, None]
    text = np.array("a")
    assert convert(text) is text


# ---- Datasets --------------------------------------------------------------------------------------


def test_tensors_side_by_side():
    pairs = data.TensorDataset(torch.arange(6.0).reshape(6, 1), torch.arange(6))
    x, y = pairs[-1]
    assert (x.tolist(), y.item(), len(pairs)) == ([5.0], 5, 6)
    assert lists(pairs[1:3]) == [[[1.0], [2.0]], [1, 2]]
    with pytest.raises(AssertionError, match=r"\[2, 3\]"):
        data.TensorDataset(torch.ones(2), torch.ones(3))
    with pytest.raises(IndexError):
        pairs[9]


def test_one_after_the_other():
    joined = Squares(3) + Squares(2) + [10]
    assert type(joined) is data.ConcatDataset and len(joined) == 6
    assert [joined[at] for at in range(-6, 6)] == [0, 1, 4, 0, 1, 10] * 2
    with pytest.raises(ValueError, match="-7"):
        joined[-7]
    with pytest.raises(IndexError):
        joined[6]
    for given in ([], [Counting(2)]):
        with pytest.raises(AssertionError):
            data.ConcatDataset(given)
    assert list(Counting(2) + Counting(1)) == [0, 1, 0]
    with pytest.raises(AssertionError, match="IterableDataset"):
        list(data.ChainDataset([[1]]))


def test_side_by_side():
    assert data.StackDataset(Squares(), range(7))[3] == (9, 3)
    named = data.StackDataset(a=Squares(), b=range(7))
    assert named[2] == {"a": 4, "b": 2} and len(named) == 7
    batch = next(iter(data.DataLoader(named, 3)))
    assert batch["a"].tolist() == [0, 1, 4] and batch["b"].tolist() == [0, 1, 2]
    for args, kwargs in (((), {}), (([1],), {"a": [1]}), (([1], [1, 2]), {})):
        with pytest.raises(ValueError):
            data.StackDataset(*args, **kwargs)


def test_parts():
    part = data.Subset(Squares(), [5, 0, 3])
    assert (list(part), len(part), part[-1]) == ([25, 0, 9], 3, 9)
    assert [len(one) for one in data.random_split(range(7), [4, 3])] == [4, 3]
    assert [len(one) for one in data.random_split(range(7), [0.3, 0.3, 0.4])] == [3, 2, 2]
    one, other = data.random_split(range(7), [4, 3], torch.Generator().manual_seed(5))
    assert sorted([*one, *other]) == list(range(7))
    again, _ = data.random_split(range(7), [4, 3], torch.Generator().manual_seed(5))
    assert list(again) == list(one)
    with pytest.raises(ValueError, match="3, 7"):
        data.random_split(range(7), [1, 2])
    with pytest.raises(ValueError, match="between 0 and 1"):
        data.random_split(range(7), [-0.5, 1.5])
    with pytest.warns(UserWarning, match="empty dataset"):
        data.random_split(range(2), [0.01, 0.01, 0.98])


def test_what_a_dataset_must_define():
    with pytest.raises(NotImplementedError):
        data.Dataset()[0]
    with pytest.raises(TypeError):
        len(data.Dataset())
    assert issubclass(data.Dataset[int], data.Dataset) and data.Sampler[int] is data.Sampler


# ---- Samplers --------------------------------------------------------------------------------------


def test_samplers():
    assert list(data.SequentialSampler("abc")) == [0, 1, 2]
    assert sorted(data.RandomSampler(range(9))) == list(range(9))
    assert len(list(data.RandomSampler(range(3), num_samples=8))) == 8
    drawn = list(data.RandomSampler(range(3), replacement=True, num_samples=200))
    assert len(drawn) == 200 and set(drawn) == {0, 1, 2}
    assert sorted(data.SubsetRandomSampler([3, 5, 7])) == [3, 5, 7]
    assert list(data.WeightedRandomSampler([0, 1.0, 0], 4)) == [1, 1, 1, 1]
    assert sorted(data.WeightedRandomSampler([1.0, 0, 2.0], 2, replacement=False)) == [0, 2]
    assert list(data.BatchSampler(range(5), 2, True)) == [[0, 1], [2, 3]]
    assert len(data.BatchSampler(range(5), 2, False)) == 3
    for make, error in (
        (lambda: data.RandomSampler(range(3), replacement=1), TypeError),
        (lambda: data.RandomSampler([]), ValueError),
        (lambda: data.RandomSampler(range(3), num_samples=0), ValueError),
        (lambda: data.WeightedRandomSampler([1.0], 0), ValueError),
        (lambda: data.WeightedRandomSampler([[1.0]], 1), ValueError),
        (lambda: data.BatchSampler(range(3), 0, False), ValueError),
        (lambda: data.BatchSampler(range(3), 2, 1), ValueError),
        (lambda: iter(data.Sampler()), NotImplementedError),
    ):
        with pytest.raises(error):
            make()


def test_weights_are_kept_to():
    torch.manual_seed(3)
    drawn = list(data.WeightedRandomSampler([1.0, 3.0], 4000))
    assert sum(drawn) / 4000 == pytest.approx(0.75, abs=0.05)


# ---- Loaders ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", WORKERS)
def test_batches_in_order(workers):
    def loaded(dataset, *args, **kwargs):
        return lists(data.DataLoader(dataset, *args, num_workers=workers, **kwargs))

    assert loaded(Squares(), 3) == [[0, 1, 4], [9, 16, 25], [36]]
    assert loaded(Squares(), 3, drop_last=True) == [[0, 1, 4], [9, 16, 25]]
    assert loaded(Squares(3)) == [[0], [1], [4]]
    assert loaded(Squares(), 2, sampler=[3, 1, 5]) == [[9, 1], [25]]
    assert loaded(Squares(), batch_sampler=[[1], [2, 3]]) == [[1], [4, 9]]
    assert loaded(Squares(), batch_sampler=iter([[1], [2, 3]])) == [[1], [4, 9]]
    assert loaded([], 2) == []
    loader = data.DataLoader(Squares(5), None, num_workers=workers)
    assert list(loader) == [0, 1, 4, 9, 16] and len(loader) == 5
    loader = data.DataLoader(Squares(5), 2, collate_fn=sum, num_workers=workers)
    assert [list(loader) for _ in range(2)] == [[1, 13, 16]] * 2


def test_lengths():
    assert [len(data.DataLoader(Squares(), size)) for size in (1, 3, 7, None)] == [7, 3, 1, 7]
    assert len(data.DataLoader(Squares(), 3, drop_last=True)) == 2
    with pytest.raises(TypeError):
        len(data.DataLoader(Counting(5), 2))


@pytest.mark.parametrize("kind", ["tensors", "part", "items"])
@pytest.mark.parametrize("workers", WORKERS)
def test_shuffling_follows_the_generator(kind, workers):
    pairs = data.TensorDataset(torch.arange(50.0), torch.arange(50))
    dataset = {"tensors": pairs, "part": data.Subset(pairs, range(50)), "items": range(50)}[kind]

    def order(**options):
        loader = data.DataLoader(dataset, 8, shuffle=True, num_workers=workers, **options)
        batches = [batch if kind == "items" else batch[1] for batch in loader]
        assert [len(batch) for batch in batches] == [8] * 6 + [2]
        return sum(lists(batches), [])

    torch.manual_seed(0)
    first, second = order(), order()
    torch.manual_seed(0)
    assert [order(), order()] == [first, second]
    assert first != second and sorted(first) == sorted(second) == list(range(50))
    made = torch.Generator().manual_seed(4)
    third = order(generator=made)
    made.manual_seed(4)
    assert order(generator=made) == third


@pytest.mark.parametrize("options", [{}, {"drop_last": True}, {"num_workers": 2}])
def test_batches_of_tensors_are_copies(options):
    x = torch.arange(10.0).reshape(5, 2)
    dataset = data.TensorDataset(x, torch.arange(5))
    batches = list(data.DataLoader(dataset, 2, **options))
    assert lists(batches[1]) == [[[4.0, 5.0], [6.0, 7.0]], [2, 3]]
    assert len(batches) == (2 if options.get("drop_last") else 3)
    batches[0][0].zero_()
    assert x[0].tolist() == [0.0, 1.0] and type(batches[0]) is list


def test_numbers_of_tensors_from_samplers_of_users():
    pairs = data.TensorDataset(torch.arange(6.0), torch.arange(6))
    part = data.Subset(data.Subset(pairs, [5, 0, 3]), [1, 2])
    assert lists(next(iter(data.DataLoader(part, 4)))) == [[0.0, 3.0], [0, 3]]
    (batch,) = data.DataLoader(pairs, 4, sampler=[-1, 0, 2])
    assert lists(batch) == [[5.0, 0.0, 2.0], [5, 0, 2]]
    with pytest.raises(IndexError):
        list(data.DataLoader(pairs, 4, sampler=[0, 7]))

    class Negative(data.TensorDataset):
        def __getitem__(self, index):
            return tuple(-one for one in super().__getitem__(index))

    assert lists(next(iter(data.DataLoader(Negative(torch.arange(3)), 3)))) == [[0, -1, -2]]


def test_items_at_once():
    class Tens(Squares):
        def __getitems__(self, indices):
            return [10 * index for index in indices]

    assert lists(data.DataLoader(Tens(4), 3)) == [[0, 10, 20], [30]]
    assert lists(data.DataLoader(data.Subset(Tens(4), [3, 1]), 3)) == [[30, 10]]


def test_iterable_datasets():
    assert lists(data.DataLoader(Counting(5), 2)) == [[0, 1], [2, 3], [4]]
    assert lists(data.DataLoader(Counting(5), 2, drop_last=True)) == [[0, 1], [2, 3]]
    assert list(data.DataLoader(Counting(3), None)) == [0, 1, 2]
    # Each worker reads all, unless the dataset looks which one it is.
    assert lists(data.DataLoader(Counting(3), 2, num_workers=2)) == [[0, 1], [0, 1], [2], [2]]
    found = lists(data.DataLoader(Counting(9, shared=True), 2, num_workers=4))
    assert found == [[0, 4], [1, 5], [2, 6], [3, 7], [8]]
    for given in ({"shuffle": True}, {"sampler": [1]}, {"batch_sampler": [[1]]}):
        with pytest.raises(ValueError, match="IterableDataset"):
            data.DataLoader(Counting(3), **given)


def test_what_a_loader_refuses():
    for given in (
        *({"batch_size": 0}, {"batch_size": 2.0}, {"num_workers": -1}, {"timeout": -1}),
        *({"prefetch_factor": 2}, {"persistent_workers": True}),
        *({"sampler": [1], "shuffle": True}, {"batch_size": 2, "batch_sampler": [[1]]}),
        *({"batch_size": None, "drop_last": True}, {"batch_sampler": [[1]], "shuffle": True}),
        {"num_workers": 1, "prefetch_factor": -1},
    ):
        with pytest.raises(ValueError):
            data.DataLoader(Squares(), **given)
    loader = data.DataLoader(Squares(), 2, pin_memory=True)
    assert (loader.batch_size, loader.drop_last, loader.num_workers) == (2, False, 0)
    assert not next(iter(loader)).is_pinned()
    for name in ("batch_size", "dataset", "sampler"):
        with pytest.raises(ValueError, match=name):
            setattr(loader, name, 3)
    loader.collate_fn = list
    assert next(iter(loader)) == [0, 1]


# ---- Workers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", WORKERS)
def test_errors_come_in_the_place_of_their_batch(workers):
    batches = iter(data.DataLoader(Failing(), 2, num_workers=workers))
    assert next(batches).tolist() == [0, 1]
    with pytest.raises(KeyError, match="three"):
        next(batches)
    assert lists(batches) == [[4, 5], [6]]


@pytest.mark.parametrize("workers", WORKERS)
def test_errors_of_a_sampler(workers):
    def broken():
        yield [0]
        yield [1]
        raise ZeroDivisionError

    batches = iter(data.DataLoader(Squares(), batch_sampler=broken(), num_workers=workers))
    assert [next(batches).tolist() for _ in range(2)] == [[0], [1]]
    with pytest.raises(ZeroDivisionError):
        next(batches)
    with pytest.raises(StopIteration):
        next(batches)


def test_workers_know_who_they_are():
    begun = []

    class Told(Squares):
        def __getitem__(self, index):
            info = data.get_worker_info()
            assert info.dataset is self and info.seed >= info.id
            return index, info.id, info.num_workers, threading.current_thread().name

    loader = data.DataLoader(Told(6), 1, num_workers=2, worker_init_fn=begun.append)
    found = [(index.item(), id.item(), count.item()) for index, id, count, _ in loader]
    assert found == [(index, index % 2, 2) for index in range(6)]
    assert sorted(begun) == [0, 1] and data.get_worker_info() is None
    assert list(loader) and sorted(begun) == [0, 0, 1, 1]
    lasting = data.DataLoader(
        Told(6), 1, num_workers=2, worker_init_fn=begun.append, persistent_workers=True
    )
    assert list(lasting) and list(lasting) and len(begun) == 6


def test_a_worker_that_cannot_begin():
    def refuse(worker):
        raise OSError("not today")

    with pytest.raises(OSError, match="not today"):
        list(data.DataLoader(Squares(), 2, num_workers=1, worker_init_fn=refuse))


def test_a_worker_that_takes_too_long():
    go = threading.Event()

    class Stuck(Squares):
        def __getitem__(self, index):
            go.wait()
            return index

    batches = iter(data.DataLoader(Stuck(2), 1, num_workers=1, timeout=0.05))
    try:
        with pytest.raises(RuntimeError, match="timed out after 0.05 seconds"):
            next(batches)
    finally:
        go.set()


def test_workers_read_so_far_ahead():
    read, first = [], threading.Event()

    class Noted(Squares):
        def __getitem__(self, index):
            read.append(index)
            if index == 3:
                first.set()
            return index

    batches = iter(data.DataLoader(Noted(100), 1, num_workers=2, prefetch_factor=2))
    assert first.wait(60)
    assert next(batches).item() == 0 and len(read) <= 5
    del batches


def test_an_iteration_that_is_given_up_ends_its_threads():
    before = {thread.name for thread in threading.enumerate()}
    for _ in range(3):
        batches = iter(data.DataLoader(Squares(100), 2, num_workers=2))
        next(batches)
        del batches
    for thread in threading.enumerate():
        if thread.name.startswith("penstock-loader") and thread.name not in before:
            thread.join(60)
            assert not thread.is_alive()


def test_training_by_a_loader():
    torch.manual_seed(1)
    x = torch.randn(200, 2)
    y = x @ torch.tensor([[2.0], [-3.4]]) + 4.2
    w = torch.zeros(2, 1, requires_grad=True)
    b = torch.zeros(1, requires_grad=True)
    sgd = torch.optim.SGD([w, b], lr=0.1)
    for _ in range(5):
        for inputs, wanted in data.DataLoader(data.TensorDataset(x, y), 10, shuffle=True):
            sgd.zero_grad()
            ((inputs @ w + b - wanted) ** 2).mean().backward()
            sgd.step()
    assert w.flatten().tolist() == pytest.approx([2.0, -3.4], abs=0.01)
    assert b.item() == pytest.approx(4.2, abs=0.01)


def test_modules():
    from penstock.torch.utils.data.dataloader import default_collate
    from penstock.torch.utils.data.dataset import Dataset
    from penstock.torch.utils.data.sampler import SubsetRandomSampler
    from penstock.torch.utils.hooks import RemovableHandle

    assert default_collate is data.default_collate and Dataset is data.Dataset
    assert SubsetRandomSampler is data.SubsetRandomSampler and RemovableHandle
    for module, name in (
        (torch.utils, "tensorboard"),
        (torch.utils, "checkpoint"),
        (data, "DistributedSampler"),
    ):
        with pytest.raises(AttributeError, match=name):
            getattr(module, name)
    with pytest.raises(ImportError, match="tensorboard"):
        import penstock.torch.utils.tensorboard  # noqa: F401


def test_no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        list(data.DataLoader(data.TensorDataset(torch.arange(9)), 2, num_workers=8))
        list(data.DataLoader(Squares(), 2, num_workers=8))
