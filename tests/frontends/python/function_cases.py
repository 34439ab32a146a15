"""Calls that give the same in penstock and in NumPy, by the function that they are about.

Each is a function of (xp, a), where xp is penstock or numpy and `a` a Maker of arrays there; or a
pair of such functions, where the two libraries differ in their names.
"""

import numpy as np
import pytest

import penstock as ps

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
REALS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
DTYPES = ["bool", *INTEGERS, *REALS, *COMPLEX]


def values(dtype, shape, seed=0, low=-4.0, high=4.0):
    """Numbers of all kinds that fit the type."""
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        return np.asarray(rng.random(shape) < 0.5)
    if dtype in INTEGERS:
        return np.asarray(rng.integers(0 if dtype[0] == "u" else -7, 8, shape), dtype)
    drawn = rng.uniform(low, high, shape)
    if dtype in COMPLEX:
        drawn = drawn + 1j * rng.uniform(low, high, shape)
    return np.asarray(drawn, dtype)


class Maker:
    def __init__(self, xp):
        self.xp = xp

    def __call__(self, *shape, dtype="float32", seed=0):
        return self.given(values(dtype, shape, seed))

    def given(self, x):
        return ps.array(x) if self.xp is ps else np.array(x)

    def integers(self, *shape, low=0, high=8, seed=0):
        return self.given(np.random.default_rng(seed).integers(low, high, shape))


CASES = {
    # creation
    "empty": [lambda xp, a: xp.empty((2, 3)) * 0 + 1],
    "zeros": [
        lambda xp, a: xp.zeros((2, 3)),
        lambda xp, a: xp.zeros(3, dtype="int8"),
        lambda xp, a: xp.zeros(()),
    ],
    "ones": [lambda xp, a: xp.ones((2, 3)), lambda xp, a: xp.ones([0, 3], "bool")],
    "full": [
        lambda xp, a: xp.full((2, 3), 7),
        lambda xp, a: xp.full(2, 1.5),
        lambda xp, a: xp.full(2, True),
        lambda xp, a: xp.full(2, 1j, dtype="complex128"),
    ],
    "arange": [
        lambda xp, a: xp.arange(5),
        lambda xp, a: xp.arange(2, 9, 3),
        lambda xp, a: xp.arange(1.0, 2.0, 0.25),
        lambda xp, a: xp.arange(5, 0, -2),
        lambda xp, a: xp.arange(3, dtype="float32"),
        lambda xp, a: xp.arange(0),
    ],
    "linspace": [
        lambda xp, a: xp.linspace(0, 1),
        lambda xp, a: xp.linspace(-1, 2, 7),
        lambda xp, a: xp.linspace(0, 1, num=4, endpoint=False),
        lambda xp, a: xp.linspace(3, 3, 1),
    ],
    "eye": [
        lambda xp, a: xp.eye(3),
        lambda xp, a: xp.eye(2, 4, k=1),
        lambda xp, a: xp.eye(3, k=-1, dtype="int32"),
    ],
    "identity": [lambda xp, a: xp.identity(3)],
    "tri": [lambda xp, a: xp.tri(3), lambda xp, a: xp.tri(3, 4, 1, dtype="int32")],
    "empty_like": [lambda xp, a: xp.empty_like(a(2, 3)) * 0 + 1],
    "zeros_like": [
        lambda xp, a: xp.zeros_like(a(2, 3)),
        lambda xp, a: xp.zeros_like(a(2), dtype="int32"),
    ],
    "ones_like": [lambda xp, a: xp.ones_like(a.integers(2, 3))],
    "full_like": [lambda xp, a: xp.full_like(a(2, 3), 2.5)],
    # shapes
    "reshape": [
        lambda xp, a: xp.reshape(a(3, 4), (2, 6)),
        lambda xp, a: xp.reshape(a(3, 4).T, (-1, 2)),
        lambda xp, a: a(3, 4).reshape(2, -1),
        lambda xp, a: a(1, 1).reshape(()),
        lambda xp, a: a(0, 3).reshape(3, 0),
    ],
    "permute_dims": [
        lambda xp, a: xp.permute_dims(a(2, 3, 4), (2, 0, 1)),
        lambda xp, a: xp.permute_dims(a(2, 3, 4), (-1, 0, 1)),
    ],
    "transpose": [
        lambda xp, a: xp.transpose(a(2, 3, 4)),
        lambda xp, a: a(2, 3, 4).transpose(1, 0, 2),
        lambda xp, a: a(2, 3, 4).transpose((1, 0, 2)),
        lambda xp, a: a(2, 3, 4).T,
    ],
    "matrix_transpose": [lambda xp, a: xp.matrix_transpose(a(2, 3, 4))],
    "swapaxes": [
        lambda xp, a: xp.swapaxes(a(2, 3, 4), 0, -1),
        lambda xp, a: a(2, 3, 4).swapaxes(0, 1),
    ],
    "moveaxis": [
        lambda xp, a: xp.moveaxis(a(2, 3, 4), 0, -1),
        lambda xp, a: xp.moveaxis(a(2, 3, 4, 5), (0, 1), (-1, 0)),
    ],
    "rollaxis": [
        lambda xp, a: xp.rollaxis(a(2, 3, 4), 2),
        lambda xp, a: xp.rollaxis(a(2, 3, 4), 0, 3),
        lambda xp, a: xp.rollaxis(a(2, 3, 4), 1, 1),
    ],
    "broadcast_to": [lambda xp, a: xp.broadcast_to(a(3, 1), (2, 3, 4))],
    "broadcast_arrays": [lambda xp, a: xp.broadcast_arrays(a(3, 1), a(4), a())],
    "expand_dims": [
        lambda xp, a: xp.expand_dims(a(2, 3), axis=0),
        lambda xp, a: xp.expand_dims(a(2, 3), axis=-1),
    ],
    "squeeze": [
        lambda xp, a: xp.squeeze(a(1, 3, 1)),
        lambda xp, a: xp.squeeze(a(1, 3, 1), axis=0),
        lambda xp, a: a(1, 3, 1).squeeze((0, 2)),
    ],
    "flip": [
        lambda xp, a: xp.flip(a(2, 3)),
        lambda xp, a: xp.flip(a(2, 3), axis=1),
        lambda xp, a: xp.flip(a(2, 3, 4), axis=(0, 2)),
    ],
    "fliplr": [lambda xp, a: xp.fliplr(a(2, 3))],
    "flipud": [lambda xp, a: xp.flipud(a(2, 3))],
    "ravel": [lambda xp, a: xp.ravel(a(2, 3).T), lambda xp, a: a(0, 2).ravel()],
    "flatten": [lambda xp, a: a(2, 3).T.flatten(), lambda xp, a: a().flatten()],
    "atleast_1d": [lambda xp, a: xp.atleast_1d(a()), lambda xp, a: xp.atleast_1d(a(), a(2, 3))],
    "atleast_2d": [lambda xp, a: xp.atleast_2d(a()), lambda xp, a: xp.atleast_2d(a(3), a(2, 3))],
    "atleast_3d": [lambda xp, a: xp.atleast_3d(a(), a(3), a(2, 3), a(2, 3, 4))],
    "meshgrid": [
        lambda xp, a: xp.meshgrid(a(3), a(2)),
        lambda xp, a: xp.meshgrid(a(3), a(2), a(4), indexing="ij"),
        lambda xp, a: xp.meshgrid(a(3)),
    ],
    # joins and parts
    "concat": [
        lambda xp, a: xp.concat([a(2, 3), a(1, 3)]),
        lambda xp, a: xp.concat((a(2, 3), a(2, 1)), axis=-1),
        lambda xp, a: xp.concat((a(2, 3), a(4)), axis=None),
    ],
    "concatenate": [lambda xp, a: xp.concatenate([a.integers(2), a(3)], axis=0)],
    "stack": [
        lambda xp, a: xp.stack([a(2, 3), a(2, 3, seed=1)]),
        lambda xp, a: xp.stack([a(2), a(2)], axis=-1),
    ],
    "hstack": [lambda xp, a: xp.hstack([a(2), a(3)]), lambda xp, a: xp.hstack([a(2, 3), a(2, 1)])],
    "vstack": [lambda xp, a: xp.vstack([a(3), a(3)]), lambda xp, a: xp.vstack([a(2, 3), a(1, 3)])],
    "dstack": [lambda xp, a: xp.dstack([a(3), a(3)]), lambda xp, a: xp.dstack([a(2, 3), a(2, 3)])],
    "column_stack": [lambda xp, a: xp.column_stack([a(3), a(3, 2)])],
    "split": [
        lambda xp, a: xp.split(a(6, 2), 3),
        lambda xp, a: xp.split(a(2, 6), [1, 4], axis=1),
    ],
    "array_split": [
        lambda xp, a: xp.array_split(a(7), 3),
        lambda xp, a: xp.array_split(a(2, 5), 2, axis=-1),
        lambda xp, a: xp.array_split(a(2), 4),
    ],
    "hsplit": [lambda xp, a: xp.hsplit(a(4), 2), lambda xp, a: xp.hsplit(a(2, 4), [1])],
    "vsplit": [lambda xp, a: xp.vsplit(a(4, 2), 2)],
    "dsplit": [lambda xp, a: xp.dsplit(a(2, 2, 4), 2)],
    "unstack": [
        lambda xp, a: xp.unstack(a(2, 3)),
        lambda xp, a: xp.unstack(a(2, 3), axis=-1),
    ],
    "roll": [
        lambda xp, a: xp.roll(a(5), 2),
        lambda xp, a: xp.roll(a(3, 4), -1, axis=1),
        lambda xp, a: xp.roll(a(3, 4), (1, 2), axis=(0, 1)),
        lambda xp, a: xp.roll(a(3, 4), 5),
    ],
    "repeat": [lambda xp, a: xp.repeat(a(2, 3), 2), lambda xp, a: xp.repeat(a(2, 3), 2, axis=1)],
    "tile": [lambda xp, a: xp.tile(a(2, 3), 2), lambda xp, a: xp.tile(a(3), (2, 2))],
    "pad": [
        lambda xp, a: xp.pad(a(2, 3), 1),
        lambda xp, a: xp.pad(a(2, 3), (1, 2)),
        lambda xp, a: xp.pad(a(2, 3), ((1, 0), (0, 2)), constant_values=7),
        lambda xp, a: xp.pad(a(2, 3), ((1, 2), (3, 4)), mode="edge"),
        lambda xp, a: xp.pad(a(3, 4), 2, mode="reflect"),
        lambda xp, a: xp.pad(a(3), 7, mode="reflect"),
        lambda xp, a: xp.pad(a(3), (4, 5), mode="symmetric"),
        lambda xp, a: xp.pad(a(3), (4, 5), mode="wrap"),
        lambda xp, a: xp.pad(a(1), 2, mode="reflect"),
    ],
    "tril": [
        lambda xp, a: xp.tril(a(3, 4)),
        lambda xp, a: xp.tril(a(2, 3, 3), k=1),
        lambda xp, a: xp.tril(a(3, 3, dtype="bool")),
    ],
    "triu": [lambda xp, a: xp.triu(a(3, 4)), lambda xp, a: xp.triu(a.integers(4, 3), k=-1)],
    "diag": [
        lambda xp, a: xp.diag(a(3)),
        lambda xp, a: xp.diag(a(3), k=2),
        lambda xp, a: xp.diag(a(3), k=-1),
        lambda xp, a: xp.diag(a(3, 4)),
        lambda xp, a: xp.diag(a(3, 4), k=-1),
    ],
    "diagonal": [
        lambda xp, a: xp.diagonal(a(3, 4)),
        lambda xp, a: xp.diagonal(a(3, 4), 2),
        lambda xp, a: xp.diagonal(a(3, 4), -2),
        lambda xp, a: xp.diagonal(a(3, 4), 9),
        lambda xp, a: xp.diagonal(a(2, 3, 4), 1, 0, 2),
        lambda xp, a: a(2, 3).diagonal(),
    ],
    "trace": [
        lambda xp, a: xp.trace(a(3, 4)),
        lambda xp, a: xp.trace(a(3, 3, 2), 1),
        lambda xp, a: a.integers(3, 3).trace(),
    ],
    # choice, places
    "where": [
        lambda xp, a: xp.where(a(2, 3) > 0, a(2, 3), 0),
        lambda xp, a: xp.where(a(3) > 0, a(2, 3), a(2, 1)),
        lambda xp, a: xp.where(a(2, 3) > 0),
    ],
    "nonzero": [
        lambda xp, a: xp.nonzero(a(3, 4) > 0),
        lambda xp, a: a.integers(5, high=2).nonzero(),
    ],
    "argwhere": [lambda xp, a: xp.argwhere(a(3, 4) > 0)],
    "flatnonzero": [lambda xp, a: xp.flatnonzero(a(3, 4) > 0)],
    "take": [
        lambda xp, a: xp.take(a(3, 4), a.integers(5, high=12)),
        lambda xp, a: xp.take(a(3, 4), [0, 2], axis=0),
        lambda xp, a: a(3, 4).take([-1, 0], axis=1),
    ],
    "take_along_axis": [
        lambda xp, a: xp.take_along_axis(a(3, 4), a.integers(3, 2, high=4), axis=1),
        lambda xp, a: xp.take_along_axis(a(3, 4), a.integers(2, 4, low=-3, high=3), axis=0),
        lambda xp, a: xp.take_along_axis(a(3, 4), a.integers(3, 1, high=4), axis=-1),
    ],
    "masked_select": [
        (
            lambda xp, a: xp.masked_select(a(3, 4), a(3, 4) > 0),
            lambda xp, a: a(3, 4)[a(3, 4) > 0],
        )
    ],
    "masked_fill": [
        (
            lambda xp, a: xp.masked_fill(a(3, 4), a(3, 4) > 0, 9),
            lambda xp, a: np.where(a(3, 4) > 0, np.float32(9), a(3, 4)),
        )
    ],
    "clip": [
        lambda xp, a: xp.clip(a(3, 4), -1, 1),
        lambda xp, a: xp.clip(a(3, 4), None, 0.5),
        lambda xp, a: xp.clip(a(3, 4), a(4), None),
        lambda xp, a: a.integers(5).clip(2, 4),
    ],
    # numbers
    "round": [
        lambda xp, a: xp.round(a(3, 4)),
        lambda xp, a: xp.round(a(3, 4), 2),
        lambda xp, a: a(3, 4).round(1),
        lambda xp, a: xp.round(a(3, 4, dtype="float64") * 1000, -2),
        lambda xp, a: xp.round(a.integers(50, low=-300, high=300), -1),
        lambda xp, a: xp.round(a.integers(5), 3),
    ],
    "around": [lambda xp, a: xp.around(a(3, 4), 1)],
    "nan_to_num": [
        lambda xp, a: xp.nan_to_num(a.given(np.array([1, np.nan, np.inf, -np.inf], "float32"))),
        lambda xp, a: xp.nan_to_num(a.given(np.array([np.nan, np.inf])), nan=3, posinf=4),
        lambda xp, a: xp.nan_to_num(a.integers(3)),
    ],
    "diff": [
        lambda xp, a: xp.diff(a(5)),
        lambda xp, a: xp.diff(a(3, 4), axis=0, n=2),
        lambda xp, a: xp.diff(a(5, dtype="bool")),
        lambda xp, a: xp.diff(a(2, 3), prepend=a(2, 1), append=a(2, 2)),
    ],
    "isclose": [
        lambda xp, a: xp.isclose(a(5), a(5) + a.given(np.array([0, 1e-7, 1e-2, 1, np.inf], "f4"))),
        lambda xp, a: xp.isclose(a.given([np.nan, np.inf]), a.given([np.nan, np.inf])),
        lambda xp, a: xp.isclose(
            a.given([np.nan, np.inf]), a.given([np.nan, -np.inf]), equal_nan=True
        ),
        lambda xp, a: xp.isclose(a.integers(4), a.integers(4), rtol=0),
        lambda xp, a: xp.isclose(a(3), 1.0, atol=2.0),
    ],
    "allclose": [lambda xp, a: xp.allclose(a(5), a(5)), lambda xp, a: xp.allclose(a(5), 0)],
    "array_equal": [
        lambda xp, a: xp.array_equal(a(5), a(5)),
        lambda xp, a: xp.array_equal(a(5), a(6)),
        lambda xp, a: xp.array_equal(a(5), a(5, seed=1)),
    ],
    "average": [
        lambda xp, a: xp.average(a(3, 4), axis=1, weights=xp.abs(a(4))),
        lambda xp, a: xp.average(a(3, 4), weights=xp.abs(a(3, 4))),
    ],
    # scans and order
    "cumsum": [
        lambda xp, a: xp.cumsum(a(3, 4)),
        lambda xp, a: xp.cumsum(a.integers(3, 4), 0, dtype="float32"),
        lambda xp, a: a(3, 4).cumsum(axis=-1),
    ],
    "cumprod": [lambda xp, a: xp.cumprod(a(3, 4), 1), lambda xp, a: a.integers(2, 3).cumprod()],
    "cumulative_sum": [
        (
            lambda xp, a: xp.cumulative_sum(a(3, 4), axis=1, include_initial=True),
            lambda xp, a: np.cumsum(np.pad(a(3, 4), ((0, 0), (1, 0))), 1),
        ),
        (lambda xp, a: xp.cumulative_sum(a(5)), lambda xp, a: xp.cumsum(a(5))),
    ],
    "cumulative_prod": [
        (
            lambda xp, a: xp.cumulative_prod(a(4, 3), axis=-2, include_initial=True),
            lambda xp, a: np.cumprod(np.pad(a(4, 3), ((1, 0), (0, 0)), constant_values=1), 0),
        )
    ],
    "sort": [
        lambda xp, a: xp.sort(a(3, 40)),
        lambda xp, a: xp.sort(a(3, 4), axis=0),
        (
            lambda xp, a: xp.sort(a(9), descending=True, stable=False),
            lambda xp, a: np.flip(np.sort(a(9))),
        ),
    ],
    "argsort": [
        lambda xp, a: xp.argsort(a(3, 40)),
        lambda xp, a: xp.argsort(a.integers(9), stable=True),
        lambda xp, a: a(3, 4).argsort(0),
    ],
    "topk": [
        (lambda xp, a: xp.topk(a(3, 40), 3), lambda xp, a: np.argsort(-a(3, 40))[:, :3]),
        (
            lambda xp, a: xp.topk(a(40, 3), 2, axis=0, largest=False),
            lambda xp, a: np.argsort(a(40, 3), 0)[:2],
        ),
    ],
    "searchsorted": [
        lambda xp, a: xp.searchsorted(xp.sort(a(20)), a(3, 4, seed=1)),
        lambda xp, a: xp.searchsorted(xp.sort(a.integers(20)), a.integers(4), side="right"),
        lambda xp, a: xp.searchsorted(a(20), a(4), sorter=xp.argsort(a(20))),
        lambda xp, a: xp.searchsorted(a.given([1, 2, 4]), 3),
    ],
    "isin": [
        lambda xp, a: xp.isin(a.integers(3, 4), a.integers(2, 2, seed=1)),
        lambda xp, a: xp.isin(a.integers(5), [1, 2, 3], invert=True),
        lambda xp, a: xp.isin(a.integers(5), a.given(np.zeros(0, "int64"))),
        lambda xp, a: xp.isin(3, a.integers(5)),
    ],
    "unique": [
        lambda xp, a: xp.unique(a.integers(3, 9)),
        lambda xp, a: xp.unique(a.integers(20), return_index=True),
        lambda xp, a: xp.unique(a.integers(20), True, True, True),
        lambda xp, a: xp.unique(a.given([1.0, np.nan, np.nan])),
        lambda xp, a: xp.unique(a.given([1.0, np.nan, np.nan]), equal_nan=False),
    ],
    "unique_all": [
        (
            lambda xp, a: xp.unique_all(a.integers(20)),
            lambda xp, a: xp.unique(a.integers(20), True, True, True),
        )
    ],
    "unique_counts": [
        (
            lambda xp, a: xp.unique_counts(a.integers(20)),
            lambda xp, a: xp.unique(a.integers(20), return_counts=True),
        )
    ],
    "unique_inverse": [
        (
            lambda xp, a: xp.unique_inverse(a.integers(20)),
            lambda xp, a: xp.unique(a.integers(20), return_inverse=True),
        )
    ],
    "unique_values": [
        (
            lambda xp, a: xp.unique_values(a.given([1.0, np.nan, 1.0, np.nan])),
            lambda xp, a: a.given([1.0, np.nan, np.nan]),
        )
    ],
    # products
    "matmul": [
        lambda xp, a: xp.matmul(a(3, 4), a(4, 5)),
        lambda xp, a: xp.matmul(a(2, 3, 4), a(4)),
        lambda xp, a: xp.matmul(a(4), a(4)),
        lambda xp, a: a(2, 1, 3, 4) @ a(5, 4, 2),
        lambda xp, a: a.integers(3, 4) @ a.integers(4, 2),
        (
            lambda xp, a: xp.matmul(a(4, 3), a(4, 5), transpose1=True),
            lambda xp, a: a(4, 3).T @ a(4, 5),
        ),
    ],
    "dot": [lambda xp, a: xp.dot(a(3, 4), a(4)), lambda xp, a: a(3).dot(a(3))],
    "tensordot": [
        lambda xp, a: xp.tensordot(a(2, 3, 4), a(3, 4, 5)),
        lambda xp, a: xp.tensordot(a(2, 3), a(3, 4), axes=1),
        lambda xp, a: xp.tensordot(a(2, 3), a(4, 5), axes=0),
        lambda xp, a: xp.tensordot(a(2, 3, 4), a(4, 2), axes=([0, 2], [1, 0])),
        lambda xp, a: xp.tensordot(a(2, 3), a(2, 4), axes=(0, 0)),
    ],
    "vecdot": [
        lambda xp, a: xp.vecdot(a(3, 4), a(4)),
        lambda xp, a: xp.vecdot(a(4, dtype="complex64"), a(4, dtype="complex64", seed=1)),
        lambda xp, a: xp.vecdot(a(3, 4), a(3, 4), axis=0),
        lambda xp, a: xp.vecdot(a.integers(3), a.integers(3)),
    ],
    "vdot": [lambda xp, a: xp.vdot(a(2, 3, dtype="complex64"), a(2, 3, dtype="complex64", seed=1))],
    "outer": [lambda xp, a: xp.outer(a(3), a(4)), lambda xp, a: xp.outer(a(2, 2), a(3))],
    "inner": [
        lambda xp, a: xp.inner(a(3), a(3)),
        lambda xp, a: xp.inner(a(2, 3), a(4, 3)),
        lambda xp, a: xp.inner(a(), a(3)),
    ],
    # types and copies
    "copy": [lambda xp, a: xp.copy(a(2, 3))],
    "astype": [
        lambda xp, a: xp.astype(a(3), "int32"),
        lambda xp, a: a(3).astype("float64"),
        lambda xp, a: a.integers(3).astype(bool),
        lambda xp, a: a(3).astype("complex64"),
    ],
}


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm_gates(gates, cell):
    i, f, g, o = np.split(gates, 4, -1)
    cell = sigmoid(f) * cell + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(cell), cell


def gru_gates(gates, sent, state):
    r, z, n = np.split(gates, 3, -1)
    from_r, from_z, from_n = np.split(sent, 3, -1)
    fresh = np.tanh(n + sigmoid(r + from_r) * from_n)
    update = sigmoid(z + from_z)
    return (1 - update) * fresh + update * state


def rnn_tanh(x, parameters, state):
    """One layer of one unit."""
    weights, own, bias = parameters[:-3], parameters[-3], parameters[-2:].sum()
    states = []
    for step in x:
        state = np.tanh(step @ weights[:, None] + state * own + bias)
        states.append(state)
    return np.stack(states)


NN_CASES = {
    "rnn": [
        (
            lambda xp, a: xp.nn.rnn(a(3, 2, 4) / 4, a(7) / 4, a(1, 2, 1) / 4, "rnn_tanh")[0],
            lambda xp, a: rnn_tanh(a(3, 2, 4) / 4, a(7) / 4, a(2, 1) / 4),
        )
    ],
    "lstm_gates": [
        (
            lambda xp, a: xp.nn.lstm_gates(a(3, 8), a(3, 2))[0],
            lambda xp, a: lstm_gates(a(3, 8), a(3, 2))[0],
        ),
        (
            lambda xp, a: xp.nn.lstm_gates(a(3, 8), a(3, 2))[1],
            lambda xp, a: lstm_gates(a(3, 8), a(3, 2))[1],
        ),
    ],
    "gru_gates": [
        (
            lambda xp, a: xp.nn.gru_gates(a(3, 6), a(3, 6, seed=1), a(3, 2)),
            lambda xp, a: gru_gates(a(3, 6), a(3, 6, seed=1), a(3, 2)),
        )
    ],
    "conv1d": [
        (
            lambda xp, a: xp.nn.conv1d(a(1, 1, 9), a(1, 1, 3, seed=1)),
            lambda xp, a: np.correlate(a(9), a(3, seed=1), "valid")[None, None],
        )
    ],
    "global_avg_pool2d": [
        (
            lambda xp, a: xp.nn.global_avg_pool2d(a(2, 3, 4, 5)),
            lambda xp, a: a(2, 3, 4, 5).mean((2, 3), keepdims=True),
        )
    ],
    "global_max_pool2d": [
        (
            lambda xp, a: xp.nn.global_max_pool2d(a(2, 3, 4, 5)),
            lambda xp, a: a(2, 3, 4, 5).max((2, 3), keepdims=True),
        )
    ],
    "leaky_relu": [
        (
            lambda xp, a: xp.nn.leaky_relu(a(5)),
            lambda xp, a: np.where(a(5) >= 0, a(5), 0.01 * a(5)),
        ),
        (
            lambda xp, a: xp.nn.leaky_relu(a(5), 0.3),
            lambda xp, a: np.where(a(5) >= 0, a(5), 0.3 * a(5)),
        ),
    ],
    "elu": [
        (
            lambda xp, a: xp.nn.elu(a(5), alpha=2.0),
            lambda xp, a: np.where(a(5) > 0, a(5), 2 * np.expm1(a(5))),
        )
    ],
    "softmax": [
        (lambda xp, a: xp.nn.softmax(a(3, 4)), lambda xp, a: softmax(a(3, 4), -1)),
        (
            lambda xp, a: xp.nn.softmax(a(3, 4) * 1000, axis=0),
            lambda xp, a: softmax(a(3, 4) * 1000, 0),
        ),
        (lambda xp, a: xp.nn.softmax(a.integers(5)), lambda xp, a: softmax(a.integers(5), -1)),
    ],
    "log_softmax": [
        (lambda xp, a: xp.nn.log_softmax(a(3, 4)), lambda xp, a: np.log(softmax(a(3, 4), -1)))
    ],
    "logsumexp": [
        (lambda xp, a: xp.nn.logsumexp(a(3, 4)), lambda xp, a: np.log(np.exp(a(3, 4)).sum())),
        (
            lambda xp, a: xp.nn.logsumexp(a(3, 4), axis=1, keepdims=True),
            lambda xp, a: np.log(np.exp(a(3, 4)).sum(1, keepdims=True)),
        ),
        (
            lambda xp, a: xp.nn.logsumexp(a.given([-np.inf, -np.inf])),
            lambda xp, a: np.float64(-np.inf),
        ),
    ],
    "one_hot": [
        (
            lambda xp, a: xp.nn.one_hot(a.integers(5, high=3), 3),
            lambda xp, a: np.eye(3)[a.integers(5, high=3)],
        ),
        (
            lambda xp, a: xp.nn.one_hot(a.integers(2, 2, high=3), 3, dtype="int32", axis=0),
            lambda xp, a: np.moveaxis(np.eye(3)[a.integers(2, 2, high=3)], -1, 0),
        ),
    ],
    "linear": [
        (lambda xp, a: xp.nn.linear(a(2, 3), a(4, 3)), lambda xp, a: a(2, 3) @ a(4, 3).T),
        (
            lambda xp, a: xp.nn.linear(a(2, 3), a(4, 3), a(4), "relu"),
            lambda xp, a: np.maximum(a(2, 3) @ a(4, 3).T + a(4), 0),
        ),
        (
            lambda xp, a: xp.nn.linear(a(2, 3), a(4, 3), a(4), "tanh"),
            lambda xp, a: np.tanh(a(2, 3) @ a(4, 3).T + a(4)),
        ),
    ],
}

LINALG_CASES = {
    "matmul": [lambda xp, a: xp.linalg.matmul(a(3, 4), a(4, 2))],
    "vecdot": [lambda xp, a: xp.linalg.vecdot(a(3, 4), a(3, 4))],
    "outer": [lambda xp, a: xp.linalg.outer(a(3), a(4))],
    "matrix_transpose": [lambda xp, a: xp.linalg.matrix_transpose(a(2, 3, 4))],
    "tensordot": [lambda xp, a: xp.linalg.tensordot(a(2, 3), a(3, 2), axes=1)],
    "diagonal": [lambda xp, a: xp.linalg.diagonal(a(2, 3, 4), offset=1)],
    "trace": [lambda xp, a: xp.linalg.trace(a(2, 3, 3))],
    "cross": [
        lambda xp, a: xp.linalg.cross(a(3), a(3, seed=1)),
        lambda xp, a: xp.linalg.cross(a(3, 4), a(3, 4, seed=1), axis=0),
    ],
    "matrix_power": [
        lambda xp, a: xp.linalg.matrix_power(a(3, 3), 5),
        lambda xp, a: xp.linalg.matrix_power(a(2, 3, 3), 0),
        lambda xp, a: xp.linalg.matrix_power(a(3, 3), 1),
    ],
    "norm": [
        lambda xp, a: xp.linalg.norm(a(5)),
        lambda xp, a: xp.linalg.norm(a(3, 4)),
        lambda xp, a: xp.linalg.norm(a(3, 4), axis=1, keepdims=True),
        lambda xp, a: xp.linalg.norm(a(5), 1),
        lambda xp, a: xp.linalg.norm(a(3, 4), np.inf),
        lambda xp, a: xp.linalg.norm(a(3, 4), 1),
        lambda xp, a: xp.linalg.norm(a(3, 4), -np.inf, axis=0),
        lambda xp, a: xp.linalg.norm(a(3, 4, 2), "fro", axis=(2, 0), keepdims=True),
        lambda xp, a: xp.linalg.norm(a(4, dtype="complex64")),
    ],
    "vector_norm": [
        lambda xp, a: xp.linalg.vector_norm(a(3, 4)),
        lambda xp, a: xp.linalg.vector_norm(a(3, 4), axis=0, ord=1),
        lambda xp, a: xp.linalg.vector_norm(a(3, 4), axis=0, ord=3),
        lambda xp, a: xp.linalg.vector_norm(a(3, 4), axis=0, ord=np.inf),
        lambda xp, a: xp.linalg.vector_norm(a(3, 4), axis=0, ord=-np.inf, keepdims=True),
        lambda xp, a: xp.linalg.vector_norm(a.integers(5, high=2), ord=0),
    ],
    "matrix_norm": [
        lambda xp, a: xp.linalg.matrix_norm(a(2, 3, 4)),
        lambda xp, a: xp.linalg.matrix_norm(a(2, 3, 4), ord=1, keepdims=True),
        lambda xp, a: xp.linalg.matrix_norm(a(2, 3, 4), ord=-1),
        lambda xp, a: xp.linalg.matrix_norm(a(2, 3, 4), ord=np.inf),
        lambda xp, a: xp.linalg.matrix_norm(a(2, 3, 4), ord=-np.inf),
    ],
}


def softmax(x, axis):
    x = np.asarray(x, "float64")
    x = np.exp(x - x.max(axis, keepdims=True))
    return x / x.sum(axis, keepdims=True)


ALL_CASES = [
    pytest.param(case, id=f"{place}{name}-{number}")
    for place, cases in (("", CASES), ("nn.", NN_CASES), ("linalg.", LINALG_CASES))
    for name, list_of in cases.items()
    for number, case in enumerate(list_of)
]
