"""MLX on the CPU. It builds a graph and computes what mx.eval is asked for. So in bursts whose results
are dropped it computes the last one only; all of them in `kept`. The package has a BLAS without
vector code: scenarios that are made of large products would take minutes and are left out."""

import calls
import mlx.core as mx
import numpy as np

mx.set_default_device(mx.cpu)

NAMES = {"mx": mx, "exp": mx.exp}

STATEMENTS = calls.STATEMENTS | {
    "add": "y = x + 1",
    "chain": "y = mx.maximum(x * x + 2, 0) * 0.5 - x; y = mx.exp(y * 0.01) + x",
    "exp": "y = mx.exp(x)",
    "sum": "y = x.sum()",
    "normals": "y = mx.random.normal(shape)",
    "matmul": "y = x @ b",
}
WAITS = {kind: "mx.eval(y)" for kind in STATEMENTS if not kind.endswith("item")}

SCENARIOS = {"first": None, "memory": None}


def about(_way):
    return f"MLX {mx.__version__}, {mx.default_device()}"


def statements(_way):
    return STATEMENTS, WAITS


array = copy = mx.array


def values(result):
    return np.array(result)


def relu(x):
    return mx.maximum(x, 0)


def start(ys):
    mx.async_eval(*ys)


def wait(y):
    mx.eval(y)
