"""Datasets, samplers and loaders; shuffled orders are compared in test_paddle_nn.py."""

import numpy as np
import pytest

from penstock import paddle

io = paddle.io


class Items(io.Dataset):
    def __init__(self, items):
        self.items = items

    def __getitem__(self, index):
        return self.items[index]

    def __len__(self):
        return len(self.items)


class Counted(io.IterableDataset):
    def __iter__(self):
        yield from range(5)


def shown(value):
    if isinstance(value, paddle.Tensor):
        return str(value.dtype)[7:], value.tolist()
    if isinstance(value, (list, tuple)):
        return [shown(one) for one in value]
    return {k: shown(v) for k, v in value.items()} if isinstance(value, dict) else value


@pytest.mark.parametrize(
    "items, wanted",
    [
        ([1.5, 2.5], ("float64", [1.5, 2.5])),
        ([1, 2], ("int64", [1, 2])),
        ([True, False], ("bool", [True, False])),
        ([np.float32(1), np.float32(2)], ("float32", [1.0, 2.0])),
        ([("x", 1)] * 2, [["x", "x"], ("int64", [1, 1])]),
        ([[1, 2], [3, 4]], [("int64", [1, 3]), ("int64", [2, 4])]),
        ([{"a": 1}] * 2, {"a": ("int64", [1, 1])}),
    ],
)
def test_batches_of_items(items, wanted):
    assert shown(next(iter(io.DataLoader(Items(items), batch_size=2)))) == wanted


def test_batches_are_lists():
    data = io.TensorDataset([paddle.arange(5.0).reshape([5, 1]), paddle.arange(5)])
    loader = io.DataLoader(data, batch_size=2)
    assert [batch[1].tolist() for batch in loader] == [[0, 1], [2, 3], [4]]
    assert len(loader) == 3 and type(next(iter(loader))) is list
    assert next(iter(io.DataLoader(data)))[0].shape == [1, 1]


def test_shuffling_follows_numpy():
    data = io.TensorDataset([paddle.arange(9)])

    def order(seed):
        seed(0)
        return [one[0].tolist() for one in io.DataLoader(data, batch_size=2, shuffle=True)]

    assert order(np.random.seed) == order(np.random.seed)
    assert len({str(order(paddle.seed)) for _ in range(9)}) > 1


def test_workers_and_iterables():
    data = io.TensorDataset([paddle.arange(10)])
    loader = io.DataLoader(data, batch_size=3, num_workers=2)
    assert [one[0].tolist() for one in loader] == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9]]
    assert [one.tolist() for one in io.DataLoader(Counted(), batch_size=2)] == [[0, 1], [2, 3], [4]]
    cut = io.DataLoader(Counted(), batch_size=2, drop_last=True)
    assert [one.tolist() for one in cut] == [[0, 1], [2, 3]]
    assert list(iter(io.ChainDataset([Counted(), Counted()])))[4:6] == [4, 0]


def test_samplers_and_parts():
    assert sorted(io.RandomSampler("abcd")) == [0, 1, 2, 3]
    batches = io.BatchSampler(sampler=io.SequenceSampler("abcd"), batch_size=3)
    assert list(batches) == [[0, 1, 2], [3]]
    assert sorted(io.SubsetRandomSampler([3, 5])) == [3, 5]
    assert set(io.WeightedRandomSampler([0.0, 1.0], 5)) == {1}
    first, second = io.random_split(Items(range(5)), [2, 3])
    found = [first[0], first[1], second[0], second[1], second[2]]
    assert sorted(found) == [0, 1, 2, 3, 4]
    assert io.ConcatDataset([Items([1, 2]), Items([3])])[2] == 3
    assert io.ComposeDataset([Items([1]), Items([(2, 3)])])[0] == (1, 2, 3)


@pytest.mark.parametrize(
    "error, run",
    [
        (AssertionError, lambda: io.TensorDataset([paddle.ones([2]), paddle.ones([3])])),
        (AssertionError, lambda: io.DataLoader(Items([1]), batch_size=0)),
        (AssertionError, lambda: io.DataLoader(Items([1]), num_workers=-1)),
        (ValueError, lambda: io.DataLoader(Counted(), shuffle=True)),
        (AssertionError, lambda: io.BatchSampler()),
        (ValueError, lambda: io.RandomSampler("ab", num_samples=3)),
        (TypeError, lambda: io.RandomSampler("ab", replacement=3)),
        (NotImplementedError, lambda: io.Dataset()[0]),
        (RuntimeError, lambda: Counted()[0]),
        (ValueError, lambda: io.random_split(Items([1, 2]), [1, 2])),
        (AttributeError, lambda: io.DistributedBatchSampler),
    ],
)
def test_wrong_arguments(error, run):
    with pytest.raises(error):
        run()


@pytest.mark.parametrize(
    "lengths, expected",
    [([0.5, 0.5], [6, 5]), ([0.3, 0.3, 0.4], [4, 3, 4]), ([0.05, 0.95], [1, 10]), ([5, 6], [5, 6])],
)
def test_random_split_takes_shares(lengths, expected):
    parts = paddle.io.random_split(list(range(11)), lengths)
    assert [len(part) for part in parts] == expected
    assert sorted(one for part in parts for one in (part[i] for i in range(len(part)))) == [
        *range(11)
    ]


def test_random_split_refuses():
    for lengths in ([0.3, 0.3], [5, 5]):
        with pytest.raises(ValueError, match="Sum of input lengths"):
            paddle.io.random_split(list(range(11)), lengths)
    with pytest.raises(ValueError, match="index 0"):
        paddle.io.random_split(list(range(11)), [1.5, -0.5])
