"""What the tests of mx.nd and of mx.np share: cases by name, the reference's tables, expressions.

A case is an expression over arrays, and what it gives: an expression over NumPy's, a class of
exceptions, or, as a tuple, a shape alone.
"""

import ast
import gzip
import json
import os
import pathlib
import subprocess
import sys

import numpy
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
CONFORMANCE = ROOT / "tests" / "conformance"
REFERENCE = ROOT.parent / "shared" / "reference"
sys.path.append(str(CONFORMANCE))


@pytest.fixture(autouse=True)
def numpy_mode():
    """For modules that import it: their tests run in NumPy mode."""
    from penstock.mxnet import npx

    npx.set_np()
    yield
    npx.reset_np()


def same(found, wanted, cls, dtype="float32"):
    """An array of the class with these elements, of this type."""
    wanted = numpy.asarray(wanted, dtype=dtype)
    assert type(found) is cls
    assert found.shape == wanted.shape
    assert found.dtype == wanted.dtype
    numpy.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-5, atol=1e-6)


def check(expression, wanted, names, cls):
    """One case."""
    if isinstance(wanted, type):
        with pytest.raises(wanted):
            eval(expression, names)
        return
    found = eval(expression, names)
    if isinstance(wanted, tuple):
        assert found.shape == wanted, expression
        return
    wanted = eval(wanted, names)
    if isinstance(found, cls):
        same(found, wanted, cls, getattr(wanted, "dtype", "float32"))
    elif isinstance(found, numpy.ndarray):
        assert (found == wanted).all(), expression
    else:
        assert found == wanted, expression


def printed_by(program, **environment):
    """What another process prints."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# ---- The reference's tables ----------------------------------------------------------------------


def _calls_of(api, cases):
    """How cases call an API: the numbers of positional arguments and the names of others."""
    counts, keywords = set(), set()
    for expression in cases:
        for node in ast.walk(ast.parse(expression)):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Attribute) and called.attr == api.rpartition(".")[2]:
                starred = any(isinstance(arg, ast.Starred) for arg in node.args)
                counts.add("*" if starred else str(len(node.args)))
                keywords.update(keyword.arg for keyword in node.keywords)
    return counts, keywords


def _rows(pattern):
    """Name, numbers of positional arguments and keywords of each row of the tables."""
    if not REFERENCE.is_dir():
        pytest.skip("the folder shared/reference is not beside the checkout")
    for file in sorted(REFERENCE.glob(pattern)):
        for line in file.read_text().splitlines()[1:]:
            api, _, _, counts, keywords = (line.split("\t") + [""] * 5)[:5]
            counts = {count for count in counts.split(",") if count}
            yield api, counts, {keyword.partition(":")[0] for keyword in keywords.split()}


def lacking(pattern, begin, cases, loose=()):
    """Rows of APIs that begin so and have no case, or not one for each way they are called.

    `loose` are those whose calls without positional arguments have keywords alone, or are made
    without parentheses.
    """
    found = []
    for api, counts, keywords in _rows(pattern):
        if not api.startswith(begin) and api not in cases:
            continue
        had = _calls_of(api, cases.get(api, ()))
        counts = counts - {"0"} if api in loose else counts
        if api not in cases or counts - had[0] or keywords - had[1]:
            found.append((api, counts - had[0], keywords - had[1]))
    return found


# ---- Expressions, with what the real MXNet gave --------------------------------------------------


def recorded(name):
    """Pairs of an expression and what the real MXNet gave."""
    packed = (CONFORMANCE / "vectors" / f"{name}.json.gz").read_bytes()
    return json.loads(gzip.decompress(packed))


def wrong(pairs, seen, right):
    """What is not right, for people: right(text, found, real) says whether ours is."""
    texts = []
    for text, real in pairs:
        found = json.loads(json.dumps(seen(text), default=str))  # as it comes out of JSON
        if not right(text, found, real):
            texts.append(f"{text}\n  real {real}\n  ours {found}")
    return "\n".join(texts)
