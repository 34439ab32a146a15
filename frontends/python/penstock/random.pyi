"""Random numbers."""

# Made by tools/python_stubs.py (make generate); do not edit.

from builtins import bool as _bool
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from . import _core
from ._core import (
    _ArrayLike as _ArrayLike,
    _DTypeLike as _DTypeLike,
    _Ints as _Ints,
    ndarray as ndarray,
)

__all__ = [
    "Generator",
    "bernoulli",
    "choice",
    "default_rng",
    "exponential",
    "get_state",
    "gumbel",
    "integers",
    "laplace",
    "logistic",
    "lognormal",
    "normal",
    "permutation",
    "rand",
    "randint",
    "randn",
    "random",
    "random_sample",
    "seed",
    "set_state",
    "shuffle",
    "standard_exponential",
    "standard_normal",
    "uniform",
]

class Generator(_core.Generator):
    """A source of random numbers with a state of its own: see default_rng."""
    def bernoulli(self, p: _ArrayLike = 0.5, size: _Ints | None = None) -> ndarray:
        """True with probability p."""
    def choice(
        self,
        a: _ArrayLike,
        size: _Ints | None = None,
        replace: _bool = True,
        p: _ArrayLike | None = None,
        axis: SupportsIndex = 0,
    ) -> ndarray:
        """Elements of `a` along the axis, or of 0 .. a - 1, each with probability p."""
    def exponential(
        self,
        scale: _ArrayLike = 1.0,
        size: _Ints | None = None,
        dtype: _DTypeLike | None = None,
    ) -> ndarray:
        """Numbers of the exponential distribution with mean scale."""
    def gumbel(
        self,
        loc: _ArrayLike = 0.0,
        scale: _ArrayLike = 1.0,
        size: _Ints | None = None,
        dtype: _DTypeLike | None = None,
    ) -> ndarray:
        """Numbers of the Gumbel distribution."""
    def integers(
        self,
        low: _ArrayLike,
        high: _ArrayLike | None = None,
        size: _Ints | None = None,
        dtype: _DTypeLike = 'int64',
        endpoint: _bool = False,
    ) -> ndarray:
        """Integers of [low, high), or of [0, low) if high is not given; with endpoint, high too."""
    def laplace(
        self,
        loc: _ArrayLike = 0.0,
        scale: _ArrayLike = 1.0,
        size: _Ints | None = None,
        dtype: _DTypeLike | None = None,
    ) -> ndarray:
        """Numbers of the Laplace distribution: the difference of two exponential ones."""
    def logistic(
        self,
        loc: _ArrayLike = 0.0,
        scale: _ArrayLike = 1.0,
        size: _Ints | None = None,
        dtype: _DTypeLike | None = None,
    ) -> ndarray:
        """Numbers of the logistic distribution."""
    def lognormal(
        self,
        mean: _ArrayLike = 0.0,
        sigma: _ArrayLike = 1.0,
        size: _Ints | None = None,
        dtype: _DTypeLike | None = None,
    ) -> ndarray:
        """Numbers whose logarithms are normal with the given mean and deviation."""
    def normal(
        self,
        loc: _ArrayLike = 0.0,
        scale: _ArrayLike = 1.0,
        size: _Ints | None = None,
        dtype: _DTypeLike | None = None,
    ) -> ndarray:
        """Numbers of the normal distribution with mean loc and standard deviation scale."""
    def permutation(self, x: _ArrayLike) -> ndarray:
        """0 .. x - 1 in random order; of an array, its slices along the first axis."""
    def rand(self, *shape: SupportsIndex) -> ndarray:
        """Numbers spread evenly over [0, 1), in the shape given by the arguments."""
    def randint(
        self,
        low: _ArrayLike,
        high: _ArrayLike | None = None,
        size: _Ints | None = None,
        dtype: _DTypeLike = 'int64',
    ) -> ndarray:
        """Integers of [low, high), or of [0, low) if high is not given."""
    def randn(self, *shape: SupportsIndex) -> ndarray:
        """Standard normal numbers, in the shape given by the arguments."""
    def random(self, size: _Ints | None = None, dtype: _DTypeLike | None = None) -> ndarray:
        """Numbers spread evenly over [0, 1)."""
    def shuffle(self, x: ndarray) -> None:
        """Brings the slices of an array along its first axis into random order, in place."""
    def standard_exponential(
        self,
        size: _Ints | None = None,
        dtype: _DTypeLike | None = None,
    ) -> ndarray:
        """Numbers of the exponential distribution with mean 1."""
    def standard_normal(
        self,
        size: _Ints | None = None,
        dtype: _DTypeLike | None = None,
    ) -> ndarray:
        """Numbers of the normal distribution with mean 0 and standard deviation 1."""
    def uniform(
        self,
        low: _ArrayLike = 0.0,
        high: _ArrayLike = 1.0,
        size: _Ints | None = None,
        dtype: _DTypeLike | None = None,
    ) -> ndarray:
        """Numbers spread evenly over [low, high)."""

def bernoulli(p: _ArrayLike = 0.5, size: _Ints | None = None) -> ndarray:
    """True with probability p."""
def choice(
    a: _ArrayLike,
    size: _Ints | None = None,
    replace: _bool = True,
    p: _ArrayLike | None = None,
    axis: SupportsIndex = 0,
) -> ndarray:
    """Elements of `a` along the axis, or of 0 .. a - 1, each with probability p."""
def default_rng(seed: int | Generator | None = None) -> Generator:
    """A generator with the given seed; without one, the system chooses."""
def exponential(
    scale: _ArrayLike = 1.0,
    size: _Ints | None = None,
    dtype: _DTypeLike | None = None,
) -> ndarray:
    """Numbers of the exponential distribution with mean scale."""
def get_state() -> tuple[int, int, int]:
    """The state of the shared generator, for set_state."""
def gumbel(
    loc: _ArrayLike = 0.0,
    scale: _ArrayLike = 1.0,
    size: _Ints | None = None,
    dtype: _DTypeLike | None = None,
) -> ndarray:
    """Numbers of the Gumbel distribution."""
def integers(
    low: _ArrayLike,
    high: _ArrayLike | None = None,
    size: _Ints | None = None,
    dtype: _DTypeLike = 'int64',
    endpoint: _bool = False,
) -> ndarray:
    """Integers of [low, high), or of [0, low) if high is not given; with endpoint, high too."""
def laplace(
    loc: _ArrayLike = 0.0,
    scale: _ArrayLike = 1.0,
    size: _Ints | None = None,
    dtype: _DTypeLike | None = None,
) -> ndarray:
    """Numbers of the Laplace distribution: the difference of two exponential ones."""
def logistic(
    loc: _ArrayLike = 0.0,
    scale: _ArrayLike = 1.0,
    size: _Ints | None = None,
    dtype: _DTypeLike | None = None,
) -> ndarray:
    """Numbers of the logistic distribution."""
def lognormal(
    mean: _ArrayLike = 0.0,
    sigma: _ArrayLike = 1.0,
    size: _Ints | None = None,
    dtype: _DTypeLike | None = None,
) -> ndarray:
    """Numbers whose logarithms are normal with the given mean and deviation."""
def normal(
    loc: _ArrayLike = 0.0,
    scale: _ArrayLike = 1.0,
    size: _Ints | None = None,
    dtype: _DTypeLike | None = None,
) -> ndarray:
    """Numbers of the normal distribution with mean loc and standard deviation scale."""
def permutation(x: _ArrayLike) -> ndarray:
    """0 .. x - 1 in random order; of an array, its slices along the first axis."""
def rand(*shape: SupportsIndex) -> ndarray:
    """Numbers spread evenly over [0, 1), in the shape given by the arguments."""
def randint(
    low: _ArrayLike,
    high: _ArrayLike | None = None,
    size: _Ints | None = None,
    dtype: _DTypeLike = 'int64',
) -> ndarray:
    """Integers of [low, high), or of [0, low) if high is not given."""
def randn(*shape: SupportsIndex) -> ndarray:
    """Standard normal numbers, in the shape given by the arguments."""
def random(size: _Ints | None = None, dtype: _DTypeLike | None = None) -> ndarray:
    """Numbers spread evenly over [0, 1)."""
def random_sample(size: _Ints | None = None, dtype: _DTypeLike | None = None) -> ndarray:
    """Numbers spread evenly over [0, 1)."""
def seed(seed: int | None = None) -> None:
    """Sets the shared generator to a seed; without one, the system chooses."""
def set_state(state: tuple[int, int, int]) -> None:
    """Sets the shared generator back to a state that get_state gave."""
def shuffle(x: ndarray) -> None:
    """Brings the slices of an array along its first axis into random order, in place."""
def standard_exponential(size: _Ints | None = None, dtype: _DTypeLike | None = None) -> ndarray:
    """Numbers of the exponential distribution with mean 1."""
def standard_normal(size: _Ints | None = None, dtype: _DTypeLike | None = None) -> ndarray:
    """Numbers of the normal distribution with mean 0 and standard deviation 1."""
def uniform(
    low: _ArrayLike = 0.0,
    high: _ArrayLike = 1.0,
    size: _Ints | None = None,
    dtype: _DTypeLike | None = None,
) -> ndarray:
    """Numbers spread evenly over [low, high)."""
