"""Dropout and embeddings."""

from ... import _core
from ..base import MXNetValueError
from ._arguments import one_of, required, shape_is

_ops = _core._ops
_copy, _dropout, _embedding = _ops["copy"], _ops["dropout"], _ops["embedding"]
_cast, _clip = _ops["cast"], _ops["clip"]
_is_training = _core._grad_is_training
_dtype = _core.ndarray.dtype.__get__
_INDEX = _core._dtype("int64")


def dropout(data, p=0.5, mode="training", axes=(), cudnn_off=False):
    """In training, or with mode 'always', elements are 0 with probability p, else / (1 - p).

    Those along the axes share their fate. Otherwise a copy.
    """
    if not 0 <= p <= 1:
        raise MXNetValueError(f"Dropout: p must be from 0 to 1, not {p!r}")
    if mode != "always":
        one_of("Dropout", "mode", mode, ("training", "always"))
        if not _is_training():
            return _copy(data)
    if p == 1:
        return data * 0
    return _dropout(data, p, axes or None) if p else _copy(data)


def embedding(data, weight, input_dim=None, output_dim=None, dtype=None, sparse_grad=False):
    """The rows of weight that numbers name; those out of range name the nearest row."""
    if weight.shape != (input_dim, output_dim):
        required("Embedding", input_dim=input_dim, output_dim=output_dim)
        shape_is("weight", weight.shape, (input_dim, output_dim))
    if _dtype(data) is not _INDEX:
        data = _cast(data, _INDEX)
    return _embedding(_clip(data, 0, input_dim - 1), weight)
