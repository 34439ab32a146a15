"""Products of queries, keys and values of attention, which lie side by side for each head."""

from math import sqrt

from ... import _core
from .. import _dialects
from ..base import MXNetValueError

_ops = _core._ops
_matmul, _permute, _reshape = _ops["matmul"], _ops["permute"], _ops["reshape"]


def _heads(x, heads, count):
    """(length, batch, heads * count * width) as `count` arrays (batch * heads, length, width)."""
    length, batch, width = x.shape
    x = _reshape(x, (length, batch * heads, count, width // (heads * count)))
    return [_permute(x[:, :, place], (1, 0, 2)) for place in range(count)]


def _check(name, heads, *sizes):
    for x, count in sizes:
        if x.ndim != 3 or not heads or x.shape[2] % (heads * count):
            raise MXNetValueError(f"{name}: {heads} heads of {count} in shape {x.shape}")


def _scores(query, key):
    return _matmul(query / sqrt(query.shape[2]), key, transpose2=True)


def _together(attention, value, batch):
    """Values by attention, with the heads side by side: (length, batch, heads * width)."""
    found = _permute(_matmul(attention, value), (1, 0, 2))
    return _reshape(found, (found.shape[0], batch, -1))


def selfatt_qk(queries_keys_values, heads=None):
    """Products of queries and keys, divided by the root of their width: (batch * heads, L, L)."""
    x = queries_keys_values
    _check("interleaved_matmul_selfatt_qk", heads, (x, 3))
    return _dialects.call(type(x), lambda x: _scores(*_heads(x, heads, 3)[:2]), x)


def selfatt_valatt(queries_keys_values, attention, heads=None):
    """Values, added up as the attention says: (L, batch, heads * width)."""
    x = queries_keys_values
    _check("interleaved_matmul_selfatt_valatt", heads, (x, 3))

    def found(x, attention):
        return _together(attention, _heads(x, heads, 3)[2], x.shape[1])

    return _dialects.call(type(x), found, x, attention)


def encdec_qk(queries, keys_values, heads=None):
    """The same of queries of one sequence and keys of another."""
    _check("interleaved_matmul_encdec_qk", heads, (queries, 1), (keys_values, 2))

    def found(queries, keys):
        return _scores(_heads(queries, heads, 1)[0], _heads(keys, heads, 2)[0])

    return _dialects.call(type(queries), found, queries, keys_values)


def encdec_valatt(keys_values, attention, heads=None):
    """The same of values of another sequence."""
    _check("interleaved_matmul_encdec_valatt", heads, (keys_values, 2))

    def found(x, attention):
        return _together(attention, _heads(x, heads, 2)[1], x.shape[1])

    return _dialects.call(type(keys_values), found, keys_values, attention)
