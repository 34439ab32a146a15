"""Element types, their rounding, and the file format of the vectors.

A file is the eight bytes "PSVECT1\\n" and then blocks. A block is a head of 32 bytes, little endian:

    name[16]   of a row: the primitive, "cast", "sum", "argmin", ...; empty for a set of inputs
    u8 kind    0: inputs, 1: row
    u8 dtype   of the inputs
    u8 other   inputs: how many operands; row: the type of the results
    u8 flags   row: 1 if a byte per element follows the results, see FREE_* below
    u32 set    row: the number, in this file, of its inputs
    u32 n      elements per operand; results of a row
    u32 cases  row of a reduction: the number of the set of (offset, length) pairs, else 0

and then its arrays, each padded with zeros to a multiple of 8 bytes: a set's operands, or a row's
results and its free bytes.
"""
import math
import struct

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "bfloat16", "float32", "float64", "complex64", "complex128"]
NUMBER = {name: number for number, name in enumerate(DTYPES)}
BYTES = dict(zip(DTYPES, [1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16]))

SIGNED = ["int8", "int16", "int32", "int64"]
INTEGERS = SIGNED + ["uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
PARTS = {"complex64": "float32", "complex128": "float64"}

# What no standard fixes: the sign of a part, the whole part, or all but that a part is infinite.
FREE_REAL_SIGN, FREE_IMAG_SIGN, FREE_REAL, FREE_IMAG, FREE_INFINITY = 1, 2, 4, 8, 16

NAN = float("nan")
INF = float("inf")


class Format:
    """A binary floating-point format: bits of precision, least exponent, bytes."""

    def __init__(self, precision, least, size):
        self.precision, self.least, self.size = precision, least, size
        self.infinity = ((1 << (8 * size - precision)) - 1) << (precision - 1)
        self.nan = self.infinity | 1 << (precision - 2)

    def round(self, negative, mantissa, exponent):
        """The bits of the value nearest to mantissa * 2**exponent, ties to even."""
        sign = (1 << (8 * self.size - 1)) if negative else 0
        if mantissa == 0:
            return sign
        top = mantissa.bit_length() + exponent - 1
        if top > -self.least + 2:
            return sign | self.infinity
        quantum = max(top, self.least) - self.precision + 1
        shift = quantum - exponent
        if shift <= 0:
            m = mantissa << -shift
        elif shift > mantissa.bit_length() + 1:
            m = 0
        else:
            m, rest, half = mantissa >> shift, mantissa & ((1 << shift) - 1), 1 << (shift - 1)
            m += rest > half or (rest == half and m & 1)
        if m >> self.precision:
            m, quantum = m >> 1, quantum + 1
        biased = quantum + self.precision - self.least if m >> (self.precision - 1) else 0
        bits = biased << (self.precision - 1) | m & ((1 << (self.precision - 1)) - 1)
        return sign | min(bits, self.infinity)

    def from_number(self, x):
        """The bits of a Python int or float, rounded once."""
        if isinstance(x, int):
            return self.round(x < 0, abs(x), 0)
        if math.isnan(x):
            return self.nan
        if math.isinf(x):
            return (1 << (8 * self.size - 1) if x < 0 else 0) | self.infinity
        top, bottom = abs(x).as_integer_ratio()
        return self.round(math.copysign(1, x) < 0, top, 1 - bottom.bit_length())

    def to_float(self, bits):
        """Exact: a double holds the values of every format here."""
        negative = bits >> (8 * self.size - 1)
        biased = (bits & self.infinity) >> (self.precision - 1)
        m = bits & ((1 << (self.precision - 1)) - 1)
        if biased == self.infinity >> (self.precision - 1):
            value = NAN if m else INF
        elif biased:
            value = math.ldexp(m | 1 << (self.precision - 1),
                               biased - 1 + self.least - self.precision + 1)
        else:
            value = math.ldexp(m, self.least - self.precision + 1)
        return -value if negative and not math.isnan(value) else value


FORMATS = {"float16": Format(11, -14, 2), "bfloat16": Format(8, -126, 2),
           "float32": Format(24, -126, 4), "float64": Format(53, -1022, 8)}


def rounded(dtype, x):
    """x, a Python number, as the nearest value of a float type."""
    form = FORMATS[dtype]
    return form.to_float(form.from_number(x))


def pack(dtype, values):
    """The bytes of Python values: every NaN becomes the same one, so that files are the same
    wherever they are made."""
    if dtype in PARTS:
        return pack(PARTS[dtype], [part for z in values for part in (z.real, z.imag)])
    if dtype in FORMATS:
        form = FORMATS[dtype]
        return b"".join(form.from_number(float(x)).to_bytes(form.size, "little") for x in values)
    if dtype == "bool":
        return bytes(1 if x else 0 for x in values)
    size = BYTES[dtype]
    return b"".join(int(x).to_bytes(size, "little", signed=dtype in SIGNED) for x in values)


class File:
    """Collects the blocks of one file."""

    def __init__(self):
        self.blocks = [b"PSVECT1\n"]
        self.sets = 0
        self.rows = set()

    def _block(self, name, kind, dtype, other, flags, number, n, cases, arrays):
        self.blocks.append(struct.pack("<16sBBBBIII", name.encode(), kind, NUMBER[dtype], other,
                                       flags, number, n, cases))
        for array in arrays:
            self.blocks.append(array + bytes(-len(array) % 8))

    def add_set(self, dtype, operands, condition=False):
        """Inputs; with `condition` the first operand is bool. Returns its number."""
        types = ["bool" if condition and i == 0 else dtype for i in range(len(operands))]
        self._block("", 0, dtype, len(operands), condition, 0, len(operands[0]), 0,
                    [pack(t, values) for t, values in zip(types, operands)])
        self.sets += 1
        return self.sets - 1

    def add_row(self, name, dtype, number, result, values, free=None, cases=0):
        arrays = [pack(result, values)]
        if free and any(free):
            arrays.append(bytes(free))
        self._block(name, 1, dtype, NUMBER[result], len(arrays) - 1, number, len(values), cases,
                    arrays)
        self.rows.add((name, dtype))

    def bytes(self):
        return b"".join(self.blocks)
