"""Gradients of random expressions, and the rules about graphs, leaves, versions and hooks."""

SHARE = 110

UNARY = (
    "exp log sqrt square sin cos tanh sigmoid abs neg reciprocal rsqrt log1p expm1 sinh cosh atan "
    "asinh erf sign log2 clone"
).split()


def _same_shape(m, names):
    """An expression of the leaves' shape."""
    a, b = m.pick(names), m.pick(names)
    return m.pick(
        f"{a} + {b}",
        f"{a} - {b}",
        f"{a} * {b}",
        f"{a} / ({b} * {b} + 1)",
        f"{a} * {m.pick('2', '0.5', '-1', 'paddle.to_tensor(3.)')}",
        f"{a} + {m.pick('1', '1.5')}",
        f"{a} ** {m.pick('2', '3', '1', '2.0')}",
        f"2 ** {a}",
        f"1.5 - {a}",
        f"2 / ({a} ** 2 + 1)",
        f"{a}.{m.pick(UNARY)}()",
        f"paddle.{m.pick(UNARY)}({a})",
        f"paddle.maximum({a}, {b} + 0.3)",
        f"paddle.minimum({a}, {b} + 0.3)",
        f"{a}.clip({m.pick('-1, 1', '0', 'max=0.5', 'min=0')})",
        f"paddle.where({a} > {m.pick('0', b)}, {a}, {b} * 2)",
        f"{a}.masked_fill({a} > 0, 2.)",
        f"{a} - {a}.mean()",
        f"{a} / ({a}.abs().sum() + 1)",
        f"F.softmax({a}, -1)" if m.chance(0.5) else f"F.relu({a})",
        f"{a}.cumsum(-1)",
        f"{a}.flip([0])",
        f"{a}.sort(-1)",
        f"{a}.roll(1, 0)",
        f"{a}.detach() * {b}",
        f"{a}.clone()",
        f"{a}[...]",
        f"{a}.reshape({a}.shape)",
        f"{a}.astype('float64').astype('float32')",
        f"{a}.lerp({b}, 0.3)",
        f"{a} % 2",
        f"{a}.tril()",
        f"{a}.scale(2., 1.)",
        f"paddle.concat([{a}, {b}])[:{a}.shape[0]]",
        f"paddle.stack([{a}, {b}])[1]",
        f"paddle.add_n([{a}, {b}])",
        f"{a}.logsumexp(-1, keepdim=True) + {a}",
    )


def _reduced(m, a):
    return m.pick(
        f"{a}.sum()",
        f"{a}.mean()",
        f"({a} + 3).prod()",
        f"{a}.max()",
        f"{a}.min()",
        f"{a}.norm()",
        f"{a}.std()",
        f"{a}.var()",
        f"{a}.logsumexp(-1).sum()",
        f"({a} * {a}).sum()",
        f"{a}.abs().sum()",
        f"{a}.max(-1).sum()",
        f"{a}.min(0).sum()",
        f"{a}.topk(1)[0].sum()",
        f"{a}.flatten()[0]",
        f"{a}.reshape([-1]) @ {a}.reshape([-1])",
        f"paddle.dot({a}.reshape([-1]), {a}.reshape([-1]))",
        f"{a}.norm(1)",
        f"{a}.sum(-1).pow(2).sum()",
        f"{a}.mean(0).sum()",
        f"{a}.amin(-1).sum()",
        f"{a}.unsqueeze(0).squeeze().sum()",
        f"({a}.reshape([1, -1]) @ {a}.reshape([-1, 1])).sum()",
        f"{a}.T.sum()",
        f"{a}.split(1)[0].sum()",
        f"{a}.gather(paddle.to_tensor([0, 0])).sum()",
        f"{a}.index_select(paddle.to_tensor([0, 0])).sum()",
        f"{a}[[0, 0]].sum()",
        f"{a}",
        f"paddle.outer({a}.flatten(), {a}.flatten()).sum()",
        f"{a}.expand([2, *{a}.shape]).sum()",
        f"{a}.tile([2]).mean()",
    )


def _leaves(m):
    shape = m.shape(m.pick(1, 1, 2, 2, 3), empty=0)
    dtype = m.pick("float32", "float64") if m.chance(0.15) else "float32"
    return shape, [m.let(m.literal(shape, dtype, flows=True)) for _ in range(m.integer(1, 2))]


def _told(m, names):
    for name in names:
        m.let(f"{name}.grad")


def _expression(m):
    _, leaves = _leaves(m)
    names = list(leaves)
    for _ in range(m.integer(1, 4)):
        names.append(m.let(_same_shape(m, names)))
    if m.chance(0.2):
        m.add(f"{names[-1]}.retain_grads()")
    loss = m.let(_reduced(m, names[-1]))
    m.add(f"{loss}.backward({m.pick('', '', 'retain_graph=True')})")
    _told(m, names)
    if m.chance(0.3):
        m.add(f"{loss}.backward()")
        _told(m, leaves)
    if m.chance(0.4):
        m.add(f"{leaves[0]}.{m.pick('clear_grad()', 'clear_gradient()', 'clear_gradient(False)')}")
        _told(m, leaves[:1])
        m.add(f"({leaves[0]} * 2).sum().backward()")
        _told(m, leaves[:1])


def _second(m):
    _, leaves = _leaves(m)
    a, b = leaves[0], leaves[-1]
    y = m.let(
        m.pick(f"{a} ** 3", f"{a} * {b} * {a}", f"{a}.exp() * {b}", f"{a}.sin() + {b}", f"1 / ({a} ** 2 + 1)", f"{a}.tanh()", f"{a}.sigmoid() * {b}")
    )
    loss = m.let(m.pick(f"{y}.sum()", f"{y}.mean()", f"({y} * {y}).sum()"))
    m.add(f"g = paddle.grad({loss}, {m.pick(a, f'[{a}]')}, create_graph=True)")
    m.let("[one.stop_gradient for one in g]")
    m.add("(g[0] ** 2).sum().backward()")
    _told(m, leaves)


def _given(m):
    shape, leaves = _leaves(m)
    y = m.let(_same_shape(m, leaves))
    text = m.literal(shape if m.chance(0.8) else m.shape(empty=0), "float32")
    m.add(
        m.pick(
            f"{y}.backward({text})",
            f"{y}.backward(grad_tensor={text})",
            f"paddle.autograd.backward([{y}], [{text}])",
            f"{y}.backward()",
            f"{y}.backward({m.pick('None', '5', repr('a'), '[1.]')})",
            f"g = paddle.grad({y}, {leaves[0]}, {text})",
            f"g = paddle.grad({y}, {leaves[0]}, grad_outputs=[paddle.ones_like({y})])",
        )
    )
    _told(m, leaves)
    m.add(
        m.pick(
            f"g = paddle.grad({leaves[0]}.sum(), {leaves[-1]}, allow_unused=True)",
            f"g = paddle.grad([({leaves[0]} * 2).sum(), {leaves[0]}.mean()], [{leaves[0]}])",
            f"g = paddle.grad({leaves[0]}.sum(), paddle.ones([1]))",
            f"g = paddle.grad(({leaves[0]} ** 2).sum(), [{leaves[0]}], no_grad_vars=None)",
            f"g = paddle.grad({leaves[0]}.sum(), 5)",
        )
    )
    _told(m, leaves)


def _writes(m):
    _, leaves = _leaves(m)
    x = leaves[0]
    y = m.let(f"{x} * {m.pick('1', '2')}")
    names = [x, y]
    for _ in range(m.integer(1, 3)):
        a = m.pick(names)
        if m.chance(0.4):
            names.append(m.let(f"{a} {m.pick('*', '+', '-')} {m.pick(names)}"))
            continue
        m.add(
            m.pick(
                f"{a} += 1",
                f"{a} *= 2",
                f"{a}[0] = 5",
                f"{a}.multiply_({m.pick(names)})",
                f"{a}.add_(paddle.ones_like({a}))",
                f"{a}[...] = 2.5",
                f"{a}[...] = {m.pick(names)}",
                f"{a}.exp_()",
                f"{a}.zero_()",
                f"{a}.scale_(2.)",
                f"{a}.clip_(0, 1)",
                f"with paddle.no_grad():\n    {a} += 1",
                f"with paddle.no_grad():\n    {a}.zero_()",
                f"with paddle.no_grad():\n    {a}[0] = 4",
                f"{a}.stop_gradient = True",
                f"{a}.stop_gradient = False",
                f"{a}.set_value({a}.detach() + 1)",
            )
        )
        m.let(f"{a}.inplace_version")
    z = m.pick(names)
    m.let(f"{z}.clone()")
    m.add(f"{z}.sum().backward()")
    _told(m, names)


def _modes(m):
    _, leaves = _leaves(m)
    x = leaves[0]
    block = m.pick(
        *("with paddle.no_grad():", "with paddle.enable_grad():", "with paddle.set_grad_enabled(False):"),
        *("with paddle.set_grad_enabled(True):", "with paddle.no_grad(), paddle.enable_grad():"),
    )
    m.add(f"{block}\n    y = {x} * 2")
    m.add(f"{block}\n    z = paddle.to_tensor([1.], stop_gradient=False)")
    m.let("(y.stop_gradient, y.is_leaf, z.stop_gradient, paddle.is_grad_enabled())")
    decorator = m.pick("no_grad()", "enable_grad()")
    m.add(f"@paddle.{decorator}\ndef f(t):\n    return t * 3")
    m.let(f"f({x})")
    m.let(
        m.pick(
            *(f"{x}.detach()", f"{x}.data", f"{x}.clone()", f"{x}.astype('int64')", f"{x} > 0"),
            *(f"{x}.argmax()", f"{x}.numpy()", f"{x}.tolist()", f"paddle.to_tensor({x})"),
            *(f"paddle.ones_like({x})", f"{x}.sum().item()", f"{x}.isnan()", f"{x}.sign()"),
            *(f"copy.deepcopy({x})", f"float({x}.sum())", f"{x} == {x}", f"{x}.sort()"),
            *(f"{x}.topk(1)", f"({x} * 2).grad", f"{x}.gradient()", f"paddle.assign({x})"),
            *(f"{x}.unique()", f"{x}.nonzero()", f"{x}.any()", f"{x}.argsort()", f"{x}.cpu()"),
        )
    )


def _hooks(m):
    _, leaves = _leaves(m)
    x = leaves[0]
    y = m.let(f"{x} * 2")
    m.add("seen = []")
    target = m.pick(x, y)
    hook = m.pick(
        *("lambda g: seen.append(g.tolist())", "lambda g: g * 3", "lambda g: None"),
        *("lambda g: paddle.zeros_like(g)", "lambda g: g.clone()", "lambda g: g + 1"),
    )
    m.add(f"h = {target}.register_hook({hook})")
    if m.chance(0.3):
        m.let("h.remove()")
    if m.chance(0.5):
        m.add(f"{y}.retain_grads()")
    m.add(f"({y} * {y}).sum().backward()")
    m.let("list(seen)")
    _told(m, [x, y])
    m.add(
        m.pick(
            *(f"{x}.clear_grad()", f"{x}.grad.zero_()", f"{x}.grad.scale_(2.)", f"{x}.clear_gradient(False)"),
            *(f"{x}.grad = None", f"{x}.grad = paddle.ones_like({x})", f"{x}.grad[0] = 7."),
        )
    )
    m.add(f"({x} * 3).sum().backward()")
    _told(m, [x])
    m.let("paddle.ones([2]).register_hook(lambda g: g)")


LAYER = """class Twice(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x, k):
        ctx.save_for_backward(x)
        ctx.k = k
        return x * k
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensor()
        return {}"""


def _functions(m):
    _, leaves = _leaves(m)
    x = leaves[0]
    given = m.pick("g * ctx.k + 0 * x", "g * ctx.k * x", "g * 2", "None", "(g, g)")
    m.add(LAYER.format(given))
    y = m.let(f"Twice.apply({x}, {m.pick('2', '0.5')})")
    m.add(f"({y} * {y}).sum().backward()")
    _told(m, leaves)
    m.let(f"Twice.apply({x}.detach(), 3)")
    m.add(f"with paddle.no_grad():\n    n = Twice.apply({x}, 3)")


def make(m):
    m.pick(
        *(_expression, _expression, _expression, _second, _given),
        *(_writes, _writes, _modes, _hooks, _functions),
    )(m)
