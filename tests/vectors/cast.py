"""Expected results of casts between all pairs of types: rule 5 of kernels.h; floats are rounded
once, from the exact value, to nearest even."""
import math

import exact
from formats import DTYPES, FORMATS, INF, INTEGERS, NAN, PARTS, rounded
from values import (both, complex_specials, extremes, float_random, integer_random,
                    integer_specials, limits, unique)


def convert(source, target, x):
    if target == "bool":
        return x != 0  # NaN is not 0
    if target in PARTS:
        z = x if source in PARTS else complex(rounded(PARTS[target], x), 0)
        return complex(rounded(PARTS[target], z.real), rounded(PARTS[target], z.imag))
    if source in PARTS:
        x = x.real
    x = int(x) if isinstance(x, bool) else x
    if target in FORMATS:
        return rounded(target, x)
    if isinstance(x, int):
        return exact.wrap(target, x)
    return saturated(target, x)


def saturated(target, x):
    """Rule 5: NaN gives 0 and what is out of range the nearest value (NumPy: whatever the processor
    does)."""
    low, high = limits(target)
    if math.isnan(x):
        return 0
    if math.isinf(x):
        return high if x > 0 else low
    return max(low, min(high, int(x)))


def float_values(dtype):
    """The ends of the integer types, and what is halfway between neighbours of narrower floats."""
    ends = [2.0 ** bits + d for bits in (7, 8, 15, 16, 31, 32, 63, 64) for d in (-1, -0.5, 0)]
    halves = [65519.0, 65520.0, 1 + 2.0 ** -11, 1 + 3 * 2.0 ** -11, 1 + 2.0 ** -8, 1 + 3 * 2.0 ** -8,
              1 + 2.0 ** -24, 1 + 2.0 ** -11 + 2.0 ** -40, 1 + 2.0 ** -8 + 2.0 ** -40, 2.0 ** -25,
              2.0 ** -25 + 2.0 ** -48, 2.0 ** -24, 3 * 2.0 ** -25, 2.0 ** -14 - 2.0 ** -25,
              2.0 ** -134, 2.0 ** -133 * 1.5, 2.0 ** -150, 2.0 ** -149 * 1.5,
              3.3961775292304594e38, 3.4028235677973366e38, 1.0, 0.5, 1.5, 2.5]
    plain = [0.0, INF] + extremes(dtype) + ends + halves
    return unique([NAN] + both([rounded(dtype, x) for x in plain])) + float_random(dtype, 16, "cast")


def integer_values(dtype):
    """Also what is halfway between neighbours of the floats."""
    low, high = limits(dtype)
    halves = [(1 << 11) + 1, (1 << 12) + 6, (1 << 8) + 1, (1 << 9) + 6, 65519, 65520, (1 << 24) + 1,
              (1 << 25) + 6, (1 << 53) + 1, (1 << 54) + 6, (1 << 40) + (1 << 16) + 1,
              (1 << 40) + (1 << 29) + (1 << 15), (1 << 15) + (1 << 4) + 1, (1 << 62) + (1 << 38) + 1,
              (1 << 62) + (1 << 54) + 1]
    halves = [x for x in halves + [-x for x in halves] if low <= x <= high]
    return unique(integer_specials(dtype) + halves + integer_random(dtype, 12, "cast"))


def values(dtype):
    if dtype == "bool":
        return [False, True]
    if dtype in PARTS:
        x = float_values(PARTS[dtype])
        mixed = [complex(a, b) for a, b in zip(x, x[7:] + x[:7])]
        return mixed + complex_specials(dtype)[::3]
    return integer_values(dtype) if dtype in INTEGERS else float_values(dtype)


def add_rows(out):
    for source in DTYPES:
        x = values(source)
        number = out.add_set(source, [x])
        for target in DTYPES:
            out.add_row("cast", source, number, target, [convert(source, target, v) for v in x])
