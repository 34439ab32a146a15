"""Products that begin, and end when a test lets them.

Importing this makes the products of the process go through gate.c: OpenBLAS behind a gate. The gate
is open, and nothing differs, but while `product` holds one. What a test sees in between does not
depend on how busy the machine is. Programs of `processes` may import it too.
"""

import contextlib
import ctypes
import os
import sys

import penstock as ps


def _openblas():
    """The library that products would use without a gate: see penstock._propose_blas."""
    for folder in sys.path:
        file = f"{folder}/scipy_openblas32/lib/libscipy_openblas.so"
        if os.path.isfile(file):
            return file
    return "libopenblas.so.0"


def _load():
    """The gate, in front of the products of this process."""
    file = os.environ.get("GATE_LIBRARY")
    if file is None:
        raise RuntimeError("GATE_LIBRARY is not set: run the tests with ctest")
    os.environ["GATE_BLAS"] = _openblas()
    os.environ["PENSTOCK_BLAS"] = file
    library = ctypes.CDLL(file)
    (ps.ones((300, 300)) @ ps.ones((300, 300))).wait()
    if library.gate_calls() == 0:
        raise RuntimeError("a product came before the gate: run this file in a process of its own")
    return library


_library = _load()

shut = _library.gate_shut
open = _library.gate_open
wait_for_a_product = _library.gate_await


def calls_of_a_product(n=300):
    """How many calls of BLAS a product is, with as many workers as there are now. That differs from
    processor to processor: where kernels take so many rows at a time, it is cut there."""
    x = ps.ones((n, n))
    before = _library.gate_calls()
    (x @ x).wait()
    return _library.gate_calls() - before


def let_pass(calls):
    """Lets so many calls of BLAS through, though the gate is shut."""
    _library.gate_pass(ctypes.c_uint(calls))


@contextlib.contextmanager
def product(n=300):
    """The product of two n by n matrices of ones, under way on a worker; it ends after open()."""
    x = ps.ones((n, n))
    x.wait()
    shut()
    try:
        y = x @ x
        wait_for_a_product()
        yield y
    finally:
        open()
