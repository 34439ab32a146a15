"""The inputs: special values of every type and seeded random ones.

Python's own generator is used for the random ones: its raw bits are the same in every version.
"""
import math
import random

from formats import BYTES, FORMATS, INF, NAN, PARTS, SIGNED, rounded

CROSS_RANDOM = 90  # random pairs beside the crossed special values; few, to keep the files small


def limits(dtype):
    bits = 8 * BYTES[dtype]
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if dtype in SIGNED else (0, (1 << bits) - 1)


def unique(values):
    """In order, without repetitions; -0 and 0 are two values."""
    seen, kept = set(), []
    for x in values:
        if repr(x) not in seen:
            seen.add(repr(x))
            kept.append(x)
    return kept


# ---- Integers ------------------------------------------------------------------------------


def integer_specials(dtype):
    low, high = limits(dtype)
    bits = 8 * BYTES[dtype]
    values = [0, 1, -1, 2, -2, 3, -3, 7, -8, bits - 1, bits, bits + 1, 100, low, low + 1, high,
              high - 1, -(bits - 1), 1 << (bits // 2), (high >> 1) + 1, 0x55555555_55555555 & high]
    return unique(x for x in values if low <= x <= high)


def integer_random(dtype, n, seed):
    """Magnitudes evenly over the number of bits."""
    low, high = limits(dtype)
    source = random.Random(f"{dtype} {seed}")
    values = []
    while len(values) < n:
        x = source.getrandbits(source.randint(1, 8 * BYTES[dtype]))
        x = -x if low < 0 and source.getrandbits(1) else x
        if low <= x <= high:
            values.append(x)
    return values


# ---- Floats --------------------------------------------------------------------------------


def step(dtype, x, steps):
    """x moved by `steps` neighbours away from zero."""
    form = FORMATS[dtype]
    return form.to_float(form.from_number(x) + steps)


def extremes(dtype):
    """Smallest subnormal, smallest normal, largest finite."""
    form = FORMATS[dtype]
    return [form.to_float(1), form.to_float(1 << (form.precision - 1)),
            form.to_float(form.infinity - 1)]


def both(values):
    return [y for x in values for y in (x, -x)]


def float_specials(dtype):
    return unique([NAN] + both([INF, 0.0] + extremes(dtype) + [1.0, 0.5, 1.5, 3.0]))


def float_more(dtype):
    """Halves for rounding, neighbours of 1 and of the powers where fractions end."""
    p = FORMATS[dtype].precision
    values = [0.1, 2.0, 2.5, 3.5, 10.0, 100.25, 0.75, 1e-3, 1e-8,
              step(dtype, 1.0, 1), step(dtype, 1.0, -1), step(dtype, 0.5, -1),
              2.0 ** (p - 1), 2.0 ** (p - 1) + 1, 2.0 ** (p - 2) + 0.5, 2.0 ** p,
              step(dtype, extremes(dtype)[1], -1), math.sqrt(extremes(dtype)[2])]
    return unique(both([rounded(dtype, x) for x in values]))


def float_random(dtype, n, seed, wide=0.5):
    """Half of them moderate, half over all exponents."""
    form, source = FORMATS[dtype], random.Random(f"{dtype} {seed}")
    values = []
    while len(values) < n:
        fraction = 1 + source.getrandbits(60) / 2 ** 60
        if source.getrandbits(20) / 2 ** 20 < wide:
            x = math.ldexp(fraction, source.randint(form.least, -form.least))
        else:
            x = math.ldexp(fraction, source.randint(-6, 4))
        values.append(rounded(dtype, -x if source.getrandbits(1) else x))
    return values


def around(dtype, values, steps=1):
    """Each value and its neighbours, with both signs."""
    near = [step(dtype, rounded(dtype, x), k) for x in values for k in range(-steps, steps + 1)]
    return unique(both(near))


def thresholds(dtype, prim):
    """Where a function overflows, underflows, ends, or is hard to reduce."""
    single = dtype == "float32"
    overflow = 128 * math.log(2) if single else 1024 * math.log(2)
    if prim in ("exp", "expm1"):
        tiny = (149 if single else 1074) * math.log(2)
        return around(dtype, [overflow, tiny, tiny + math.log(2), 17.3, 37.4, 1e-5])
    if prim == "exp2":
        return around(dtype, [128.0, 126.0, 149.0, 150.0] if single else
                      [1024.0, 1022.0, 1074.0, 1075.0])
    if prim in ("sinh", "cosh"):
        return around(dtype, [overflow, overflow + math.log(2), 22.0, 0.3])
    if prim == "tanh":
        return around(dtype, [9.01, 19.06, 0.55, 0.02])
    if prim in ("sin", "cos", "tan"):
        hard = [] if single else [1e22]
        turns = [k * math.pi / 2 for k in (0.5, 1, 2, 3, 4, 11, 355, 33102, 1e6)]
        return around(dtype, turns + hard, 0) + around(dtype, [math.pi / 4])
    if prim in ("asin", "acos", "atanh"):
        return around(dtype, [1.0, 0.5, 0.7071, 0.999])
    if prim == "acosh":
        return around(dtype, [1.0, 1.001, 2.0])
    if prim == "asinh":
        return around(dtype, [1e-4, 0.3, 1e4])
    if prim == "atan":
        return around(dtype, [0.4375, 0.6875, 1.1875, 2.4375, 1e7])
    if prim in ("erf", "erfc"):
        ends = [10.05, 9.19, 3.92] if single else [27.22, 26.54, 5.92]
        return around(dtype, ends + [0.84375, 1.25, 2.857, 0.25])
    if prim in ("log", "log2", "log10"):
        return around(dtype, [1.0, 1.01, 0.99, 10.0, 1000.0, 8.0])
    if prim == "log1p":
        return around(dtype, [1.0, 0.41, 0.29, 1e-5])
    return []


# ---- Complex -------------------------------------------------------------------------------


def complex_specials(dtype):
    """Parts crossed: what Annex G lists, and finite values between."""
    parts = [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5, -3.0]
    return [complex(a, b) for a in parts for b in parts]


def complex_few(dtype):
    """For crossing in pairs."""
    small, normal, large = extremes(PARTS[dtype])
    parts = [(0.0, 0.0), (-0.0, 0.0), (1.0, 0.0), (-1.0, -0.0), (0.0, 1.0), (1.5, -0.5),
             (-3.0, 2.0), (INF, 0.0), (-INF, INF), (1.0, INF), (NAN, 1.0), (INF, NAN),
             (NAN, NAN), (large, 1.0), (large, -large), (small, small), (normal, -1.0)]
    return [complex(a, b) for a, b in parts]


def complex_random(dtype, n, seed, wide=0.3):
    values = float_random(PARTS[dtype], 2 * n, f"complex {seed}", wide)
    return [complex(a, b) for a, b in zip(values[:n], values[n:])]


# ---- Sets ----------------------------------------------------------------------------------


def singles(dtype, seed="one"):
    if dtype == "bool":
        return [False, True]
    if dtype in PARTS:
        small, normal, large = extremes(PARTS[dtype])
        ends = [complex(a, b) for a in (small, normal, large, 1.0) for b in (small, -large, 0.5)]
        return unique(complex_specials(dtype) + ends) + complex_random(dtype, 40, seed)
    if dtype in FORMATS:
        return (unique(float_specials(dtype) + float_more(dtype)) + float_random(dtype, 70, seed))
    return integer_specials(dtype) + integer_random(dtype, 60, seed)


def crossed(values):
    return [x for x in values for _ in values], [y for _ in values for y in values]


def pairs(dtype):
    if dtype == "bool":
        return crossed([False, True])
    if dtype in PARTS:
        a, b = crossed(complex_few(dtype))
        return a + complex_random(dtype, 60, "a"), b + complex_random(dtype, 60, "b")
    if dtype in FORMATS:
        a, b = crossed(float_specials(dtype))
        more = float_more(dtype)
        a, b = a + more, b + more[5:] + more[:5]
        return (a + float_random(dtype, CROSS_RANDOM, "a"),
                b + float_random(dtype, CROSS_RANDOM, "b"))
    a, b = crossed(integer_specials(dtype))
    return (a + integer_random(dtype, CROSS_RANDOM, "a"),
            b + integer_random(dtype, CROSS_RANDOM, "b"))
