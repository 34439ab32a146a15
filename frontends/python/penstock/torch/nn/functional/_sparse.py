"""Rows by their places: embedding, one_hot."""

from ..._dialect import row
from ..._dtypes import ALL
from ..._elements import where
from ..._tensor import Tensor
from ..._create import empty

__all__ = ["embedding", "one_hot"]

_int64, _int32 = ALL["int64"], ALL["int32"]
_embedding = row("embedding", "embedding", "input:indices, weight", arrays=True)
_one_hot = row("one_hot", "one_hot", "input:x, num_classes:count, dim:axis=-1, dtype=None")
_positive = row("bitwise_and", "embedding", "input:x1, other:x2")
_clip = row("clip", "one_hot", "input:x, min=None, max=None")
_not_equal = row("not_equal", "one_hot", "input:x1, other:x2")
_masked_put = row("masked_put", "one_hot", "input:x, mask, values")

# And with a place below 0 gives a place that no tensor has, so that those are out of range, too.
_SIGN = {_int64: 2**63 - 1, _int32: 2**31 - 1}


def places_of(index):
    """Places of which none counts from the end."""
    return _positive(index, _SIGN[index.dtype])


def embedding(
    input,
    weight,
    padding_idx=None,
    max_norm=None,
    norm_type=2.0,
    scale_grad_by_freq=False,
    sparse=False,
):
    """Rows of the weight at places. A place out of range is found while running.

    Nothing flows back to the row padding_idx.
    """
    if max_norm is not None or scale_grad_by_freq or sparse:
        _not_here(max_norm, scale_grad_by_freq)
    if not isinstance(input, Tensor):
        raise TypeError(
            "embedding(): argument 'indices' (position 2) must be Tensor, not "
            f"{type(input).__name__}"
        )
    if input.dtype not in _SIGN:
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got {input.type()} instead (while checking arguments for embedding)"
        )
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    made = _embedding(places_of(input), weight)
    if padding_idx is None or not weight.requires_grad:
        return made
    return _without_row(input, made, _row(padding_idx, weight.shape[0]))


def _row(padding_idx, count):
    if not -count <= padding_idx < count:
        raise AssertionError("Padding_idx must be within num_embeddings")
    return padding_idx % count


def _without_row(input, made, padding_idx):
    return where((input == padding_idx).unsqueeze(-1), made.detach(), made)


def _not_here(max_norm, scale_grad_by_freq):
    name = "scale_grad_by_freq" if scale_grad_by_freq else "sparse"
    name = name if max_norm is None else "max_norm"
    raise NotImplementedError(f"embedding: {name} is not here")


def within(labels, low, high, values):
    """Values that fail, where they are waited for, if a label is not between two numbers."""
    wrong = _not_equal(_clip(labels, low, high), labels)
    return _masked_put(values, wrong, empty(0, dtype=values.dtype, device=values.device))


def one_hot_along(places, count, dim, dtype):
    """1 at each place along a new dimension, else 0; for places that are known to be right."""
    return _one_hot(places, count, dim, dtype)


def one_hot(tensor, num_classes=-1):
    """1 at each class along a new last dimension, else 0, as int64.

    A class out of range is found while running. Without num_classes there are as many as the
    largest class asks for; that waits.
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(
            f"one_hot(): argument 'input' (position 1) must be Tensor, not {type(tensor).__name__}"
        )
    if tensor.dtype is not _int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if num_classes == -1:
        if not tensor.numel():
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        num_classes = max(int(tensor.max()) + 1, 1)
    elif num_classes < 1:
        if not num_classes and tensor.numel():
            raise RuntimeError("Class values must be smaller than num_classes.")
        raise RuntimeError("num_classes should be positive")
    return _one_hot(within(tensor, 0, num_classes - 1, tensor), num_classes, -1, _int64)
