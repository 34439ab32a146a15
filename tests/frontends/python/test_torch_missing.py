"""Names of PyTorch that are not here say so; what PyTorch has not either gets a hint."""

import importlib

import pytest
from penstock import torch
from penstock.torch import _missing, _names

PART = "is a part of {} that Penstock does not have: see docs/torch.md"


def text_of(expression):
    with pytest.raises(AttributeError) as caught:
        eval(expression, {"torch": torch})
    assert caught.value.name == expression.rpartition(".")[2]
    return str(caught.value)


def import_text(statement):
    with pytest.raises(ModuleNotFoundError) as caught:
        exec(statement, {})
    return str(caught.value)


@pytest.mark.parametrize("name", ["torch.fft", "torch.onnx", "torch.quantize_per_tensor"])
def test_parts_of_torch(name):
    assert text_of(name) == f"{name} {PART.format('PyTorch')}"


def test_parts_of_modules_and_of_tensors():
    assert text_of("torch.cuda.nvtx") == f"torch.cuda.nvtx {PART.format('PyTorch')}"
    found = text_of("torch.ones(1).sparse_mask")
    assert found == f"Tensor.sparse_mask {PART.format('PyTorch')}"


def test_what_nobody_has_gets_a_hint():
    assert text_of("torch.onez") == (
        "module 'torch' has no attribute 'onez', and neither has PyTorch 2.15.0; "
        "did you mean 'ones'? (see docs/torch.md)"
    )
    assert "did you mean 'synchronize'?" in text_of("torch.cuda.syncronize")
    assert "did you mean" not in text_of("torch.qqqqqqqq")
    assert text_of("torch.ones(1).qqqqqqqq") == "'Tensor' object has no attribute 'qqqqqqqq'"


def test_modules_that_load_later_are_known_to_hints():
    assert "did you mean 'distributions'?" in text_of("torch.distribution_s")


def test_private_names_are_plainly_absent():
    """So that those who ask by hasattr what an object offers are answered quickly."""
    assert text_of("torch.__wrapped__") == "module 'torch' has no attribute '__wrapped__'"
    assert not hasattr(torch, "_C_no") and not hasattr(torch.ones(1), "__no_such_protocol__")


def test_modules_that_are_imported():
    part = f"torch.fft {PART.format('PyTorch')}"
    assert import_text("import penstock.torch.fft") == part
    assert import_text("from penstock.torch import fft") == part
    assert import_text("import penstock.torch.fft.more") == part
    assert "did you mean 'ones'?" in import_text("from penstock.torch import onez")


def test_texts_by_library():
    assert _missing.text_for("torchvision.ops", "nms", {}) == (
        f"torchvision.ops.nms {PART.format('torchvision')}"
    )
    assert _missing.text_for("torchvision.ops", "mns", {"nms": None}) == (
        "module 'torchvision.ops' has no attribute 'mns', and neither has torchvision 0.29.2; "
        "did you mean 'nms'? (see docs/torch.md)"
    )


def test_every_module_of_the_record_is_here_or_says_that_it_is_not():
    """And each that is here has a text for what it lacks."""
    for path in _names.NAMES:
        if path == "torch.Tensor" or path.startswith("torchvision"):
            continue
        try:
            module = importlib.import_module(f"penstock.{path}")
        except ModuleNotFoundError as error:
            assert "is a part of PyTorch" in str(error), path
            continue
        with pytest.raises(AttributeError, match=r"neither has PyTorch.*docs/torch\.md"):
            module.no_such_name_at_all


def test_the_record_has_what_programs_use():
    kinds = _missing.recorded("torch")
    assert kinds["mm"] == "functions" and kinds["device"] == "classes" and kinds["pi"] == "values"
    assert kinds["fft"] == "modules" and kinds["nn"] == "modules"
    assert {"Linear", "Module", "LazyLinear", "MultiheadAttention"} <= set(
        _missing.recorded("torch.nn")
    )
    assert {"reshape", "add_", "T", "grad"} <= set(_missing.recorded("torch.Tensor"))
    assert {"SGD", "Adam"} <= set(_missing.recorded("torch.optim"))
    assert "ToTensor" in _missing.recorded("torchvision.transforms")
    foreign = {"math", "sys", "os", "np", "warnings", "Optional", "Callable", "AliasDb"}
    assert not [path for path in _names.NAMES if foreign & set(_missing.recorded(path))]
    assert _missing.recorded("torch.no_such_module") == {}
