"""Views of views, and writes through them both ways."""

SHARE = 70

KEYS = [
    *("0", "-1", "1:", ":-1", "::2", "None", "...", ":, 0", "..., 0", "..., 1:", "0:1"),
    *("..., None", "1:1", "-2:", "..., ::2", "::-1", "..., ::-1", "1:0:-1"),
]


def view_of(m, x, ndim):
    """Text of a view, and how many dimensions that has if it is known."""
    if ndim is None or m.chance(0.35):
        return f"{x}[{m.pick(KEYS)}]", None
    a, b = m.dim(ndim, 0.03), m.dim(ndim, 0.03)
    choices = [
        (f"{x}.transpose({m.random.sample(range(ndim), ndim)})", ndim),
        (f"{x}.unsqueeze({m.dim(ndim + 1, 0.03)})", ndim + 1),
        (f"{x}.squeeze({m.pick('', str(a))})", None),
        (f"{x}.{m.pick('reshape', 'view')}([-1])", 1),
        (f"{x}.flatten()", 1),
        (f"{x}.detach()", ndim),
        (f"{x}.data", ndim),
        (f"{x}.moveaxis({a}, {b})", ndim),
        (f"{x}.{m.pick('split', 'chunk')}({m.integer(1, 3)}, {a})[{m.pick(0, -1)}]", ndim),
        (f"{x}.unbind({a})[{m.pick(0, -1)}]", ndim - 1 if ndim > 0 else None),
        (f"{x}.contiguous()", ndim),
        (f"{x}.clone()", ndim),
        (f"{x}.astype({x}.dtype)", ndim),
        (f"{x}.cpu()", ndim),
        (f"paddle.assign({x})", ndim),
        (f"{x}.expand([{m.pick('2, ', '')}{', '.join(['-1'] * ndim) or '1'}])", None),
    ]
    if ndim >= 2:
        choices += [
            (f"{x}.T", ndim),
            (f"{x}.flatten({m.pick('1', '0, 1', '-2')})", None),
            (f"{x}.diagonal({m.pick('', '1', '-1')})", ndim - 1),
            (f"{x}.{m.pick('t()', 'swapaxes(0, 1)')}", ndim),
        ]
    return m.pick(choices)


def _write(m, x):
    number = m.integer(10, 99)
    m.add(
        m.pick(
            f"{x}[{m.pick(KEYS)}] = {number}",
            f"{x} += {number}",
            f"{x} *= 2",
            f"{x}.fill_({number})",
            f"{x}.zero_()",
            f"{x}[{m.pick(KEYS)}] += {number}",
            f"{x}.set_value({x} + 1)",
            f"{x}.add_({x})",
            f"{x}.scale_(2.)",
            f"{x}[{m.pick(KEYS)}] = {x}[{m.pick(KEYS)}].clone()",
            f"{x}.data[{m.pick(KEYS)}] = {number}",
        )
    )


def make(m):
    shape = m.shape(m.pick(1, 2, 2, 3), empty=0.02)
    held = [(m.let(m.literal(shape, m.pick("float32", "float32", "int64"))), len(shape))]
    for _ in range(m.integer(2, 6)):
        x, ndim = m.pick(held)
        if m.chance(0.6):
            text, found = view_of(m, x, ndim)
            held.append((m.let(text), found))
            if m.chance(0.3):
                name = held[-1][0]
                m.let(
                    m.pick(
                        f"[s for s, n in zip({name}.strides, {name}.shape) if n > 1]",
                        f"{name}.is_contiguous()",
                        f"{name}.is_leaf",
                    )
                )
        else:
            _write(m, x)
            m.let(f"{m.pick(held)[0]}.clone()")
            if m.chance(0.5):
                m.let(f"{x}.inplace_version")
