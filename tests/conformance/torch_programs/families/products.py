"""Products of all ranks, of shapes that fit and that do not."""

SHARE = 50


def _matching(m, a_rank, b_rank, k):
    batch = m.shape(2, longest=3, empty=0)
    a = {0: (), 1: (k,)}.get(a_rank, (*batch[: a_rank - 2], m.integer(1, 3), k))
    b = {0: (), 1: (k,)}.get(b_rank, (*batch[: b_rank - 2], k, m.integer(1, 3)))
    if a_rank == 4 and m.chance(0.3):
        a = (1, *a[1:])
    return a, b


def make(m):
    ranks = [m.integer(0, 4) if m.chance(0.3) else m.pick(1, 2, 2, 3) for _ in range(2)]
    k = m.integer(0, 4) if m.chance(0.2) else m.integer(1, 4)
    a_shape, b_shape = _matching(m, *ranks, k)
    if m.chance(0.15):
        b_shape = m.shape()
    dtype = m.pick(
        "float32",
        "float32",
        "float32",
        "int64",
        "float64",
        "bool",
        "int32",
        "complex64",
        "float16",
        "bfloat16",
        "uint8",
    )
    other = dtype if m.chance(0.9) else m.dtype()
    a, b = m.let(m.tensor(a_shape, dtype)), m.let(m.tensor(b_shape, other))
    for name in m.some(
        ("matmul", "mm", "mv", "bmm", "dot", "inner", "outer", "kron", "vdot", "ger"), 6
    ):
        m.let(m.called(name, a, [b]))
    m.let(f"{a} @ {b}")
    if m.chance(0.3):
        m.let(f"{a} @ {m.pick('2', 'None', '[1]', 'np.ones(2)')}")
    if m.chance(0.4):
        dims = m.pick(
            "0",
            "1",
            "2",
            "([0], [0])",
            "([-1], [0])",
            "([0, 1], [0, 1])",
            "([1], [0])",
            "-1",
            "5",
            "(1, 0)",
        )
        m.let(f"torch.tensordot({a}, {b}, {m.pick('', 'dims=')}{dims})")
    if m.chance(0.4):
        m.let(
            f"torch.einsum({m.pick(repr('ij,jk->ik'), repr('i,i'), repr('ij,kj'), repr('bij,bjk->bik'), repr('ij->ji'), repr('...i,i->...'))}, {a}, {b})"
        )
    if m.chance(0.5):
        _with_sum(m, dtype)
    if m.chance(0.3):
        x = m.let(m.tensor((2, 3), dtype))
        m.let(
            f"torch.cross({x}, {m.pick(x, m.tensor((2, 3), dtype), m.tensor((3,), dtype))}{m.pick('', ', dim=1', ', dim=-1', ', dim=0', ', 1')})"
        )
        m.let(f"torch.trace({m.pick(x, m.tensor((2, 2), dtype), m.tensor((2,), dtype))})")
        m.let(
            f"torch.matrix_power({m.tensor(m.pick((2, 2), (2, 3), (2, 2, 2)), dtype)}, {m.integer(-1, 3)})"
        )
        m.let(f"torch.dist({x}, {m.tensor((2, 3), dtype)}{m.pick('', ', 1', ', p=3')})")


def _with_sum(m, dtype):
    n, k, p = (m.integer(1, 3) for _ in range(3))
    options = m.pick("", ", beta=2", ", alpha=0.5", ", beta=0, alpha=2", ", alpha=2, beta=3")
    bias = m.pick((n, p), (p,), (), (1, p), (n, 1), (n + 1, p))
    m.let(
        f"torch.addmm({m.tensor(bias, dtype)}, {m.tensor((n, k), dtype)}, {m.tensor((k, p), dtype)}{options})"
    )
    m.let(
        f"{m.tensor((n,), dtype)}.addmv({m.tensor((n, k), dtype)}, {m.tensor((k,), dtype)}{options})"
    )
    m.let(
        f"torch.{m.pick('baddbmm', 'addbmm')}({m.tensor((n, p), dtype)}, {m.tensor((2, n, k), dtype)}, {m.tensor((2, k, p), dtype)}{options})"
    )
    m.let(
        f"torch.addr({m.tensor((n, k), dtype)}, {m.tensor((n,), dtype)}, {m.tensor((k,), dtype)}{options})"
    )
