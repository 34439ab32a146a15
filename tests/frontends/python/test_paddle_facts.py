"""What is known of PaddlePaddle 3.3.1 holds here: each fact of the reference runs as a doctest."""

import warnings

import penstock
import pytest
import reference_facts

FACTS = range(1, 56)

HEAD = "Tensor(shape=[{}], dtype={}, place=Place(cpu), stop_gradient=True,\n       {}"

# By the number of the fact: the end of a line of its program, and what ours shows.
OURS = {
    8: {
        # Tensors of all types promote, as the book's programs expect.
        "T([1]) + T([1.5])": HEAD.format(1, "float32", "[2.50000000])"),
        "T([1], dtype='int32') + T([1])": HEAD.format(1, "int64", "[2])"),
        "T([1]) == T([1.5])": HEAD.format(1, "bool", "[False])"),
    },
    11: {
        # So do those that are added in place, where the result fits.
        "x.add_(T([1, 1]))": HEAD.format(2, "float32", "[7., 7.])"),
    },
    24: {
        # An index of floats is an IndexError.
        "paddle.arange(3)[T([1.])]": IndexError,
    },
    33: {
        # They wait for all that is queued.
        "paddle.device.cuda.synchronize()": "",
        "paddle.device.synchronize()": "",
    },
    39: {
        # What raises has not written before.
        "x.tolist(), y.stop_gradient, y is x": "([7.0, 2.0], True, False)",
    },
    42: {
        # The gradient of a product is the product of the others, 0 or not.
        "d(lambda x: x.std(), 1., 1.)": "([1.0, 1.0, 1.0, 0.0], [0.5], [3.0, 0.0], [nan, nan])",
    },
}

REFERENCE = reference_facts.Reference("paddle-3.3.1-behaviour.md", OURS)


@pytest.fixture
def names():
    """What the set-up of the reference leaves behind, in a process where paddle is ours."""
    paddle = penstock.install_as("paddle")
    with warnings.catch_warnings():  # the set-up silences them
        found = REFERENCE.set_up()
        assert found["paddle"] is paddle
        yield found
    paddle.set_default_dtype("float32")
    paddle.set_printoptions(precision=8, sci_mode=False)


def test_all_facts_are_there():
    numbers = set(REFERENCE.parts()[1])
    assert set(FACTS) == numbers
    assert set(OURS) <= set(FACTS)


@pytest.mark.parametrize("number", FACTS)
def test_fact(number, names):
    REFERENCE.check(number, names)
