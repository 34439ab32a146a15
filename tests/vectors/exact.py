"""Expected results of what has one right answer: integers, comparisons, and IEEE arithmetic.

Integers are computed as Python's, which have no limits, and wrapped. Floats come from NumPy in
their own type. Where the standard or rule 5 of kernels.h says otherwise than NumPy, a function
here says so and why.
"""
import math
from fractions import Fraction

import numpy as np

from formats import (BYTES, COMPLEX, FORMATS, FREE_IMAG_SIGN, FREE_INFINITY, FREE_REAL_SIGN,
                     INF, INTEGERS, NAN, PARTS, SIGNED)


# ---- Integers and bool ---------------------------------------------------------------------


def wrap(dtype, x):
    bits = 8 * BYTES[dtype]
    x &= (1 << bits) - 1
    return x - (1 << bits) if dtype in SIGNED and x >> (bits - 1) else x


def integer_floor_divide(a, b):
    """Rule 5: by zero 0 (NumPy too, with a warning). MIN // -1 wraps to MIN in `wrap`."""
    return a // b if b else 0


def integer_remainder(a, b):
    """Rule 5: by zero 0."""
    return a % b if b else 0


def integer_fmod(a, b):
    """Rule 5: by zero 0. The sign of the dividend."""
    return int(math.copysign(1, a)) * (abs(a) % abs(b)) if b else 0


def integer_pow(a, b, bits):
    """prims.def: a negative exponent gives 1 / x rounded to 0 (NumPy raises); 1 / 0 is 0."""
    if b >= 0:
        return pow(a, b, 1 << bits)
    return {1: 1, -1: 1 if b % 2 == 0 else -1}.get(a, 0)


def shift_left(a, b, bits):
    """Rule 5: by a negative count, or the width or more, 0 (in C undefined)."""
    return a << b if 0 <= b < bits else 0


def shift_right(a, b, bits):
    """Rule 5: a negative count gives 0; the width or more gives 0 or, of a negative value, -1."""
    if b < 0:
        return 0
    return a >> min(b, bits)


def integer_unary(name, a):
    plain = {"negative": -a, "abs": abs(a), "sign": (a > 0) - (a < 0), "square": a * a,
             "bitwise_invert": ~a, "imag": 0, "isnan": False, "isinf": False, "isfinite": True,
             "signbit": a < 0, "relu": max(a, 0)}
    for same in ("floor", "ceil", "trunc", "round", "conj", "real"):
        plain[same] = a
    return plain[name]


def integer_binary(name, a, b, bits):
    functions = {
        "add": lambda: a + b, "subtract": lambda: a - b, "multiply": lambda: a * b,
        "floor_divide": lambda: integer_floor_divide(a, b),
        "remainder": lambda: integer_remainder(a, b), "fmod": lambda: integer_fmod(a, b),
        "minimum": lambda: min(a, b), "maximum": lambda: max(a, b),
        "pow": lambda: integer_pow(a, b, bits),
        "bitwise_and": lambda: a & b, "bitwise_or": lambda: a | b, "bitwise_xor": lambda: a ^ b,
        "shift_left": lambda: shift_left(a, b, bits), "shift_right": lambda: shift_right(a, b, bits)}
    return functions[name]()


def bool_binary(name, a, b):
    """prims.def: add is or, multiply is and; the order is False < True."""
    return {"add": a | b, "multiply": a & b, "minimum": a & b, "maximum": a | b,
            "bitwise_and": a & b, "bitwise_or": a | b, "bitwise_xor": a ^ b}[name]


COMPARE = {"equal": lambda a, b: a == b, "not_equal": lambda a, b: a != b,
           "less": lambda a, b: a < b, "less_equal": lambda a, b: a <= b,
           "greater": lambda a, b: a > b, "greater_equal": lambda a, b: a >= b}


# ---- Floats --------------------------------------------------------------------------------


def float_floor_divide(a, b):
    """NumPy pairs // with % and so gives NaN for an infinite dividend; the array API standard gives
    the infinity of the quotient. A finite one by an infinity of the other sign: -0 in the standard's
    list, which lets libraries differ there; -1 is what NumPy, Python and the pairing give."""
    out = np.floor_divide(a, b)
    infinite = np.isinf(a) & np.isfinite(b)
    return np.where(infinite, a / b, out).astype(a.dtype)


def float_minimum(a, b):
    """NumPy returns either of -0 and +0; here -0 is below +0."""
    out = np.minimum(a, b)
    zeros = (a == 0) & (b == 0)
    return np.where(zeros, np.where(np.signbit(a) | np.signbit(b), -0.0, 0.0), out).astype(a.dtype)


def float_maximum(a, b):
    """As float_minimum: +0 wins over -0."""
    out = np.maximum(a, b)
    zeros = (a == 0) & (b == 0)
    return np.where(zeros, np.where(np.signbit(a) & np.signbit(b), -0.0, 0.0), out).astype(a.dtype)


def float_relu(x):
    """prims.def: NaN stays, -0 gives 0."""
    return np.where(np.isnan(x), x, np.where(x > 0, x, 0.0)).astype(x.dtype)


FLOAT = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide,
         "floor_divide": float_floor_divide, "remainder": np.remainder, "fmod": np.fmod,
         "minimum": float_minimum, "maximum": float_maximum, "copysign": np.copysign,
         "nextafter": np.nextafter, "negative": np.negative, "abs": np.abs, "sign": np.sign,
         "square": lambda x: x * x, "sqrt": np.sqrt, "reciprocal": lambda x: x.dtype.type(1) / x,
         "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "round": np.rint,
         "conj": lambda x: x, "real": lambda x: x, "imag": np.zeros_like, "isnan": np.isnan,
         "isinf": np.isinf, "isfinite": np.isfinite, "signbit": np.signbit, "relu": float_relu}


# ---- Complex -------------------------------------------------------------------------------


def boxed(x):
    """An infinity as 1, anything else as 0, with its sign."""
    return math.copysign(1.0 if math.isinf(x) else 0.0, x)


def unnan(x):
    return math.copysign(0.0, x) if math.isnan(x) else x


def has_inf(*parts):
    return any(math.isinf(x) for x in parts)


def complex_multiply(dtype, z, w):
    """Four products in the parts' type, nothing contracted; NumPy stops there. Annex G: an infinite
    operand gives an infinite product even where those are both NaN."""
    real = np.dtype(PARTS[dtype]).type
    a, b, c, d = (real(x) for x in (z.real, z.imag, w.real, w.imag))
    ac, bd, ad, bc = a * c, b * d, a * d, b * c
    x, y = ac - bd, ad + bc
    if not (np.isnan(x) and np.isnan(y)):
        return complex(float(x), float(y))
    a, b, c, d = (float(part) for part in (a, b, c, d))
    again = False
    if has_inf(a, b):
        a, b, c, d, again = boxed(a), boxed(b), unnan(c), unnan(d), True
    if has_inf(c, d):
        a, b, c, d, again = unnan(a), unnan(b), boxed(c), boxed(d), True
    if not again and has_inf(ac, bd, ad, bc):
        a, b, c, d, again = unnan(a), unnan(b), unnan(c), unnan(d), True
    if again:
        return complex(INF * (a * c - b * d), INF * (a * d + b * c))
    return complex(NAN, NAN)


def ratio(dtype, top, bottom):
    """Nearest to top / bottom, both Fractions."""
    form = FORMATS[dtype]
    quotient = top / bottom
    shift = 1200 + quotient.denominator.bit_length()
    whole, rest = divmod(abs(quotient.numerator) << shift, quotient.denominator)
    return form.to_float(form.round(quotient < 0, whole << 1 | (rest != 0), -shift - 1))


def complex_divide_special(a, b, c, d):
    """The example program of Annex G, G.5.1, for what is infinite, NaN or divided by zero."""
    if math.isfinite(c) and math.isfinite(d) and (c or d):
        scale = -math.frexp(max(abs(c), abs(d)))[1]
        c, d = math.ldexp(c, scale), math.ldexp(d, scale)
    bottom = c * c + d * d
    x = (a * c + b * d) / bottom if bottom else NAN
    y = (b * c - a * d) / bottom if bottom else NAN
    if not (math.isnan(x) and math.isnan(y)):
        return x, y
    if bottom == 0 and not (math.isnan(a) and math.isnan(b)):
        return math.copysign(INF, c) * a, math.copysign(INF, c) * b
    if has_inf(a, b) and math.isfinite(c) and math.isfinite(d):
        a, b = boxed(a), boxed(b)
        return INF * (a * c + b * d), INF * (b * c - a * d)
    if has_inf(c, d) and math.isfinite(a) and math.isfinite(b):
        a, b, c, d = a / 4, b / 4, boxed(c), boxed(d)  # so that the sums stay finite
        return 0.0 * (a * c + b * d), 0.0 * (b * c - a * d)
    return NAN, NAN


def complex_divide(dtype, z, w):
    """The nearest of the true quotient, part by part; and what of it is free: no standard fixes the
    sign of a zero part, nor of an infinite quotient more than that it is one."""
    parts = z.real, z.imag, w.real, w.imag
    if all(math.isfinite(x) for x in parts) and w != 0:
        a, b, c, d = (Fraction(x) for x in parts)
        bottom = c * c + d * d
        x, y = ratio(PARTS[dtype], a * c + b * d, bottom), ratio(PARTS[dtype], b * c - a * d, bottom)
        return complex(x, y), zero_signs(x, y)
    x, y = complex_divide_special(*parts)
    return complex(x, y), FREE_INFINITY if has_inf(x, y) else zero_signs(x, y)


def zero_signs(x, y):
    return FREE_REAL_SIGN * (x == 0) | FREE_IMAG_SIGN * (y == 0)


def complex_unary(dtype, name, z):
    """Part by part. The others, abs, sign, sqrt, are in true.py."""
    a, b = z.real, z.imag
    parts = {"negative": complex(-a, -b), "conj": complex(a, -b), "real": a, "imag": b,
             "isnan": math.isnan(a) or math.isnan(b), "isinf": has_inf(a, b),
             "isfinite": math.isfinite(a) and math.isfinite(b),
             "round": complex(np.rint(a), np.rint(b))}
    return parts[name]


# ---- All -----------------------------------------------------------------------------------


def to_numpy(dtype, values):
    return np.array(values, dtype=dtype)


def compute(name, dtype, operands):
    """(results, free bytes or None)."""
    with np.errstate(all="ignore"):
        return _compute(name, dtype, operands)


def _compute(name, dtype, operands):
    if name == "where":
        return [x if c else y for c, x, y in zip(*operands)], None
    if name in COMPARE:
        return [COMPARE[name](a, b) for a, b in zip(*operands)], None
    if dtype == "bool":
        if len(operands) == 2:
            return [bool_binary(name, a, b) for a, b in zip(*operands)], None
        return [not a if name == "bitwise_invert" else a for a in operands[0]], None
    if dtype in INTEGERS:
        bits = 8 * BYTES[dtype]
        if len(operands) == 2:
            return [wrap(dtype, integer_binary(name, a, b, bits)) for a, b in zip(*operands)], None
        return [wrap(dtype, integer_unary(name, a)) for a in operands[0]], None
    if dtype in COMPLEX:
        return _compute_complex(name, dtype, operands)
    return FLOAT[name](*(to_numpy(dtype, x) for x in operands)).tolist(), None


def _compute_complex(name, dtype, operands):
    if name in ("divide", "reciprocal"):
        tops = operands[0] if name == "divide" else [complex(1, 0)] * len(operands[0])
        both = [complex_divide(dtype, z, w) for z, w in zip(tops, operands[-1])]
        return [z for z, _ in both], [free for _, free in both]
    if name in ("multiply", "square"):
        return [complex_multiply(dtype, z, w) for z, w in zip(operands[0], operands[-1])], None
    if name in ("add", "subtract"):
        a, b = (to_numpy(dtype, x) for x in operands)
        return (a + b if name == "add" else a - b).tolist(), None
    return [complex_unary(dtype, name, z) for z in operands[0]], None
