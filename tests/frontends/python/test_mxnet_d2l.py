"""Functions of the book's helper library give what they give with the real MXNet."""

import importlib.util
import json
import pathlib

import numpy
import penstock
import pytest

pytest.importorskip("d2l", reason="d2l is not installed: make setup")

FOLDER = pathlib.Path(__file__).parents[2] / "conformance"
RECORDED = json.loads((FOLDER / "vectors/d2l.json").read_text())


def cases_module():
    spec = importlib.util.spec_from_file_location("d2l_cases", FOLDER / "d2l_cases.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def book():
    """The library, its arrays, and the calls."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MPLBACKEND", "agg")
        package = penstock.install_as("mxnet")
        from d2l import mxnet as d2l

        package.npx.set_np()
        yield d2l, package.np, cases_module()
        package.npx.reset_np()


def compare(ours, real):
    if isinstance(real, list):
        assert len(ours) == len(real)
        for one, other in zip(ours, real):
            compare(one, other)
    elif isinstance(real, dict):
        assert (ours["dtype"], ours["shape"]) == (real["dtype"], real["shape"])
        numpy.testing.assert_allclose(ours["data"], real["data"], rtol=1e-5, atol=1e-6)
    else:
        assert ours == real


def test_all_are_recorded(book):
    assert list(book[2].CASES) == list(RECORDED)


@pytest.mark.parametrize("name", RECORDED)
def test_as_with_mxnet(book, name):
    d2l, np, cases = book
    compare(cases.plain(cases.CASES[name](d2l, np)), RECORDED[name])


def test_pictures_are_drawn(book):
    """Without a screen; what counts is that arrays go into matplotlib."""
    d2l, np, _ = book
    x = np.arange(0, 3, 0.1)
    d2l.plot(x, [x * x, 2 * x - 1], "x", "f(x)", legend=["f", "tangent"])
    line = d2l.plt.gca().lines[0]
    numpy.testing.assert_allclose(line.get_ydata(), x.asnumpy() ** 2, rtol=1e-6)
    d2l.plt.close("all")
