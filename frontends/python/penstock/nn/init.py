"""Initialisers: what the elements of a parameter are at first.

One is called with a shape and an element type and gives an array. So any function of these two is
one; a number, an array, or the name of a class of this module in lower case stands for one.

>>> ps.nn.init.Uniform(0.1)((2, 3), "float32").shape
(2, 3)
"""

from __future__ import annotations

from .. import _core
from .._core import ndarray

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from .._core import _DTypeLike
    from ..random import Generator

    _InitializerLike: TypeAlias = (
        Callable[[tuple[int, ...], Any], ndarray] | ndarray | float | str | None
    )

__all__ = [
    "Bilinear",
    "Constant",
    "Initializer",
    "MSRAPrelu",
    "Normal",
    "One",
    "Orthogonal",
    "Uniform",
    "Xavier",
    "Zero",
    "find",
]

_ops = _core._ops


def __dir__() -> list[str]:
    return __all__


class Initializer:
    """What initialisers have in common: they show what they were made with.

    >>> ps.nn.init.Normal(0.02)
    Normal(sigma=0.02)
    """

    def __call__(self, shape: tuple[int, ...], dtype: _DTypeLike) -> ndarray:
        raise NotImplementedError(f"{type(self).__name__} does not say what elements are at first")

    def __repr__(self) -> str:
        given = {name: value for name, value in vars(self).items() if value is not None}
        shown = ", ".join(f"{name}={value!r}" for name, value in given.items())
        return f"{type(self).__name__}({shown})"


class Constant(Initializer):
    """All elements are a number; or those of an array, which has the shape of the parameter.

    >>> ps.nn.init.Constant(3)((2,), "float32")
    array([3., 3.])
    """

    def __init__(self, value: float | ndarray) -> None:
        self.value = value

    def __call__(self, shape: tuple[int, ...], dtype: _DTypeLike) -> ndarray:
        if isinstance(self.value, (int, float)):
            return _ops["full"](shape, self.value, dtype)
        return _core.array(self.value, dtype)


class Zero(Initializer):
    """All elements are 0.

    >>> ps.nn.init.Zero()((2,), "float32")
    array([0., 0.])
    """

    def __call__(self, shape: tuple[int, ...], dtype: _DTypeLike) -> ndarray:
        return _ops["zeros"](shape, dtype)


class One(Initializer):
    """All elements are 1.

    >>> ps.nn.init.One()((2,), "float32")
    array([1., 1.])
    """

    def __call__(self, shape: tuple[int, ...], dtype: _DTypeLike) -> ndarray:
        return _ops["ones"](shape, dtype)


class Uniform(Initializer):
    """Numbers spread evenly over [-scale, scale).

    >>> bool((abs(ps.nn.init.Uniform(0.5)((100,), "float32")) <= 0.5).all())
    True
    """

    def __init__(self, scale: float = 0.07, generator: Generator | None = None) -> None:
        self.scale = scale
        self.generator = generator

    def __call__(self, shape: tuple[int, ...], dtype: _DTypeLike) -> ndarray:
        return _ops["random_uniform"](shape, -self.scale, self.scale, dtype, self.generator)


class Normal(Initializer):
    """Numbers of the normal distribution with mean 0 and standard deviation sigma.

    >>> ps.nn.init.Normal(0.01)((2, 2), "float64").dtype
    penstock.float64
    """

    def __init__(self, sigma: float = 0.01, generator: Generator | None = None) -> None:
        self.sigma = sigma
        self.generator = generator

    def __call__(self, shape: tuple[int, ...], dtype: _DTypeLike) -> ndarray:
        return _ops["random_normal"](shape, 0.0, self.sigma, dtype, self.generator)


class Xavier(Initializer):
    """Random numbers whose spread keeps that of what flows through a layer, by Glorot.

    Spread evenly over [-s, s), or normal with deviation s ('gaussian'); s = sqrt(magnitude / f). f
    is the number of inputs ('in'), of outputs ('out'), or their mean ('avg').

    >>> bool((abs(ps.nn.init.Xavier()((10, 20), "float32")) <= 0.4473).all())
    True
    """

    def __init__(
        self,
        distribution: str = "uniform",
        factor: str = "avg",
        magnitude: float = 3.0,
        generator: Generator | None = None,
    ) -> None:
        self.distribution = distribution
        self.factor = factor
        self.magnitude = magnitude
        self.generator = generator

    def __call__(self, shape: tuple[int, ...], dtype: _DTypeLike) -> ndarray:
        return _ops["xavier"](
            shape,
            distribution=self.distribution,
            factor=self.factor,
            magnitude=self.magnitude,
            dtype=dtype,
            generator=self.generator,
        )


class MSRAPrelu(Initializer):
    """Normal numbers for a layer before a leaky relu of that slope, by He.

    >>> ps.nn.init.MSRAPrelu(slope=0.0)((10, 20), "float32").shape
    (10, 20)
    """

    def __init__(
        self, factor: str = "avg", slope: float = 0.25, generator: Generator | None = None
    ) -> None:
        self.factor = factor
        self.slope = slope
        self.generator = generator

    def __call__(self, shape: tuple[int, ...], dtype: _DTypeLike) -> ndarray:
        settings = {"factor": self.factor, "slope": self.slope}
        return _ops["msra_prelu"](shape, **settings, dtype=dtype, generator=self.generator)


class Orthogonal(Initializer):
    """Random rows, or columns if those are fewer, at right angles and as long as scale says.

    >>> weight = ps.nn.init.Orthogonal(1.0)((2, 5), "float64")
    >>> bool(ps.allclose(weight @ weight.T, ps.eye(2)))
    True
    """

    def __init__(self, scale: float = 1.414, generator: Generator | None = None) -> None:
        self.scale = scale
        self.generator = generator

    def __call__(self, shape: tuple[int, ...], dtype: _DTypeLike) -> ndarray:
        settings = {"scale": self.scale, "generator": self.generator}
        return _ops["orthogonal"](shape, dtype=dtype, **settings)


class Bilinear(Initializer):
    """Weights of a transposed convolution that makes images larger by linear interpolation.

    >>> ps.nn.init.Bilinear()((1, 1, 4, 4), "float32")[0, 0, 0]
    array([0.0625, 0.1875, 0.1875, 0.0625])
    """

    def __call__(self, shape: tuple[int, ...], dtype: _DTypeLike) -> ndarray:
        return _ops["bilinear"](shape, dtype=dtype)


# ---- By name -------------------------------------------------------------------------------------

_NAMES: dict[str, type[Initializer]] = {
    "bilinear": Bilinear,
    "msraprelu": MSRAPrelu,
    "normal": Normal,
    "one": One,
    "ones": One,
    "orthogonal": Orthogonal,
    "uniform": Uniform,
    "xavier": Xavier,
    "zero": Zero,
    "zeros": Zero,
}


def find(what: Any) -> Callable[[tuple[int, ...], Any], ndarray]:
    """The initialiser that an object stands for: a name, a number, an array, or a function.

    >>> ps.nn.init.find("zeros"), ps.nn.init.find(0.5)
    (Zero(), Constant(value=0.5))
    """
    if isinstance(what, str):
        if what not in _NAMES:
            raise ValueError(f"init: there is no initialiser {what!r}, only {', '.join(_NAMES)}")
        return _NAMES[what]()
    if isinstance(what, (int, float, ndarray)):
        return Constant(what)
    if not callable(what) or isinstance(what, type):
        raise TypeError(f"init: an initialiser, its name, a number or an array, not {what!r}")
    return what
