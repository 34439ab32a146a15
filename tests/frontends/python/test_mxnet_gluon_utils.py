"""mx.gluon.utils, as MXNet 1.9.1 has it."""

import pytest

from penstock import mxnet as mx
from penstock.mxnet import nd, np, npx
from penstock.mxnet.gluon import utils

CPUS = [mx.cpu(0), mx.cpu(1)]
SHA1_OF_ABC = "a9993e364706816aba3e25717850c26c9cd0d89d"


def test_split_data():
    x = nd.arange(14).reshape((7, 2))
    parts = utils.split_data(x, 3, even_split=False)
    assert [part.shape for part in parts] == [(3, 2), (2, 2), (2, 2)]
    assert parts[1].asnumpy().tolist() == [[6, 7], [8, 9]]
    assert utils.split_data(x, 1) == [x]
    columns = utils.split_data(x, 2, batch_axis=1)
    assert columns[1].asnumpy().ravel().tolist() == [1, 3, 5, 7, 9, 11, 13]
    with pytest.raises(ValueError, match="cannot be split evenly into 2 slices"):
        utils.split_data(x, 2)


def test_split_and_load():
    import numpy

    parts = utils.split_and_load(numpy.arange(4), CPUS)
    assert [part.context for part in parts] == CPUS
    assert [part.asnumpy().tolist() for part in parts] == [[0, 1], [2, 3]]
    assert parts[0].dtype is numpy.float32
    x = nd.ones(4)
    assert utils.split_and_load(x, [mx.cpu(0)])[0] is x
    npx.set_np()
    try:
        assert type(utils.split_and_load(numpy.arange(4), CPUS)[1]) is np.ndarray
    finally:
        npx.reset_np()


@pytest.mark.parametrize("kind", [nd, np], ids=["nd", "np"])
def test_clip_global_norm(kind):
    arrays = [kind.array([3.0]), kind.array([4.0, 0.0]).as_in_context(mx.cpu(1))]
    assert utils.clip_global_norm(arrays, 10) == 5
    assert arrays[1].asnumpy().tolist() == [4, 0]
    assert utils.clip_global_norm(arrays, 1) == 5
    assert arrays[0].asnumpy() == pytest.approx([0.6])
    assert arrays[1].asnumpy() == pytest.approx([0.8, 0])
    norm = utils.clip_global_norm(arrays, 1, check_isfinite=False)
    assert type(norm) is type(arrays[0]) and norm.shape == (1,)
    with pytest.warns(UserWarning, match="nan or inf"):
        utils.clip_global_norm([kind.array([float("nan")])], 1)
    with pytest.raises(AssertionError):
        utils.clip_global_norm([], 1)


def test_clip_global_norm_does_not_wait():
    from penstock import engine

    x = nd.ones((600, 600))
    for _ in range(10):
        x = nd.dot(x, x) / 600
    utils.clip_global_norm([x], 1, check_isfinite=False)
    assert engine.stats().unfinished > 0


def test_files(tmp_path):
    path = tmp_path / "abc"
    path.write_bytes(b"abc")
    assert utils.check_sha1(str(path), SHA1_OF_ABC)
    assert not utils.check_sha1(str(path), "0" * 40)
    target = str(tmp_path / "copy")
    assert utils.download(path.as_uri(), target, sha1_hash=SHA1_OF_ABC) == target
    assert open(target, "rb").read() == b"abc"
    path.write_bytes(b"def")
    utils.download(path.as_uri(), target)  # it is there
    assert open(target, "rb").read() == b"abc"
    utils.download(path.as_uri(), target, overwrite=True)
    assert open(target, "rb").read() == b"def"
    folder = tmp_path / "folder"
    folder.mkdir()
    assert utils.download(path.as_uri(), str(folder)) == str(folder / "abc")


def test_downloads_that_fail(tmp_path):
    path = tmp_path / "abc"
    path.write_bytes(b"abc")
    missing = (tmp_path / "missing").as_uri()
    with pytest.raises(OSError, match="could not be fetched"):
        utils.download(missing, str(tmp_path / "x"), retries=0)
    with pytest.raises(OSError, match="another SHA-1"):
        utils.download(path.as_uri(), str(tmp_path / "x"), sha1_hash="0" * 40, retries=1)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["abc"]
    with pytest.raises(AssertionError, match="retries"):
        utils.download(missing, str(tmp_path / "x"), retries=-1)
    with pytest.raises(AssertionError, match="name of a file"):
        utils.download("http://localhost/")


def test_shape_is_known():
    assert utils.shape_is_known((1, 2))
    assert not any(map(utils.shape_is_known, [None, (), (0, 2)]))
    with pytest.raises(AssertionError):
        utils.shape_is_known((-1, 2))
    with mx.util.np_shape(True):
        assert utils.shape_is_known((0, 2)) and utils.shape_is_known(())
        assert not utils.shape_is_known((-1, 2))


def test_handles():
    from collections import OrderedDict

    hooks, handle = OrderedDict(), utils.HookHandle()
    handle.attach(hooks, print)
    with pytest.raises(AssertionError, match="one hook only"):
        handle.attach(hooks, print)
    assert list(hooks.values()) == [print]
    handle.detach()
    handle.detach()
    assert not hooks
    utils.HookHandle().detach()
