"""The types of results: every type in every rank beside every other, in operators and functions."""

from ..maker import TYPES

SHARE = 190  # of 6,000 programs in all: the whole matrix

NUMBERS = ["True", "3", "2.5", "1.5j"]
NUMPY = "int8(3) uint8(3) int32(3) int64(3) float16(2.5) float32(2.5) float64(2.5)"
_VALUES = {"bool": "True", "complex": "2.5+1j"}


def _one(dtype):
    return _VALUES.get(dtype.rstrip("0123468"), "3")


TENSORS = [
    *(f"paddle.to_tensor([{_one(t)}, {_one(t)}], dtype='{t}')" for t in TYPES),
    *(f"paddle.to_tensor({_one(t)}, dtype='{t}')" for t in TYPES),
]
OPERANDS = [*TENSORS, *NUMBERS, *(f"np.{one}" for one in NUMPY.split())]
PAIRS = [(a, b) for a in OPERANDS for b in OPERANDS if a in TENSORS or b in TENSORS]

OPERATORS = "+ - * / // % ** & | ^ << >> == != < <= > >= @".split()
FUNCTIONS = (
    "add subtract multiply divide floor_divide remainder mod pow atan2 bitwise_and bitwise_or "
    "bitwise_xor equal not_equal less_than greater_equal maximum minimum fmax fmin logical_and "
    "logical_xor logaddexp hypot copysign isclose"
).split()
METHODS = (
    "add_ subtract_ multiply_ divide_ floor_divide_ remainder_ pow_ equal_ logical_or_ fill_"
).split()
STRIDE = 577  # has no factor in common with the number of pairs: neighbours differ


def make(m):
    left, right = PAIRS[m.seed * STRIDE % len(PAIRS)]
    m.add(f"x = {left}")
    m.add(f"y = {right}")
    for operator in OPERATORS:
        m.let(f"x {operator} y")
    for name in m.random.sample(FUNCTIONS, 14):
        m.let(f"paddle.{name}(x, y)")
    m.let("paddle.where(paddle.to_tensor([True, False]), x, y)")
    m.let("paddle.stack([x, y])")
    m.let("paddle.full([2], y, dtype=x.dtype)")
    if left in TENSORS:
        for name in m.random.sample(METHODS, 5):
            m.add(f"z = x.clone()\nz.{name}(y)")
        for step in ("x / 300", "-1 / x", "x * -1", "x + 300", "x.scale(2.5)"):
            m.let(step)
        m.add("z = x.clone()\nz += y")
        if right != "1.5j":
            m.add("z = x.clone()\nz[...] = y")
