"""Functions that change shapes."""

SHARE = 70


def _lengths(m, shape):
    """A shape for the same elements, or nearly."""
    count = 1
    for length in shape:
        count *= length
    lengths = []
    while count > 1 and m.chance(0.7):
        factors = [f for f in range(1, count + 1) if count % f == 0]
        lengths.append(m.pick(factors))
        count //= lengths[-1]
    lengths.append(count)
    if m.chance(0.3):
        lengths[m.random.randrange(len(lengths))] = -1
    if m.chance(0.08):
        lengths[m.random.randrange(len(lengths))] = m.pick(-1, -2, 0, 5)
    return lengths


def _given(m, numbers, names=()):
    """Numbers one by one, as a tuple, a list, or by a name."""
    one_by_one = ", ".join(map(str, numbers))
    forms = [one_by_one, str(tuple(numbers)), str(list(numbers))]
    return m.pick(*forms, *(f"{name}={tuple(numbers)}" for name in names))


def make(m):
    shape = m.shape(empty=0.06)
    ndim = len(shape)
    x = m.let(m.tensor(shape))
    a, b = m.dim(ndim), m.dim(ndim)
    lengths = _lengths(m, shape)
    order = m.random.sample(range(ndim), ndim)
    if m.chance(0.08):
        order = order[:-1] if m.chance(0.5) else [*order[:-1], 0]
    wide = [m.pick(n, -1) if n != 1 else m.integer(1, 3) for n in shape]
    wide = [*(m.integer(1, 3) for _ in range(m.integer(0, 2))), *wide]
    if m.chance(0.1) and wide:
        wide[m.random.randrange(len(wide))] = m.pick(5, 0, -1, -2)
    times = [m.integer(0, 2) for _ in range(ndim + m.integer(0, 1) - (m.chance(0.08) and ndim > 0))]
    choices = [
        f"{x}.reshape({_given(m, lengths, ['shape'])})",
        f"torch.reshape({x}, {m.pick(str(tuple(lengths)), str(lengths))})",
        f"{x}.view({_given(m, lengths)})",
        m.called("flatten", x, [m.pick("", str(a), f"{a}, {b}", f"start_dim={a}", f"end_dim={b}")]),
        m.called("ravel", x, []),
        m.called(
            "unflatten", x, [a, m.pick("(-1, 1)", "(1, -1)", "[2, -1]", "(2, 2)", "(-1, -1)", "()")]
        ),
        m.called("transpose", x, [m.pick(f"{a}, {b}", f"dim0={a}, dim1={b}", "")]),
        m.called(m.pick("swapaxes", "swapdims"), x, [a, b]),
        f"{x}.permute({_given(m, order, ['dims'])})",
        f"torch.permute({x}, {tuple(order)})",
        m.called("t", x, []),
        f"{x}.{m.pick('T', 'mT', 'H', 'mH')}",
        m.called("unsqueeze", x, [m.pick(m.dim(ndim + 1), f"dim={m.dim(ndim + 1)}")]),
        m.called("squeeze", x, [m.pick("", str(a), f"dim={a}", m.dims(ndim))]),
        m.called(
            m.pick("movedim", "moveaxis"),
            x,
            [m.pick(f"{a}, {b}", f"({a},), ({b},)", "(0, 1), (1, 0)", "0, (1, 2)")],
        ),
        m.called("flip", x, [_given(m, m.some(range(-ndim, ndim), ndim), ["dims"]) or "()"]),
        m.called(m.pick("fliplr", "flipud"), x, []),
        m.called(
            "roll",
            x,
            [
                m.pick(
                    "1",
                    "-2",
                    "shifts=1",
                    f"1, {a}",
                    f"(1, 2), (0, {a})",
                    f"shifts=1, dims={a}",
                    "(1, 2)",
                    f"(1,), ({a},)",
                )
            ],
        ),
        m.called("rot90", x, [m.pick("", "1", "2", "1, [0, 1]", "k=-1, dims=(0, 1)")]),
        f"{x}.expand({_given(m, wide)})",
        f"{x}.expand_as({m.tensor(m.shape())})",
        m.called("broadcast_to", x, [str(tuple(wide))]),
        f"{x}.repeat({_given(m, times)})",
        m.called("tile", x, [m.pick(str(tuple(times)), str(list(times)), "(2,)", "dims=(2, 1)")]),
        m.called(
            "repeat_interleave",
            x,
            [
                m.pick(
                    "2",
                    "0",
                    f"2, {a}",
                    f"2, dim={a}",
                    "repeats=2",
                    f"torch.tensor([2]), {a}",
                    f"torch.tensor([1, 2]), dim={a}",
                    "torch.tensor([1, 0, 2])",
                    "-1",
                )
            ],
        ),
        m.called(m.pick("tril", "triu"), x, [m.pick("", "1", "-1", "diagonal=2", "5")]),
        m.called("diag", x, [m.pick("", "1", "-1", "diagonal=1")]),
        m.called(
            "diagonal", x, [m.pick("", "1", "offset=-1", f"0, {a}, {b}", f"dim1={a}, dim2={b}")]
        ),
        m.called(
            "narrow", x, [a, m.pick("0", "1", "-1", "torch.tensor(0)"), m.pick("0", "1", "2", "-1")]
        ),
        m.called("select", x, [a, m.pick("0", "-1", "1", "5")]),
        m.called("unbind", x, [m.pick("", str(a), f"dim={a}")]),
        f"{x}.unfold({a}, {m.pick('1', '2', '0', '5')}, {m.pick('1', '2', '0')})",
        f"torch.atleast_{m.pick('1', '2', '3')}d({x})",
        f"{x}.size({m.pick('', str(a), f'dim={a}')})",
        f"{x}.{m.pick('dim()', 'ndim', 'shape', 'numel()', 'nelement()', 'ndimension()', 'element_size()', 'itemsize', 'nbytes', 'is_contiguous()', 'stride()', 'shape[-1:]', 'shape.numel()', 'size()[0]', 'names')}",
        f"{x}.view_as({m.tensor(shape)})",
        f"{x}.reshape_as({m.tensor(m.shape())})",
        f"{x}.as_strided((2,), (1,))",
        f"{x}.{m.pick('contiguous', 'clone', 'detach')}().is_contiguous()",
        f"torch.{m.pick('squeeze', 'unsqueeze', 'flatten', 'transpose', 'reshape')}({m.wrong()})",
        f"tuple(one.shape for one in torch.broadcast_tensors({x}, {m.tensor(m.broadcastable(shape))}))",
        f"torch.broadcast_shapes({shape}, {m.broadcastable(shape)})",
    ]
    for text in m.random.sample(choices, 7):
        m.let(text)
