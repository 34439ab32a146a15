"""The rows of bench-compare: those of the other benchmarks that say something about our own speed,
those of statements.py, and the import. A row belongs to a family, which is a program; it is named
<family>/<what the program calls it>."""

import importlib.util
import os

import statements

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Not speed, or a difference that is nearly nothing.
LEFT_OUT = ("location.", "first.", "memory.", "metg.", "workers.")
# Measured only if asked for: they take long and say what a smaller one says.
LONG = ("ops/matmul.2000x2000.", "python/matmul.2000x2000.", "ops/matmul.1000x1000.float64")


def load(path):
    """A module by its file: several benchmarks have one of the same name."""
    name = path.replace("/", "_").removesuffix(".py")
    spec = importlib.util.spec_from_file_location("bench_" + name, os.path.join(BENCH, path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Row:
    """What is measured. `best` says which of several values is the better one: min or max."""

    def __init__(self, family, name, unit="us", best=min):
        self.family, self.name, self.unit, self.best = family, name, unit, best
        self.key = f"{family}/{name}"
        self.long = self.key.startswith(LONG)


def engine_rows():
    engine = load("engine/run.py")
    rows = [row for group in engine.make_groups(1) for row in group]
    return [Row("engine", row.name, row.unit, row.better)
            for row in rows if not row.name.endswith(".p99")]


def table_rows(family, names):
    return [Row(family, name) for name in names]


def listed(path):
    return [row.name for row in load(path).all_rows() if not row.outside]


def all_rows():
    rows = [*engine_rows(), *table_rows("ops", listed("ops/rows.py")),
            *table_rows("python", listed("python/rows.py")),
            *table_rows("calls", statements.ROWS),
            *table_rows("mxnet", listed("mxnet/rows.py")),
            *table_rows("autograd", listed("autograd/rows.py")),
            Row("import", "penstock", "ms")]
    return [row for row in rows if not row.name.startswith(LEFT_OUT)]
