"""mx.gluon.data: datasets and samplers, as MXNet 1.9.1 has them."""

import copy

import numpy
import pytest

from penstock import mxnet as mx
from penstock.mxnet import nd, np, npx, recordio
from penstock.mxnet.gluon import data


def test_simple():
    some = data.SimpleDataset([1, 2, 3])
    assert len(some) == 3 and some[1] == 2 and list(some) == [1, 2, 3]


def test_transform():
    some = data.SimpleDataset([1, 2])
    called = []

    def double(x):
        called.append(x)
        return 2 * x

    lazy = some.transform(double)
    assert called == [] and lazy[1] == 4 and lazy[1] == 4 and called == [2, 2]
    eager = some.transform(double, lazy=False)
    assert called[2:] == [1, 2] and list(eager) == [2, 4] and len(called) == 4


def test_transform_of_pairs():
    pairs = data.SimpleDataset([(1, 10), (2, 20)])
    assert pairs.transform(lambda x, y: x + y)[1] == 22
    assert pairs.transform_first(lambda x: -x)[1] == (-2, 20)
    assert data.SimpleDataset([[1, 2]]).transform(lambda x: x)[0] == [1, 2]
    assert data.SimpleDataset([1]).transform_first(lambda x: -x)[0] == -1


def test_filter_take_sample():
    some = data.SimpleDataset(list(range(10)))
    assert list(some.filter(lambda x: x % 4 == 0)) == [0, 4, 8]
    assert list(some.take(3)) == [0, 1, 2]
    assert len(some.take(99)) == len(some.take(None)) == 10
    assert list(some.sample(data.SequentialSampler(2, 5))) == [5, 6]
    with pytest.raises(TypeError, match="needs a gluon.data.Sampler"):
        some.sample([1, 2])


def test_shards_have_lengths_that_differ_by_one():
    some = data.SimpleDataset(list(range(9)))
    assert [list(some.shard(4, i)) for i in range(4)] == [[0, 1, 2], [3, 4], [5, 6], [7, 8]]
    with pytest.raises(AssertionError, match="4 parts, and none of number 5"):
        some.shard(4, 5)


def test_array_dataset():
    both = data.ArrayDataset(nd.array([1, 2, 3]), nd.ones((3, 2)))
    label, row = both[1]
    assert isinstance(label, numpy.float32) and label == 2  # labels are numbers of NumPy
    assert isinstance(row, nd.NDArray) and row.shape == (2,)
    assert data.ArrayDataset([1, 2, 3])[1] == 2
    assert data.ArrayDataset([1, 2, 3], [4, 5, 6])[0:2] == ([1, 2], [4, 5])
    with pytest.raises(AssertionError, match="argument 1 has 2"):
        data.ArrayDataset([1], [1, 2])
    with pytest.raises(AssertionError):
        data.ArrayDataset()


def test_classes_of_ones_own():
    class Squares(data.Dataset):
        def __len__(self):
            return 4

        def __getitem__(self, index):
            return index * index

    assert Squares().transform(lambda x: x + 1)[3] == 10
    with pytest.raises(NotImplementedError):
        len(data.Dataset())
    with pytest.raises(NotImplementedError):
        data.Dataset()[0]
    with pytest.raises(NotImplementedError):
        iter(data.Sampler())


def test_record_files(tmp_path):
    writer = recordio.MXIndexedRecordIO(str(tmp_path / "x.idx"), str(tmp_path / "x.rec"), "w")
    for key in (3, 1, 2):
        writer.write_idx(key, bytes([key]))
    writer.close()
    records = data.RecordFileDataset(str(tmp_path / "x.rec"))
    assert len(records) == 3 and [records[i] for i in range(3)] == [b"\3", b"\1", b"\2"]
    assert copy.deepcopy(records)[1] == b"\1"
    with pytest.raises(IndexError):
        records[3]


# ---- Samplers ------------------------------------------------------------------------------------


def test_samplers():
    assert list(data.SequentialSampler(3)) == [0, 1, 2]
    assert list(data.SequentialSampler(3, 5)) == [5, 6, 7]
    odd = data.FilterSampler(lambda x: x % 2, data.SimpleDataset([1, 2, 3]))
    assert list(odd) == [0, 2] and len(odd) == 2


def test_random_order_follows_numpys_seed():
    numpy.random.seed(3)
    first = list(data.RandomSampler(5))
    assert first == [3, 4, 1, 0, 2]  # what MXNet gives after that seed
    assert sorted(data.RandomSampler(5)) == [0, 1, 2, 3, 4]


def test_batches():
    def batches(last):
        return data.BatchSampler(data.SequentialSampler(10), 3, last)

    assert list(batches("keep")) == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9]]
    assert list(batches("discard")) == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert len(batches("keep")) == 4 and len(batches("discard")) == 3
    with pytest.raises(ValueError, match="last_batch is 'other'"):
        list(batches("other"))


def test_batches_that_roll_over():
    batches = data.BatchSampler(data.SequentialSampler(10), 3, "rollover")
    assert len(batches) == 3 and list(batches) == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert len(batches) == 3 and list(batches)[0] == [9, 0, 1]
    assert len(batches) == 4 and list(batches)[0] == [8, 9, 0]


def test_classes_say_where_they_are_from():
    assert data.ArrayDataset.__module__ == "mxnet.gluon.data.dataset"
    assert data.BatchSampler.__module__ == "mxnet.gluon.data.sampler"
    assert data.DataLoader.__module__ == "mxnet.gluon.data.dataloader"
    from penstock.mxnet.gluon.data.dataset import Dataset

    assert Dataset is data.Dataset
    assert mx.gluon.data.vision.transforms.ToTensor.__module__ == (
        "mxnet.gluon.data.vision.transforms"
    )
    assert np.ndarray is not nd.NDArray and npx.image is not nd.image
