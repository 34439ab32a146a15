"""The types of results: every type in every rank beside every other, in operators and functions."""

from ..maker import TYPES

SHARE = 240  # of 6,000 programs in all: the whole matrix

NUMBERS = ["True", "3", "2.5", "1.5j"]
# Without np.bool_, which the real one takes for a float, and complex numbers, of which it drops a part.
NUMPY = "int8(3) uint8(3) int32(3) int64(3) float16(2.5) float32(2.5) float64(2.5)"
_VALUES = {"bool": "True", "complex": "2.5+1j"}


def _one(dtype):
    return _VALUES.get(dtype.rstrip("0123468"), "3")


TENSORS = [
    *(f"torch.tensor([{_one(t)}, {_one(t)}], dtype=torch.{t})" for t in TYPES),
    *(f"torch.tensor({_one(t)}, dtype=torch.{t})" for t in TYPES),
]
OPERANDS = [*TENSORS, *NUMBERS, *(f"np.{one}" for one in NUMPY.split())]
PAIRS = [(a, b) for a in OPERANDS for b in OPERANDS if a in TENSORS or b in TENSORS]

OPERATORS = "+ - * / // % ** & | ^ << >> == != < <= > >= @".split()
IN_PLACE = "+= -= *= /= //= %= **= &= |= ^= <<= >>=".split()
FUNCTIONS = (
    "add sub mul div true_divide floor_divide remainder fmod pow atan2 bitwise_and bitwise_or "
    "bitwise_xor bitwise_left_shift eq ne lt ge maximum minimum fmax fmin logical_and logical_xor "
    "logaddexp hypot copysign nextafter result_type rsub isclose float_power dist"
).split()
METHODS = "add_ sub_ mul_ div_ floor_divide_ remainder_ fmod_ pow_ eq_ logical_or_ copysign_ fill_".split()
STRIDE = 577  # has no factor in common with the number of pairs: neighbours differ


def make(m):
    left, right = PAIRS[m.seed * STRIDE % len(PAIRS)]
    m.add(f"x = {left}")
    m.add(f"y = {right}")
    for operator in OPERATORS:
        m.let(f"x {operator} y")
    for name in FUNCTIONS:
        m.let(f"torch.{name}(x, y)")
    m.let("torch.where(torch.tensor([True, False]), x, y)")
    m.let("torch.clamp(x, y)")
    m.let("torch.clamp(x, max=y)")
    m.let("torch.addcmul(x, x, y)")
    m.let("torch.addcdiv(x, x, y, value=2)")
    m.let("torch.add(x, y, alpha=2)")
    m.let("torch.sub(x, y, alpha=2.5)")
    m.let("torch.div(x, y, rounding_mode='trunc')")
    m.let("torch.div(x, y, rounding_mode='floor')")
    m.let("torch.cat([x.reshape(-1), y.reshape(-1)])")
    m.let("torch.stack([x, y])")
    m.let("torch.full((2,), y, dtype=x.dtype)")
    if left in TENSORS:
        for operator in IN_PLACE:
            m.add(f"z = x.clone()\nz {operator} y")
        for name in METHODS:
            m.add(f"z = x.clone()\nz.{name}(y)")
        for step in ("x / 300", "-1 / x", "x * -1", "x + 300", "torch.div(x, -2)"):
            m.let(step)
        m.add("z = x.clone()\nz[...] = y")
        m.add("z = x.clone()\nz.add_(y, alpha=2)")
        m.add("z = torch.add(x, y, out=torch.zeros(2, dtype=x.dtype))")
