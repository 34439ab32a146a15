"""Functions of random numbers: shapes, types, ranges, errors, seeds; never the numbers."""

SHARE = 40

SIZES = [
    "2",
    "2, 3",
    "(2, 3)",
    "[2]",
    "size=(2,)",
    "()",
    "0",
    "-1",
    "2.5",
    "None",
    "(2, 0)",
    "'a'",
    "torch.Size([2])",
    "size=2",
    "np.int64(2)",
]


def _options(m):
    if m.chance(0.5):
        return ""
    return m.pick(
        "dtype=torch.float64",
        "dtype=torch.int64",
        "dtype=torch.float16",
        "device='cpu'",
        "requires_grad=True",
        "generator=torch.Generator()",
        "generator=None",
        "dtype=torch.bool",
        "dtype=torch.uint8",
        "dtype=float",
        "device='gpu'",
        "generator=5",
        "dtype=torch.bfloat16",
        "dtype=torch.complex64",
        "foo=1",
        "pin_memory=False",
        "layout=torch.strided",
    )


def _call(name, *given):
    return f"{name}({', '.join(filter(None, given))})"


def _by_size(m):
    for _ in range(3):
        m.let(f"about({_call('torch.' + m.pick('rand', 'randn'), m.pick(SIZES), _options(m))})")
    low, high = m.pick("0", "-3", "5", "2.5", "1"), m.pick("5", "10", "2", "0", "2.5", "300")
    m.let(
        f"about({_call('torch.randint', m.pick(high, f'{low}, {high}', f'low={low}, high={high}', f'high={high}', ''), m.pick('(2,)', '(2, 3)', '[2]', 'size=(2,)', '2', '()', ''), _options(m))})"
    )
    m.let(
        f"about({_call('torch.randperm', m.pick('5', '0', '1', '-1', '2.5', 'n=3', 'None', 'True'), _options(m))})"
    )
    x = m.let(m.tensor())
    m.let(f"about({_call('torch.' + m.pick('rand_like', 'randn_like'), x, _options(m))})")
    m.let(
        f"about({_call('torch.randint_like', x, m.pick('5', '0, 5', 'high=5', 'low=1, high=3', '5, 1'), _options(m))})"
    )
    m.let(
        f"about({_call('torch.normal', m.pick('0, 1', '0., 1.', 'mean=0., std=1.', 'torch.zeros(2)', 'torch.zeros(2), 1.', '0., torch.ones(2)', 'torch.zeros(2, 1), torch.ones(3)', '0, -1', '0', 'torch.zeros(2), -1.', ''), m.pick('', '(2,)', 'size=(2, 3)', '2'), _options(m))})"
    )
    p = m.pick(
        "torch.full((3,), 0.5)",
        "torch.tensor([0., 1.])",
        "torch.tensor([1, 0])",
        "torch.tensor(0.5)",
        "torch.tensor([1.5])",
        "0.5",
        "torch.tensor([-0.5])",
    )
    m.let(f"about({_call('torch.bernoulli', p, m.pick('', '0.5', 'p=0.25', '1.5'))})")
    w = m.pick(
        "torch.ones(3)",
        "torch.tensor([0., 1.])",
        "torch.ones(2, 3)",
        "torch.tensor([1, 2])",
        "torch.zeros(2)",
        "torch.tensor([-1., 2.])",
        "torch.ones(1, 2, 3)",
        "torch.ones(0)",
    )
    m.let(
        f"about({_call('torch.multinomial', w, m.pick('1', '2', '5', '0', '-1', 'num_samples=2'), m.pick('', 'True', 'replacement=True', 'False'))})"
    )
    m.let(
        f"about(torch.poisson({m.pick('torch.ones(3)', 'torch.tensor([2, 3])', 'torch.tensor([-1.])', 'torch.ones(2, dtype=torch.float64)')}))"
    )


def _in_place(m):
    x = m.let(m.tensor())
    method = m.pick(
        "uniform_()",
        "uniform_(1, 2)",
        "uniform_(2, 1)",
        "normal_()",
        "normal_(1, 2)",
        "normal_(0, -1)",
        "random_()",
        "random_(5)",
        "random_(2, 4)",
        "random_(5, 2)",
        "bernoulli_()",
        "bernoulli_(0.5)",
        "bernoulli_(1.5)",
        "exponential_()",
        "exponential_(2)",
        "exponential_(-1)",
        "uniform_(from=0, to=1)",
        "normal_(mean=0, std=1)",
        "uniform_(a=0)",
        "log_normal_()",
        "geometric_(0.5)",
        "cauchy_()",
        "bernoulli_(torch.tensor(0.5))",
        "normal_(generator=torch.Generator())",
        "random_(0)",
        "uniform_(0, 0)",
        "random_(-3, 2)",
        "bernoulli_(p=torch.ones(2))",
    )
    method = (
        method.replace("from=", "**{'from': ").replace(": 0, to=1", ": 0}, to=1")
        if "from=" in method
        else method
    )
    m.add(f"q = None\nr = {x}.{method}\nq = (about(r), r is {x})")


def _ranges(m):
    m.let("bool(((lambda t: (t >= 0) & (t < 1))(torch.rand(100))).all())")
    m.let("bool(((lambda t: (t >= -2) & (t < 3))(torch.randint(-2, 3, (100,)))).all())")
    m.let("torch.randint(-2, 3, (200,)).unique()")
    m.let("torch.randperm(9).sort().values")
    m.let("bool((torch.randn(1000).mean().abs() < 0.3).item())")
    m.let("torch.bernoulli(torch.tensor([0., 1.]))")
    m.let("torch.multinomial(torch.tensor([0., 1., 0.]), 3, replacement=True)")
    m.let("torch.multinomial(torch.ones(3), 3).sort().values")
    m.let("torch.zeros(2).bernoulli_(1)")
    m.let("torch.normal(torch.tensor([1., 2.]), 0.)")
    m.let("torch.zeros(300).random_(3).unique()")


def _seeds(m):
    seed = m.pick(
        "0",
        "1",
        "-1",
        "2**63",
        "2**64 - 1",
        "2**64",
        "-2**63",
        "1.5",
        "'a'",
        "None",
        "True",
        "np.int64(3)",
        "torch.tensor(3)",
        "2**70",
    )
    m.let(f"type(torch.manual_seed({seed})).__name__")
    m.let("torch.initial_seed()")
    draw = m.pick(
        "torch.rand(3)",
        "torch.randn(3)",
        "torch.randint(100, (3,))",
        "torch.randperm(5)",
        "torch.normal(0., 1., (2,))",
        "torch.bernoulli(torch.full((9,), 0.5))",
        "torch.empty(4).uniform_()",
        "torch.multinomial(torch.ones(9), 4)",
        "torch.rand_like(torch.ones(2))",
        "torch.poisson(torch.ones(5) * 4)",
    )
    m.add(
        f"z = None\ntorch.manual_seed(3)\nx = {draw}\ntorch.manual_seed(3)\ny = {draw}\nz = torch.equal(x, y)"
    )
    m.let("z")
    m.add(
        f"z = None\nstate = torch.get_rng_state()\nx = {draw}\ntorch.set_rng_state(state)\ny = {draw}\nz = torch.equal(x, y)"
    )
    m.let("z")
    m.let("str(state.dtype)" if m.chance(0.2) else "torch.is_tensor(state)")
    m.add("g = torch.Generator()")
    m.let(
        m.pick(
            "g.manual_seed(3) is g",
            "g.initial_seed()",
            "type(g.seed()).__name__",
            "str(g.device)",
            "torch.equal(torch.rand(2, generator=g.manual_seed(1)), torch.rand(2, generator=g.manual_seed(1)))",
            "torch.default_generator.initial_seed()",
            "torch.equal(torch.rand(2, generator=g.manual_seed(1)), torch.rand(2, generator=torch.Generator().manual_seed(1)))",
            "g.get_state().dim()",
            "torch.Generator('cpu').device.type",
            "torch.Generator('foo')",
            "torch.seed() is None",
            "torch.random.manual_seed(3) is torch.default_generator",
        )
    )


def make(m):
    m.pick(_by_size, _by_size, _in_place, _in_place, _ranges, _seeds)(m)
