"""Making tensors: sizes, numbers, ranges, literals, with usual and odd arguments."""

from ..maker import FLOATS, TYPES

SHARE = 80

SIZES = (
    "2|2, 3|(2, 3)|[2, 3]|shape=[2, 3]|[]|[0, 2]|0|paddle.ones([2]).shape|-1|[2, -3]|None|'a'|"
    "[2.0]|paddle.to_tensor(2)|[2, paddle.to_tensor(3)]|paddle.to_tensor([2, 3])|[2.5]|[[2]]||"
    "1, 0, 2|shape=[]|np.array([2, 3])|(np.int32(2), 3)|[True]|()"
).split("|")
DTYPES = [*(f"'{t}'" for t in TYPES), *(f"paddle.{t}" for t in TYPES), "None", "np.float64"]
ODD_DTYPES = ["float", "int", "bool", "'float33'", "np.int32", "complex", "1", "np.dtype('int8')"]
NUMBERS = ["0", "1", "-3", "2.5", "True", "nan", "inf", "3", "np.float64(2.5)", "np.int8(3)"]
USUAL = {*SIZES[:8], "x", "0", "1", "2", "3", "5", "2.5", "-2", "[1, 2.5]", "True", "a0", "a1"}


def _call(m, name, positional, odd=0.1):
    """A call; with a type if nothing odd is given by position."""
    given = [*filter(None, positional)]
    if all(one in USUAL for one in given) and m.chance(0.5):
        given.append(f"dtype={m.pick(ODD_DTYPES if m.chance(odd) else DTYPES)}")
    return f"{name}({', '.join(given)})"


def _unset(name, call):
    return f"about({call})" if "empty" in name else call


def _sized(m):
    size = m.pick(SIZES)
    name = m.pick("zeros", "ones", "empty")
    m.let(_unset(name, _call(m, f"paddle.{name}", [size])))
    name = m.pick("zeros", "ones", "empty")
    m.let(_unset(name, _call(m, f"paddle.{name}", [m.pick(SIZES)])))
    x = m.let(m.tensor())
    m.let(_unset(name, _call(m, f"paddle.{name}_like", [x])))
    m.let(f"paddle.{m.pick('zeros', 'ones')}_like({m.pick(x, '1', '[1, 2]', 'None', 'np.ones(2)')})")


def _full(m):
    number = m.pick(*NUMBERS[:5], *NUMBERS[7:], "paddle.to_tensor(2.5)")
    m.let(_call(m, "paddle.full", [m.pick("(2, 3)", "[2, 3]", "[]", "[0, 2]"), number]))
    x = m.let(m.tensor())
    m.let(_call(m, "paddle.full_like", [x, number]))
    m.let(_call(m, "paddle.full_like", [x, m.pick(*NUMBERS[:5], *NUMBERS[7:])], 0))


RANGES = ["0", "1", "3", "5", "-2", "2.5", "-1.5", "0.3", "7", "10", "paddle.to_tensor(4)", "None"]


def _ranges(m):
    for _ in range(3):
        numbers = [
            m.pick(RANGES[:8]) if m.chance(0.9) else m.pick(RANGES) for _ in range(m.integer(1, 3))
        ]
        m.let(_call(m, "paddle.arange", numbers))
    start, end = m.pick(RANGES[:8]), m.pick(RANGES[:8])
    m.let(_call(m, "paddle.arange", [f"start={start}", f"end={end}", m.pick("", "step=2")]))
    steps = m.pick("1", "2", "5", "7", "num=3", "2.0", "None", "0")
    m.let(_call(m, "paddle.linspace", [start, end, steps]))
    m.let(f"paddle.logspace({start}, {end}, {m.pick('3', '4, base=2.0', 'num=2')})")
    size = m.pick("0", "1", "3", "-1", "2.0", "'a'")
    m.let(_call(m, "paddle.eye", [size, m.pick("", "2", "4", "num_columns=3")]))


LITERALS = [
    *("3", "2.5", "True", "1j", "[]", "[[]]", "[[], []]", "[1, 2.5]", "[True, 2]", "[1, 2j]"),
    *("'a'", "['a']", "None", "[None]", "[1, None]", "[[1, 2], [3]]", "[1, [2]]", "(1, 2)"),
    *("((1, 2), (3, 4))", "2**40", "-2**63", "[1e300]", "1e39", "range(3)", "{1: 2}", "{1}"),
    *("np.ones(2)", "np.ones((2, 2), 'int8')", "np.float64(1)", "np.int32(3)", "[np.float64(1)]"),
    *("[np.int32(1), 2]", "[np.ones(2), np.ones(2)]", "np.array(['a'])", "np.array(3)"),
    *("paddle.ones([2])", "[paddle.to_tensor(1), paddle.to_tensor(2.)]", "[paddle.ones([2])]"),
    *("[paddle.to_tensor([1])]", "paddle.to_tensor(1)", "[paddle.to_tensor(True)]", "object()"),
    *("np.ones(0)", "np.zeros((2, 0))", "np.arange(6).reshape(2, 3).T", "np.arange(6)[::2]"),
    *("np.arange(3)[::-1]", "[[1, 2], [3, 4.5]]", "[nan, 1]", "[True, 1.5]", "[[True], [False]]"),
    *("[1, True]", "[0.1, 2]", "[300]", "[-1]", "[-300]", "[1.7, -1.7]", "[2.9]", "[nan]", "[inf]"),
    *("np.ones(2, 'float16')", "np.ones(2, 'complex64')", "[[True, 2.5]]", "[1, paddle.to_tensor(2)]"),
]


def _literals(m):
    for _ in range(4):
        given = [m.pick(LITERALS)]
        if m.chance(0.5):
            given.append(f"dtype={m.pick(ODD_DTYPES if m.chance(0.1) else DTYPES)}")
        if m.chance(0.2):
            given.append(m.pick("place=paddle.CPUPlace()", "place='cpu'", "stop_gradient=False"))
        m.let(f"paddle.to_tensor({', '.join(given)})")
    m.let(f"paddle.assign({m.pick('[1, 2]', '[1.5]', 'True', 'np.ones(2)', '3', '2.5', 'None')})")
    m.let(f"paddle.is_tensor({m.pick('1', 'None', 'paddle.ones([1])')})")


def _others(m):
    x = m.let(m.tensor((3,), m.pick(*FLOATS, "int64")))
    m.let(f"paddle.numel({x})")
    m.let(f"paddle.shape({x})")
    m.let(f"paddle.rank({x})")
    m.let(f"paddle.diag({x}{m.pick('', ', 1', ', offset=-1', ', padding_value=2')})")
    m.let(f"paddle.meshgrid({m.pick(x + ', ' + x, f'[{x}, {x}]')})")
    m.let(f"paddle.{m.pick('finfo', 'iinfo')}({m.pick(DTYPES[12:24])}).{m.pick('max', 'min', 'bits')}")
    m.add(f"paddle.set_default_dtype({m.pick(repr('float64'), repr('int64'), repr('float16'), '5')})")
    for text in m.some(
        (
            "paddle.ones([2])",
            "paddle.to_tensor([1.5])",
            "paddle.arange(2) / 2",
            "paddle.arange(2.)",
            "paddle.full([1], 2.5)",
            "paddle.to_tensor(1j)",
            "paddle.eye(2)",
            "paddle.get_default_dtype()",
            "paddle.to_tensor([1]) + 1.5",
            "paddle.linspace(0, 1, 2)",
            "paddle.to_tensor([]).dtype",
        ),
        5,
    ):
        m.let(text)


def make(m):
    m.pick(_sized, _sized, _full, _ranges, _ranges, _literals, _literals, _literals, _others)(m)
