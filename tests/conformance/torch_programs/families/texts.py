"""Texts of tensors, to the letter, with print options."""

from ..maker import TYPES

SHARE = 70


def _float(m, scale):
    choice = m.random.random()
    if choice < 0.15:
        return m.pick("0.0", "1.0", "-1.0", "-0.0")
    if choice < 0.3:
        return str(float(m.integer(-9, 9)))
    return repr(float(f"{m.random.uniform(-1, 1) * 10.0 ** m.random.uniform(*scale):.6g}"))


def _elements(m, shape, dtype, scale, special):
    if shape:
        inner = (_elements(m, shape[1:], dtype, scale, special) for _ in range(shape[0]))
        return f"[{', '.join(inner)}]"
    if dtype == "bool":
        return m.pick("True", "False")
    if "int" in dtype:
        low, high = (0, 255) if dtype == "uint8" else (-128, 127)
        return str(m.integer(low, high) if m.chance(0.3) else m.integer(0, 9))
    if "complex" in dtype:
        return f"complex({_float(m, scale)}, {_float(m, scale)})"
    if m.chance(special):
        return m.pick("nan", "inf", "-inf")
    return _float(m, scale)


def _tensor(m):
    dtype = m.pick("float32", "float32", "int64", m.pick(TYPES))
    shape = m.shape(empty=0.08)
    if m.chance(0.1):
        shape = m.pick((30,), (2, 25), (3, 2, 12), (1, 40))
    if 0 in shape:
        return m.literal(shape, dtype)
    scale = m.pick((-1, 1), (-1, 1), (0, 3), (-6, 0), (-3, 6), (0, 9), (-8, 8), (3, 4), (-20, 20))
    text = _elements(m, shape, dtype, scale, m.pick(0, 0, 0.2))
    return f"torch.tensor({text}, dtype=torch.{dtype})"


def _large(m):
    start, step = m.pick("0", "-5", "0.5", "1.0"), m.pick("1", "0.25", "3", "1e3")
    shape = m.pick(
        "(1001,)",
        "(11, 100)",
        "(2, 600)",
        "(10, 11, 10)",
        "(1, 1200)",
        "(8, 8, 4, 5)",
        "(1000, 2)",
        "(500, 2, 2)",
    )
    return f"(torch.arange(2000) * {step} + {start})[:int(np.prod({shape}))].reshape({shape})"


OPTIONS = [
    "precision=2",
    "precision=6",
    "precision=0",
    "sci_mode=True",
    "sci_mode=False",
    "linewidth=40",
    "linewidth=120",
    "edgeitems=1",
    "edgeitems=2",
    "threshold=5",
    "threshold=0",
    "profile='short'",
    "profile='full'",
    "profile='default'",
    "precision=8, sci_mode=True",
    "threshold=10, edgeitems=1",
]


def make(m):
    if m.chance(0.4):
        m.add(f"torch.set_printoptions({m.pick(OPTIONS)})")
        if m.chance(0.3):
            m.add(f"torch.set_printoptions({m.pick(OPTIONS)})")
    if m.chance(0.05):
        m.add("torch.set_default_dtype(torch.float64)")
    for _ in range(3):
        x = m.let(_tensor(m) if m.chance(0.85) else _large(m))
        m.let(
            m.pick(
                f"repr({x})",
                f"str({x})",
                f"f'{{{x}}}'",
                f"'%s' % {x}",
                f"repr([{x}])",
                f"format({x})",
            )
        )
        if m.chance(0.2):
            spec = m.pick(".2f", "d", "10", ".3e", "g", "s", ">8")
            m.let(f"format({x}, {spec!r})")
    x = m.let(m.literal(m.shape(m.pick(0, 1, 2), empty=0), "float32"))
    m.add(f"{x} = {x}.requires_grad_()")
    m.let(f"repr({x})")
    m.let(f"repr({_result(m, x)})")
    m.let(
        m.pick(
            f"repr({x}.shape)",
            f"str({x}.dtype)",
            f"repr({x}.device)",
            f"str({x}.type())",
            f"repr({x}.size())",
            f"{x}.__class__.__name__",
            "repr(torch.finfo(torch.float32))",
            "repr(torch.iinfo(torch.int8))",
            "str(torch.strided)",
            f"repr({x}.detach().max(-1))",
            "repr(torch.float16)",
            "repr(torch.device('cuda', 1))",
            f"repr({x}.grad_fn)",
            f"({x} * 2).grad_fn.name()",
            "repr(torch.Size([]))",
            "repr(torch.finfo(torch.float64).eps)",
        )
    )


def _result(m, x):
    return m.pick(
        *(f"{x} {op} 2" for op in ("+", "-", "*", "/", "**")),
        *(
            f"{x}.{name}()"
            for name in (
                "sum",
                "mean",
                "exp",
                "log",
                "relu",
                "sigmoid",
                "tanh",
                "abs",
                "sqrt",
                "neg",
                "clone",
                "max",
                "prod",
                "norm",
                "std",
                "square",
                "flatten",
                "cos",
                "sin",
                "double",
                "squeeze",
                "var",
                "min",
                "logsumexp(0)".removesuffix("()"),
            )
        ),
        *(
            f"{x}.{call}"
            for call in (
                "sum(0)",
                "reshape(-1)",
                "unsqueeze(0)",
                "mean(0)",
                "cumsum(0)",
                "to(torch.float64)",
                "expand(2, -1)",
                "view(-1)",
                "permute(0)",
                "repeat(2)",
                "softmax(-1)",
                "log_softmax(-1)",
                "clamp(0, 1)",
                "amax(0)",
                "T",
                "half()",
                "logsumexp(0)",
                "max(0).values",
                "sort(0).values",
                "pow(3)",
                "roll(1)",
                "flip(0)",
                "type(torch.float64)",
                "contiguous() * 1",
                "argmax()",
            )
        ),
        f"{x}[0]",
        f"{x}[0:1]",
        f"{x}[[0]]",
        f"{x}[{x} > 0]",
        f"{x}[..., None]",
        f"-{x}",
        f"2 * {x}",
        f"2 / {x}",
        f"2 - {x}",
        f"2 ** {x}",
        f"{x} * {x}",
        f"{x} + {x}",
        f"{x} / {x}",
        f"{x} - {x}",
        f"{x} @ {x}",
        f"torch.cat([{x}, {x}])",
        f"torch.stack([{x}, {x}])",
        f"torch.where({x} > 0, {x}, 0)",
        f"torch.maximum({x}, {x} * 2)",
        f"torch.dot({x}, {x})",
        f"torch.mm({x}, {x})",
        f"torch.matmul({x}, {x})",
        f"torch.abs({x})",
        f"{x}.masked_fill({x} > 0, 1)",
        f"torch.outer({x}, {x})",
        f"{x}.detach()",
        f"({x} > 0)",
    )
