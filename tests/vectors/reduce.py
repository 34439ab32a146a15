"""Expected results of leaves and of argmin and argmax, in the order that kernels.h fixes."""
import math

import exact
from formats import COMPLEX, FLOATS, INF, INTEGERS, NAN
from values import complex_random, float_random, integer_random, integer_specials

LANES, LEAF = 16, 1024
COMBINE = {"sum": "add", "prod": "multiply", "min": "minimum", "max": "maximum",
           "any": "bitwise_or", "all": "bitwise_and"}
DTYPES = {"sum": ["bool"] + INTEGERS + FLOATS + COMPLEX,
          "prod": ["bool"] + INTEGERS + FLOATS + COMPLEX,
          "min": ["bool"] + INTEGERS + FLOATS, "max": ["bool"] + INTEGERS + FLOATS,
          "any": ["bool"], "all": ["bool"]}

PLAIN = [(0, 1), (0, 2), (1, 3), (0, 7), (2, 8), (0, 9), (0, 15), (0, 16), (3, 17), (4, 24), (0, 31),
         (7, 33), (0, 64), (5, 100), (0, 255), (100, 257), (0, 700)]
SPECIAL = [(880, 40), (899, 1), (900, 100), (0, 1024), (940, 32), (960, 64)]
ZEROS = [(800, 16), (801, 3), (802, 5), (790, 40)]


def values(dtype):
    """1,024 of them: moderate ones; zeros of both signs at 800, a NaN at 900 and 905, infinities
    from 950. Few enough distinct integers that the smallest and largest occur several times."""
    if dtype == "bool":
        return [(i * i + i // 3) % 7 == 1 or i >= 700 for i in range(LEAF)]
    if dtype in INTEGERS:
        few = integer_specials(dtype) + integer_random(dtype, 90, "reduce")
        return [few[i * i % len(few)] if i % 3 else few[i % len(few)] for i in range(LEAF)]
    if dtype in COMPLEX:
        x = complex_random(dtype, LEAF, "reduce", 0)
        x[900], x[950], x[955] = complex(NAN, 1), complex(INF, -1), complex(0, -INF)
        return x
    x = float_random(dtype, LEAF, "reduce", 0)
    for i in range(16):
        x[800 + i] = -0.0 if i * 5 % 3 else 0.0
    x[0], x[120], x[130], x[500], x[501] = 40.0, -99.0, 99.0, -99.0, 99.0
    x[900], x[905], x[950], x[955] = NAN, NAN, INF, -INF
    return x


def leaf(reduce, dtype, x):
    prim = COMBINE[reduce]
    lanes = x[:LANES]
    for start in range(LANES, len(x), LANES):
        row = x[start:start + LANES]
        lanes[:len(row)] = exact.compute(prim, dtype, [lanes[:len(row)], row])[0]
    for half in (8, 4, 2, 1):
        high = lanes[half:]
        lanes = lanes[:half]
        if high:
            lanes[:len(high)] = exact.compute(prim, dtype, [lanes[:len(high)], high])[0]
    return lanes[0]


def place(largest, x):
    """The first NaN, else the first smallest or largest."""
    for i, value in enumerate(x):
        if isinstance(value, float) and math.isnan(value):
            return i
    return x.index(max(x) if largest else min(x))


def add_rows(out):
    """All rows; ties of -0 with 0 are left out of argmin and argmax, which do not say which of the
    two is smaller."""
    plain = out.add_set("int32", list(zip(*(PLAIN + SPECIAL))))
    every = out.add_set("int32", list(zip(*(PLAIN + SPECIAL + ZEROS))))
    for dtype in ["bool"] + INTEGERS + FLOATS + COMPLEX:
        x = values(dtype)
        number = out.add_set(dtype, [x])
        for reduce in COMBINE:
            if dtype in DTYPES[reduce]:
                results = [leaf(reduce, dtype, x[o:o + n]) for o, n in PLAIN + SPECIAL + ZEROS]
                out.add_row(reduce, dtype, number, dtype, results, cases=every)
        if dtype not in COMPLEX:
            for name in ("argmin", "argmax"):
                places = [place(name == "argmax", x[o:o + n]) for o, n in PLAIN + SPECIAL]
                out.add_row(name, dtype, number, "int64", places, cases=plain)
