"""The steps of optimisers, as operations: each states its formula.

>>> w, g = ps.array([1.0, 2.0]), ps.array([0.5, -0.5])
>>> ps.optim.updates.sgd_update(w, g, 0.1, out=w)
array([0.95, 2.05])

What they give is the new weight, then what replaces the other arguments before the gradient, in
their order. `rate` and all other numbers may be arrays of one element.
"""

from .. import _core

__all__ = list(_core._optim)

globals().update(_core._optim)


def __dir__():
    return __all__
