"""The rows of the benchmark from Python: what they are called, and what is wanted of them."""

import statistics

from common.row import Row

LIBRARIES = ("numpy", "torch", "jax", "mlx")
PEERS = ("numpy", "torch", "torch_compile", "jax", "jax_jit", "mlx")

# Two runs of the same product cannot be told apart more closely than this.
NOISE = 0.02

CLASS_TIMES = 1.2  # what a subclass may cost, compared with the array class


def small_rows():
    """Two elements: what a call costs. The same through a subclass, and through one with rules of
    its own."""
    plain = [
        Row("queue.2.float32", "x + 1, 10^4 and one wait", limit=0.20),
        Row("wait.2.float32", "x + 1, a wait each", limit=0.35),
        Row("grow.2.float32", "y = y + 1, 10^4 and one wait"),
    ]
    derived = [Row(f"{row.name}.{name}", f"{row.title}, {title}", times=CLASS_TIMES, own=row)
               for name, title in (("sub", "subclass"), ("dialect", "other dialect"))
               for row in plain]
    return plain + derived + [
        Row("kept.2.float32", "x + 1, 10^4 results kept"),
        Row("many_index.2.float32", "x[0]"),
        Row("many_slice.2.float32", "x[1:2]"),
        Row("many_sum.2.float32", "x.sum()"),
        Row("many_exp.2.float32", "exp(x)"),
        Row("item.1.float32", "x.item(), value there"),
        Row("add_item.1.float32", "(x + 1).item()"),
        # A location may cost 0.03 in the code that pushed last and 0.06 in other code.
        Row("location.2.float32", "x + 1 from other code, more than from the same", limit=0.03),
    ]


def large_rows():
    return [
        Row("chain.2000x2000.float32", "chain of 8, 2000x2000", times=1.1, against=("jax_jit",)),
        Row("add.2000x2000.float32", "x + 1, 2000x2000", times=1.05, against=("jax",)),
        Row("normals.1000x1000.float32", "normals, 1000x1000", limit=1000),
        Row("matmul.1000x1000.float32", "matmul 1000", times=1.0, noise=NOISE),
        Row("matmul.2000x2000.float32", "matmul 2000", times=1.0, noise=NOISE),
    ]


class OutsideRow(Row):
    """About a whole package: not measured in a library's own process."""

    outside = True


def other_rows():
    return [
        Row("first.2000x2000.float32", "wait for the first of 11 products / for all", limit=0.2,
            unit="ratio", combine=statistics.median),
        # The worst: memory that is fine most of the time is not fine.
        Row("memory.1024x512.float32", "growth while batches are copied in", limit=64, unit="MB",
            combine=max),
        OutsideRow("import", "import", limit=30, unit="ms"),
        OutsideRow("import_first", "import and one x + 1", unit="ms"),
        OutsideRow("wheel", "wheel", limit=15, unit="MB"),
        OutsideRow("installed", "installed, with libraries it brings", unit="MB"),
        OutsideRow("installed_own", "installed, own code", limit=8, unit="MB"),
    ]


def all_rows():
    return small_rows() + large_rows() + other_rows()
