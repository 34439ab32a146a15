"""mx.io: the older iterators, as MXNet 1.9.1 has them."""

import struct
import threading

import numpy
import pytest

from penstock import mxnet as mx
from penstock.mxnet import nd, recordio
from penstock.mxnet.base import MXNetError, NotBuiltError
from penstock.mxnet.io import DataBatch, DataDesc, DataIter, NDArrayIter

pytestmark = pytest.mark.timeout(60)


def batches(iterator):
    return [(batch.data[0].asnumpy().tolist(), batch.pad) for batch in iterator]


def test_descriptions():
    one = DataDesc("a", (1, 2))
    assert repr(one) == "DataDesc[a,(1, 2),<class 'numpy.float32'>,NCHW]"
    assert tuple(one) == ("a", (1, 2)) and one == DataDesc("a", (1, 2), "int32")
    assert DataDesc.get_batch_axis("TNC") == 1 and DataDesc.get_batch_axis(None) == 0
    assert DataDesc.get_list([("a", (1,))], [("a", "int32")])[0].dtype == "int32"


def test_batch():
    batch = DataBatch([nd.ones((2, 3))], [nd.ones((4, 5))])
    assert str(batch) == "DataBatch: data shapes: [(2, 3)] label shapes: [(4, 5)]"
    assert str(DataBatch([nd.ones(2)])) == "DataBatch: data shapes: [(2,)] label shapes: None"
    with pytest.raises(AssertionError, match="data must be a list"):
        DataBatch(nd.ones(2))


def test_base_class():
    base = DataIter(3)
    assert base.batch_size == 3 and base.getdata() is None and base.reset() is None
    with pytest.raises(StopIteration):
        base.next()


# ---- NDArrayIter ---------------------------------------------------------------------------------


def test_last_batch_is_filled_up():
    found = NDArrayIter(numpy.arange(5), numpy.arange(5), 2)
    for _ in range(2):
        assert batches(found) == [([0, 1], 0), ([2, 3], 0), ([4, 0], 1)]
        found.reset()
    small = NDArrayIter(numpy.arange(3), batch_size=8)
    assert batches(small) == [([0, 1, 2, 0, 1, 2, 0, 1], 5)]


def test_last_batch_is_left_out():
    found = NDArrayIter(numpy.arange(5), batch_size=2, last_batch_handle="discard")
    for _ in range(2):
        assert batches(found) == [([0, 1], 0), ([2, 3], 0)]
        found.reset()


def test_last_batch_rolls_over():
    found = NDArrayIter(numpy.arange(5), numpy.arange(5), 2, last_batch_handle="roll_over")
    assert batches(found) == [([0, 1], 0), ([2, 3], 0)]
    found.reset()
    assert found.next().label[0].asnumpy().tolist() == [4, 0]
    assert batches(found) == [([1, 2], 0), ([3, 4], 0)]
    found.reset()
    assert batches(found) == [([0, 1], 0), ([2, 3], 0)]
    found.hard_reset()
    assert batches(found) == [([0, 1], 0), ([2, 3], 0)]


def test_types():
    def told(data):
        found = NDArrayIter(data, batch_size=2)
        batch = found.next()
        return found.provide_data[0].dtype, batch.data[0].dtype, type(batch.data[0])

    float32, int32 = numpy.float32, numpy.int32
    assert told(numpy.ones((4, 2))) == (float32, float32, nd.NDArray)
    assert told(numpy.ones((4, 2), "int64")) == (float32, float32, nd.NDArray)
    assert told(nd.ones((4, 2), dtype="int32")) == (int32, int32, nd.NDArray)
    assert told(mx.np.ones((4, 2))) == (float32, float32, nd.NDArray)


def test_names():
    one = NDArrayIter(numpy.ones((4, 2)), numpy.ones(4), 2)
    assert one.provide_data == [("data", (2, 2))] and one.provide_label == [("softmax_label", (2,))]
    several = NDArrayIter([numpy.ones(4), numpy.ones(4)], [numpy.ones(4)], 2)
    assert [name for name, _ in several.provide_data] == ["_0_data", "_1_data"]
    assert [name for name, _ in several.provide_label] == ["softmax_label"]
    named = NDArrayIter({"b": numpy.ones(4), "a": numpy.zeros(4)}, batch_size=2, label=[])
    assert [name for name, _ in named.provide_data] == ["a", "b"] and named.provide_label == []
    batch = named.next()
    assert batch.data[0].asnumpy().tolist() == [0, 0] and batch.label == []


def test_shuffling_follows_numpys_seed():
    numpy.random.seed(0)
    found = NDArrayIter(numpy.arange(6), numpy.arange(6) * 10, 2, shuffle=True)
    assert found.idx.tolist() == [5, 2, 1, 3, 0, 4]
    assert batches(found) == [([5, 2], 0), ([1, 3], 0), ([0, 4], 0)]
    found.reset()
    assert found.idx.tolist() == [2, 3, 0, 5, 1, 4]
    for batch in found:
        assert (batch.data[0] * 10).asnumpy().tolist() == batch.label[0].asnumpy().tolist()


def test_step_by_step():
    found = NDArrayIter(numpy.arange(5), batch_size=2)
    assert found.cursor == -2 and found.iter_next() and found.cursor == 0
    assert found.getdata()[0].asnumpy().tolist() == [0, 1]
    assert found.getpad() == 0 and found.getindex() is None and found.getlabel() == []


@pytest.mark.parametrize("given", [{"data": []}, {"data": None}])
def test_nothing(given):
    with pytest.raises(AssertionError, match="there is no data"):
        NDArrayIter(**given)


def test_what_is_no_array():
    with pytest.raises(TypeError):
        NDArrayIter("text")
    with pytest.raises(ValueError, match="4 items"):
        NDArrayIter(numpy.ones(5), numpy.ones(4), 2)
    with pytest.raises(ValueError, match="batch_size"):
        NDArrayIter(numpy.ones(5), batch_size=0)


# ---- Around others -------------------------------------------------------------------------------


def test_resize_iter():
    def inner():
        return NDArrayIter(numpy.arange(6), batch_size=2)

    longer = mx.io.ResizeIter(inner(), 5)
    for _ in range(2):
        assert [one[0] for one in batches(longer)] == [[0, 1], [2, 3], [4, 5], [0, 1], [2, 3]]
        longer.reset()
    going_on = mx.io.ResizeIter(inner(), 2, reset_internal=False)
    assert [one[0] for one in batches(going_on)] == [[0, 1], [2, 3]]
    going_on.reset()
    assert [one[0] for one in batches(going_on)] == [[4, 5], [0, 1]]


def test_prefetching_iter():
    first = NDArrayIter(numpy.arange(6), numpy.arange(6), 2)
    second = NDArrayIter(numpy.arange(6) * 2, numpy.arange(6), 2)
    both = mx.io.PrefetchingIter(
        [first, second], [{"data": "x"}, {"data": "y"}], [{"softmax_label": "z"}, {}]
    )
    assert [name for name, _ in both.provide_data] == ["x", "y"]
    assert [name for name, _ in both.provide_label] == ["z", "softmax_label"]
    assert both.batch_size == 2
    for _ in range(3):
        found = [[one.asnumpy().tolist() for one in batch.data] for batch in both]
        assert found == [[[0, 1], [0, 2]], [[2, 3], [4, 6]], [[4, 5], [8, 10]]]
        both.reset()
    assert len(both.next().label) == 2
    both.reset()  # in the middle
    assert both.next().data[0].asnumpy().tolist() == [0, 1]


def test_an_error_ahead_is_raised_where_its_batch_would_be():
    class Bad(NDArrayIter):
        def next(self):
            if self.cursor >= 0:
                raise KeyError("second batch")
            return super().next()

    found = mx.io.PrefetchingIter(Bad(numpy.arange(6), batch_size=2))
    assert found.next().data[0].asnumpy().tolist() == [0, 1]
    with pytest.raises(KeyError, match="second batch"):
        found.next()


def test_threads_of_a_prefetching_iter_end():
    before = set(threading.enumerate())
    found = mx.io.PrefetchingIter(NDArrayIter(numpy.arange(6), batch_size=2))
    found.next()
    mine = set(threading.enumerate()) - before
    assert len(mine) == 1
    del found
    for thread in mine:
        thread.join(30)
        assert not thread.is_alive()


# ---- Files ---------------------------------------------------------------------------------------


def test_csv(tmp_path):
    data, label = tmp_path / "x.csv", tmp_path / "y.csv"
    data.write_text("".join(f"{i},{i + 1}\n" for i in range(0, 10, 2)))
    label.write_text("".join(f"{i}\n" for i in range(5)))
    given = {"data_csv": str(data), "data_shape": (2,), "batch_size": 2}
    found = mx.io.CSVIter(label_csv=str(label), **given)
    assert found.provide_data == [("data", (2, 2))]
    assert batches(found) == [([[0, 1], [2, 3]], 0), ([[4, 5], [6, 7]], 0), ([[8, 9], [0, 1]], 1)]
    found.reset()  # the first item was given already
    assert [batch.label[0].asnumpy().tolist() for batch in found] == [[1, 2], [3, 4]]
    whole = mx.io.CSVIter(round_batch=False, dtype="int32", **given)
    for _ in range(2):
        assert batches(whole)[2] == ([[8, 9], [6, 7]], 1)
        whole.reset()
    assert whole.next().data[0].dtype == numpy.int32
    shaped = mx.io.CSVIter(data_csv=str(data), data_shape=(2, 1), batch_size=5)
    assert shaped.next().data[0].shape == (5, 2, 1)


def test_csv_that_is_none(tmp_path):
    data = tmp_path / "x.csv"
    data.write_text("1,2\n3,x\n")
    for given in (
        {"data_csv": str(data), "data_shape": (2,)},
        {"data_csv": str(tmp_path / "none"), "data_shape": (2,)},
        {"data_csv": str(data)},
    ):
        with pytest.raises(MXNetError):
            mx.io.CSVIter(batch_size=1, **given)


def test_mnist(tmp_path):
    pixels = numpy.arange(10 * 4 * 4, dtype="uint8").reshape(10, 4, 4)
    (tmp_path / "im").write_bytes(struct.pack(">4I", 0x803, 10, 4, 4) + pixels.tobytes())
    (tmp_path / "lb").write_bytes(struct.pack(">2I", 0x801, 10) + bytes(range(10)))
    given = {"image": str(tmp_path / "im"), "label": str(tmp_path / "lb"), "batch_size": 4}
    plain = mx.io.MNISTIter(shuffle=False, silent=True, **given)
    found = list(plain)
    assert [one.label[0].asnumpy().tolist() for one in found] == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert found[1].data[0].shape == (4, 1, 4, 4)
    assert (found[1].data[0].asnumpy()[:, 0] == pixels[4:8] / 256).all()
    mixed = mx.io.MNISTIter(flat=True, seed=3, **given)
    first = [one.label[0].asnumpy().tolist() for one in mixed]
    mixed.reset()
    assert first == [one.label[0].asnumpy().tolist() for one in mixed]
    assert mixed.provide_data == [("data", (4, 16))]
    with pytest.raises(MXNetError, match="none"):
        mx.io.MNISTIter(image=str(tmp_path / "none"))
    with pytest.raises(MXNetError, match="'what'"):
        mx.io.MNISTIter(what=1, **given)


@pytest.fixture
def pictures(tmp_path):
    """A record file of seven pictures 10 wide and 12 high, whose red tells the column."""
    pytest.importorskip("PIL.Image")
    rows, columns = numpy.mgrid[0:12, 0:10]
    path = str(tmp_path / "x.rec")
    writer = recordio.MXRecordIO(path, "w")
    for number in range(7):
        colours = [columns + rows, rows * 10 + number, columns * 10 + number]  # blue, green, red
        pixels = numpy.stack(colours, 2).astype("uint8")
        writer.write(recordio.pack_img((0, float(number), number, 0), pixels, 3, ".png"))
    writer.close()
    return {"path_imgrec": path, "data_shape": (3, 8, 6), "batch_size": 3}


def corners(iterator):
    """Labels, filling, and red and green in the first corner of each picture."""
    return [
        (
            batch.label[0].asnumpy().tolist(),
            batch.pad,
            batch.data[0].asnumpy()[:, :2, 0, 0].tolist(),
        )
        for batch in iterator
    ]


def test_pictures(pictures):
    found = mx.io.ImageRecordIter(**pictures)
    assert found.provide_data == [("data", (3, 3, 8, 6))]
    first = corners(found)
    assert first[0] == ([0, 1, 2], 0, [[20, 20], [21, 21], [22, 22]])
    assert first[2] == ([6, 0, 1], 2, [[26, 26], [20, 20], [21, 21]])
    found.reset()
    assert [one[:2] for one in corners(found)] == [([2, 3, 4], 0), ([5, 6, 0], 1)]
    found.reset()
    assert [one[0] for one in corners(found)] == [[1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize(
    "given, expected",
    [
        ({"mirror": True}, [70, 20]),
        ({"mean_r": 5, "std_r": 2, "scale": 0.5, "mean_g": 6, "std_g": 2}, [3.75, 3.5]),
        ({"resize": 20}, [32, 38]),
        ({"data_shape": (3, 24, 20)}, [0, 0]),
    ],
)
def test_pictures_changed(pictures, given, expected):
    found = mx.io.ImageRecordIter(**{**pictures, **given})
    assert corners(found)[0][2][0] == expected


def test_pictures_by_luck(pictures):
    given = {"rand_crop": True, "rand_mirror": True, "shuffle": True, "seed": 4, "seed_aug": 3}
    first, second = (corners(mx.io.ImageRecordIter(**pictures, **given)) for _ in range(2))
    assert first == second and len({tuple(one) for part in first for one in part[2]}) > 3
    assert sorted(sum((labels for labels, _, _ in first), [])[:7]) == [0, 1, 2, 3, 4, 5, 6]


def test_parts_and_types_of_pictures(pictures):
    half = mx.io.ImageRecordIter(num_parts=2, part_index=1, preprocess_threads=2, **pictures)
    assert [one[0] for one in corners(half)] == [[4, 5, 6]]
    assert mx.io.ImageRecordUInt8Iter(**pictures).next().data[0].dtype == numpy.uint8
    grey = mx.io.ImageRecordIter(**{**pictures, "data_shape": (1, 8, 6)})
    assert grey.next().data[0].shape == (3, 1, 8, 6)
    with pytest.raises(MXNetError, match="data_shape"):
        mx.io.ImageRecordIter(path_imgrec="x", batch_size=1)
    with pytest.raises(MXNetError, match="No such file"):
        mx.io.ImageRecordIter(**{**pictures, "path_imgrec": "/nowhere.rec"})


def test_what_is_not_built(pictures):
    with pytest.raises(NotBuiltError, match="mxnet.io.LibSVMIter"):
        mx.io.LibSVMIter(data_libsvm="x")
    with pytest.raises(NotBuiltError, match="max_rotate_angle"):
        mx.io.ImageRecordIter(max_rotate_angle=10, **pictures)
