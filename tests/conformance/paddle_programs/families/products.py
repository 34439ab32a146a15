"""Products of all ranks, of shapes that fit and that do not."""

SHARE = 60

TYPES = "float32 float32 float32 int64 float64 int32 complex64 float16 bfloat16".split()
NAMES = ("matmul", "mm", "mv", "bmm", "dot", "inner", "outer")
AXES = ["0", "1", "2", "[[0], [0]]", "[[-1], [0]]", "[[0, 1], [0, 1]]", "[[1], [0]]", "[0]"]


def _matching(m, a_rank, b_rank, k):
    batch = m.shape(2, longest=3, empty=0)
    a = {0: (), 1: (k,)}.get(a_rank, (*batch[: a_rank - 2], m.integer(1, 3), k))
    b = {0: (), 1: (k,)}.get(b_rank, (*batch[: b_rank - 2], k, m.integer(1, 3)))
    if a_rank == 4 and m.chance(0.3):
        a = (1, *a[1:])
    return a, b


def make(m):
    ranks = [m.integer(0, 4) if m.chance(0.3) else m.pick(1, 2, 2, 3) for _ in range(2)]
    k = m.integer(1, 4)
    a_shape, b_shape = _matching(m, *ranks, k)
    fits = m.chance(0.85)
    b_shape = b_shape if fits else m.shape()
    dtype = m.pick(TYPES) if fits else "float32"
    other = dtype if not fits or m.chance(0.93) else m.dtype()
    a, b = m.let(m.tensor(a_shape, dtype)), m.let(m.tensor(b_shape, other))
    for name in m.some(NAMES, 6):
        m.let(m.called(name, a, [b]))
    m.let(f"{a} @ {b}")
    if m.chance(0.3):
        m.let(f"{a} @ {m.pick('2', 'None', '[1]')}")
    turned = m.pick("transpose_x=True", "transpose_y=True", "True, True", "transpose_y=False")
    m.let(f"paddle.matmul({a}, {m.pick(a, b)}, {turned})")
    if m.chance(0.4):
        m.let(f"paddle.tensordot({a}, {b}, {m.pick('', 'axes=')}{m.pick(AXES)})")
    if m.chance(0.5):
        _with_sum(m, dtype)
    if m.chance(0.4):
        _of_matrices(m, dtype)


def _with_sum(m, dtype):
    n, k, p = (m.integer(1, 3) for _ in range(3))
    options = m.pick("", ", beta=2.0", ", alpha=3.0", ", beta=0.5, alpha=2.0")
    bias = m.let(m.tensor(m.pick((n, p), (p,), (1, p), (n, 1), (n + 1, p)), dtype))
    a, b = m.let(m.tensor((n, k), dtype)), m.let(m.tensor((k, p), dtype))
    m.let(f"paddle.addmm({bias}, {a}, {b}{options})")


def _of_matrices(m, dtype):
    x, y = (m.let(m.literal((2, 3), dtype)) for _ in range(2))
    m.let(f"paddle.cross({x}, {m.pick(x, y)}{m.pick('', ', axis=1', ', axis=-1', ', axis=0')})")
    m.let(f"paddle.trace({m.pick(x, m.tensor((2, 2), dtype))})")
    m.let(f"paddle.dist({x}, {y}{m.pick('', ', 1', ', p=3', ', p=float(chr(105) + chr(110) + chr(102))')})")
    m.let(f"paddle.kron({x}, {m.pick(y, m.literal((2,), dtype))})")
