"""Batches: items of a list as tensors with one dimension more."""

from collections.abc import Mapping, MutableMapping, Sequence

from ..._create import as_tensor, from_numpy, tensor
from ..._dtypes import ALL
from ..._joining import stack
from ..._tensor import Tensor

_KINDS = "batch must contain tensors, numpy arrays, numbers, dicts or lists"


def default_collate(batch):
    """Items as one batch: tensors, arrays and numbers are stacked, containers taken apart.

    >>> from penstock.torch.utils import data
    >>> data.default_collate([(1, "a"), (2, "b")])
    [tensor([1, 2]), ('a', 'b')]
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return stack(list(batch))
    if isinstance(first, float):
        return tensor(list(batch), dtype=ALL["float64"])
    if isinstance(first, int):
        return tensor(list(batch))
    if isinstance(first, (str, bytes)):
        return batch
    if type(first).__module__ == "numpy":
        return _of_numpy(first, batch)
    if isinstance(first, Mapping):
        made = {key: default_collate([one[key] for one in batch]) for key in first}
        return _like_mapping(first, made)
    if isinstance(first, Sequence):
        return _of_sequences(first, batch)
    raise TypeError(f"default_collate: {_KINDS}; found {type(first)}")


def _of_numpy(first, batch):
    import numpy

    if isinstance(first, numpy.ndarray):
        if first.dtype.kind in "SUOV":
            raise TypeError(f"default_collate: {_KINDS}; found {first.dtype}")
        return stack([from_numpy(one) for one in batch])
    return as_tensor(numpy.asarray(batch))


def _of_sequences(first, batch):
    """Batches of the first parts of all items, of the second ones, ..."""
    lengths = {len(one) for one in batch}
    if len(lengths) > 1:
        raise RuntimeError(
            f"each element in list of batch should be of equal size, but got {sorted(lengths)}"
        )
    parts = [default_collate(part) for part in zip(*batch)]
    return _like_sequence(first, parts)


def _like_mapping(first, made):
    """A dict as a mapping like another, if its class can be called with one."""
    if type(first) is dict:
        return made
    try:
        if isinstance(first, MutableMapping):
            import copy

            found = copy.copy(first)
            found.update(made)
            return found
        return type(first)(made)
    except TypeError:
        return made


def _like_sequence(first, parts):
    """A list as a sequence like another; of tuples it is a list."""
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*parts)
    if isinstance(first, (list, tuple)):
        return parts
    try:
        return type(first)(parts)
    except TypeError:
        return parts


def default_convert(data):
    """Arrays of NumPy, in containers too, as tensors; what is something else stays.

    >>> from penstock.torch.utils import data
    >>> data.default_convert((1.5, "a"))
    [1.5, 'a']
    """
    if isinstance(data, (Tensor, str, bytes)):
        return data
    if type(data).__module__ == "numpy":
        return data if getattr(data, "dtype", None).kind in "SUOV" else as_tensor(data)
    if isinstance(data, Mapping):
        return _like_mapping(data, {key: default_convert(one) for key, one in data.items()})
    if isinstance(data, Sequence):
        return _like_sequence(data, [default_convert(one) for one in data])
    return data
