"""The package as a whole: what importing it does, the names it has, what it says of others."""

import inspect
import os
import pathlib
import pickle
import re
import sys

import numpy as np
import penstock as ps
import pytest
from processes import run_quietly

ROOT = pathlib.Path(__file__).parents[3]
MODULES = [ps, ps.data, ps.engine, ps.files, ps.linalg, ps.memory, ps.nn, ps.nn.init, ps.random]

# ---- Importing ---------------------------------------------------------------------------------

# What takes long to import, or belongs to others.
LATER = {"asyncio", "inspect", "logging", "numpy", "typing", "re", "functools", "difflib"}
LATER |= {"threading", "tqdm"}


def test_import_brings_little_along():
    out = run_quietly("import sys; print(*sys.modules)")
    assert not LATER.intersection(out.split())


def test_numpy_comes_when_it_is_needed():
    program = """
        import sys
        x = ps.ones(3) + [1, 2, 3][0]
        str(x), x.tolist(), ps.random.normal(size=2).item(0), ps.nn.relu(x), x[1:]
        print("numpy" in sys.modules)
        x.asnumpy()
        print("numpy" in sys.modules)
    """
    assert run_quietly(program).split() == ["False", "True"]


def test_everything_by_star():
    names = run_quietly("from penstock import *; print(*dir())").split()
    assert {"array", "exp", "sum", "float32", "nn", "random"} <= set(names)


def run_in_another_interpreter(program):
    """The text of the error that the program ends with, in an interpreter of its own."""
    try:
        import _interpreters as interpreters  # Python 3.13
    except ImportError:
        import _xxsubinterpreters as interpreters
    interpreter = interpreters.create()
    try:
        if hasattr(interpreters, "exec"):
            return interpreters.exec(interpreter, program).formatted
        with pytest.raises(Exception) as caught:
            interpreters.run_string(interpreter, program)
        return str(caught.value)
    finally:
        interpreters.destroy(interpreter)


def test_other_interpreters_are_refused():
    text = run_in_another_interpreter("import penstock")
    # From Python 3.12 on the interpreter says it itself.
    assert re.search("in the main interpreter only|not support loading in subinterpreters", text)


# ---- Names -------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_all_names_exist_once(module):
    assert len(module.__all__) == len(set(module.__all__))
    assert all(hasattr(module, name) for name in module.__all__)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_completion_shows_what_is_public(module):
    shown = [name for name in dir(module) if not name.startswith("__")]
    assert sorted(shown) == sorted(name for name in module.__all__ if not name.startswith("__"))


def test_completion_of_arrays_is_short():
    shown = [name for name in dir(ps.ndarray) if not name.startswith("__")]
    assert not [name for name in shown if name.startswith("_")]
    assert len(shown) < 80


def test_submodules_are_there():
    assert run_quietly("print(ps.random.rand(2).shape, ps.nn.relu(ps.ones(1)))") == "(2,) [1.]\n"
    for name in ("data", "engine", "files", "linalg", "memory", "nn", "random"):
        assert name in dir(ps)
        assert inspect.ismodule(getattr(ps, name))


def test_version():
    header = (ROOT / "include/penstock.h").read_text()
    parts = re.findall(r"^#define PS_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.M)
    assert ps.__version__ == ".".join(parts)


def test_functions_know_where_they_are():
    for module in MODULES:
        for name in module.__all__:
            thing = getattr(module, name)
            if type(thing) is type(ps.add):
                assert thing.__name__ == name
                assert getattr(sys.modules[thing.__module__], name) is thing
                assert repr(thing) == f"<function {thing.__module__}.{name}>"


@pytest.mark.parametrize("function", [ps.exp, ps.sum, ps.nn.relu, ps.concat, ps.random.Generator])
def test_functions_are_pickled_by_name(function):
    assert pickle.loads(pickle.dumps(function)) is function


def test_near_misses():
    with pytest.raises(AttributeError, match="has no 'exq'; did you mean 'exp'"):
        ps.exq
    with pytest.raises(AttributeError, match="has no 'xyzzy_plugh'$"):
        ps.xyzzy_plugh
    assert not hasattr(ps, "__wrapped__")


def test_names_that_are_not_built_say_so():
    with pytest.raises(AttributeError, match="no svd"):
        ps.linalg.svd


def test_nothing_is_both_there_and_not_built():
    assert not set(ps.linalg.NOT_BUILT).intersection(ps.linalg.__all__)


# ---- The array API standard ----------------------------------------------------------------------


def test_arrays_name_the_package():
    x = ps.ones(2)
    assert x.__array_namespace__() is ps
    assert x.__array_namespace__(api_version=ps.__array_api_version__) is ps


def test_namespace_info():
    info = ps.__array_namespace_info__()
    assert info.capabilities()["data-dependent shapes"] is True
    assert info.capabilities()["max dimensions"] == 32
    assert info.default_device() in info.devices()
    assert info.default_dtypes()["real floating"] == ps.float32
    assert info.dtypes(kind="bool") == {"bool": ps.bool}
    assert set(info.dtypes(kind="signed integer")) == {"int8", "int16", "int32", "int64"}
    assert set(info.dtypes(kind=("bool", "signed integer"))) >= {"bool", "int8"}


# ---- The library of matrix products --------------------------------------------------------------

BLAS = "scipy_openblas32/lib/libscipy_openblas.so"


def test_a_proposal_that_is_no_library_is_passed_over(tmp_path):
    file = tmp_path / BLAS
    file.parent.mkdir(parents=True)
    file.write_text("not a library")
    program = f"""
        from penstock import _core
        _core._blas_propose({str(file)!r})
        print((ps.ones((64, 64)) @ ps.ones((64, 64)))[3, 3].item())
        _core._blas_propose({str(file)!r})  # too late, and no error
    """
    assert run_quietly(program) == "64.0\n"


def test_the_installed_library_is_used():
    pytest.importorskip("scipy_openblas32")
    program = """
        x = ps.ones((64, 64), dtype="float64")
        (x @ x).wait()
        print([line for line in open("/proc/self/maps") if "libscipy_openblas" in line] != [])
    """
    assert run_quietly(program) == "True\n"


@pytest.mark.parametrize(
    ("file", "reason"),
    [("/nonexistent/blas", "No such file or directory"), ("libc.so.6", "cblas_sgemm")],
)
def test_a_setting_that_names_no_library_is_an_error(file, reason):
    program = """
        x = ps.ones((64, 64))
        for product in (lambda: x @ x, lambda: ps.tensordot(x, x, axes=1), ps.engine.blas):
            try:
                product()
            except ValueError as error:
                print(error)
        print((x + x)[0, 0].item())
        ps.waitall()
    """
    *errors, rest = run_quietly(program, PENSTOCK_BLAS=file).splitlines()
    assert rest == "2.0"
    assert len(errors) == 3
    for error in errors:
        assert f'PENSTOCK_BLAS is "{file}"' in error
        assert reason in error


def test_products_without_a_library():
    program = """
        import logging
        logging.basicConfig(stream=__import__("sys").stdout, format="%(levelname)s")
        print(ps.engine.blas().name, ps.engine.blas().file)
        print((ps.ones((64, 64)) @ ps.ones((64, 64)))[3, 3].item())
    """
    expected = "WARNING\nWARNING\nreference (PENSTOCK_BLAS is none) None\n64.0\n"
    assert run_quietly(program, PENSTOCK_BLAS="none") == expected


def test_what_is_known_of_the_library():
    library = pytest.importorskip("scipy_openblas32")
    program = """
        blas = ps.engine.blas()
        print(*(blas.name, blas.file, blas.config, blas.core, blas.threads, blas.reason), sep="\\n")
        print(blas == ps.engine.blas())
    """
    name, file, config, core, threads, reason, same = run_quietly(
        program, OPENBLAS_CORETYPE="Nehalem"
    ).splitlines()
    assert os.path.realpath(file).startswith(os.path.realpath(library.get_lib_dir()))
    assert config.startswith("OpenBLAS ")
    assert name.startswith("OpenBLAS ") and name.endswith(" Nehalem")
    assert (core, threads, same) == ("Nehalem", "1", "True")
    assert reason == 'proposed by the frontend; OPENBLAS_CORETYPE is "Nehalem"'


def test_products_are_those_of_numpy():
    x = ps.random.default_rng(1).normal(size=(33, 65))
    assert np.allclose((x @ x.T).asnumpy(), x.asnumpy() @ x.asnumpy().T, rtol=1e-4, atol=1e-4)
