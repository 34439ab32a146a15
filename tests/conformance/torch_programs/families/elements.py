"""Functions of elements, of every type, with numbers at the edges."""

from ..maker import COMPLEX, FLOATS, TYPES

SHARE = 70

UNARY = (
    "abs absolute acos acosh angle arccos arcsin arctan asin asinh atan atanh bitwise_not ceil "
    "clone conj cos cosh deg2rad erf erfc exp exp2 expm1 fix floor frac imag isfinite isinf "
    "isnan isneginf isposinf isreal log log10 log1p log2 logical_not logit nan_to_num neg "
    "negative positive rad2deg real reciprocal relu round rsqrt sgn sigmoid sign signbit sin "
    "sinh sqrt square tan tanh trunc"
).split()
IN_PLACE = (
    "abs_ ceil_ cos_ exp_ floor_ log_ neg_ reciprocal_ relu_ round_ sigmoid_ sign_ sin_ sqrt_ "
    "square_ tanh_ trunc_ bitwise_not_ logical_not_ rsqrt_ frac_ nan_to_num_ erf_ zero_"
).split()
BINARY = (
    "add sub mul div true_divide floor_divide remainder fmod pow atan2 eq ne lt le gt ge maximum "
    "minimum fmax fmin logical_and logical_or logical_xor logaddexp hypot copysign bitwise_and "
    "bitwise_or bitwise_xor isclose"
).split()
BITWISE = {"bitwise_and", "bitwise_or", "bitwise_xor", "&", "|"}


def _unary(m):
    x = m.let(m.tensor(dtype=m.pick(TYPES), special=0.3))
    for name in m.some(UNARY, 8):
        m.let(m.called(name, x, []))
    if m.chance(0.4):
        m.let(f"{m.pick('-', '+', '~', 'abs', 'round')}({x})")
    if m.chance(0.3):
        size = m.pick("0", "2", "(2, 3)")
        name = m.pick([one for one in UNARY if not one.startswith("is") and one != "signbit"])
        m.let(f"torch.{name}({x}, out=torch.empty({size}, dtype={x}.dtype))")
    for name in m.some(IN_PLACE, 4):
        m.add(f"y = {x}.clone()\ny = y.{name}()")


def _binary(m):
    shape, fits = m.shape(), m.chance(0.9)
    types = [t for t in TYPES if t not in COMPLEX] if fits else ["float32"]
    x = m.let(m.tensor(shape, m.pick(types), special=0.2))
    other = m.broadcastable(shape) if fits else m.shape()
    y = m.let(m.tensor(other, m.pick(types), special=0.2) if m.chance(0.8) else m.number("float32"))
    for name in m.some(set(BINARY) - (set() if fits else BITWISE), 8):
        m.let(m.called(name, x, [y]))
    operators = "+ - * / // % ** < >= == !=".split() + ["&", "|"] * fits
    for operator in m.some(operators, 5):
        m.let(f"{x} {operator} {y}" if m.chance(0.7) else f"{y} {operator} {x}")


def _bounds(m):
    x = m.let(m.tensor(special=0.2))
    bounds = m.pick(
        ["None", "-1", "0", "1.5", "nan"],
        ["None", *(m.literal((), m.pick("float32", "int64")) for _ in "ab")],
    )
    low, high = m.pick(bounds), m.pick(bounds)
    for form in (f"{low}, {high}", f"min={low}, max={high}", f"min={low}", f"max={high}", low):
        m.let(m.called(m.pick("clamp", "clip"), x, [form]))
    m.let(f"torch.clamp_min({x}, {low})")
    m.let(f"torch.clamp_max({x}, {high})")
    m.add(f"y = {x}.clone()\ny = y.clamp_({low}, {high})")
    m.let(m.called("nan_to_num", x, [m.pick("", "nan=1.5", "1.0, 2.0", "posinf=3", "neginf=-1.")]))


def _choice(m):
    shape = m.shape()
    c = m.let(m.tensor(m.broadcastable(shape), m.pick("bool", "bool", "bool", "uint8", "float32")))
    x = m.let(m.tensor(shape))
    y = m.let(m.tensor(m.broadcastable(shape)) if m.chance(0.6) else m.number(m.dtype()))
    m.let(f"torch.where({c}, {x}, {y})")
    m.let(f"torch.where({c}, {y}, {x})")
    m.let(f"{x}.where({c}, {y})")
    m.let(f"torch.where({c}, {y}, {m.number('float32')})")
    m.let(f"torch.where({c}, {m.number('int64')}, {m.number('int64')})")
    m.let(f"torch.where({c})")
    m.let(f"torch.where({x} > 0, {x}, 0)")


def _mixed(m):
    shape, dtype = m.shape(), m.pick(FLOATS)
    x, y, z = (m.let(m.tensor(m.broadcastable(shape), dtype)) for _ in range(3))
    m.let(f"torch.lerp({x}, {y}, {m.pick('0.5', z, '2', 'True')})")
    m.let(f"torch.addcmul({x}, {y}, {z}{m.pick('', ', value=2', ', value=0.5')})")
    m.let(f"torch.addcdiv({x}, {y}, {z}{m.pick('', ', value=2', ', value=0.5')})")
    m.let(f"torch.add({x}, {y}, alpha={m.pick('2', '0.5', 'True', '1j')})")
    m.let(f"{x}.sub({y}, alpha={m.pick('2', '0.5', '-1')})")
    m.let(
        f"torch.div({x}, {y}, rounding_mode={m.pick('None', repr('floor'), repr('trunc'), repr('up'))})"
    )
    m.let(f"torch.round({x}.float(), decimals={m.integer(-2, 3)})")
    m.let(f"torch.equal({x}, {m.pick(x, y, f'{x}.clone()')})")
    m.let(
        f"torch.allclose({x}, {m.pick(x, y, f'{x} + 1e-9')}{m.pick('', ', rtol=0.5', ', equal_nan=True')})"
    )
    m.let(f"torch.isclose({x}, {y}, atol={m.pick('0.5', '1')})")


def make(m):
    m.pick(_unary, _unary, _binary, _binary, _bounds, _choice, _mixed)(m)
