"""Parameters in files: by structured names, and what does not go together."""

import os
import pathlib

import numpy as np
import pytest

import penstock as ps
from penstock import nn


def make(units=3):
    return nn.Sequential(nn.Dense(units, "relu"), nn.Sequential(nn.Dense(2)))


def filled():
    net = make().initialize(nn.init.Normal(1.0))
    net(ps.ones((1, 4)))
    return net


NAMES = ["0.weight", "0.bias", "1.0.weight", "1.0.bias"]


def values(net):
    return {name: one.data.tolist() for name, one in net.parameters().items()}


@pytest.mark.parametrize("suffix", [".params", ".safetensors"])
@pytest.mark.parametrize("kind", [os.fspath, os.fsencode, pathlib.Path])
def test_round_trip(tmp_path, kind, suffix):
    net = filled()
    path = kind(tmp_path / f"net{suffix}")
    net.save(path)
    for other in (make(), make().initialize()):
        assert other.load(path) is other
        assert values(other) == values(net)
        x = ps.array([[1.0, 2.0, 3.0, 4.0]])
        assert (other(x) == net(x)).all()


def test_an_initialised_net_keeps_its_arrays(tmp_path):
    net, other = filled(), filled()
    net.save(tmp_path / "net.params")
    arrays = [one.data for one in other.parameters().values()]
    other.load(tmp_path / "net.params")
    assert all(a is b.data for a, b in zip(arrays, other.parameters().values()))
    assert other[0].weight.grad is not None


def test_types_are_those_of_the_net(tmp_path):
    net = filled()
    net.save(tmp_path / "net.params")
    other = filled().cast("float64").load(tmp_path / "net.params")
    assert other[0].weight.data.dtype == ps.float64
    assert values(other) == values(net)


def test_parameters_without_dimensions(tmp_path):
    block = nn.Block()
    block.scale = nn.Parameter((), init=2.5)
    block.initialize().save(tmp_path / "a.params")
    other = nn.Block()
    other.scale = nn.Parameter(())
    assert other.load(tmp_path / "a.params").scale.data.item() == 2.5


def test_saving_what_has_no_arrays(tmp_path):
    with pytest.raises(ValueError, match="no array yet: 0.weight, 1.0.weight$"):
        make().initialize().save(tmp_path / "a.params")
    assert os.listdir(tmp_path) == []


def test_missing_and_extra_names():
    given = {name: one.data for name, one in filled().parameters().items()}
    del given["0.bias"], given["1.0.weight"]
    given |= {"2.weight": ps.ones(1), "old": ps.ones(2)}
    net = filled()
    before = values(net)
    text = "load: these parameters are missing there: 0.bias, 1.0.weight; "
    text += "these have no parameter here: 2.weight, old$"
    with pytest.raises(ValueError, match=text):
        net.load(given)
    with pytest.raises(ValueError, match="missing there: 0.bias, 1.0.weight$"):
        net.load(given, ignore_extra=True)
    with pytest.raises(ValueError, match="load: these have no parameter here: 2.weight, old$"):
        net.load(given, allow_missing=True)
    assert values(net) == before
    net.load(given, allow_missing=True, ignore_extra=True)
    after = values(net)
    assert after["0.weight"] == given["0.weight"].tolist() != before["0.weight"]
    assert after["0.bias"] == before["0.bias"]


def test_shapes_that_differ():
    given = {name: one.data for name, one in filled().parameters().items()}
    net = make(7).initialize()
    text = r"0.bias \(here \(7,\), there \(3,\)\), 0.weight"
    with pytest.raises(ValueError, match=text) as caught:
        net.load(given)
    assert "1.0.weight" not in str(caught.value)  # its input size is not known
    assert not net[0].weight.is_initialized


def test_a_shared_parameter_by_any_of_its_names():
    net = nn.Sequential(nn.Dense(2, in_units=2, use_bias=False), nn.Dense(2, use_bias=False))
    net[1].weight = net[0].weight
    for names in (["0.weight"], ["1.weight"], ["0.weight", "1.weight"]):
        net.load({name: ps.ones((2, 2)) for name in names})
    with pytest.raises(ValueError, match="missing there: 0.weight$"):
        net.load({})


def test_files_that_are_none(tmp_path):
    with pytest.raises(FileNotFoundError):
        make().load(tmp_path / "missing")
    (tmp_path / "a").write_bytes(b"nonsense" * 20)
    with pytest.raises(ValueError, match="safetensors"):
        make().load(tmp_path / "a")
    ps.save(tmp_path / "b.params", [ps.ones(2)])
    with pytest.raises(ValueError, match="the 1 arrays of .* have no names"):
        make().load(tmp_path / "b.params")
    with pytest.raises(ValueError, match="must end with .safetensors or .params"):
        filled().save(tmp_path / "c")


def test_a_file_that_is_replaced(tmp_path):
    """What was loaded has left the file."""
    net = filled()
    net.save(tmp_path / "net.safetensors")
    other = make().load(tmp_path / "net.safetensors")
    net.zero_grad()
    net[0].weight.data[...] = 0
    net.save(tmp_path / "net.safetensors")
    assert other[0].weight.data.all()


def test_arrays_of_numpy():
    net = nn.Dense(1).load({"weight": np.ones((1, 2)), "bias": np.zeros(1)})
    assert net(ps.ones((1, 2))).item() == 2
