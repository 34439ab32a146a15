"""JAX on the CPU, eager. It has no recording to switch on and off."""

import inspect

import jax
import jax.numpy as jnp

NAMES = {}

exp, tanh, relu = jnp.exp, jnp.tanh, jax.nn.relu
array = leaf = jnp.asarray
wait = jax.block_until_ready


def about():
    return f"JAX {jax.__version__} eager"


def all_gradients(function):
    count = len(inspect.signature(function).parameters)
    return jax.value_and_grad(function, tuple(range(count)))


def gradients(function):
    run = all_gradients(function)
    return lambda *leaves: wait(run(*leaves))[1]


def pullback(function, x):
    y, back = jax.vjp(function, x)
    ones = wait(jnp.ones_like(y))
    return lambda: wait(back(ones))[0]


def learner(loss, rate):
    def step(weights, *data):
        found = jax.grad(loss)(weights, *data)
        return [w - rate * g for w, g in zip(weights, found)]
    return step


def product_parts(x, w, g):
    return [wait(x @ w), wait(g @ w.T), wait(x.T @ g)]


def values(x):
    return x
