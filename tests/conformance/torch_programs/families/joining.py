"""Joining tensors and taking them apart."""

SHARE = 50


def _several(m, shape):
    """Names of tensors whose shapes fit together, or nearly."""
    dim = m.random.randrange(len(shape)) if shape else 0
    names = []
    for _ in range(m.integer(1, 3)):
        one = list(shape)
        if shape and m.chance(0.4):
            one[dim] = m.integer(0, 3)
        if m.chance(0.06):
            one = list(m.shape())
        names.append(m.let(m.tensor(tuple(one), "float32" if m.chance(0.7) else None)))
    if m.chance(0.15):
        names.append(m.let("torch.tensor([])"))
    return names, dim


def make(m):
    shape = m.shape(empty=0.04)
    names, dim = _several(m, shape)
    dim = dim if m.chance(0.8) else m.dim(len(shape) or 1, 0.1)
    listed = ", ".join(names)
    sequence = m.pick(f"[{listed}]", f"({listed},)")
    x, wrong = (
        names[0],
        m.pick(
            "[]",
            "()",
            "None",
            "[1, 2]",
            f"[{names[0]}, 1]",
            names[0],
            "5",
            "['a']",
            f"iter([{names[0]}])",
            f"{{1: {names[0]}}}",
        ),
    )
    spelled = m.pick(str(dim), f"dim={dim}", f"axis={dim}", "")
    choices = [
        f"torch.{m.pick('cat', 'concat', 'concatenate')}({', '.join(filter(None, (sequence, spelled)))})",
        f"torch.stack({', '.join(filter(None, (sequence, spelled)))})",
        f"torch.{m.pick('vstack', 'hstack', 'dstack', 'row_stack', 'column_stack')}({sequence})",
        f"torch.{m.pick('cat', 'stack', 'vstack', 'hstack')}({wrong})",
        f"torch.cat({sequence}, {dim}, out=torch.empty(0, dtype={x}.dtype))",
        f"torch.block_diag({listed})",
        m.called(
            "split",
            x,
            [
                m.pick("1", "2", "[1, 1]", "[1, 2]", "0", "-1", "(1,)", "2.0", "[3]", "[]"),
                m.pick("", str(dim), f"dim={dim}"),
            ],
        ),
        m.called(
            "chunk",
            x,
            [
                m.pick("1", "2", "3", "0", "-1", "chunks=2", "5"),
                m.pick("", str(dim)) if m.chance(0.8) else f"dim={dim}",
            ],
        ),
        m.called(
            "tensor_split",
            x,
            [
                m.pick("1", "2", "3", "[1]", "(1, 2)", "0", "[-1]", "torch.tensor(2)"),
                m.pick("", str(dim)),
            ],
        ),
        m.called("unbind", x, [m.pick("", str(dim))]),
        f"torch.{m.pick('hsplit', 'vsplit')}({x}, 1)",
        f"torch.meshgrid({m.pick(listed, sequence)}{m.pick('', ', indexing=' + repr('ij'), ', indexing=' + repr('xy'), ', indexing=' + repr('a'))})",
        f"torch.meshgrid({m.tensor((2,))}, {m.tensor(m.pick((), (3,)))}, indexing={m.pick(repr('ij'), repr('xy'))})",
        f"torch.broadcast_tensors({listed})",
        f"torch.{m.pick('atleast_1d', 'atleast_2d')}({m.pick(listed, sequence)})",
        f"torch.{m.pick('cartesian_prod', 'combinations')}({x})",
        f"list({x})",
        f"[one for one in {x}]",
        f"len({x})",
        f"{m.pick('1', '1.5', 'None', 'True', x)} in {x}",
        f"list(reversed({x}))",
        f"torch.tensor_split({x}, {m.integer(1, 3)}, dim={dim})[0]",
    ]
    for text in m.random.sample(choices, 6):
        m.let(text)
