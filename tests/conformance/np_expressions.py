"""Expressions over mx.np and mx.npx, one in each line of np_expressions.txt, and what they give.

record_np_expressions.py writes down what the real MXNet gives; test_mxnet_np.py holds ours against
that. All are evaluated in NumPy mode.
"""

import pathlib
import warnings

import expressions

FILE = pathlib.Path(__file__).resolve().parent / "np_expressions.txt"

alike = expressions.alike


def lines():
    return [line for line in FILE.read_text().splitlines() if line and not line.startswith("#")]


def names(mx):
    """The arrays that expressions are about; new ones for each."""
    import numpy

    integers = mx.np.array([1, 2, 3], dtype="int32")
    return {
        **{"mx": mx, "np": mx.np, "npx": mx.npx, "onp": numpy},
        "x": mx.np.array([[0.5, -1.5, 2.0], [3.0, 0.25, -0.75]]),
        "i": integers,
        "b": integers > 1,
    }


def seen(mx, text):
    """What an expression gives."""
    mx.npx.set_np()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return expressions._data(mx, eval(text, names(mx)))
        except Exception as error:  # what it is called is all that is compared
            return ["raises", expressions._kinds(error)]
        finally:
            mx.npx.reset_np()
