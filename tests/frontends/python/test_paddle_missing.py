"""Names of PaddlePaddle that are not here say so; what PaddlePaddle has not either gets a hint."""

import importlib
import re

import pytest
from penstock import paddle
from penstock.paddle import _missing, _names

PART = "is a part of PaddlePaddle that Penstock does not have: see docs/paddle.md"


def text_of(expression):
    with pytest.raises(AttributeError) as caught:
        eval(expression, {"paddle": paddle})
    assert caught.value.name == expression.rpartition(".")[2]
    return str(caught.value)


def import_text(statement):
    with pytest.raises(ModuleNotFoundError) as caught:
        exec(statement, {})
    return str(caught.value)


@pytest.mark.parametrize("name", ["paddle.fft", "paddle.onnx", "paddle.device.nvtx"])
def test_parts_of_paddle(name):
    assert text_of(name) == f"{name} {PART}"


def test_parts_of_tensors():
    assert text_of("paddle.ones([1]).is_sparse_coo") == f"Tensor.is_sparse_coo {PART}"
    assert text_of("paddle.ones([1]).asnumpy") == "'Tensor' object has no attribute 'asnumpy'"
    shown = dir(paddle.ones([1]))
    assert "reshape" in shown and "asnumpy" not in shown and "is_sparse_coo" not in shown


def test_what_nobody_has_gets_a_hint():
    assert text_of("paddle.argmx") == (
        "module 'paddle' has no attribute 'argmx', and neither has PaddlePaddle 3.3.1; "
        "did you mean 'argmax'? (see docs/paddle.md)"
    )
    assert "did you mean 'synchronize'?" in text_of("paddle.device.cuda.syncronize")
    assert "did you mean 'Linear'?" in text_of("paddle.nn.Linaer")
    assert "did you mean" not in text_of("paddle.qqqqqqqq")
    assert text_of("paddle.ones([1]).qqqqqqqq") == "'Tensor' object has no attribute 'qqqqqqqq'"


def test_private_names_are_plainly_absent():
    assert text_of("paddle.__wrapped__") == "module 'paddle' has no attribute '__wrapped__'"
    assert not hasattr(paddle, "_C_no") and not hasattr(paddle.ones([1]), "__no_such_protocol__")


def test_modules_that_are_imported():
    part = f"paddle.fft {PART}"
    assert import_text("import penstock.paddle.fft") == part
    assert import_text("from penstock.paddle import fft") == part
    assert import_text("import penstock.paddle.fft.more") == part
    assert "did you mean 'ones'?" in import_text("from penstock.paddle import onez")


def test_modules_that_are_not_in_the_record_blame_nobody():
    found = _missing.text_for("paddle.no_such_module", "name", {"names": None})
    assert "neither" not in found and "did you mean 'names'?" in found


def test_every_module_of_the_record_is_here_or_says_that_it_is_not():
    """And each that is here has a text for what it lacks."""
    for path in _names.NAMES:
        if path == "paddle.Tensor":
            continue
        try:
            module = importlib.import_module(f"penstock.{path}")
        except ModuleNotFoundError as error:
            assert re.search("is a part of PaddlePaddle|is not a package", str(error)), path
            continue
        with pytest.raises(AttributeError, match=r"neither has PaddlePaddle.*docs/paddle\.md"):
            module.no_such_name_at_all


def test_the_record_has_what_programs_use():
    kinds = _missing.recorded("paddle")
    assert kinds["mm"] == "functions" and kinds["CPUPlace"] == "classes" and kinds["pi"] == "values"
    assert kinds["fft"] == "modules" and kinds["nn"] == "modules"
    assert {"Linear", "Layer", "MultiHeadAttention"} <= set(_missing.recorded("paddle.nn"))
    assert {"reshape", "add_", "T", "grad"} <= set(_missing.recorded("paddle.Tensor"))
    assert {"SGD", "Adam"} <= set(_missing.recorded("paddle.optimizer"))
    foreign = {"math", "sys", "os", "np", "warnings", "Optional", "Callable", "LayerHelper"}
    assert not [path for path in _names.NAMES if foreign & set(_missing.recorded(path)) - {"math"}]
    assert _missing.recorded("paddle.no_such_module") == {}
