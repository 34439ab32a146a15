"""What is known of PaddlePaddle 3.3.1 holds here: each fact of the reference runs as a doctest.

The reference (../shared/reference beside the checkout) was run on the real one. Of exceptions the
class is compared. Where our contract asks for another answer, OURS has it, beside the line of the
program that it belongs to. Errors about values come when the value is waited for: a doctest shows
its values, so that they come in the same place.
"""

import doctest
import importlib
import pathlib
import re
import warnings

import penstock
import pytest

REFERENCE = pathlib.Path(__file__).resolve().parents[4] / "shared/reference"
FILE = REFERENCE / "paddle-3.3.1-behaviour.md"
FACTS = range(1, 43)

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

BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.M | re.S)


def parts():
    """The reference in parts: the head, and one for each fact, by its number."""
    if not FILE.is_file():
        pytest.skip(f"the folder shared/reference with {FILE.name} is not beside the checkout")
    head, *rest = re.split(r"^(?=\d+\. )", FILE.read_text(), flags=re.M)
    return head, {int(part.partition(".")[0]): part for part in rest}


def examples_of(text, name):
    """The programs of a part as one test."""
    program = "\n".join(BLOCK.findall(text))
    return doctest.DocTestParser().get_doctest(program, {}, name, str(FILE), 0)


def with_ours(test, answers):
    """The test with our answers in place of the real ones; each must belong to one line."""
    for end, shown in answers.items():
        (example,) = [one for one in test.examples if one.source.rstrip("\n").endswith(end)]
        if isinstance(shown, type):
            example.exc_msg = f"{shown.__name__}: ours\n"
            continue
        example.want = f"{shown}\n" if shown else ""
        example.exc_msg = None
    return test


def failures(test, names):
    """What a doctest runner says of the failures of a test."""
    report = []
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    test.globs = names
    runner = doctest.DocTestRunner(verbose=False, optionflags=flags)
    runner.run(test, out=report.append, clear_globs=False)
    return "".join(report)


@pytest.fixture
def names():
    """What the set-up of the reference leaves behind, in a process where paddle is ours."""
    paddle = penstock.install_as("paddle")
    setup = examples_of(parts()[0], "set-up")
    setup.examples = [one for one in setup.examples if not lacks_module(one.source)]
    found = {}
    with warnings.catch_warnings():  # the set-up silences them
        assert failures(setup, found) == ""
        assert found["paddle"] is paddle
        yield found
    paddle.set_default_dtype("float32")
    paddle.set_printoptions(precision=8, sci_mode=False)


def lacks_module(line):
    """Whether a line imports modules of layers and data that this checkout does not have."""
    wanted = [name for name in ("nn", "io") if re.search(rf"paddle(\.| import .*\b){name}\b", line)]
    return not all(is_there(f"penstock.paddle.{name}") for name in wanted)


def is_there(module):
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        assert error.name == f"paddle.{module.rpartition('.')[2]}"
        return False
    return True


def test_all_facts_are_there():
    assert set(FACTS) <= set(parts()[1])
    assert set(OURS) <= set(FACTS)


@pytest.mark.parametrize("number", FACTS)
def test_fact(number, names):
    test = examples_of(parts()[1][number], f"fact {number}")
    assert test.examples
    if "F" not in names and any("F." in one.source for one in test.examples):
        pytest.skip("penstock.paddle.nn is not in this checkout")
    report = failures(with_ours(test, OURS.get(number, {})), names)
    assert not report, report
