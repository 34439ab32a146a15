"""Making tensors: sizes, numbers, ranges, literals, with usual and odd arguments."""

from ..maker import COMPLEX, FLOATS, INTEGERS, TYPES

SHARE = 80

SIZES = (
    "2|2, 3|(2, 3)|[2, 3]|size=(2, 3)|()|(0, 2)|0|torch.Size([2])|(2,), 3|2.0|-1|(2, -3)|None|'a'|"
    "np.int64(2)|(np.int32(2), 3)|torch.tensor(2)|(2, torch.tensor(3))|True|(2.5,)|[[2]]||1, 0, 2|size=[]|"
    "range(2)|2, None|np.array([2, 3])|torch.tensor([2, 3])"
).split("|")
DTYPES = [*(f"torch.{t}" for t in TYPES), "torch.long", "torch.half", "None"]
ODD_DTYPES = ["float", "int", "bool", "'float32'", "np.float32", "complex", "1", "torch.float"]
DEVICES = [
    "'cpu'",
    "torch.device('cpu')",
    "'gpu'",
    "None",
    "'cpu:0'",
    "torch.ones(1).device",
    "3.5",
    "[]",
]
USUAL = {
    *SIZES[:8],
    "x",
    "0",
    "1",
    "2",
    "3",
    "5",
    "2.5",
    "-2",
    "[1, 2.5]",
    "True",
    "1j",
    "(2,)",
    "a0",
    "a1",
    "a3",
}
NUMBERS = [
    "0",
    "1",
    "-3",
    "2.5",
    "True",
    "1j",
    "nan",
    "inf",
    "3",
    "10**20",
    "np.float64(2.5)",
    "np.int8(3)",
]


def _options(m, most=2):
    """Some keywords; at most one of them is odd, so that there is one error at most."""
    found, odd = [], m.chance(0.2)
    for name in m.some(("dtype", "device", "requires_grad", "layout", "pin_memory"), most):
        value = {"layout": "torch.strided", "pin_memory": "False", "requires_grad": "False"}.get(
            name
        )
        if name == "requires_grad" and odd:
            value = m.pick("True", "1", "None")
        elif name == "dtype":
            value = m.pick(ODD_DTYPES if odd else DTYPES)
        elif name == "device":
            value = m.pick(DEVICES if odd else DEVICES[:2])
        found.append(f"{name}={value}")
        odd = False
    return found


def _call(m, name, positional, most=2):
    """A call; with keywords if nothing odd is given by position."""
    given = [*filter(None, positional)]
    if all(one in USUAL for one in given) and m.chance(0.5):
        given += _options(m, most)
    return f"{name}({', '.join(given)})"


def _sized(m):
    size = m.pick(SIZES)
    name = m.pick("zeros", "ones", "empty")
    call = _call(m, f"torch.{name}", [size])
    m.let(f"about({call})" if name == "empty" else call)
    x = m.let(m.tensor())
    call = _call(m, f"{x}.new_{name}", [size])
    m.let(f"about({call})" if name == "empty" else call)
    call = _call(m, f"torch.{name}_like", [x])
    m.let(f"about({call})" if name == "empty" else call)


def _full(m):
    size, number = (
        m.pick(SIZES[:8]),
        m.pick(*NUMBERS, "torch.tensor(2.5)", "torch.tensor([1])", "'a'"),
    )
    m.let(_call(m, "torch.full", [size, number]))
    x = m.let(m.tensor())
    m.let(_call(m, f"{x}.new_full", [m.pick("(2,)", "2", "[1, 2]"), number]))
    m.let(_call(m, "torch.full_like", [x, number]))
    m.let(_call(m, "torch.scalar_tensor", [number]))


RANGES = [
    "0",
    "1",
    "3",
    "5",
    "-2",
    "2.5",
    "-1.5",
    "0.3",
    "True",
    "torch.tensor(4)",
    "np.int64(6)",
    "7",
    "10",
    "nan",
    "inf",
    "None",
    "'a'",
    "1j",
    "torch.tensor([2])",
    "np.float32(2.5)",
]


def _ranges(m):
    usual = RANGES[:8]
    for _ in range(3):
        numbers = [
            m.pick(usual) if m.chance(0.85) else m.pick(RANGES) for _ in range(m.integer(1, 3))
        ]
        m.let(_call(m, "torch.arange", numbers))
    m.let(
        _call(
            m,
            "torch.arange",
            [f"end={m.pick(usual)}", m.pick("", "start=1", "step=2", "start=0, step=0.5")],
        )
    )
    start, end = m.pick(RANGES[:11]), m.pick(RANGES[:11])
    steps = m.pick("0", "1", "2", "5", "7", "-1", "2.0", "steps=3", "None", "True", "")
    m.let(_call(m, "torch.linspace", [start, end, steps]))
    m.let(
        _call(
            m,
            "torch.logspace",
            [start, end, m.pick("3", "steps=4"), m.pick("", "base=2", "base=2.5")],
        )
    )
    m.let(
        _call(
            m,
            "torch.eye",
            [
                m.pick("0", "1", "3", "-1", "2.0", "n=2", "'a'"),
                m.pick("", "2", "4", "m=3", "None", "-1"),
            ],
        )
    )
    if m.chance(0.3):
        m.let(_call(m, "torch.range", [m.pick(usual), m.pick(usual), m.pick("", "0.5")]))


LITERALS = [
    *(
        "3",
        "2.5",
        "True",
        "1j",
        "[]",
        "[[]]",
        "[[], []]",
        "[1, 2.5]",
        "[True, 2]",
        "[1, 2j]",
        "'a'",
        "['a']",
    ),
    *(
        "None",
        "[None]",
        "[1, None]",
        "[[1, 2], [3]]",
        "[1, [2]]",
        "[[1], 2]",
        "(1, 2)",
        "((1, 2), (3, 4))",
    ),
    *(
        "2**63",
        "2**63 - 1",
        "-2**63",
        "-2**63 - 1",
        "[2**64]",
        "[1e300]",
        "1e39",
        "range(3)",
        "{1: 2}",
        "{1}",
    ),
    *("np.ones(2)", "np.ones((2, 2), 'int8')", "np.float64(1)", "np.int32(3)", "[np.float64(1)]"),
    *(
        "[np.int32(1), 2]",
        "[np.ones(2), np.ones(2)]",
        "np.array(['a'])",
        "np.array([1], 'uint16')",
        "np.array(3)",
    ),
    *(
        "torch.ones(2)",
        "[torch.tensor(1), torch.tensor(2.)]",
        "[torch.ones(2)]",
        "[torch.tensor([1])]",
        "torch.tensor(1)",
    ),
    *("[torch.tensor(True)]", "[1, torch.tensor(2.5)]", "[[torch.tensor(1)], [2]]", "object()"),
    *(
        "np.ones(0)",
        "np.zeros((2, 0))",
        "np.arange(6).reshape(2, 3).T",
        "np.arange(6)[::2]",
        "np.arange(3)[::-1]",
    ),
    *(
        "np.array([1, 2], dtype='>i4')",
        "[[1, 2], [3, 4.5]]",
        "[float('nan'), 1]",
        "[True, 1.5]",
        "[[True], [False]]",
    ),
    *(
        "[1, True]",
        "[0.1, 2]",
        "[300]",
        "[-1]",
        "[-300]",
        "[1.7, -1.7]",
        "[2.9]",
        "[nan]",
        "[inf]",
        "torch.ones(2, requires_grad=True)",
    ),
    *(
        "[range(2)]",
        "iter([1])",
        "(i for i in [1])",
        "np.ones(2, 'float16')",
        "np.ones(2, 'complex64')",
    ),
]


def _literals(m):
    for _ in range(3):
        m.let(
            _call(
                m,
                m.pick("torch.tensor", "torch.tensor", "torch.as_tensor", "torch.asarray"),
                [m.pick(LITERALS)],
            )
        )
    x = m.let(m.tensor())
    m.let(_call(m, f"{x}.new_tensor", [m.pick(LITERALS)]))
    m.let(
        f"torch.from_numpy({m.pick('np.ones(2)', 'np.ones((2, 2), bool)', '[1]', 'np.float64(1)', 'np.arange(3)[::-1]', 'torch.ones(1)', 'np.array(1)', 'np.zeros((0, 2))')})"
    )
    title = m.pick(
        "Tensor",
        "FloatTensor",
        "LongTensor",
        "DoubleTensor",
        "IntTensor",
        "BoolTensor",
        "ByteTensor",
    )
    data = m.pick(
        "[1, 2]",
        "[1.5]",
        "2, 3",
        "",
        "torch.Size([2])",
        "np.ones(2)",
        "(1, 2)",
        "torch.ones(2)",
        "5",
        "[[1], [2]]",
        "2.5",
        "[True]",
        "'a'",
        "torch.tensor([1])",
        "None",
        "range(3)",
    )
    unset = data in ("2, 3", "5", "torch.Size([2])")
    m.let(f"about(torch.{title}({data}))" if unset else f"torch.{title}({data})")


def _others(m):
    lengths = [str(m.integer(0, 4)), str(m.integer(0, 4)), m.pick("", "1", "-1", "offset=2")]
    m.let(_call(m, m.pick("torch.tril_indices", "torch.triu_indices"), lengths, 0))
    x, y = (m.let(m.tensor((2,), m.pick(*FLOATS, *INTEGERS, *COMPLEX))) for _ in range(2))
    m.let(f"torch.complex({x}, {y})")
    m.let(
        f"torch.frombuffer(bytearray(b'abcdefgh'), dtype=torch.{m.pick('int16', 'uint8', 'int32')}{m.pick('', ', count=1', ', offset=4', ', count=9', ', offset=1')})"
    )
    m.let(f"torch.is_tensor({m.pick(x, '1', 'None')})")
    m.let(f"torch.numel({x})")
    m.let(
        f"torch.{m.pick('vander', 'diag_embed', 'diagflat', 'hann_window', 'cartesian_prod')}({x})"
    )
    m.add(
        f"torch.set_default_dtype({m.pick('torch.float64', 'torch.int64', repr('a'), 'torch.float32')})"
    )
    for text in m.some(
        (
            "torch.ones(2)",
            "torch.tensor([1.5])",
            "torch.arange(2) / 2",
            "torch.arange(2.)",
            "torch.full((1,), 2.5)",
            "torch.tensor(1j)",
            "torch.eye(2)",
            "torch.get_default_dtype()",
            "torch.tensor([1]) + 1.5",
            "torch.linspace(0, 1, 2)",
            "torch.tensor([]).dtype",
        ),
        5,
    ):
        m.let(text)


def make(m):
    m.pick(_sized, _sized, _full, _ranges, _ranges, _literals, _literals, _others)(m)
