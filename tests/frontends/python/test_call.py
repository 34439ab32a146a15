"""Operations by their names in the table. Those that C code adds: tests/frontends/second."""

import penstock as ps
import pytest

BAD = "there is no operation"


def test_the_same_as_the_function():
    x = ps.array([[1.0, -2.0], [3.0, 4.0]])
    assert ps.call("relu", x).tolist() == ps.nn.relu(x).tolist()
    assert ps.call("sum", x, axis=1, keepdims=True).tolist() == [[-1], [7]]
    assert ps.call("sum", x, 0).tolist() == [4, 2]


def test_all_of_the_table_is_there():
    for name, function in ps._core._ops.items():
        with pytest.raises(TypeError) as caught:
            ps.call(name, not_an_argument=1)
        assert f"it is {name}{function.__text_signature__}" in str(caught.value)


def test_names_that_are_not_there():
    with pytest.raises(ValueError, match=f"call: {BAD} 'rel'; did you mean 're"):
        ps.call("rel", 1)
    with pytest.raises(ValueError, match=f"{BAD} 'xyzzy_plugh'$"):
        ps.call("xyzzy_plugh")
    for name in ("", "relu\0lu", "\udcff"):
        with pytest.raises(ValueError):
            ps.call(name, 1)


@pytest.mark.parametrize("name", [None, 1, b"relu", ["relu"], ps.nn.relu])
def test_names_are_text(name):
    with pytest.raises(TypeError, match="the name of an operation is a str, not "):
        ps.call(name, 1)


def test_an_argument_may_be_called_name():
    with pytest.raises(TypeError, match="has no argument 'name'"):
        ps.call("relu", 1, name=2)


def test_errors_name_the_line_of_the_call():
    y = ps.call("take", ps.ones(3), ps.array([7]))
    with pytest.raises(IndexError) as caught:
        y.wait()
    assert __file__ in str(caught.value)
