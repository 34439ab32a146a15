"""JAX on the CPU, eager (`jax`) and by jit where there is something to fuse (`jax_jit`). Results
come later: every measurement ends with a wait for them."""

import os

import calls
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)  # else there is no float64; float32 stays what it is


@jax.jit
def chain(x):
    y = jnp.maximum(x * x + 2, 0) * 0.5 - x
    return jnp.exp(y * 0.01) + x


@jax.jit
def softmax(x):
    e = jnp.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


NAMES = {"jax": jax, "jnp": jnp, "exp": jnp.exp, "chain": chain, "softmax": softmax,
         "key": jax.random.key(1)}

EAGER = calls.STATEMENTS | {
    "add": "y = x + 1",
    "chain": "y = jnp.maximum(x * x + 2, 0) * 0.5 - x; y = jnp.exp(y * 0.01) + x",
    "exp": "y = jnp.exp(x)",
    "log": "y = jnp.log(x)",
    "tanh": "y = jnp.tanh(x)",
    "sum": "y = x.sum()",
    "sum_axis0": "y = x.sum(axis=0)",
    "sum_axis1": "y = x.sum(axis=1)",
    "softmax": "e = jnp.exp(x - x.max(axis=-1, keepdims=True)); y = e / e.sum(axis=-1, keepdims=True)",
    "transpose": "y = x.T",  # a copy: JAX has no views
    "mask": "y = x[mask]",
    "normals": "y = jax.random.normal(key, shape, dtype=jnp.float32)",
    "matmul": "y = x @ b",
}
JIT = {"chain": "y = chain(x)", "softmax": "y = softmax(x)"}
WAITS = {"kept": "jax.block_until_ready(y)", "item": None, "add_item": None}


# A wait for the last result is none for those before it: a loop that waits once holds some, more than
# XLA has under way (32).
WAIT_HELD = "jax.block_until_ready(held)"


def about(way):
    how = "jit" if way else "eager"
    return f"JAX {jax.__version__} {how}, {len(os.sched_getaffinity(0))} processors given to XLA"


def statements(way):
    every = JIT if way else EAGER
    return every, {kind: WAITS.get(kind, "y.block_until_ready()") for kind in every}


def array(values):
    return jnp.asarray(values)


def values(result):
    return result


copy = jnp.array
relu = jax.nn.relu


def start(_ys):
    pass


def wait(y):
    y.block_until_ready()
