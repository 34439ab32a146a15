"""NumPy: every statement has its value when it ends."""

import calls
import numpy as np

NAMES = {"np": np, "exp": np.exp, "rng": np.random.default_rng(1)}

STATEMENTS = calls.STATEMENTS | {
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
}
WAITS = {}


class Derived(np.ndarray):
    pass


CLASSES = {"sub": lambda x: x.view(Derived)}


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


copy = np.array


def relu(x):
    return np.maximum(x, 0)


def start(_ys):
    pass


def wait(_y):
    pass
