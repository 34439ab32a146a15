"""Functions about running sums and the order of elements, made of operations of the table."""

from collections import namedtuple

from . import _core

__all__ = [
    "cumulative_prod",
    "cumulative_sum",
    "searchsorted",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]

asarray = _core.asarray
_ops = _core._ops

UniqueAll = namedtuple("UniqueAll", "values indices inverse_indices counts")
UniqueCounts = namedtuple("UniqueCounts", "values counts")
UniqueInverse = namedtuple("UniqueInverse", "values inverse_indices")


# ---- Running sums and products -----------------------------------------------------------------


def _cumulative(name, x, axis, dtype, include_initial):
    x = asarray(x)
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"{name}: axis is needed for an array of shape {x.shape}")
        axis = 0
    return _ops[name](x, axis, dtype, include_initial=include_initial)


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    """Sum of the elements up to each along the axis, which only one dimension may leave out.

    With include_initial a 0 comes before them. cumsum takes more dimensions as one.

    >>> ps.cumulative_sum(ps.array([1, 2, 3]))
    array([1, 3, 6])
    >>> ps.cumulative_sum(ps.array([1, 2, 3]), include_initial=True)
    array([0, 1, 3, 6])
    """
    return _cumulative("cumulative_sum", x, axis, dtype, include_initial)


def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    """Product of the elements up to each along the axis, which only one dimension may leave out.

    With include_initial a 1 comes before them. cumprod takes more dimensions as one.

    >>> ps.cumulative_prod(ps.array([1, 2, 3]))
    array([1, 2, 6])
    """
    return _cumulative("cumulative_prod", x, axis, dtype, include_initial)


# ---- Searching -----------------------------------------------------------------------------------


def searchsorted(x1, x2, /, *, side="left", sorter=None):
    """Where in x1, which is sorted, each element of x2 belongs: left or right of equal elements.

    With sorter, the positions that sort x1, it need not be sorted itself.

    >>> ps.searchsorted(ps.array([1, 2, 2, 5]), ps.array([2, 3]))
    array([1, 3])
    >>> ps.searchsorted(ps.array([1, 2, 2, 5]), 2, side='right')
    array(3)
    """
    x1 = asarray(x1)
    if sorter is not None:
        x1 = _ops["take"](x1, sorter, 0)
    return _ops["searchsorted"](x1, x2, side)


# ---- Elements without repetitions ----------------------------------------------------------------


def _sorted_once(x):
    """x, and the positions that sort it, which the operations on unique elements share."""
    x = asarray(x)
    return x, _ops["argsort"](x.ravel())


def unique_values(x, /):
    """The different elements, sorted. Every NaN differs from the others. Waits for x.

    >>> ps.unique_values(ps.array([3, 1, 3, 2]))
    array([1, 2, 3])
    """
    return _ops["unique_values"](asarray(x))


def unique_counts(x, /):
    """The different elements, sorted, and how often each is there. Waits for x.

    >>> ps.unique_counts(ps.array([3, 1, 3])).counts
    array([1, 2])
    """
    x, order = _sorted_once(x)
    return UniqueCounts(_ops["unique_values"](x, order), _ops["unique_counts"](x, order))


def unique_inverse(x, /):
    """The different elements, sorted, and which of them each element of x is. Waits for x.

    >>> ps.unique_inverse(ps.array([30, 10, 30])).inverse_indices
    array([1, 0, 1])
    """
    x, order = _sorted_once(x)
    return UniqueInverse(_ops["unique_values"](x, order), _ops["unique_inverse"](x, order))


def unique_all(x, /):
    """The different elements, sorted; where each is first; which each element is; how often.

    Waits for x.

    >>> ps.unique_all(ps.array([30, 10, 30])).indices
    array([1, 0])
    """
    x, order = _sorted_once(x)
    names = ("unique_values", "unique_indices", "unique_inverse", "unique_counts")
    return UniqueAll(*(_ops[name](x, order) for name in names))


def unique(
    x, /, return_index=False, return_inverse=False, return_counts=False, *, equal_nan=True
):
    """The different elements, sorted; a tuple with what else is asked for behind them.

    NaN counts once, unless equal_nan is False. Waits for x.

    >>> ps.unique(ps.array([3, 1, 3]), return_counts=True)
    (array([1, 3]), array([1, 2]))
    """
    x = asarray(x)
    asked = {
        "unique_indices": return_index,
        "unique_inverse": return_inverse,
        "unique_counts": return_counts,
    }
    if not any(asked.values()):
        return _ops["unique_values"](x, None, equal_nan)
    x, order = _sorted_once(x)
    wanted = ("unique_values", *(name for name in asked if asked[name]))
    return tuple(_ops[name](x, order, equal_nan) for name in wanted)
