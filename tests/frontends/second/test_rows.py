"""Operations that a C library adds to the running program are there in Python, by their names."""

import ctypes
import os

import second  # noqa: F401: chooses the package's extension module
import numpy as np
import penstock as ps
import pytest


@pytest.fixture(scope="module", autouse=True)
def library():
    """Loaded when the package is there already, and has made its functions."""
    with pytest.raises(ValueError, match="there is no operation 'rows_leaky'"):
        ps.call("rows_leaky", ps.ones(2))
    loaded = ctypes.CDLL(os.environ["ROWS_LIBRARY"])
    loaded.rows_add.restype = ctypes.c_char_p
    assert loaded.rows_add() is None
    assert b"already" in loaded.rows_add()
    return loaded


X = np.array([-2.0, 0.0, 3.0], dtype=np.float32)


def test_an_expression():
    assert ps.call("rows_leaky", ps.array(X)).tolist() == [-1, 0, 3]
    assert ps.call("rows_leaky", X, 0.25).tolist() == [-0.5, 0, 3]
    assert ps.call("rows_leaky", X, slope=0.25).tolist() == [-0.5, 0, 3]
    assert ps.call("rows_leaky", -4.0).item() == -2


def test_an_expression_is_fused():
    x = ps.ones(10000)
    before = ps.engine.stats().groups
    for _ in range(100):
        y = ps.call("rows_leaky", x * -2.0) + 1
        assert y.sum().item() == 0
    assert ps.engine.stats().groups > before


def test_into_an_array():
    out = ps.zeros(3)
    assert ps.call("rows_leaky", X, out=out) is out
    assert out.tolist() == [-1, 0, 3]


def test_a_kernel():
    x = ps.arange(6, dtype="float32")[::2]
    assert ps.call("rows_outer", x, x).tolist() == np.outer([0, 2, 4], [0, 2, 4]).tolist()
    assert ps.call("rows_outer", x, x, factor=0.5)[2, 2] == 8


def test_what_a_rule_refuses():
    with pytest.raises(ValueError, match="operand 2 has 2 dimensions of float32; it must have 1"):
        ps.call("rows_outer", ps.ones(3), ps.ones((3, 3)))


def test_what_a_kernel_refuses_is_told_at_the_wait():
    y = ps.call("rows_outer", ps.ones(3), ps.ones(3), -1)
    with pytest.raises(ValueError, match="factor -1 is negative .in rows_outer, queued at") as caught:
        y.wait()
    assert __file__ in str(caught.value)


def test_several_outputs():
    x, y = ps.array([5.0, 7.0]), ps.array([1.0, 2.0])
    total, difference = ps.call("rows_sum_difference", x, y)
    assert (total.tolist(), difference.tolist()) == ([6, 9], [4, 5])


def test_several_outputs_into_arrays():
    x, y = ps.array([5.0, 7.0]), ps.array([1.0, 2.0])
    total, difference = ps.call("rows_sum_difference", x, y, out=(x, None))
    assert total is x
    assert (x.tolist(), difference.tolist()) == ([6, 9], [4, 5])


@pytest.mark.parametrize("out", [ps.ones(2), (ps.ones(2),), (1, 2), [ps.ones(2), ps.ones(2)]])
def test_outputs_that_are_no_tuple(out):
    with pytest.raises(TypeError, match="out must be a tuple of 2 penstock arrays or None, not "):
        ps.call("rows_sum_difference", 1, ps.ones(2), out=out)


def test_an_output_that_does_not_fit():
    with pytest.raises(ValueError, match="rows_sum_difference"):
        ps.call("rows_sum_difference", 1, ps.ones(2), out=(ps.ones(3), None))


def test_wrong_arguments_are_told_the_signature():
    with pytest.raises(TypeError, match=r"rows_leaky\(x, /, slope=0.5, \*, out=None\)"):
        ps.call("rows_leaky", X, share=1)


def test_near_names():
    ps.call("rows_leaky", X)
    with pytest.raises(ValueError, match="no operation 'rows_leeky'; did you mean 'rows_leaky'"):
        ps.call("rows_leeky", X)
