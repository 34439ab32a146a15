"""Texts of tensors, to the letter, with print options."""

SHARE = 100

TYPES = "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128".split()


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
    if dtype == "float16":
        scale = m.pick((-1, 1), (0, 3), (-4, 4))
    text = _elements(m, shape, dtype, scale, m.pick(0, 0, 0.2))
    flows = ", stop_gradient=False" if m.chance(0.15) else ""
    return f"paddle.to_tensor({text}, dtype='{dtype}'{flows})"


def _large(m):
    start, step = m.pick("0", "-5", "0.5", "1.0"), m.pick("1", "0.25", "3", "1e3")
    shape = m.pick(
        *("[1001]", "[11, 100]", "[2, 600]", "[10, 11, 10]", "[1, 1200]", "[8, 8, 4, 5]"),
        *("[1000, 2]", "[500, 2, 2]", "[1000]"),
    )
    return f"(paddle.arange(2000) * {step} + {start})[:int(np.prod({shape}))].reshape({shape})"


OPTIONS = [
    *("precision=2", "precision=6", "precision=0", "sci_mode=True", "sci_mode=False"),
    *("linewidth=40", "linewidth=120", "edgeitems=1", "edgeitems=2", "threshold=5", "threshold=0"),
    *("precision=4, sci_mode=True", "threshold=10, edgeitems=1", "precision=3, linewidth=60"),
]


def make(m):
    if m.chance(0.4):
        m.add(f"paddle.set_printoptions({m.pick(OPTIONS)})")
        if m.chance(0.3):
            m.add(f"paddle.set_printoptions({m.pick(OPTIONS)})")
    if m.chance(0.05):
        m.add("paddle.set_default_dtype('float64')")
    for _ in range(4):
        x = m.let(_tensor(m) if m.chance(0.85) else _large(m))
        m.let(m.pick(f"repr({x})", f"str({x})", f"f'{{{x}}}'", f"'%s' % {x}", f"repr([{x}])"))
        if m.chance(0.2):
            spec = m.pick(".2f", "d", "10", ".3e", "g", "s", ">8")
            m.let(f"format({x}, {spec!r})")
    x = m.let(m.literal(m.shape(m.pick(0, 1, 2), empty=0), "float32", flows=True))
    m.let(f"repr({x})")
    m.let(f"repr({_result(m, x)})")
    m.let(
        m.pick(
            f"repr({x}.shape)",
            f"str({x}.dtype)",
            f"repr({x}.place)",
            f"{x}.__class__.__name__",
            "repr(paddle.float16)",
            "str(paddle.create_parameter([2], 'float32', is_bias=True)).splitlines()[2]",
            "repr(paddle.CPUPlace())",
            f"repr({x}.numel())",
            f"str(type({x}))",
        )
    )


def _result(m, x):
    return m.pick(
        *(f"{x} {op} 2" for op in ("+", "-", "*", "/")),
        *(f"{x}.{name}()" for name in ("sum", "mean", "exp", "abs", "neg", "clone", "max", "prod")),
        *(f"{x}.{name}" for name in ("unsqueeze(0)", "astype('float64')", "detach()", "T")),
        f"({x} > 0)",
        f"{x}.argmax()",
        f"{x}.astype('bool')",
        f"paddle.stack([{x}, {x}])",
    )
