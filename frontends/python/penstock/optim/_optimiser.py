"""What all optimisers have in common.

An optimiser states the rows of its steps and their numbers; the library does a step for all
parameters in a few tasks (ps_op_update in penstock.h). Nothing here waits.
"""

from __future__ import annotations

from .. import _core
from . import _clip, _parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeAlias, TypedDict

    from .._core import ndarray

    _Parameters: TypeAlias = Iterable[Any] | Mapping[str, Any]
    _Rate: TypeAlias = float | ndarray | Callable[[int], float]

    class _WithoutDecay(TypedDict, total=False):
        clip_gradient: float | None
        clip_norm: float | None
        multi_precision: bool

    class _Common(_WithoutDecay, total=False):
        """What every optimiser takes by name."""

        weight_decay: float


class Optimiser:
    """Changes parameters, step by step, by their gradients.

    `params` are arrays with gradients attached, in an iterable or by name in a dict, or parameters
    of a network. `lr` is a number, an array without dimensions, or a function of the number of the
    step, as in penstock.optim.schedules.

    All kinds take by name: `weight_decay`, how much of a weight is added to its gradient;
    `clip_gradient`, the largest absolute value of an element of a gradient; `clip_norm`, the
    largest norm of all gradients together. With `multi_precision` parameters of 16 bits have a copy
    in float32, and states of that type: steps that are too small for the parameter add up in the
    copy, from which it is rounded after each step. Whoever writes to such a parameter otherwise
    does so before the first step, or calls `load_state_dict` afterwards.
    """

    _STATES: tuple[str, ...] = ()  # names of what is kept for each parameter

    def __init__(
        self,
        params: _Parameters,
        lr: _Rate,
        weight_decay: float = 0.0,
        clip_gradient: float | None = None,
        clip_norm: float | None = None,
        multi_precision: bool = False,
        **unknown: Any,
    ) -> None:
        if unknown:
            raise TypeError(f"{type(self).__name__}() has no argument {next(iter(unknown))!r}")
        self._params = _parameters.named(params)
        self._active: dict[str, Any] | None = None
        self._plain: list[ndarray] | None = None  # the arrays, if no parameter is anything else
        self._lr = lr
        self._steps = 0
        self._clip = _clip.limit("clip_gradient", clip_gradient)
        self._clip_norm = None if clip_norm is None else _clip.positive("clip_norm", clip_norm)
        self._decay = float(weight_decay)
        self._multi_precision = multi_precision
        self._exact: list[ndarray | None] | None = None  # float32 copies of those of 16 bits
        self._states: list[list[ndarray]] | None = None  # of each name, in the order of parameters

    def __repr__(self) -> str:
        name, count = type(self).__name__, len(self._params)
        return f"penstock.optim.{name}({count} parameters, learning_rate={self.learning_rate!r})"

    # ---- Parameters ----------------------------------------------------------------------------

    def _begin(self) -> dict[str, Any]:
        """The parameters that have a gradient when this is first asked for: those that change."""
        if self._active is None:
            found = {
                name: param
                for name, param in self._params.items()
                if _parameters.array_of(param).grad is not None
            }
            if not found:
                raise ValueError("no parameter has a gradient: x.attach_grad() asks for one")
            self._active = found
            if all(array is _parameters.array_of(array) for array in found.values()):
                self._plain = list(found.values())
        return self._active

    def _arrays(self) -> list[ndarray]:
        if self._plain is not None:
            return self._plain
        return [_parameters.array_of(param) for param in self._begin().values()]

    def _multiplied(self, number: Any, attribute: str) -> Any:
        """A number for all parameters; a list with one for each where theirs differ."""
        if self._plain is not None:
            return number
        multiples = _parameters.multiples(self._begin().values(), attribute)
        return number if multiples is None else [number * multiple for multiple in multiples]

    # ---- Numbers -------------------------------------------------------------------------------

    @property
    def learning_rate(self) -> float | ndarray:
        """The learning rate of the next step. A schedule that is set is followed from then on."""
        return self._lr(self._steps) if callable(self._lr) else self._lr

    @learning_rate.setter
    def learning_rate(self, lr: _Rate) -> None:
        self._lr = lr

    @property
    def steps(self) -> int:
        """How many steps have been done."""
        return self._steps

    def _rates(self) -> Any:
        return self._multiplied(self.learning_rate, "lr_mult")

    def _decays(self) -> Any:
        return self._multiplied(self._decay, "wd_mult") if self._decay != 0 else 0.0

    # ---- Steps ---------------------------------------------------------------------------------

    def step(self, batch_size: float = 1) -> None:
        """Do a step by the gradients that there are, divided by the batch size. Does not wait."""
        arrays = self._arrays()
        exact = self._exact_arrays(arrays)
        if self._states is None:
            self._states = [[self._first(name, array) for array in exact] for name in self._STATES]
        rescale: Any = 1.0 / batch_size
        if self._clip_norm is not None:
            rescale = self._scaled(arrays, exact, rescale, self._clip_norm)
        self._update(arrays, self._states, rescale)
        self._steps += 1

    def _exact_arrays(self, arrays: list[ndarray]) -> list[ndarray]:
        """What steps add up in: copies of arrays of 16 bits, if that is wanted; else themselves."""
        if not self._multi_precision:
            return arrays
        if self._exact is None:
            cast = _core._ops["cast"]
            self._exact = [
                cast(one.detach(), "float32") if _is_half(one) else None for one in arrays
            ]
        return [one if exact is None else exact for one, exact in zip(arrays, self._exact)]

    def _apply(
        self, row: str, arrays: list[ndarray], states: list[list[ndarray]], *numbers: Any
    ) -> None:
        """Call the row of a step, of arrays, states and gradients, for all parameters."""
        copies: list[ndarray | None] | None = None
        if self._exact is not None:
            copies = [None if exact is None else one for one, exact in zip(arrays, self._exact)]
        _core._op_update(row, copies, self._exact_arrays(arrays), *states, ..., *numbers)

    def _first(self, state: str, array: ndarray) -> ndarray:
        """What a state begins with."""
        return filled(array, 0.0)

    def _scaled(
        self, arrays: list[ndarray], exact: list[ndarray], rescale: float, max_norm: float
    ) -> Any:
        """What gradients are multiplied by, so that their norm is not too large either."""
        norm = _clip.global_norm(array.grad for array in arrays) * rescale
        return _clip.for_each(_clip.scale_for(norm, max_norm) * rescale, exact)

    def _update(self, arrays: list[ndarray], states: list[list[ndarray]], rescale: Any) -> None:
        raise NotImplementedError

    def zero_grad(self) -> None:
        """Fill all gradients with zeros."""
        for array in self._arrays():
            array.grad[...] = 0

    # ---- States --------------------------------------------------------------------------------

    def _has_exact(self, name: str) -> bool:
        return self._multi_precision and _is_half(_parameters.array_of(self._params[name]))

    def state_dict(self) -> dict[str, ndarray]:
        """Copies of all that the next steps depend on, by name: 'NAME.STATE', and 'steps'."""
        found = {"steps": _core.array(self._steps, dtype="int64")}
        for state, arrays in zip(self._STATES, self._states or ()):
            for name, array in zip(self._begin(), arrays):
                found[f"{name}.{state}"] = array.copy()
        for name, exact in zip(self._begin() if self._exact else (), self._exact or ()):
            if exact is not None:
                found[f"{name}.exact"] = exact.copy()
        return found

    def load_state_dict(self, states: Mapping[str, ndarray]) -> None:
        """Go on from what state_dict gave, of an optimiser of the same kind and parameters."""
        begun = len(states) > 1
        names = list(self._begin()) if begun else []
        exact = [name for name in names if self._has_exact(name)]
        wanted = {f"{name}.{state}" for name in names for state in self._STATES}
        _check_names(wanted | {f"{name}.exact" for name in exact} | {"steps"}, set(states))
        made = [[self._loaded(name, state, states) for name in names] for state in self._STATES]
        copies = {name: self._loaded(name, "exact", states) for name in exact}
        self._steps = int(states["steps"].item())
        self._states = made if begun else None
        self._exact = [copies.get(name) for name in names] if copies else None

    def _loaded(self, name: str, state: str, states: Mapping[str, ndarray]) -> ndarray:
        array, given = _parameters.array_of(self._params[name]), states[f"{name}.{state}"]
        dtype = _core.float32 if self._has_exact(name) else array.dtype
        if given.shape != array.shape or given.dtype != dtype:
            raise ValueError(
                f"load_state_dict: {name}.{state} has shape {given.shape} and type {given.dtype}, "
                f"not {array.shape} and {dtype}, as its parameter needs"
            )
        return given.copy()


def _is_half(array: ndarray) -> bool:
    return str(array.dtype) in ("float16", "bfloat16")


def filled(array: ndarray, value: float) -> ndarray:
    """An array like another, of one value."""
    made: ndarray = _core._ops["full"](array.shape, value, array.dtype, device=array.device)
    return made


def _check_names(wanted: set[str], given: set[str]) -> None:
    for what, names in (("missing", wanted - given), ("unknown", given - wanted)):
        if names:
            shown = ", ".join(sorted(names)[:5]) + (", ..." if len(names) > 5 else "")
            raise ValueError(f"load_state_dict: {len(names)} {what}: {shown}")
