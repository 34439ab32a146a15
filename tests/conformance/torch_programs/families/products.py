"""Products of all ranks, of shapes that fit and that do not."""

SHARE = 50

TYPES = "float32 float32 float32 int64 float64 int32 complex64 float16 bfloat16 uint8".split()
NAMES = ("matmul", "mm", "mv", "bmm", "dot", "inner", "outer", "vdot", "ger")
DIMS = ["0", "1", "2", "([0], [0])", "([-1], [0])", "([0, 1], [0, 1])", "([1], [0])", "-1", "5"]
LETTERS = ["ij,jk->ik", "i,i", "ij,kj", "bij,bjk->bik", "...i,i->...", "ij,jk", "i,j->ij"]


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
    fits = m.chance(0.85)
    b_shape = b_shape if fits else m.shape()
    dtype = m.pick(*TYPES, *["bool"] * (ranks == [2, 2])) if fits else "float32"
    other = dtype if not fits or m.chance(0.9) else m.dtype()
    a, b = m.let(m.tensor(a_shape, dtype)), m.let(m.tensor(b_shape, other))
    for name in m.some(NAMES, 6):
        m.let(m.called(name, a, [b]))
    m.let(f"{a} @ {b}")
    if m.chance(0.3):
        m.let(f"{a} @ {m.pick('2', 'None', '[1]')}")
    if dtype != "bool":
        _by_letters(m, a, b)
        _with_sum(m, dtype)
    if m.chance(0.3):
        _of_matrices(m, dtype)


def _by_letters(m, a, b):
    if m.chance(0.4):
        m.let(f"torch.tensordot({a}, {b}, {m.pick('', 'dims=')}{m.pick(DIMS)})")
    if m.chance(0.4):
        m.let(f"torch.einsum({m.pick(LETTERS)!r}, {a}, {b})")


def _of_matrices(m, dtype):
    x, y = (m.let(m.literal((2, 3), dtype)) for _ in range(2))
    m.let(f"torch.cross({x}, {m.pick(x, y, 'torch.ones(3)')}{m.pick('', ', dim=1', ', dim=-1', ', 1')})")
    m.let(f"torch.trace({m.pick(x, m.tensor((2, 2), dtype), m.tensor((2,), dtype))})")
    m.let(f"torch.dist({x}, {y}{m.pick('', ', 1', ', p=3')})")
    m.let(f"torch.kron({x}, {m.pick(y, m.literal((2,), dtype), m.literal((), dtype))})")
    square = m.let(m.tensor(m.pick((2, 2), (2, 3), (2, 2, 2)), dtype))
    m.let(f"torch.matrix_power({square}, {m.integer(0, 3)})")


def _with_sum(m, dtype):
    if m.chance(0.5):
        return
    n, k, p = (m.integer(1, 3) for _ in range(3))
    options = m.pick("", ", beta=2", ", alpha=3", ", beta=0, alpha=2", ", alpha=2, beta=3")
    bias = m.let(m.tensor(m.pick((n, p), (p,), (), (1, p), (n, 1), (n + 1, p)), dtype))
    a, b = m.let(m.tensor((n, k), dtype)), m.let(m.tensor((k, p), dtype))
    rows, column = m.let(m.tensor((n,), dtype)), m.let(m.tensor((k,), dtype))
    m.let(f"torch.addmm({bias}, {a}, {b}{options})")
    m.let(f"{rows}.addmv({a}, {column}{options})")
    many = f"{a}.expand(2, -1, -1), {b}.expand(2, -1, -1)"
    m.let(f"torch.{m.pick('baddbmm', 'addbmm')}({bias}, {many}{options})")
    m.let(f"torch.addr({a}, {rows}, {column}{options})")
