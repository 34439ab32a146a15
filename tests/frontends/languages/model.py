"""What is known of an array while a program is made up: element type and shape. It only serves to make
calls that fit, most of the time: where it is wrong, the call fails in all languages alike."""

from __future__ import annotations

import math
from dataclasses import dataclass

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "bfloat16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
INTEGERS = SIGNED + UNSIGNED
DTYPES = ["bool"] + INTEGERS + FLOATS + COMPLEX

CLASSES = {
    "all": DTYPES,
    "numeric": DTYPES[1:],
    "real": INTEGERS + FLOATS,
    "bool or real": ["bool"] + INTEGERS + FLOATS,
    "bool or integer": ["bool"] + INTEGERS,
    "integer": INTEGERS,
    "float": DTYPES,
    "real float": ["bool"] + INTEGERS + FLOATS,
    "real float alone": FLOATS,
    "float32 or float64": ["float32", "float64"],
}


@dataclass(frozen=True)
class Value:
    dtype: str
    shape: tuple | None  # None: it depends on values

    @property
    def count(self):
        return math.prod(self.shape)

    @property
    def ndim(self):
        return len(self.shape)


def bits(dtype):
    return int("".join(c for c in dtype.replace("bfloat", "float") if c.isdigit()) or 8)


def _promote_integers(a, b):
    if (a in SIGNED) == (b in SIGNED):
        return max(a, b, key=bits)
    signed, unsigned = (a, b) if a in SIGNED else (b, a)
    wide = max(bits(signed), 2 * bits(unsigned))
    return f"int{wide}" if wide <= 64 else "float64"


def promote(a, b):
    """The type that holds the values of both."""
    if a == b or b == "bool":
        return a
    if a == "bool":
        return b
    if a in INTEGERS and b in INTEGERS:
        return _promote_integers(a, b)
    if a in INTEGERS or b in INTEGERS:
        return b if a in INTEGERS else a
    if a in COMPLEX or b in COMPLEX:
        return "complex128" if {a, b} & {"float64", "complex128"} else "complex64"
    return "float64" if "float64" in (a, b) else "float32"


def weak(dtype, number):
    """The type of an array beside a number of the language."""
    if isinstance(number, bool) or dtype in COMPLEX:
        return dtype
    if isinstance(number, int):
        return "int64" if dtype == "bool" else dtype
    if isinstance(number, float):
        return dtype if dtype in FLOATS else "float32"
    return "complex128" if dtype == "float64" else "complex64"


def to_float(dtype):
    return dtype if dtype in FLOATS + COMPLEX else "float32"


def to_real(dtype):
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


def accumulated(dtype):
    """What sums of the type are."""
    if dtype in UNSIGNED:
        return "uint64"
    return "int64" if dtype in SIGNED + ["bool"] else dtype


def broadcast(*shapes):
    """The common shape, or None."""
    ndim = max(map(len, shapes), default=0)
    padded = [(1,) * (ndim - len(shape)) + tuple(shape) for shape in shapes]
    common = []
    for lengths in zip(*padded):
        others = {length for length in lengths if length != 1}
        if len(others) > 1:
            return None
        common.append(others.pop() if others else 1)
    return tuple(common)


def reduced(shape, axes, keepdims):
    """What is left of a shape when it is reduced over axes, all if None."""
    gone = {axis % len(shape) for axis in axes} if axes is not None else set(range(len(shape)))
    kept = [1 if i in gone else length for i, length in enumerate(shape) if keepdims or i not in gone]
    return tuple(kept)


def sliced(length, item):
    """How many positions a Slice has along a dimension."""
    return len(range(length)[slice(item.start, item.stop, item.step)])
