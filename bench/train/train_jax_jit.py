"""JAX on the CPU, compiled: a step is one program."""

from library_jax_jit import about, array, gradients, leaf, learner, relu, values, wait  # noqa: F401
from train_jax import (  # noqa: F401
    conv2d, cross_entropy, embedding, layer_norm, linear, lstm, max_pool2d, wait_all)
