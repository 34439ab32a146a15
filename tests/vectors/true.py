"""Expected results of functions that are rounded: the true value to many digits with mpmath, then
rounded once. Infinities, NaN and zeros come from NumPy in float64, whose C library follows the
standards there; what the standards leave open is said in `free`.
"""
import math

import numpy as np
from mpmath import mp, mpc, mpf

from formats import (COMPLEX, FORMATS, FREE_IMAG, FREE_IMAG_SIGN, FREE_REAL, FREE_REAL_SIGN, INF,
                     NAN, PARTS, rounded)


def from_mp(dtype, x):
    form = FORMATS[dtype]
    sign, mantissa, exponent, _ = x._mpf_
    return form.to_float(form.round(sign, int(mantissa), int(exponent)))


# ---- Real ----------------------------------------------------------------------------------

REAL = {"exp": mp.exp, "exp2": lambda x: mp.power(2, x), "expm1": mp.expm1, "log": mp.log,
        "log1p": mp.log1p, "log2": lambda x: mp.log(x) / mp.log(2),
        "log10": lambda x: mp.log(x) / mp.log(10), "sin": mp.sin, "cos": mp.cos, "tan": mp.tan,
        "asin": mp.asin, "acos": mp.acos, "atan": mp.atan, "sinh": mp.sinh, "cosh": mp.cosh,
        "tanh": mp.tanh, "asinh": mp.asinh, "acosh": mp.acosh, "atanh": mp.atanh, "erf": mp.erf,
        "erfc": mp.erfc}
POLES = {"log": [0], "log2": [0], "log10": [0], "log1p": [-1], "atanh": [1, -1]}
NUMPY = {"asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "asinh": np.arcsinh,
         "acosh": np.arccosh, "atanh": np.arctanh, "erf": np.vectorize(math.erf),
         "erfc": np.vectorize(math.erfc), "atan2": np.arctan2}


def numpy_of(name):
    return NUMPY.get(name) or getattr(np, name)


def real_unary(name, dtype, x):
    special = float(numpy_of(name)(x))
    if not math.isfinite(x) or x == 0 or math.isnan(special) or x in POLES.get(name, []):
        return rounded(dtype, special)
    if name in ("exp", "exp2", "expm1", "sinh", "cosh", "erf", "erfc", "tanh") and abs(x) > 20000:
        return rounded(dtype, special)  # long out of range; the digits would not end
    with mp.workprec(1500):  # sin of 2^1023 takes 1024 bits before the first that counts
        return from_mp(dtype, REAL[name](mpf(x)))


def real_pow(dtype, x, y):
    """C's pow. Not NumPy's, which takes the root for an exponent of 0.5, and so has another result
    for -infinity and -0."""
    odd = math.isfinite(y) and y % 2 == 1 and math.copysign(1, x) < 0
    if math.isfinite(x) and x < 0 and math.isfinite(y) and y != int(y):
        return NAN
    if x == 0 and y < 0:
        return -INF if odd else INF
    if not (math.isfinite(x) and math.isfinite(y)) or x == 0 or y == 0:
        return math.pow(x, y)
    if abs(y * math.log2(abs(x))) > 5000:
        size = INF if (y > 0) == (abs(x) > 1) else 0.0
        return -size if odd else size
    with mp.workprec(300):
        size = mp.power(abs(mpf(x)), mpf(y))
    return from_mp(dtype, -size if odd else size)


def real_logaddexp(dtype, x, y):
    """max + log1p(exp(min - max)), to so many digits that nothing cancels."""
    if not (math.isfinite(x) and math.isfinite(y)):
        return rounded(dtype, float(np.logaddexp(x, y)))
    with mp.workprec(2400):
        high, low = mpf(max(x, y)), mpf(min(x, y))
        gap = low - high
        if gap < -3000:
            return rounded(dtype, max(x, y)) or 0.0  # a little above -0 is 0
        return from_mp(dtype, high + mp.log1p(mp.exp(gap)))


def real_binary(name, dtype, x, y):
    if name == "pow":
        return real_pow(dtype, x, y)
    if name == "logaddexp":
        return real_logaddexp(dtype, x, y)
    if not (math.isfinite(x) and math.isfinite(y)) or x == 0 or y == 0:
        return rounded(dtype, float(numpy_of(name)(x, y)))
    with mp.workprec(4500):
        return from_mp(dtype, getattr(mp, name)(mpf(x), mpf(y)))


# ---- Complex: what the standards leave open ------------------------------------------------

# Annex G (C99 with its corrections) and the array API standard, in terms of |a| and |b|.


def kind(x):
    return "nan" if math.isnan(x) else "inf" if math.isinf(x) else "0" if x == 0 else "x"


def free_exp(a, b):
    if kind(b) in ("inf", "nan") and math.isinf(a):
        return FREE_REAL_SIGN if a > 0 else FREE_REAL_SIGN | FREE_IMAG_SIGN
    return 0


FREE = {
    "cosh": {("0", "inf"): FREE_IMAG_SIGN, ("0", "nan"): FREE_IMAG_SIGN,
             ("inf", "inf"): FREE_REAL_SIGN, ("nan", "0"): FREE_IMAG_SIGN},
    "sinh": {("0", "inf"): FREE_REAL_SIGN, ("0", "nan"): FREE_REAL_SIGN,
             ("inf", "inf"): FREE_REAL_SIGN, ("inf", "nan"): FREE_REAL_SIGN},
    # A zero beside an infinity or NaN: NaN in C99, 0 since its correction.
    "tanh": {("inf", "inf"): FREE_IMAG_SIGN, ("inf", "nan"): FREE_IMAG_SIGN,
             ("0", "inf"): FREE_REAL, ("0", "nan"): FREE_REAL},
    "acos": {("inf", "nan"): FREE_IMAG_SIGN},
    # A zero beside NaN: NaN in C99, pi/2 of either sign since its correction.
    "acosh": {("0", "nan"): FREE_IMAG},
    "asinh": {("nan", "inf"): FREE_REAL_SIGN},
    "atanh": {("nan", "inf"): FREE_REAL_SIGN},
    "sqrt": {("inf", "nan"): FREE_IMAG_SIGN},
}
TURNED = {"sin": "sinh", "tan": "tanh", "asin": "asinh", "atan": "atanh"}  # f(z) = -i fh(iz)


def swapped(bits):
    pairs = ((FREE_REAL_SIGN, FREE_IMAG_SIGN), (FREE_REAL, FREE_IMAG))
    return sum((right if bits & left else 0) | (left if bits & right else 0)
               for left, right in pairs)


def free_finite(name, z):
    """log1p(-0 + 0i): no standard says; NumPy and the logarithm of 1 + z give 0, a series -0."""
    return FREE_REAL_SIGN if name == "log1p" and z == 0 else 0


def free(name, z):
    a, b = z.real, z.imag
    if name in ("exp", "expm1"):
        return free_exp(a, b)
    if name == "cos":  # cosh(iz)
        return FREE["cosh"].get((kind(b), kind(a)), 0)
    if name in TURNED:
        return swapped(FREE[TURNED[name]].get((kind(b), kind(a)), 0))
    return FREE.get(name, {}).get((kind(a), kind(b)), 0)


# ---- Complex -------------------------------------------------------------------------------

COMPLEX_TRUE = {"exp": mp.exp, "expm1": lambda z: mp.exp(z) - 1, "log": mp.log,
                "log1p": lambda z: mp.log(1 + z), "log2": lambda z: mp.log(z) / mp.log(2),
                "log10": lambda z: mp.log(z) / mp.log(10), "sin": mp.sin, "cos": mp.cos,
                "tan": mp.tan, "asin": mp.asin, "acos": mp.acos, "atan": mp.atan, "sinh": mp.sinh,
                "cosh": mp.cosh, "tanh": mp.tanh, "asinh": mp.asinh, "acosh": mp.acosh,
                "atanh": mp.atanh, "sqrt": mp.sqrt}
COMPLEX_POLES = {"log": [0], "log2": [0], "log10": [0], "log1p": [-1], "atanh": [1, -1],
                 "atan": [1j, -1j]}


def complex_special(name, z):
    """In float64 by NumPy, but where it has no good answer."""
    if name == "expm1":  # the array API: exp(z) - 1 in the real part only
        w = complex(np.exp(z))
        return complex(w.real - 1, w.imag)
    if name == "log1p":  # the array API: as log, with 1 added to the real part
        w = complex(np.log(complex(z.real + 1, z.imag)))
        return complex(w.real, w.imag)
    if name in ("log2", "log10"):  # the parts scaled; a product of complex numbers spoils infinities
        w, scale = complex(np.log(z)), math.log(2 if name == "log2" else 10)
        return complex(w.real / scale, w.imag / scale)
    return complex(numpy_of(name)(np.complex128(z)))


def sided(x):
    """A zero as something too small to matter, on the side of its sign: this picks the side of a
    branch cut and the sign of a zero result as signed zeros do."""
    if x:
        return mpf(x)
    return mp.ldexp(mpf(math.copysign(1, x)), -2400)


def complex_unary(name, dtype, z):
    """(result, free bits)."""
    part = PARTS[dtype]
    finite = math.isfinite(z.real) and math.isfinite(z.imag)
    if not finite or z in COMPLEX_POLES.get(name, []):
        w = complex_special(name, z)
        return complex(rounded(part, w.real), rounded(part, w.imag)), free(name, z)
    with mp.workprec(10500 if 0 in (z.real, z.imag) else 5200):
        w = mpc(COMPLEX_TRUE[name](mpc(sided(z.real), sided(z.imag))))
        return complex(from_mp(part, w.real), from_mp(part, w.imag)), free_finite(name, z)


def complex_abs(dtype, z):
    if math.isinf(z.real) or math.isinf(z.imag):
        return INF
    if math.isnan(z.real) or math.isnan(z.imag):
        return NAN
    with mp.workprec(4500):
        return from_mp(PARTS[dtype], mp.hypot(mpf(z.real), mpf(z.imag)))


def complex_sign(dtype, z):
    """x / |x|; 0 for 0, of whatever signs; of an infinity no standard says what."""
    if math.isnan(z.real) or math.isnan(z.imag):
        return complex(NAN, NAN), FREE_REAL * math.isinf(z.real) | FREE_IMAG * math.isinf(z.real) \
            | FREE_REAL * math.isinf(z.imag) | FREE_IMAG * math.isinf(z.imag)
    if z == 0:
        return complex(0, 0), FREE_REAL_SIGN | FREE_IMAG_SIGN
    if math.isinf(z.real) or math.isinf(z.imag):
        return complex(NAN, NAN), FREE_REAL | FREE_IMAG
    with mp.workprec(4500):
        size = mp.hypot(mpf(z.real), mpf(z.imag))
        x, y = mpf(z.real) / size, mpf(z.imag) / size
        return complex(from_mp(PARTS[dtype], x) if z.real else z.real,
                       from_mp(PARTS[dtype], y) if z.imag else z.imag), 0


def complex_pow(dtype, z, w):
    """exp(w log z) of finite values; z**0 is 1 and 0**w is 0 for a positive real part. A zero part
    of the result may have either sign."""
    if w == 0:
        return complex(1, 0), FREE_IMAG_SIGN
    if z == 0:
        return complex(0, 0), FREE_REAL_SIGN | FREE_IMAG_SIGN
    with mp.workprec(10500 if 0 in (z.real, z.imag) else 5200):
        r = mp.exp(mpc(w) * mp.log(mpc(sided(z.real), sided(z.imag))))
        x, y = from_mp(PARTS[dtype], r.real), from_mp(PARTS[dtype], r.imag)
        return complex(x, y), FREE_REAL_SIGN * (x == 0) | FREE_IMAG_SIGN * (y == 0)


# ---- All -----------------------------------------------------------------------------------


def compute(name, dtype, operands):
    """(results, free bytes or None)."""
    with np.errstate(all="ignore"):
        if dtype not in COMPLEX:
            one = real_unary if len(operands) == 1 else real_binary
            return [one(name, dtype, *xs) for xs in zip(*operands)], None
        if name == "abs":
            return [complex_abs(dtype, z) for z in operands[0]], None
        if name == "sign":
            both = [complex_sign(dtype, z) for z in operands[0]]
        elif name == "pow":
            both = [complex_pow(dtype, z, w) for z, w in zip(*operands)]
        else:
            both = [complex_unary(name, dtype, z) for z in operands[0]]
        return [z for z, _ in both], [bits for _, bits in both]
