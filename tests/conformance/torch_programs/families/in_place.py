"""Chains of writes into tensors, through methods, operators and out=."""

from ..maker import INTEGERS

SHARE = 50

OPERATORS = "+= -= *= /= //= %= **=".split()
BITWISE = "&= |= ^=".split()


def _operand(m, shape, x):
    choice = m.random.random()
    if choice < 0.35:
        return m.pick("2", "3", "1.5", "True", "0", "-1", "1j", "np.float64(2)", "np.int64(2)")
    if choice < 0.5:
        return x
    if choice < 0.93:
        return m.tensor(m.broadcastable(shape))
    return m.pick("None", "'a'", m.tensor((2, *shape)), m.tensor((7,)))


def _method(m, shape, x, dtype):
    other = _operand(m, shape, x)
    return m.pick(
        f"add_({other})",
        f"add_({other}, alpha={m.pick('2', '0.5')})",
        f"sub_({other})",
        f"mul_({other})",
        f"div_({other})",
        f"div_({other}, rounding_mode={m.pick(repr('floor'), repr('trunc'))})",
        f"pow_({m.pick('2', '0', '0.5', '3')})",
        f"fill_({other})",
        f"copy_({other})",
        "zero_()",
        f"clamp_({m.pick('0', '-1', '0.5', 'min=1')})",
        f"clamp_min_({m.pick('0', '1')})",
        f"{m.pick('eq', 'lt', 'ge')}_({other})",
        f"{m.pick('neg', 'abs', 'exp', 'floor', 'sign', 'relu', 'sigmoid', 'sqrt', 'square')}_()",
        f"masked_fill_({x} > 0, {m.pick('7', '1.5')})",
        f"lerp_({m.tensor(shape, dtype)}, 0.5)",
        f"addcmul_({m.tensor(shape, dtype)}, {m.tensor(shape, dtype)}, value=2)",
        f"unsqueeze_({m.dim(len(shape) + 1)})",
        f"squeeze_({m.pick('', str(m.dim(len(shape))))})",
        f"t_()",
        f"transpose_({m.dim(len(shape))}, {m.dim(len(shape))})",
        f"cumsum_({m.dim(len(shape))})",
        f"swapaxes_({m.dim(len(shape))}, {m.dim(len(shape))})",
        f"fmod_({m.pick('2', '1.5')})",
        f"tril_({m.pick('', '1')})",
        f"triu_()",
        f"round_()",
        f"resize_(1)",
        f"random_(3).zero_()",
        f"uniform_().zero_()",
        f"normal_().zero_()",
    )


def make(m):
    shape, dtype = m.shape(empty=0), m.dtype()
    x = m.let(m.tensor(shape, dtype))
    view = m.let(f"{x}[{m.pick('...', '0:1', '..., 0', 'None')}]")
    for _ in range(m.integer(2, 6)):
        target = x if m.chance(0.8) else view
        choice = m.random.random()
        if choice < 0.4:
            bits = BITWISE if dtype in ("bool", *INTEGERS) else []
            m.add(f"{target} {m.pick(OPERATORS + bits)} {_operand(m, shape, x)}")
        elif choice < 0.85:
            m.add(f"r = {target}.{_method(m, shape, x, dtype)}")
            m.let(f"r is {target}")
        else:
            name = m.pick("add", "mul", "div", "maximum", "eq", "pow")
            m.add(
                f"r = torch.{name}({x}, {_operand(m, shape, x)}, out={m.pick('torch.empty(0)', m.tensor(shape, dtype))})"
            )
        m.let(f"{m.pick(x, view)}.clone()")
    m.let(f"{x}._version")
