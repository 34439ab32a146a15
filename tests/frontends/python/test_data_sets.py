"""Datasets, samplers, batches and the progress line."""

import collections
import io
import re
import sys

import numpy as np
import pytest

import penstock as ps
from penstock import data

# ---- Datasets ------------------------------------------------------------------------------------


def test_array_dataset():
    x, y = np.arange(6.0).reshape(3, 2), [10, 20, 30]
    pairs = data.ArrayDataset(x, y)
    assert len(pairs) == 3
    assert pairs[2][0].tolist() == [4, 5]
    assert pairs[2][1] == 30
    assert data.ArrayDataset(y)[0] == 10
    assert [label for _, label in pairs] == y
    with pytest.raises(ValueError, match="the lengths differ: 3, 2"):
        data.ArrayDataset(x, [1, 2])
    with pytest.raises(ValueError, match="at least one"):
        data.ArrayDataset()


def test_views_of_datasets():
    numbers = data.ArrayDataset(list(range(10)))
    assert list(numbers.transform(lambda x: x * x).take(4)) == [0, 1, 4, 9]
    assert list(numbers.filter(lambda x: x % 3 == 0)) == [0, 3, 6, 9]
    assert list(numbers.select([5, 5, 1])) == [5, 5, 1]
    assert list(numbers.take(100)) == list(range(10))
    shards = [list(numbers.shard(3, i)) for i in range(3)]
    assert shards == [[0, 1, 2, 3], [4, 5, 6], [7, 8, 9]]
    with pytest.raises(ValueError, match="index 3 is not among 3 parts"):
        numbers.shard(3, 3)
    with pytest.raises(TypeError, match="a function is needed, not 5"):
        numbers.transform(5)
    with pytest.raises(TypeError, match="a function is needed, not 5"):
        numbers.transform_first(5)


def test_transforms_of_tuples():
    pairs = data.ArrayDataset([1, 2], [3, 4])
    assert list(pairs.transform(lambda x, y: x * y)) == [3, 8]
    assert list(pairs.transform_first(lambda x: -x)) == [(-1, 3), (-2, 4)]
    assert list(data.ArrayDataset([1, 2]).transform_first(lambda x: -x)) == [-1, -2]


def test_what_a_dataset_must_define():
    with pytest.raises(NotImplementedError, match="Dataset does not define __getitem__"):
        data.Dataset()[0]
    with pytest.raises(NotImplementedError, match="Dataset does not define __len__"):
        len(data.Dataset())


# ---- Samplers ------------------------------------------------------------------------------------


def test_sequential_sampler():
    assert list(data.SequentialSampler(3, 5)) == [5, 6, 7]
    assert len(data.SequentialSampler(3)) == 3
    with pytest.raises(ValueError, match="at least 0, not -1"):
        data.SequentialSampler(-1)
    with pytest.raises(TypeError, match="an integer, not 2.5"):
        data.SequentialSampler(2.5)


def test_random_sampler():
    sampler = data.RandomSampler(50, generator=7)
    first, second = list(sampler), list(sampler)
    assert sorted(first) == sorted(second) == list(range(50))
    assert first != second
    again = data.RandomSampler(50, generator=7)
    assert [list(again), list(again)] == [first, second]
    ps.random.seed(7)
    shared = list(data.RandomSampler(50))
    ps.random.seed(7)
    assert list(data.RandomSampler(50)) == shared
    assert list(data.RandomSampler(0)) == []


@pytest.mark.parametrize(
    ("last", "lengths", "again"),
    [
        ("keep", [3, 3, 1], [3, 3, 1]),
        ("discard", [3, 3], [3, 3]),
        ("rollover", [3, 3], [3, 3]),
    ],
)
def test_batch_sampler(last, lengths, again):
    sampler = data.BatchSampler(data.SequentialSampler(7), 3, last)
    assert len(sampler) == len(lengths)
    assert [len(batch) for batch in sampler] == lengths
    expected = len(sampler)
    second = list(sampler)
    assert [len(batch) for batch in second] == again
    assert len(second) == expected
    assert second[0] == ([6, 0, 1] if last == "rollover" else [0, 1, 2])


def test_rollover_comes_round():
    sampler = data.BatchSampler(data.SequentialSampler(4), 3, "rollover")
    batches = [batch for _ in range(3) for batch in sampler]
    assert batches == [[0, 1, 2], [3, 0, 1], [2, 3, 0], [1, 2, 3]]


def test_wrong_batches():
    with pytest.raises(ValueError, match="one of keep, discard, rollover, not 'drop'"):
        data.BatchSampler([1], 2, "drop")
    with pytest.raises(ValueError, match="batch_size must be at least 1, not 0"):
        data.BatchSampler([1], 0)


# ---- Batches -------------------------------------------------------------------------------------


def test_batchify():
    assert data.batchify([1, 2]).dtype == ps.int64
    assert data.batchify([1.0, 2.0]).dtype == ps.float32
    assert data.batchify([ps.ones((2, 3))] * 4).shape == (4, 2, 3)
    made = data.batchify([np.ones(3, "float16"), np.zeros(3, "float16")])
    assert (type(made), made.dtype, made.tolist()) == (ps.ndarray, ps.float16, [[1] * 3, [0] * 3])
    assert data.batchify([np.int8(3), np.int8(4)]).dtype == ps.int8
    assert data.batchify(["a", "b"]) == ["a", "b"]


def test_batchify_of_parts():
    Pair = collections.namedtuple("Pair", "x y")
    made = data.batchify([Pair(1, "a"), Pair(2, "b")])
    assert (type(made), made.x.tolist(), made.y) == (Pair, [1, 2], ["a", "b"])
    made = data.batchify([{"x": 1, "y": [2, 3]}, {"x": 4, "y": [5, 6]}])
    assert made["x"].tolist() == [1, 4]
    assert [part.tolist() for part in made["y"]] == [[2, 5], [3, 6]]
    with pytest.raises(ValueError, match=r"different lengths: \[1, 2\]"):
        data.batchify([(1,), (1, 2)])


# ---- The progress line ---------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(iterable, file, **settings):
    bar = data.progress(iterable, "epoch 1", file=file, plain=True, **settings)
    seen = []
    for one in bar:
        seen.append(one)
        bar.show(loss=ps.array(0.125), step=one)
    return seen


def test_a_plain_line():
    file = io.StringIO()
    assert shown(range(4), file) == [0, 1, 2, 3]
    assert re.fullmatch(
        r"epoch 1: 4/4 100% in \d+\.\d s, loss 0\.125, step 3\n", file.getvalue()
    )


def test_a_line_on_a_terminal(monkeypatch):
    monkeypatch.setattr("penstock.data._progress._INTERVAL", 0)
    file = Terminal()
    shown(iter("ab"), file)
    *lines, last = file.getvalue().split("\r")
    assert len(lines) == 3
    assert re.match(r"epoch 1: 2 in \d+\.\d s, loss 0\.125, step b +\n|.*step b\n", last)


def test_a_line_of_nothing():
    file = io.StringIO()
    assert shown([], file) == []
    assert file.getvalue().startswith("epoch 1: 0")


def test_tqdm_where_it_is_installed(monkeypatch):
    calls = []

    class Bar:
        def __init__(self, iterable, **settings):
            calls.append(settings)
            self.iterable = iterable

        def __iter__(self):
            return iter(self.iterable)

        def set_postfix(self, figures, refresh):
            calls.append(figures)

    module = type(sys)("tqdm.auto")
    module.tqdm = Bar
    monkeypatch.setitem(sys.modules, "tqdm", type(sys)("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", module)
    bar = data.progress(range(3), "epoch")
    for i in bar:
        bar.show(loss=ps.array(0.5))
    assert calls[0] == {"desc": "epoch", "total": 3, "file": None}
    assert calls[1:] == [{"loss": "0.5"}] * 3


def test_without_tqdm(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert list(data.progress(range(3))) == [0, 1, 2]
    assert capsys.readouterr().err.startswith("3/3 100% in ")
