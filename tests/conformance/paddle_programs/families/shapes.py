"""Functions that change shapes."""

SHARE = 80


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


def make(m):
    shape = m.shape(empty=0.05)
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
    times = [m.integer(1, 2) for _ in range(ndim + m.integer(0, 1) - (m.chance(0.08) and ndim > 0))]
    several = m.some(range(-ndim, ndim), ndim)
    choices = [
        f"{x}.reshape({m.pick(str(lengths), str(tuple(lengths)), ', '.join(map(str, lengths)))})",
        f"paddle.reshape({x}, {m.pick(str(lengths), f'shape={lengths}')})",
        f"{x}.view({lengths})",
        m.called("flatten", x, [m.pick("", str(a), f"{a}, {b}", f"start_axis={a}", f"stop_axis={b}")]),
        m.called("transpose", x, [m.pick(str(order), f"perm={order}")]),
        m.called("transpose", x, [f"{a}, {b}"]),
        m.called("t", x, []),
        f"{x}.{m.pick('T', 'mT')}",
        m.called("unsqueeze", x, [m.pick(m.dim(ndim + 1), f"axis={m.dim(ndim + 1)}", "[0, 1]")]),
        m.called("squeeze", x, [m.pick("", str(a), f"axis={a}", m.axes(ndim))]),
        m.called("moveaxis", x, [m.pick(f"{a}, {b}", f"[{a}], [{b}]", "[0, 1], [1, 0]")]),
        m.called("flip", x, [m.pick(str(several), f"axis={several}", str(a))]),
        m.called("roll", x, [m.pick("1", "-2", f"1, {a}", f"[1, 2], [0, {a}]", f"shifts=1, axis={a}")]),
        m.called("expand", x, [m.pick(str(wide), f"shape={wide}")]),
        f"{x}.expand_as({m.tensor(m.shape())})",
        m.called("broadcast_to", x, [str(wide)]),
        m.called("tile", x, [m.pick(str(times), f"repeat_times={times}", "[2]", str(tuple(times)))]),
        m.called("repeat_interleave", x, [m.pick("2", f"2, {a}", f"2, axis={a}", "repeats=2")]),
        m.called(m.pick("tril", "triu"), x, [m.pick("", "1", "-1", "diagonal=2")]),
        m.called("diag", x, [m.pick("", "1", "-1", "offset=1")]),
        m.called("diagonal", x, [m.pick("", "1", "offset=-1", f"0, {a}, {b}", f"axis1={a}, axis2={b}")]),
        m.called("trace", x, [m.pick("", "1", f"0, {a}, {b}")]),
        m.called("unbind", x, [m.pick("", str(a), f"axis={a}")]),
        m.called("unstack", x, [m.pick("", str(a), f"axis={a}")]) if ndim else f"{x}.unbind()",
        m.called(m.pick("swapaxes", "swapdims"), x, [a, b]),
        f"{x}.{m.pick('dim()', 'ndim', 'shape', 'numel()', 'size', 'rank()', 'element_size()', 'itemsize', 'is_contiguous()', 'strides', 'shape[-1:]', 'ndimension()')}",
        f"paddle.broadcast_shape({list(shape)}, {list(m.broadcastable(shape))})",
        f"paddle.{m.pick('squeeze', 'unsqueeze', 'flatten', 'reshape')}({m.wrong()}{m.pick('', ', 0', ', [1]')})",
        f"[one.shape for one in paddle.broadcast_tensors([{x}, {m.tensor(m.broadcastable(shape), 'float32')}])]",
        m.called("view_as", x, [m.tensor(shape)]),
    ]
    for text in m.random.sample(choices, 7):
        m.let(text)
