"""Gradients of random expressions, and the rules about graphs, leaves, versions and hooks."""

SHARE = 100

UNARY = (
    (
        "exp log sqrt square sin cos tan tanh sigmoid relu abs neg reciprocal rsqrt log1p expm1 sinh cosh atan asinh erf "
        "sign floor round log2 exp2 softplus_ clone frac trunc"
    )
    .replace("softplus_ ", "")
    .split()
)


def _same_shape(m, names):
    """An expression of the leaves' shape."""
    a, b = m.pick(names), m.pick(names)
    return m.pick(
        f"{a} + {b}",
        f"{a} - {b}",
        f"{a} * {b}",
        f"{a} / ({b} * {b} + 1)",
        f"{a} * {m.pick('2', '0.5', '-1', 'torch.tensor(3.)')}",
        f"{a} + {m.pick('1', '1.5', 'True')}",
        f"{a} ** {m.pick('2', '3', '0', '1', '2.0')}",
        f"2 ** {a}",
        f"1.5 - {a}",
        f"2 / ({a} ** 2 + 1)",
        f"{a}.{m.pick(UNARY)}()",
        f"torch.{m.pick(UNARY)}({a})",
        f"torch.maximum({a}, {b})",
        f"torch.minimum({a}, {b})",
        f"{a}.clamp({m.pick('-1, 1', '0', 'max=0.5', 'min=0')})",
        f"torch.where({a} > {m.pick('0', b)}, {a}, {b})",
        f"{a}.masked_fill({a} > 0, 2)",
        f"{a} - {a}.mean()",
        f"{a} / ({a}.abs().sum() + 1)",
        f"{a}.softmax(-1)",
        f"{a}.cumsum(-1)",
        f"{a}.flip(0)",
        f"{a}.sort(-1).values",
        f"{a}.roll(1, 0)",
        f"{a}.detach() * {b}",
        f"{a}.clone()",
        f"{a}[...]",
        f"{a}.reshape({a}.shape)",
        f"{a}.expand_as({b})",
        f"{a}.float()",
        f"{a}.double().float()",
        f"{a}.lerp({b}, 0.3)",
        f"torch.hypot({a}, {b})",
        f"torch.atan2({a}, {b})",
        f"{a} % 2",
        f"{a} // 2",
        f"torch.addcmul({a}, {b}, {b})",
        f"{a}.nan_to_num()",
        f"{a}.pow({b}.abs())",
        f"{a}.cumprod(-1)",
        f"{a}.tril()",
        f"{a}.logsumexp(-1, keepdim=True) + {a}",
        f"torch.copysign({a}, {b})",
        f"torch.fmod({a}, 2)",
        f"{a}.logaddexp({b})",
        f"torch.cat([{a}, {b}])[:{a}.shape[0]]",
        f"torch.stack([{a}, {b}])[1]",
    )


def _reduced(m, a):
    return m.pick(
        f"{a}.sum()",
        f"{a}.mean()",
        f"{a}.prod()",
        f"{a}.max()",
        f"{a}.min()",
        f"{a}.norm()",
        f"{a}.std()",
        f"{a}.var()",
        f"{a}.amax()",
        f"{a}.logsumexp(-1).sum()",
        f"({a} * {a}).sum()",
        f"{a}.abs().sum()",
        f"{a}.max(-1).values.sum()",
        f"{a}.min(0)[0].sum()",
        f"{a}.topk(1).values.sum()",
        f"{a}.flatten()[0]",
        f"{a}.median()",
        f"{a}.reshape(-1)[{a}.reshape(-1) > 0].sum()",
        f"{a}.reshape(-1) @ {a}.reshape(-1)",
        f"torch.dot({a}.reshape(-1), {a}.reshape(-1))",
        f"{a}.norm(1)",
        f"{a}.sum(-1).pow(2).sum()",
        f"{a}.mean(0).sum()",
        f"{a}.amin(-1).sum()",
        f"{a}.unsqueeze(0).squeeze().sum()",
        f"({a}.reshape(1, -1) @ {a}.reshape(-1, 1)).sum()",
        f"{a}.T.sum()",
        f"{a}.split(1)[0].sum()",
        f"{a}.var(-1).sum()",
        f"{a}.norm(dim=-1).sum()",
        f"{a}.index_select(0, torch.tensor([0, 0])).sum()",
        f"{a}.gather(0, torch.zeros_like({a}, dtype=torch.int64)).sum()",
        f"{a}[[0, 0]].sum()",
        f"{a}.repeat_interleave(2, 0).prod()",
        f"torch.kron({a}, {a}).sum()",
        f"torch.tensordot({a}, {a}, {a}.dim())",
        f"torch.outer({a}.flatten(), {a}.flatten()).sum()",
    )


def _leaves(m):
    shape = m.shape(m.pick(0, 1, 1, 2, 2), empty=0)
    names = []
    dtype = m.pick("float32", "float64") if m.chance(0.15) else "float32"
    for _ in range(m.integer(1, 2)):
        text = m.literal(shape, dtype)
        names.append(
            m.let(
                m.pick(
                    f"{text}.requires_grad_()",
                    f"torch.tensor({m.elements(shape, 'float32')}, dtype=torch.{dtype}, requires_grad=True)",
                )
            )
        )
    return shape, names


def _told(m, names):
    for name in names:
        m.let(f"{name}.grad")


def _expression(m):
    shape, leaves = _leaves(m)
    names = list(leaves)
    for _ in range(m.integer(1, 4)):
        names.append(m.let(_same_shape(m, names)))
    if m.chance(0.2):
        m.add(f"{names[-1]}.retain_grad()")
    loss = m.let(_reduced(m, names[-1]))
    m.add(f"{loss}.backward({m.pick('', '', 'retain_graph=True')})")
    _told(m, names)
    if m.chance(0.3):
        m.add(f"{loss}.backward()")
        _told(m, leaves)


def _second(m):
    _, leaves = _leaves(m)
    names = list(leaves)
    for _ in range(m.integer(1, 3)):
        names.append(m.let(_same_shape(m, names)))
    loss = m.let(_reduced(m, names[-1]))
    m.add(
        f"g = torch.autograd.grad({loss}, {m.pick(leaves[0], f'[{leaves[0]}]', '(' + ', '.join(leaves) + ',)')}, create_graph=True{m.pick('', ', allow_unused=True')})"
    )
    m.let("[one if one is None else one.requires_grad for one in g]")
    m.add("(g[0] ** 2).sum().backward()")
    _told(m, leaves)


def _given(m):
    shape, leaves = _leaves(m)
    y = m.let(_same_shape(m, leaves))
    text = m.literal(
        shape if m.chance(0.8) else m.shape(), m.pick("float32", "float32", "float64", "int64")
    )
    m.add(
        m.pick(
            f"{y}.backward({text})",
            f"{y}.backward(gradient={text})",
            f"torch.autograd.backward([{y}], [{text}])",
            f"{y}.backward()",
            f"{y}.sum().backward(torch.tensor(2.))",
            f"{y}.backward({m.wrong()})",
            f"g = torch.autograd.grad({y}, {leaves[0]}, {text})",
            f"torch.autograd.backward({y}, {text}, retain_graph=True)",
            f"g = torch.autograd.grad({y}, {leaves[0]}, grad_outputs=torch.ones_like({y}))",
        )
    )
    _told(m, leaves)
    m.add(
        m.pick(
            f"g = torch.autograd.grad({y}.sum(), {leaves[-1]})",
            f"g = torch.autograd.grad([{y}.sum(), {y}.mean()], [{leaves[0]}])",
            f"g = torch.autograd.grad({leaves[0]}.sum(), {leaves[-1]}, allow_unused=True)",
            f"g = torch.autograd.grad({leaves[0]}.sum(), torch.ones(1))",
            f"g = torch.autograd.grad(torch.ones(1), {leaves[0]})",
            f"g = torch.autograd.grad({leaves[0]}.sum(), {leaves[-1]}, materialize_grads=True)",
            f"{leaves[0]}.sum().backward(inputs=[{leaves[0]}])",
        )
    )
    _told(m, leaves)


def _writes(m):
    _, leaves = _leaves(m)
    x = leaves[0]
    y = m.let(f"{x} * {m.pick('1', '2')}")
    names = [x, y]
    for _ in range(m.integer(1, 4)):
        a = m.pick(names)
        choice = m.random.random()
        if choice < 0.45:
            names.append(m.let(_same_shape(m, names)))
        elif choice < 0.9:
            m.add(
                m.pick(
                    f"{a} += 1",
                    f"{a} *= 2",
                    f"{a}[0] = 5",
                    f"{a}.mul_({m.pick(names)})",
                    f"{a}.data[...] = 3.5",
                    f"{a}.detach()[...] = 2",
                    f"{a}[...] = {m.pick(names)}",
                    f"{a}.exp_()",
                    f"{a}.copy_({m.pick(names)})",
                    f"{a}.zero_()",
                    f"{a}.fill_(2)",
                    f"{a}.clamp_(0, 1)",
                    f"{a}.relu_()",
                    f"with torch.no_grad():\n    {a} += 1",
                    f"with torch.no_grad():\n    {a}.zero_()",
                    f"with torch.no_grad():\n    {a}[0] = 4",
                    f"{a}.detach_()",
                    f"{a}.requires_grad_(False)",
                    f"{a}.requires_grad = True",
                    f"{a}.data = {m.literal((2,), 'float32')}",
                    f"{a}.squeeze_()",
                    f"{a}[{a} > 0] = 1.5",
                    f"{a}.masked_fill_({a} > 0, 2.)",
                    f"{a}.add_({m.pick(names)}, alpha=2)",
                    f"{a}[0].mul_(2)",
                    f"{a}.reshape(-1)[0] = 9",
                    f"{a}.sigmoid_()",
                    f"{a}.T.mul_(2)",
                )
            )
            m.let(f"{a}._version")
        else:
            names.append(
                m.let(
                    m.pick(
                        f"{a}[0]",
                        f"{a}.reshape(-1)",
                        f"{a}.detach()",
                        f"{a}.data",
                        f"{a}.unsqueeze(0)",
                        f"{a}[0:1]",
                    )
                )
            )
            names.pop()
    z = m.pick(names)
    m.let(f"{z}.clone()")
    m.add(f"{z}.sum().backward()")
    _told(m, names)


def _modes(m):
    _, leaves = _leaves(m)
    x = leaves[0]
    block = m.pick(
        "with torch.no_grad():",
        "with torch.enable_grad():",
        "with torch.set_grad_enabled(False):",
        "with torch.set_grad_enabled(True):",
        "with torch.inference_mode():",
        "with torch.no_grad(), torch.enable_grad():",
    )
    m.add(f"{block}\n    y = {x} * 2")
    m.add(f"{block}\n    z = torch.ones(2, requires_grad=True)")
    m.let("(y.requires_grad, y.is_leaf, z.requires_grad, torch.is_grad_enabled())")
    m.add(
        f"@torch.{m.pick('no_grad()', 'enable_grad()', 'no_grad', 'inference_mode()', 'set_grad_enabled(False)')}\ndef f(t):\n    return t * 3"
    )
    m.let(f"f({x})")
    m.add(f"w = {x} * 2\nw.requires_grad = {m.pick('True', 'False')}")
    m.let(
        m.pick(
            f"{x}.detach()",
            f"{x}.data",
            f"{x}.clone()",
            f"{x}.long()",
            f"{x} > 0",
            f"{x}.argmax()",
            f"{x}.numpy()",
            f"{x}.detach().numpy()",
            f"{x}.tolist()",
            f"torch.tensor({x})",
            f"{x}.new_ones(2)",
            f"torch.ones_like({x})",
            f"{x}.detach().requires_grad_()",
            f"copy.deepcopy({x})",
            f"copy.deepcopy({x} * 1)",
            f"copy.copy({x})",
            f"{x}.sum().item()",
            f"torch.zeros(2, dtype=torch.int64, requires_grad=True)",
            f"torch.arange(2).requires_grad_()",
            f"{x}.isnan()",
            f"{x}.sign()",
            f"{x}.floor()",
            f"torch.zeros_like({x}, requires_grad=True)",
            f"{x}.half()",
            f"{x}.cpu() is {x}",
            f"float({x}.sum())",
            f"{x} == {x}",
            f"{x}.sort()",
            f"{x}.max(0)",
            f"torch.as_tensor({x}) is {x}",
            f"{x}.retains_grad",
            f"({x} * 2).retains_grad",
            f"pickle.loads(pickle.dumps({x}))",
            f"({x} * 2).grad",
        )
    )


def _hooks(m):
    _, leaves = _leaves(m)
    x = leaves[0]
    y = m.let(f"{x} * 2")
    m.add("seen = []")
    target = m.pick(x, y)
    m.add(
        f"h = {target}.register_hook({m.pick('lambda g: seen.append(g.tolist())', 'lambda g: g * 3', 'lambda g: None', 'lambda g: torch.zeros_like(g)', 'lambda g: g.clone()', 'lambda g: 5', 'lambda g: torch.ones(7)')})"
    )
    if m.chance(0.3):
        m.add("r = h.remove()")
    if m.chance(0.5):
        m.add(f"{m.pick(x, y)}.retain_grad()")
    m.add(f"({y} * {y}).sum().backward()")
    m.let("list(seen)")
    _told(m, [x, y])
    m.add(
        m.pick(
            f"{x}.grad = None",
            f"{x}.grad.zero_()",
            f"{x}.grad = torch.ones_like({x})",
            f"{x}.grad = 5",
            f"{x}.grad = torch.ones(7)",
            f"{x}.grad += 1",
            f"del {x}.grad",
            f"{x}.grad = torch.ones_like({x}).double()",
            f"{x}.grad.data.zero_()",
            f"{x}.grad = {x}",
        )
    )
    m.add(f"({x} * 3).sum().backward()")
    _told(m, [x])
    m.let(f"torch.ones(2).register_hook(lambda g: g)")


def _functions(m):
    _, leaves = _leaves(m)
    m.add(
        "class Twice(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x, k):\n        ctx.save_for_backward(x)\n        ctx.k = k\n        return x * k\n    @staticmethod\n    def backward(ctx, g):\n        x, = ctx.saved_tensors\n        return g * ctx.k + 0 * x, "
        + m.pick("None", "None", "None, None", "torch.ones(1)")
    )
    y = m.let(f"Twice.apply({leaves[0]}, {m.pick('2', '0.5')})")
    m.add(f"({y} * {y}).sum().backward()")
    _told(m, leaves)
    m.let(
        f"{m.pick('Twice()', f'Twice.apply({leaves[0]})', f'Twice.apply({leaves[0]}.detach(), 3)', f'Twice.forward', f'Twice.apply(1.0, 2)')}"
    )


def make(m):
    m.pick(
        _expression,
        _expression,
        _expression,
        _second,
        _given,
        _writes,
        _writes,
        _modes,
        _hooks,
        _functions,
    )(m)
