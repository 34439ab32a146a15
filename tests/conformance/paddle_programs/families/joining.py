"""Joining tensors and taking them apart."""

SHARE = 50


def _several(m, shape):
    """Names of tensors whose shapes fit together, or nearly."""
    axis = m.random.randrange(len(shape)) if shape else 0
    dtype = m.pick("float32", "float32", "int64", "float64", "bool", "int32")
    names = []
    for _ in range(m.integer(1, 3)):
        one = list(shape)
        if shape and m.chance(0.4):
            one[axis] = m.integer(1, 3)
        if m.chance(0.06):
            one = list(m.shape())
        names.append(m.let(m.tensor(tuple(one), dtype if m.chance(0.92) else None)))
    return names, axis


def make(m):
    shape = m.shape(empty=0.04)
    names, axis = _several(m, shape)
    axis = axis if m.chance(0.8) else m.dim(len(shape) or 1, 0.1)
    listed = ", ".join(names)
    sequence = m.pick(f"[{listed}]", f"({listed},)")
    x = names[0]
    wrong = m.pick(
        "[]", "()", "None", f"[{x}, 1]", "5", "['a']", f"iter([{x}])", f"{{1: {x}}}"
    )
    spelled = m.pick(str(axis), f"axis={axis}", "")
    count = m.pick("1", "2", "3")
    choices = [
        f"paddle.concat({', '.join(filter(None, (sequence, spelled)))})",
        f"paddle.stack({', '.join(filter(None, (sequence, spelled)))})",
        f"paddle.{m.pick('vstack', 'hstack')}({sequence})",
        f"paddle.{m.pick('concat', 'stack', 'vstack', 'hstack', 'add_n')}({wrong})",
        f"paddle.add_n({sequence})",
        m.called("split", x, [m.pick(count, "[1, 1]", "[1, -1]", "[-1]", "(1, 2)", "0", "[]"), m.pick("", str(axis), f"axis={axis}")]),
        m.called("chunk", x, [m.pick(count, "chunks=2", "0"), m.pick("", f"axis={axis}")]),
        m.called("unbind", x, [m.pick("", str(axis))]),
        f"paddle.meshgrid({m.tensor((2,), 'float32')}, {m.tensor(m.pick((1,), (3,)), 'float32')})",
        f"paddle.broadcast_tensors({sequence})",
        f"list({x})",
        f"[one for one in {x}]",
        f"len({x})",
        f"paddle.index_sample({m.tensor((2, 3), 'float32')}, paddle.to_tensor([[0, 1], [2, 0]]))",
        f"[one.shape for one in paddle.split({x}, {count}, axis={axis})]",
    ]
    for text in m.random.sample(choices, 6):
        m.let(text)
