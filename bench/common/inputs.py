"""Inputs and digests of the benchmark of operations, the same as in ops.c."""

import numpy as np

INPUT_PERIOD = 1 << 20
DIGEST_PERIOD = 61

RANGES = {"exp": (-4, 4), "tanh": (-4, 4), "softmax": (-4, 4), "matmul": (-1, 1)}


def uniform(count, which):
    """Numbers in [0, 1) that repeat after INPUT_PERIOD elements; `which` numbers the inputs."""
    i = np.arange(min(count, INPUT_PERIOD), dtype=np.uint32) + np.uint32(which * INPUT_PERIOD)
    i = (i ^ (i >> 15)) * np.uint32(0x2C1B3C6D)
    i = (i ^ (i >> 12)) * np.uint32(0x297A2D39)
    i = i ^ (i >> 15)
    return np.resize((i >> 9) * 2.0**-23, count)


def make(kind, shape, dtype, which):
    low, high = RANGES.get(kind, (0.5, 1.5))
    values = low + (high - low) * uniform(int(np.prod(shape)), which)
    return values.astype(dtype).reshape(shape)


def mask(shape):
    return uniform(int(np.prod(shape)), 2).reshape(shape) >= 0.5


def digest(kind, result):
    """One number that depends on every element and where it lies; of random numbers, their mean
    square."""
    flat = np.asarray(result, dtype=np.float64).ravel()
    if kind == "normals":
        return float(np.mean(flat * flat))
    weights = np.arange(1, DIGEST_PERIOD + 1) / DIGEST_PERIOD
    return float(np.mean(flat * np.resize(weights, flat.size)))
