"""Functions of elements, of every type, with numbers at the edges."""

from ..maker import COMPLEX, FLOATS, INTEGERS, TYPES

SHARE = 80

UNARY = (
    "abs acos acosh asin asinh atan atanh bitwise_not ceil clone conj cos cosh erf exp expm1 "
    "floor frac imag isfinite isinf isnan log log10 log1p log2 logical_not nan_to_num neg real "
    "reciprocal round rsqrt sgn sigmoid sign sin sinh sqrt square tan tanh trunc"
).split()
BINARY = (
    "add subtract multiply divide floor_divide remainder mod floor_mod atan2 equal not_equal "
    "less_than less_equal greater_than greater_equal maximum minimum fmax fmin logical_and "
    "logical_or logical_xor logaddexp hypot copysign bitwise_and bitwise_or bitwise_xor isclose"
).split()


def _unary(m):
    x = m.let(m.tensor(dtype=m.pick(TYPES), special=0.3))
    for name in m.some(UNARY, 9):
        m.let(m.called(name, x, []))
    if m.chance(0.4):
        m.let(f"{m.pick('-', '+', '~', 'abs')}({x})")
    m.let(m.called("scale", x, [m.pick("2", "scale=0.5", "2.5, 1.0", "2, bias=1")]))


def _binary(m):
    shape, fits = m.shape(), m.chance(0.9)
    dtype = m.pick([t for t in TYPES if t not in COMPLEX])
    x = m.let(m.tensor(shape, dtype, special=0.2))
    other = m.broadcastable(shape) if fits else m.shape()
    other_type = dtype if m.chance(0.7) else m.pick([t for t in TYPES if t not in COMPLEX])
    y = m.let(
        m.tensor(other, other_type, special=0.2) if m.chance(0.8) else m.number("float32")
    )
    for name in m.some(BINARY, 8):
        m.let(m.called(name, x, [y]))
    for operator in m.some("+ - * / // % < >= == != & |".split(), 5):
        m.let(f"{x} {operator} {y}" if m.chance(0.7) else f"{y} {operator} {x}")


def _powers(m):
    """Integers only to powers that are not negative: the real one does not come back."""
    shape = m.shape()
    x = m.let(m.tensor(shape, m.pick(FLOATS), special=0.2))
    for power in m.some(("2", "0", "1", "0.5", "-1", "3.0", "-0.5", "2.5", "True"), 4):
        m.let(m.pick(f"{x} ** {power}", m.called("pow", x, [power])))
    m.let(f"{m.pick('2', '0.5', '-1.5', '1')} ** {x}")
    y = m.let(f"{m.tensor(m.broadcastable(shape), 'float32')}")
    m.let(f"{x} ** {y}")
    i = m.let(m.tensor(shape, m.pick(INTEGERS)))
    for power in m.some(("2", "0", "1", "3", "0.5", "2.0"), 3):
        m.let(m.pick(f"{i} ** {power}", m.called("pow", i, [power])))


def _bounds(m):
    x = m.let(m.tensor(special=0.2))
    bounds = ["None", "-1", "0", "1.5", m.literal((), "float32"), m.literal((1,), "float32")]
    low, high = m.pick(bounds), m.pick(bounds)
    for form in (f"{low}, {high}", f"min={low}, max={high}", f"min={low}", f"max={high}", low):
        m.let(m.called(m.pick("clip", "clip", "clamp"), x, [form]))
    m.let(m.called("nan_to_num", x, [m.pick("", "nan=1.5", "1.0, 2.0", "posinf=3.", "neginf=-1.")]))


def _choice(m):
    shape = m.shape()
    c = m.let(m.tensor(m.broadcastable(shape), m.pick("bool", "bool", "bool", "uint8", "float32")))
    x = m.let(m.tensor(shape))
    y = m.let(m.tensor(m.broadcastable(shape)) if m.chance(0.6) else m.number(m.dtype()))
    m.let(f"paddle.where({c}, {x}, {y})")
    m.let(f"paddle.where({c}, {y}, {x})")
    m.let(f"paddle.where({c}, {y}, {m.number('float32')})")
    m.let(f"paddle.where({c}, {m.number('int64')}, {m.number('int64')})")
    m.let(f"paddle.where({c})")
    m.let(f"paddle.where({x} > 0, {x}, {x} * 2)")
    m.let(f"{x}.where({c}, {x})")


def _mixed(m):
    shape, dtype = m.shape(), m.pick(FLOATS)
    x, y = (m.let(m.tensor(m.broadcastable(shape), dtype)) for _ in range(2))
    z = m.let(m.tensor(m.broadcastable(shape), dtype))
    m.let(f"paddle.lerp({x}, {y}, {m.pick('0.5', z, '2.')})")
    m.let(f"paddle.add_n([{x}, {m.pick(x, y)}])")
    m.let(f"paddle.equal_all({x}, {m.pick(x, y, f'{x}.clone()')})")
    m.let(f"paddle.allclose({x}, {m.pick(x, y, f'{x} + 1e-9')}{m.pick('', ', rtol=0.5', ', equal_nan=True')})")
    m.let(f"paddle.isclose({x}, {y}, atol={m.pick('0.5', '1.')})")
    m.let(f"paddle.multiply({x}, {m.pick('2', '1.5', 'np.float32(2)', '[1.]', 'None')})")
    m.let(f"{x} {m.pick('+', '*', '<', '==', '/')} {m.pick('[1.]', 'None', 'np.ones(1)', '()', 'object()')}")


def make(m):
    m.pick(_unary, _unary, _binary, _binary, _powers, _bounds, _choice, _mixed)(m)
