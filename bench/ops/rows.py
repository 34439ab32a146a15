"""The rows of the benchmark of operations: what they are called, and what is wanted of them."""

OURS = "penstock"
PEERS = ("numpy", "torch", "torch_compile", "jax", "jax_jit")

# Two runs of the same product cannot be told apart more closely than this.
NOISE = 0.02


class Row:
    """One line of the table. The target is a limit in microseconds, or `times` the best of the
    peers in `against`; the tighter of the two where there are both."""

    def __init__(self, name, title, times=1.10, against=PEERS, limit=None, noise=0.0):
        self.name, self.title = name, title
        self.times, self.against, self.limit, self.noise = times, against, limit, noise
        self.found = {}  # program -> a value from each round

    def add(self, program, value):
        self.found.setdefault(program, []).append(value)

    def value(self, program):
        return min(self.found[program]) if program in self.found else None

    def best(self, peers=PEERS):
        return min((self.value(p) for p in peers if p in self.found), default=None)

    def ratio(self):
        ours, peer = self.value(OURS), self.best()
        return ours / peer if ours is not None and peer else None

    def target(self):
        wanted = [] if self.limit is None else [self.limit]
        if self.times is not None and self.best(self.against) is not None:
            wanted.append(self.times * self.best(self.against))
        return min(wanted, default=None)

    def met(self):
        if self.target() is None:
            return None
        ours = self.value(OURS)
        return ours is not None and ours <= self.target() * (1 + self.noise)

    def json(self):
        return {"name": self.name, "unit": "us", "ours": self.value(OURS),
                "peers": {p: self.value(p) for p in PEERS}, "target": self.target()}


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
