"""The rows of the benchmark of operations: what they are called, and what is wanted of them."""

from common import row

PEERS = ("numpy", "torch", "torch_compile", "jax", "jax_jit")

# Two runs of the same product cannot be told apart more closely than this.
NOISE = 0.02


class Row(row.Row):
    """May take a tenth longer than the best peer, unless something else is wanted."""

    def __init__(self, name, title, times=1.10, **wanted):
        super().__init__(name, title, times=times, **wanted)


SIZES = [("1", "1"), ("10", "10"), ("1000", "10^3"), ("10000", "10^4"), ("100000", "10^5"),
         ("1000000", "10^6"), ("2000x2000", "2000x2000"), ("16777216", "64 MB")]


def by_size(kind, title, big):
    """A row for each size; `big` has what is different for 2000x2000."""
    return [Row(f"{kind}.{shape}.float32", f"{title}, {size}",
                **(big if shape == "2000x2000" else {})) for shape, size in SIZES]


def functions():
    sizes = [("1000", "float32"), ("1000000", "float32"), ("2000x2000", "float32"),
             ("1000000", "float64")]
    return [Row(f"{kind}.{shape}.{dtype}", f"{kind}, {dict(SIZES)[shape]} {dtype}")
            for kind in ("exp", "log", "tanh") for shape, dtype in sizes]


def products():
    rows = []
    for dtype in ("float32", "float64"):
        for n in (64, 256, 1000, 2000):
            exact = {"times": 1.0, "noise": NOISE} if n >= 1000 and dtype == "float32" else {}
            rows.append(Row(f"matmul.{n}x{n}.{dtype}", f"matmul {n} {dtype}", **exact))
    return rows + [Row("matmul.64x128x128.float32", "matmul 64 of 128x128")]


def all_rows():
    return [
        *by_size("add", "x + 1", {"times": 1.05, "against": ("jax",)}),
        *by_size("chain", "chain", {"times": 1.1, "against": ("jax_jit",)}),
        *functions(),
        Row("sum.2000x2000.float32", "sum, 2000x2000"),
        Row("sum_axis0.2000x2000.float32", "sum over axis 0"),
        Row("sum_axis1.2000x2000.float32", "sum over axis 1"),
        Row("softmax.1000x1000.float32", "softmax from primitives, 1000x1000"),
        Row("transpose.2000x2000.float32", "transposed copy, 2000x2000"),
        Row("mask.1000000.float32", "x[mask], 10^6, half true"),
        Row("normals.1000x1000.float32", "normals, 1000x1000", times=None, limit=1000),
        *products(),
        Row("queue.2.float32", "x + 1 of 2, 10^4 and one wait", limit=0.20),
        Row("kept.2.float32", "the same, results kept"),
        Row("wait.2.float32", "x + 1 of 2, a wait each", limit=0.35),
        Row("null_queue.2.float32", "10^4 and one wait, null device", times=None),
        Row("null_chain.2.float32", "chains, null device", times=None),
    ]
