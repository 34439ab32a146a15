"""Expressions over mx.nd, one in each line of nd_expressions.txt, and what is seen of their values.

`;;` parts statements; the last part is the expression. record_expressions.py writes down what the
real MXNet gives; test_mxnet_nd.py holds ours against that.
"""

import pathlib
import tempfile
import warnings

FILE = pathlib.Path(__file__).resolve().parent / "nd_expressions.txt"


def expressions():
    return [line for line in FILE.read_text().splitlines() if line and not line.startswith("#")]


def _names(mx, folder):
    """The arrays that expressions are about, new ones for each; and a file's path."""
    import numpy

    def mk(shape=(2, 3), dtype="float32"):
        return mx.nd.array(numpy.arange(numpy.prod(shape)).reshape(shape), dtype=dtype)

    return {
        "mx": mx,
        "nd": mx.nd,
        "np": numpy,
        "mk": mk,
        "x": mk(),
        "X": mk((3, 4)),
        "A": mk((2, 3, 4)),
        "i": mk((2, 3), "int32"),
        "v": mx.nd.array([1.0, -2.0, 3.0]),
        "path": f"{folder}/arrays.params",
    }


def _data(mx, value):
    """A value as what JSON has."""
    import numpy

    if isinstance(value, mx.nd.NDArray):
        array = value.asnumpy()
        return [type(value).__name__, str(array.dtype), list(array.shape), array.tolist()]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, [_data(mx, item) for item in value]]
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return ["numpy", str(value.dtype), list(value.shape), value.tolist()]
    return ["value", repr(value)]


def _kinds(error):
    """The built-in classes that an exception is of; MXNetError counts as RuntimeError."""
    return sorted(
        kind.__name__
        for kind in type(error).__mro__
        if kind.__module__ == "builtins" and kind not in (object, BaseException, Exception)
    )


def seen(mx, text):
    """What an expression gives."""
    *statements, last = text.split(" ;; ")
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        names = _names(mx, folder)
        try:
            for statement in statements:
                exec(statement, names)
            return _data(mx, eval(last, names))
        except Exception as error:  # what it is called is all that is compared
            return ["raises", _kinds(error)]


def alike(found, wanted):
    """Whether both are the same; floating-point numbers to five digits."""
    if isinstance(wanted, float) and isinstance(found, float):
        return found == wanted or found != found and wanted != wanted or _near(found, wanted)
    if isinstance(wanted, list) and isinstance(found, list):
        if wanted[:1] == ["raises"] == found[:1]:
            return set(wanted[1]) <= set(found[1])
        return len(found) == len(wanted) and all(map(alike, found, wanted))
    return found == wanted


def _near(a, b):
    return abs(a - b) <= 1e-6 + 1e-5 * abs(b)
