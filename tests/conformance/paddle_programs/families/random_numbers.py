"""Random numbers: types, shapes and arguments; their values are each library's own."""

SHARE = 40

SHAPES = ["[2, 3]", "(2,)", "[]", "[0]", "[2, paddle.to_tensor(3)]", "paddle.to_tensor([2])", "2"]
ODD = ["None", "'a'", "[-1]", "[2.5]", "-1"]


def make(m):
    x = m.let(m.tensor((3,), m.pick("float32", "float64", "int64")))
    size = m.pick(SHAPES) if m.chance(0.85) else m.pick(ODD)
    typed = m.pick("", "", ", dtype='float64'", ", dtype='float32'", ", dtype='int64'")
    choices = [
        f"paddle.{m.pick('rand', 'randn', 'standard_normal')}({size}{typed})",
        f"paddle.uniform({size}{typed}{m.pick('', ', min=2., max=3.')})",
        f"paddle.normal({m.pick('0., 1.', '1, 2', 'mean=0.', 'std=2.')}, shape={size})",
        f"paddle.randint({m.pick('5', '0, 5', '2, 2', '5, 2', '-3, 3', 'low=1, high=4')}, shape={size})",
        f"paddle.randperm({m.pick('5', '0', '1', '-1', '2.5', 'None')}{m.pick('', ', dtype=' + repr('int32'))})",
        f"paddle.bernoulli({m.pick(f'{x}.abs() / 10', 'paddle.ones([2])', '0.5', '[0.5]')})",
        f"paddle.multinomial({m.pick('paddle.ones([3])', 'paddle.ones([2, 3])', '[1., 2.]')}, {m.pick('1', '2', '5', '3, replacement=True', '0')})",
        f"paddle.{m.pick('rand_like', 'randn_like')}({x})",
        f"paddle.randint_like({x}, {m.pick('5', '0, 5', 'low=1, high=3')})",
        f"{x}.{m.pick('uniform_', 'normal_')}()",
        f"{x}.{m.pick('uniform_(0., 1.)', 'normal_(0., 1.)', 'uniform_(min=2., max=3.)', 'normal_(mean=1., std=0.)')}",
    ]
    for text in m.random.sample(choices, 5):
        m.let(f"about({text})")
    m.let("type(paddle.seed(3)).__name__")
    drawn = m.pick("paddle.randn([3])", "paddle.rand([2, 2])", "paddle.randperm(5)", "paddle.uniform([2])")
    m.add(f"_ = paddle.seed(5)\np = {drawn}\n_ = paddle.seed(5)\nq = {drawn}\nr = paddle.equal_all(p, q)\nsame = r.item()\ndel p, q, r, _")
    m.let("same")
    m.let("bool((paddle.rand([50]) < 1).all())")
    m.let("sorted(paddle.randperm(6).tolist())")
