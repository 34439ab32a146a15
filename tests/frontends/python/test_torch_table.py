"""Every name of PyTorch that the book uses works as the book's programs call it.

The programs are in torch_table.py. The table of names (../shared/reference beside the checkout) says
with how many positional arguments and which keywords a name is called; a test holds the programs
against it. Names that are not here are in ABSENT, and say so when they are used.
"""

import ast
import pathlib
import re
import struct
import types
import warnings

import numpy as np
import penstock
import pytest
import torch_table

PIL = pytest.importorskip("PIL.Image", reason="Pillow is not installed: make setup")

TABLE = pathlib.Path(__file__).resolve().parents[4] / "shared/reference/torch-api.tsv"

# Used in one section at most, and not here.
ABSENT = set()


# ---- Running programs ----------------------------------------------------------------------------


def written(root, name):
    """A folder with three pictures of digits, in the files in which such data sets come."""
    folder = root / name / "raw"
    folder.mkdir(parents=True, exist_ok=True)
    pixels = np.zeros((3, 28, 28), np.uint8) + np.arange(3, dtype=np.uint8)[:, None, None]
    for part in ("train", "t10k"):
        images = struct.pack(">4i", 2051, 3, 28, 28) + pixels.tobytes()
        labels = struct.pack(">2i", 2049, 3) + bytes([0, 1, 2])
        (folder / f"{part}-images-idx3-ubyte").write_bytes(images)
        (folder / f"{part}-labels-idx1-ubyte").write_bytes(labels)
    return str(root)


def raises(call, kind):
    try:
        call()
    except kind:
        return True
    return False


def names_for(torch, torchvision, folder):
    """What programs find: the modules by the names that the book gives them, and some tensors."""
    import importlib

    names = {
        "torch": torch,
        "nn": importlib.import_module("torch.nn"),
        "F": importlib.import_module("torch.nn.functional"),
        "data": importlib.import_module("torch.utils.data"),
        "torchvision": torchvision,
        "transforms": importlib.import_module("torchvision.transforms"),
        "Image": PIL,
        "np": np,
        "tmp": folder,
        "raises": raises,
        "digits": lambda name: written(folder, name),
    }
    exec(torch_table.SETUP, names)
    return names


def result_of(program, names):
    """The value of the last expression of a program."""
    tree = ast.parse(program)
    last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, "<case>", "exec"), names)
    return eval(compile(last, "<case>", "eval"), names)


def check(program, wanted, names):
    """Runs a case; raises AssertionError where the result is another one."""
    found = result_of(program, names)
    if isinstance(wanted, tuple):
        assert tuple(found.shape) == wanted, program
        assert found.detach().double().isfinite().all(), program
        return
    wanted = eval(wanted, names) if isinstance(wanted, str) else wanted
    if isinstance(found, (names["torch"].Tensor, np.ndarray)):
        found = found.detach().numpy() if isinstance(found, names["torch"].Tensor) else found
        wanted = np.asarray(wanted)
        assert (found.shape, kind(found)) == (wanted.shape, kind(wanted)), program
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6, err_msg=program)
    else:
        assert found == wanted, (program, found)


def kind(array):
    return {"u": "i"}.get(array.dtype.kind, array.dtype.kind)


@pytest.fixture
def fresh_names(tmp_path):
    """Gives names of their own to each program."""
    torch = penstock.install_as("torch")
    import torchvision

    def fresh():
        torch.manual_seed(0)
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        return names_for(torch, torchvision, folder)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield fresh


@pytest.mark.parametrize("name", torch_table.CASES)
def test_name(name, fresh_names):
    if name in ABSENT:
        program = next(iter(torch_table.CASES[name]))
        with pytest.raises((AttributeError, ImportError, NotImplementedError)) as caught:
            result_of(program, fresh_names())
        assert name.rpartition(".")[2] in str(caught.value)
        return
    for program, wanted in torch_table.CASES[name].items():
        check(program, wanted, fresh_names())


# ---- The table -----------------------------------------------------------------------------------


def rows():
    """Name, numbers of positional arguments and keywords of each row, and in how many sections."""
    if not TABLE.is_file():
        pytest.skip(f"the folder shared/reference with {TABLE.name} is not beside the checkout")
    for line in TABLE.read_text().splitlines()[1:]:
        name, signature, sections, older = line.split("\t")[:4]
        counts, _, keywords = signature.strip("()").partition("positional")
        called = {count for count in counts.strip().split("|") if count}
        yield name, called, set(re.findall(r"(\w+)=", keywords)), max(int(sections), int(older))


def spellings(name):
    """How programs write a function of a module."""
    short = name.removeprefix("torch.")
    functional = short.replace("nn.functional.", "F.")
    data = short.removeprefix("utils.")
    return {name, short, functional, data, name.removeprefix("torchvision.")}


def is_called(name, function):
    if not isinstance(function, ast.Attribute):
        return False
    if name.startswith(("torch.", "torchvision.")):
        return ast.unparse(function) in spellings(name)
    return function.attr == re.split(r"[.#]", name)[-1]


def calls_of(name):
    """The numbers of positional arguments and the keywords with which the cases call a name."""
    counts, keywords = set(), set()
    for program in torch_table.CASES.get(name, ()):
        for node in ast.walk(ast.parse(program)):
            if isinstance(node, ast.Call) and is_called(name, node.func):
                starred = any(isinstance(one, ast.Starred) for one in node.args)
                counts.add("*" if starred else str(len(node.args)))
                keywords.update(one.arg for one in node.keywords)
    return counts, keywords


def test_every_row_has_a_case():
    names = [row[0] for row in rows()]
    assert sorted(names) == sorted(torch_table.CASES)
    assert set(torch_table.LOOSE) <= set(names)


def test_every_way_of_calling_has_a_case():
    lacking = []
    for name, counts, keywords, sections in rows():
        had = calls_of(name)
        if sections >= 2 and name not in torch_table.LOOSE:
            if counts - had[0] or keywords - had[1]:
                lacking.append((name, counts - had[0], keywords - had[1]))
    assert not lacking


def test_what_is_absent_is_used_seldom():
    few = {name for name, _, _, sections in rows() if sections < 2}
    assert ABSENT <= few


def test_checks_find_wrong_results():
    names = {"torch": types.SimpleNamespace(Tensor=type(None)), "np": np}
    for program, wanted in (("np.ones(2)", "np.ones(3)"), ("np.ones(2)", "np.ones(2, int)"), ("1", "2")):
        with pytest.raises(AssertionError):
            check(program, wanted, names)
