"""NumPy: every statement has its value when it ends."""

import numpy as np

NAMES = {"np": np, "rng": np.random.default_rng(1)}

STATEMENTS = {
    "add": "y = x + 1",
    "chain": "y = np.maximum(x * x + 2, 0) * 0.5 - x; y = np.exp(y * 0.01) + x",
    "exp": "y = np.exp(x)",
    "log": "y = np.log(x)",
    "tanh": "y = np.tanh(x)",
    "sum": "y = x.sum()",
    "sum_axis0": "y = x.sum(axis=0)",
    "sum_axis1": "y = x.sum(axis=1)",
    "softmax": "e = np.exp(x - x.max(axis=-1, keepdims=True)); y = e / e.sum(axis=-1, keepdims=True)",
    "transpose": "y = x.T.copy()",
    "mask": "y = x[mask]",
    "normals": "y = rng.standard_normal(shape, dtype=np.float32)",
    "matmul": "y = x @ b",
    "wait": "y = x + 1",
    "queue": "for _ in range(burst): y = x + 1",
    "kept": "y = [x + 1 for _ in range(burst)]",
}
WAITS = {}


def about(_way):
    try:
        from threadpoolctl import threadpool_info
        blas = ", ".join(f"{i['internal_api']} {i['num_threads']} threads" for i in threadpool_info())
    except ImportError:
        blas = "BLAS threads unknown"
    return f"NumPy {np.__version__}, 1 thread, in products {blas}"


def statements(_way):
    return STATEMENTS, WAITS


def array(values):
    return values


def values(result):
    return result
