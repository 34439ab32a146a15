"""Makes tests/tensor/format_cases.inc: tensors, and the texts that NumPy writes for them.

    python3 tests/vectors/format.py

Needs NumPy 2.3 or newer. Since that version NumPy changes to exponents at 1e6 for float32 and at
1e3 for float16; here it is asked for the older rule, 1e8 for all types, which is Penstock's.

A row is element type, dimensions, shape, options (precision, threshold, edge, width; -1 for the
default), the elements' bytes, the text. Without bytes the elements are 0, 1, 2, ...

NumPy has no bfloat16. What is expected there is what it writes for float64 numbers that have the
digits that the bfloat16 numbers need.
"""
import itertools
import os
import random
import struct

import numpy as np

from literal import c_text

NAN, INF = float("nan"), float("inf")
TARGET = os.path.join(os.path.dirname(__file__), "..", "tensor", "format_cases.inc")
FLOATS = ["float16", "float32", "float64"]
DEFAULTS = (-1, -1, -1, -1)

rows = []


def numpy_text(array, options):
    precision, threshold, edge, width = options
    settings = {"legacy": "2.2", "precision": 8 if precision == -1 else precision,
                "threshold": 1000 if threshold == -1 else threshold,
                "edgeitems": 3 if edge == -1 else edge,
                "linewidth": 75 if width == -1 else width}
    with np.printoptions(**settings):
        return str(array) if precision == -1 else np.array2string(array)


def add_row(name, shape, options, data, text):
    lengths = ", ".join(str(n) for n in shape) or "0"
    numbers = ", ".join(str(n) for n in options)
    elements = "NULL" if data is None else c_text(data)
    rows.append("    {PS_%s, %d, {%s}, {%s},\n     %s,\n     %s},\n" % (
        name.upper(), len(shape), lengths, numbers, elements, c_text(text.encode())))


def case(name, values, options=DEFAULTS):
    array = np.array(values, dtype=name)
    add_row(name, array.shape, options, array.tobytes(), numpy_text(array, options))


def counted(name, shape, options=DEFAULTS):
    array = np.arange(np.prod(shape, dtype=int)).astype(name).reshape(shape)
    add_row(name, shape, options, None, numpy_text(array, options))


# ---- bfloat16 -----------------------------------------------------------------------------


def bfloat_bits(value):
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 & 0xFFFF


def bfloat_value(bits):
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


def bfloat_digits(bits):
    """How many digits a bfloat16 needs."""
    for digits in range(1, 6):
        if bfloat_bits(float("%.*e" % (digits - 1, bfloat_value(bits)))) == bits:
            return digits
    return 1  # NaN


def bfloat_case(values, shape=None):
    """Only for values that are all written with as many digits."""
    bits = [bfloat_bits(v) for v in values]
    digits = max(bfloat_digits(b) for b in bits)
    array = np.array([float("%.*e" % (digits - 1, bfloat_value(b))) for b in bits])
    array = array.reshape(shape or len(bits))
    data = struct.pack("<%dH" % len(bits), *bits)
    add_row("bfloat16", array.shape, DEFAULTS, data, numpy_text(array, DEFAULTS))


# ---- the cases ----------------------------------------------------------------------------


def float_cases(name):
    for values in [[1, 2], [[1, 2], [3, 4]], [0.1, 0.25, -3], [0, -0.0], [-0.0], [0.0],
                   [NAN], [INF, 1], [-INF, NAN], [NAN, 1.5, -2], [INF, -INF], [1e-3, 1], [1, 1001],
                   [1, 1000], [0.0001, 0.001], [0.00009], [1 / 3, 2 / 3], [NAN, 0.00001],
                   [-INF, 0.00001], [9.9999, 99.99], [60000, 0.5], [1e-7, 0], [2048, 2049, 2050]]:
        case(name, values)
    for precision, values in itertools.product(
            [0, 1, 3, 12], [[1 / 3, 2], [0.05, 0.04, 1], [0.5, 1.5, 2.5], [0.00012345, 1], [-0.001]]):
        case(name, values, (precision, -1, -1, -1))
    for value in [0, -0.0, 1, -1.5, 1 / 3, 0.0001, 0.00009, 1234.5, NAN, INF, -INF, 1e-7]:
        case(name, value)
    case(name, 1 / 3, (3, -1, -1, -1))
    counted(name, (30,))
    counted(name, (2, 3, 4))
    counted(name, (1200,))


def wide_float_cases():
    for values in [[99999999], [1e8], [1e8, 1], [123456.789, 0.001], [1e-300, 1e300],
                   [1e-5, 1e100], [2.0 ** -44], [5e-324], [1.7976931348623157e308], [1e22, 1e23],
                   [0.1 + 0.2], [1e16], [9007199254740993], [-1e-100, NAN]]:
        case("float64", values)
    for value in [1e15, 1e16, 1.5e16, 123456789012345678, 1e-5, 2.0 ** -44, 5e-324, 1e100, 0.1 + 0.2]:
        case("float64", value)
    for values in [[16777216], [33554432, 1], [99999992], [1e8], [3.4028235e38], [1e-45], [1.1754944e-38],
                   [0.1, 0.7], [8388608.5], [2.0 ** -44, 2.0 ** 40], [1e10, -INF]]:
        case("float32", values)
    for value in [16777216, 1e10, 1e16, 3.4028235e38, 1e-45, 0.1]:
        case("float32", value)
    for values in [[65504], [6e-8], [6.1e-5, 1], [0.1, 1000], [1e-3, 65504]]:
        case("float16", values)
    bfloat_case([1, 2, 3])
    bfloat_case([0.1, 0.3, 100, -1], (2, 2))
    bfloat_case([1e-3, 3e38])
    bfloat_case([9.2e-41, 1])
    bfloat_case([NAN, INF, 0.5])
    bfloat_case([-INF])
    bfloat_case([2.0 ** e for e in range(-126, 128, 23)])


def integer_cases():
    for name in ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]:
        limits = np.iinfo(name)
        case(name, [limits.min, 0, limits.max])
        case(name, [[1, 20], [100, 7]])
        case(name, limits.max)
        counted(name, (5, 7))
    case("int64", -5)
    case("int64", [-5, 10])
    for values in [[True, False], [[True], [True]], True, False, [False]]:
        case("bool", values)
    case("bool", [[True, False] * 10] * 2)


def complex_cases(name):
    for values in [[1 + 2j], [0, 1j], [1.5 - 2.25j, 100], [complex(NAN, INF), 1],
                   [complex(-INF, NAN), complex(1, -2.5)], [1e10 + 1j, 1e-10j], [complex(-0.0, -0.0)],
                   [[1, 2j], [3 + 4j, -5]], [complex(NAN, NAN)], [complex(INF, -INF)]]:
        case(name, values)
    for value in [0, 1j, 1 + 2j, -1 - 2j, complex(-0.0, 1), complex(0, -0.0), complex(NAN, 1),
                  complex(0, NAN), complex(0, -INF), complex(1, INF), complex(1, NAN), 1e20 + 1e-9j,
                  1 / 3 + 0.1j]:
        case(name, value)
    case(name, 1 / 3 + 2j, (2, -1, -1, -1))
    case(name, [1 / 3 + 2j, 1], (2, -1, -1, -1))
    counted(name, (4, 5))
    counted(name, (40, 40))


def layout_cases():
    for shape in [(0,), (0, 3), (3, 0), (2, 0, 2)]:
        counted("float32", shape)
    counted("int32", (1000,))
    for shape in [(1001,), (30, 40), (7, 200), (200, 7), (11, 11, 11), (2, 3, 400), (2,) * 5,
                  (1, 1, 1200), (1300, 1), (1, 1, 1)]:
        counted("int32", shape)
        counted("float64", shape)
    for shape, threshold, edge in itertools.product([(5,), (4, 6), (3, 7, 3)], [0, 5, 30], [1, 2, 5]):
        counted("int16", shape, (-1, threshold, edge, -1))
    for shape, width in itertools.product([(40,), (3, 15), (2, 2, 9)], [0, 10, 20, 33, 200]):
        counted("float32", shape, (-1, -1, -1, width))
        counted("uint8", shape, (-1, -1, -1, width))
    counted("int8", (3, 4, 5), (-1, 0, 1, 9))
    counted("complex64", (3, 9), (-1, -1, -1, 40))
    counted("bool", (50,), (-1, 10, 2, 12))
    case("float64", [1.25, 1, 1.5, 2, 1.125, 3, 4, 5, 6], (-1, -1, -1, 20))


def random_cases():
    """Numbers of all sizes, in which most of their digits are needed."""
    source = random.Random(20)
    for name, exponents in [("float16", (-6, 4)), ("float32", (-10, 12)), ("float64", (-20, 20))]:
        for _ in range(8):
            low = source.uniform(*exponents)
            values = [source.choice([-1, 1]) * 10 ** source.uniform(low, low + source.choice([2, 5]))
                      for _ in range(source.randrange(1, 9))]
            case(name, np.clip(values, -65504, 65504))


def main():
    for name in FLOATS:
        float_cases(name)
    wide_float_cases()
    integer_cases()
    complex_cases("complex64")
    complex_cases("complex128")
    layout_cases()
    random_cases()
    with open(TARGET, "w") as out:
        out.write("/* Made by tests/vectors/format.py with NumPy's own texts; do not edit. */\n")
        out.writelines(rows)
    print(len(rows), "cases")


main()
