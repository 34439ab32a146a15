"""Datasets: what has a length and items."""

from __future__ import annotations

from .. import _core
from .._core import ndarray

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any


class Dataset:
    """Items by number. A class of its own defines `__getitem__` and `__len__`.

    >>> class Squares(ps.data.Dataset):
    ...     def __getitem__(self, index):
    ...         return index * index
    ...     def __len__(self):
    ...         return 10
    >>> Squares().transform(lambda x: x + 1)[3]
    10
    """

    def __getitem__(self, index: int) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not define __getitem__")

    def __len__(self) -> int:
        raise NotImplementedError(f"{type(self).__name__} does not define __len__")

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))

    def transform(self, function: Callable[..., Any]) -> TransformDataset:
        """The dataset of what a function makes of the items; a tuple gives several arguments.

        >>> ps.data.ArrayDataset([1, 2], [10, 20]).transform(lambda x, y: x + y)[1]
        22
        """
        return TransformDataset(self, function)

    def transform_first(self, function: Callable[[Any], Any]) -> TransformDataset:
        """The same, of the first part of each item alone: the label stays.

        >>> ps.data.ArrayDataset([1, 2], [10, 20]).transform_first(lambda x: -x)[1]
        (-2, 20)
        """
        return TransformDataset(self, _OfFirst(function))

    def select(self, indices: Sequence[int]) -> SelectDataset:
        """Some of the items, in the order of their numbers as given.

        >>> list(ps.data.ArrayDataset([10, 20, 30]).select([2, 0]))
        [30, 10]
        """
        return SelectDataset(self, indices)

    def take(self, count: int) -> SelectDataset:
        """The first items, as many as there are up to that number.

        >>> len(ps.data.ArrayDataset([10, 20, 30]).take(2))
        2
        """
        return SelectDataset(self, range(min(count, len(self))))

    def filter(self, function: Callable[[Any], Any]) -> SelectDataset:
        """The items of which a function is true. Reads all of them once.

        >>> list(ps.data.ArrayDataset([1, 2, 3, 4]).filter(lambda x: x % 2 == 0))
        [2, 4]
        """
        return SelectDataset(self, [i for i in range(len(self)) if function(self[i])])

    def shard(self, count: int, index: int) -> SelectDataset:
        """One of several parts side by side, whose lengths differ by one at most.

        >>> list(ps.data.ArrayDataset([0, 1, 2, 3, 4]).shard(2, 0))
        [0, 1, 2]
        """
        if not 0 <= index < count:
            raise ValueError(f"shard: index {index} is not among {count} parts")
        length = len(self)
        size, longer = divmod(length, count)
        first = index * size + min(index, longer)
        return SelectDataset(self, range(first, first + size + (index < longer)))


class ArrayDataset(Dataset):
    """Arrays, lists or datasets side by side: an item is a tuple of theirs, or the one of one.

    >>> data = ps.data.ArrayDataset(ps.array([[1.0], [2.0]]), [10, 20])
    >>> data[1]
    (array([2.]), 20)
    """

    def __init__(self, *arrays: Any) -> None:
        if not arrays:
            raise ValueError("ArrayDataset: at least one array is needed")
        lengths = [len(one) for one in arrays]
        if len(set(lengths)) > 1:
            raise ValueError(f"ArrayDataset: the lengths differ: {', '.join(map(str, lengths))}")
        self._arrays = arrays

    def __len__(self) -> int:
        return len(self._arrays[0])

    def __getitem__(self, index: int) -> Any:
        if len(self._arrays) == 1:
            return self._arrays[0][index]
        return tuple(one[index] for one in self._arrays)

    def batch(self, indices: Sequence[int]) -> Any:
        """What stacking the items of these numbers gives, read at once; None if it cannot be.

        >>> ps.data.ArrayDataset(ps.array([1.0, 2.0, 3.0])).batch([2, 0])
        array([3., 1.])
        """
        if not all(_is_array(one) for one in self._arrays):
            return None
        parts = tuple(_rows(one, indices) for one in self._arrays)
        return parts if len(parts) > 1 else parts[0]


class SelectDataset(Dataset):
    """Some items of a dataset: see Dataset.select."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self._dataset = dataset
        self._indices = indices

    def __len__(self) -> int:
        return len(self._indices)

    def __getitem__(self, index: int) -> Any:
        return self._dataset[self._indices[index]]


class TransformDataset(Dataset):
    """What a function makes of the items of a dataset: see Dataset.transform."""

    def __init__(self, dataset: Any, function: Callable[..., Any]) -> None:
        if not callable(function):
            raise TypeError(f"transform: a function is needed, not {function!r}")
        self._dataset = dataset
        self._function = function

    def __len__(self) -> int:
        return len(self._dataset)

    def __getitem__(self, index: int) -> Any:
        item = self._dataset[index]
        return self._function(*item) if isinstance(item, tuple) else self._function(item)


class _OfFirst:
    """A function of the first argument, which passes the others on."""

    __slots__ = ("_function",)

    def __init__(self, function: Callable[[Any], Any]) -> None:
        if not callable(function):
            raise TypeError(f"transform_first: a function is needed, not {function!r}")
        self._function = function

    def __call__(self, first: Any, *others: Any) -> Any:
        made = self._function(first)
        return (made, *others) if others else made


# ---- Arrays --------------------------------------------------------------------------------------


def _is_array(one: Any) -> bool:
    """An array of this library or of NumPy with items; no class of its own, which may differ."""
    return type(one) is ndarray or _is_numpy(one)


def _is_numpy(one: Any) -> bool:
    kind = type(one)
    return kind.__name__ == "ndarray" and kind.__module__ == "numpy"


def _rows(array: Any, indices: Sequence[int]) -> ndarray:
    """Rows of an array, stacked."""
    if type(array) is ndarray:
        return _core._ops["take"](array, _core.array(indices, "int64"), 0)
    return _core.array(array[list(indices)])
