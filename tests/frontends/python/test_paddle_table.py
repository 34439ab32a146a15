"""Every name of PaddlePaddle's tensors that the book uses works as the book's programs call it.

The programs are in paddle_table.py. The table of names (../shared/reference beside the checkout)
says which names those are; names that are not here are in ABSENT, and say so when they are used.
"""

import ast
import pathlib

import numpy as np
import paddle_table
import penstock
import pytest

TABLE = pathlib.Path(__file__).resolve().parents[4] / "shared/reference/paddle-api.tsv"
KINDS = {"creation", "tensor", "reduction", "random", "cuda", "misc"}

# Of one section alone, and not here.
ABSENT = {
    "paddle.distribution.Multinomial",
    "paddle.jit.save",
    "paddle.jit.to_static",
    "paddle.static.InputSpec",
}
ELSEWHERE = {"paddle.load", "paddle.save"}  # with the tests of files


def raises(call, kind):
    try:
        call()
    except kind:
        return True
    return False


def run(program, paddle):
    """What the last line of a program gives."""
    space = {"paddle": paddle, "np": np, "raises": raises}
    tree = ast.parse(paddle_table.SETUP + program)
    last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, "<setup>", "exec"), space)
    return eval(compile(last, program, "eval"), space), space


def check(found, wanted, paddle):
    if isinstance(found, paddle.Tensor):
        if isinstance(wanted, tuple):
            assert found.shape == wanted
            return
        assert tuple(found.shape) == np.shape(wanted)
        found = found.numpy()
    if isinstance(wanted, np.ndarray):
        np.testing.assert_allclose(found, wanted, rtol=1e-5)
    else:
        assert np.all(found == wanted) or np.allclose(found, wanted, rtol=1e-5)


CASES = [
    (name, program, wanted)
    for name, programs in paddle_table.CASES.items()
    for program, wanted in programs.items()
]


@pytest.mark.parametrize("name, program, wanted", CASES)
def test_case(name, program, wanted):
    from penstock import paddle

    found, space = run(program, paddle)
    check(found, eval(wanted, space), paddle)


def rows():
    """The names of the table that are of tensors, with the number of their sections."""
    if not TABLE.is_file():
        pytest.skip(f"the folder shared/reference with {TABLE.name} is not beside the checkout")
    lines = [line.split("\t") for line in TABLE.read_text().splitlines()[1:]]
    return {line[0]: int(line[2]) for line in lines if line[4] in KINDS}


def test_every_name_has_a_program():
    names = rows()
    assert set(names) - set(paddle_table.CASES) - ABSENT - ELSEWHERE == set()
    assert all(names[name] < 2 for name in ABSENT)


def test_absent_names_say_so():
    paddle = penstock.install_as("paddle")
    with pytest.raises(AttributeError, match="einsums"):
        paddle.einsums
    with pytest.raises(AttributeError, match="did you mean 'reshape'"):
        paddle.reshapee
