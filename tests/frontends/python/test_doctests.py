"""The documentation's examples run as they are written, and everything public has one.

`help` shows the same texts: those of the operations come from the table and from examples.def.
"""

import doctest
import inspect
import pathlib
import re
import types

import penstock as ps
import pytest

ROOT = pathlib.Path(__file__).parents[3]
OPTIM = [ps.optim, ps.optim.schedules, ps.optim.updates]
MODULES = [ps, ps.autograd, ps.data, ps.engine, ps.files, ps.linalg, ps.memory, ps.metric]
MODULES += [ps.nn, ps.nn.init, *OPTIM, ps.random]
SCOPES = [ps.autograd.record, ps.autograd.pause, ps.autograd.train_mode, ps.autograd.predict_mode]
CLASSES = [
    ps.ndarray,
    ps.dtype,
    ps.Dialect,
    ps.engine.sync,
    ps.files.Safetensors,
    ps.random.Generator,
    *SCOPES,
]
CLASSES += [ps.nn.Block, ps.nn.Parameter, ps.data.Dataset, ps.data.ArrayDataset]
PAGES = ["docs/python.md"]


def functions():
    """All public functions, each once, by full name."""
    found = {}
    for module in MODULES:
        for name in module.__all__:
            thing = getattr(module, name)
            if callable(thing) and not isinstance(thing, (type, ps.dtype)):
                found[f"{module.__name__}.{name}"] = thing
    return found


def is_method(thing):
    return callable(thing) or isinstance(thing, (staticmethod, classmethod))


def members():
    """Public methods and properties of the public classes, by full name; no plain fields."""
    found = {}
    for kind in CLASSES:
        for base in kind.__mro__[:-1]:
            for name, thing in vars(base).items():
                if not name.startswith("_") and not inspect.ismemberdescriptor(thing):
                    found.setdefault(f"{kind.__module__}.{kind.__name__}.{name}", thing)
    return found


FUNCTIONS = functions()
MEMBERS = members()
METHODS = {name: thing for name, thing in MEMBERS.items() if is_method(thing)}
TYPES = {f"{kind.__module__}.{kind.__name__}": kind for kind in CLASSES}
TYPES["penstock.autograd.Function"] = ps.autograd.Function
for module in (ps.data, ps.nn, ps.nn.init, *OPTIM[:2]):
    for name in module.__all__:
        if isinstance(getattr(module, name), type):
            TYPES[f"{module.__name__}.{name}"] = getattr(module, name)
DOCUMENTED = FUNCTIONS | MEMBERS | TYPES | {module.__name__: module for module in MODULES}


def run(text, name, path=None):
    """Runs the examples of a text; returns how many there were."""
    test = doctest.DocTestParser().get_doctest(text, {"ps": ps}, name, path, 0)
    report = []
    doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert not report, "".join(report)
    return len(test.examples)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_examples_run(name):
    run(DOCUMENTED[name].__doc__, name)


@pytest.mark.parametrize("page", PAGES)
def test_pages_run(page):
    text = (ROOT / page).read_text()
    unfenced = re.sub(r"^```.*$", "", text, flags=re.M)  # else a fence would be expected output
    assert run(unfenced, page, page) == text.count("\n>>> ") > 0


@pytest.mark.parametrize("name", [*FUNCTIONS, *METHODS])
def test_every_function_has_an_example(name):
    doc = DOCUMENTED[name].__doc__
    other = re.fullmatch(r"The same as (\w+)\.", doc)
    if other:
        doc = DOCUMENTED[f"{name.rpartition('.')[0]}.{other[1]}"].__doc__
    assert ">>> " in doc


def test_an_example_calls_what_it_is_for():
    """Under any of its names: examples are those of the operation."""
    for name, function in FUNCTIONS.items():
        names = {other for other, same in FUNCTIONS.items() if same.__doc__ == function.__doc__}
        called = {"ps." + other.partition(".")[2] + "(" for other in names}
        assert any(call in function.__doc__ for call in called), name


@pytest.mark.parametrize("name", [*FUNCTIONS, *METHODS, *TYPES])
def test_signatures_are_understood(name):
    inspect.signature(DOCUMENTED[name])


def test_help_is_readable():
    import pydoc

    text = pydoc.plain(pydoc.render_doc(ps.sum))
    assert "sum(x, /, axis=None, dtype=None, *, keepdims=False, out=None)" in text
    assert "Sum over the axes" in text
    assert ">>> ps.sum(x, axis=0)" in text


def test_help_of_the_package_names_the_submodules():
    import pydoc

    text = pydoc.plain(pydoc.render_doc(ps))
    assert "queued" in text
    for module in MODULES[1:]:
        assert isinstance(module, types.ModuleType)
        assert module.__name__.split(".")[1] in text
