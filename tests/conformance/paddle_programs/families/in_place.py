"""Chains of writes into tensors through methods; operators make new tensors."""

from ..maker import INTEGERS

SHARE = 70

OPERATORS = "+= -= *= /= //= %=".split()
FUNCTIONS = "abs cos sin square tanh trunc neg log".split()
UNARY = "abs ceil cos exp floor neg round sigmoid sin sqrt square tanh trunc reciprocal log".split()


def _operand(m, shape, x, dtype):
    choice = m.random.random()
    if choice < 0.3:
        return m.pick("2", "3", "1.5", "True", "-1", "np.float32(2)")
    if choice < 0.5:
        return x
    if choice < 0.93:
        return m.tensor(m.broadcastable(shape), dtype if m.chance(0.85) else None)
    return m.pick("None", "'a'", m.tensor((2, *shape), dtype), m.tensor((7,), dtype), "[1]")


def _method(m, shape, x, dtype):
    other = _operand(m, shape, x, dtype)
    return m.pick(
        f"{m.pick('add', 'subtract', 'multiply', 'divide')}_({other})",
        f"{m.pick('add', 'subtract', 'multiply')}_({m.tensor(m.broadcastable(shape), dtype)})",
        f"{m.pick('equal', 'less_than', 'greater_equal', 'not_equal')}_({other})",
        f"{m.pick(UNARY)}_()",
        f"{m.pick(UNARY)}_()",
        f"scale_({m.pick('2.', '0.5, 1.', 'scale=2., bias=1.', '2')})",
        f"clip_({m.pick('0, 1', '-1', 'min=1', 'max=0.5', '0.5, 2')})",
        f"fill_({m.pick('7', '2.5', 'True', '-1', other)})",
        "zero_()",
        f"set_value({m.pick(m.tensor(shape, dtype), other, 'np.zeros(3)')})",
        f"pow_({m.pick('2', '0', '1', '3')})",
        f"reshape_({m.pick('[-1]', '[1, -1]', '[7]')})",
        f"unsqueeze_({m.dim(len(shape) + 1)})",
        f"squeeze_({m.pick('', str(m.dim(len(shape))))})",
        f"flatten_({m.pick('', '0', '0, 1')})",
        f"lerp_({m.tensor(shape, dtype)}, 0.5)",
        f"remainder_({m.pick('2', m.tensor(shape, dtype))})",
        f"logical_and_({m.tensor(shape, dtype)})",
        "nan_to_num_()",
        f"detach_()",
        "normal_().zero_()",
        "uniform_().zero_()",
    )


def make(m):
    shape, dtype = m.shape(empty=0), m.dtype()
    x = m.let(m.tensor(shape, dtype))
    view = m.let(f"{x}[{m.pick('...', '0:1', '..., 0', 'None')}]")
    for _ in range(m.integer(2, 6)):
        target = x if m.chance(0.8) else view
        choice = m.random.random()
        if choice < 0.25:
            bits = ["&=", "|=", "^="] if dtype in ("bool", *INTEGERS) else []
            m.add(f"{target} {m.pick(OPERATORS + bits)} {_operand(m, shape, x, dtype)}")
        elif choice < 0.85:
            m.add(f"r = {target}.{_method(m, shape, x, dtype)}")
            m.let(f"r is {target}")
        else:
            m.let(f"paddle.{m.pick(FUNCTIONS)}_({target})")
        m.let(f"{x}.clone()")
        if m.chance(0.3):
            m.let(f"{x}.inplace_version")
