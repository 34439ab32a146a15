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
let_one_pass = _library.gate_pass
wait_for_a_product = _library.gate_await


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
