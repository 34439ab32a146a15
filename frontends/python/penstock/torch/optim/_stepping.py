"""The steps of the optimisers that are here.

What is kept of a parameter are tensors, which are in its state from the beginning, and numbers: how
many steps it has had, and the like. Numbers stay Python's while steps are done, so that none needs
to be waited for. Whoever asks for `optimizer.state` finds them there as tensors, as torch keeps
them, and may write to it; the next step reads it again.
"""

from operator import is_

from ... import _core
from .._create import full_like, tensor, zeros_like
from .._tensor import Tensor
from ..autograd import _leaf
from ..autograd._modes import enable_grad
from .optimizer import Optimizer

_set_state = _core._grad_set_state
_gradient_of = _leaf.grad_of


class Stepping(Optimizer):
    """An optimiser that says what a step does with the parameters of one group."""

    _NUMBERS = ("step",)  # what is kept of a parameter beside tensors, with 0 as the first value

    def step(self, closure=None):
        """Change the parameters that have gradients. Does not wait.

        A closure computes the gradients first; what it gives is given back.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        before = _set_state(None, None, True)
        try:
            for place, group in enumerate(self.param_groups):
                self._step_group(place, group)
        finally:
            _set_state(*before)
        return loss

    def _step_group(self, place, group):
        raise NotImplementedError

    # ---- What is kept -------------------------------------------------------------------------

    @property
    def state(self):
        """What is kept of parameters, by parameter and name."""
        self._settle()
        return self._state

    @state.setter
    def state(self, given):
        self._state = given
        self._forget()

    def _forget(self):
        """What is known beside the state is no more."""
        self._known = {}  # numbers by name, of each parameter

    def _settle(self):
        """Write numbers to the state, which is read again when they are needed."""
        for one, numbers in self._known.items():
            kept = self._state[one]
            for name, value in numbers.items():
                kept[name] = tensor(float(value))
        self._forget()

    def _numbers_of(self, param, group):
        """The numbers of a parameter, by name; the first ones if it has had no step."""
        numbers = self._known.get(param)
        if numbers is None:
            kept = self._state[param]
            numbers = self._first_numbers(group)
            for name in numbers:
                if name in kept:
                    numbers[name] = _number(kept[name])
                else:
                    kept[name] = None  # its place: the value comes when it is asked for
            self._known[param] = numbers
        return numbers

    def _first_numbers(self, group):
        return dict.fromkeys(self._NUMBERS, 0)

    def _tensor_of(self, name, param, group):
        """A tensor that is kept of a parameter: made, if there is none."""
        kept = self._state[param]
        found = kept.get(name)
        if found is None:
            found = kept[name] = self._first(name, param, group)
        return found

    def _first(self, name, param, group):
        """What a tensor that is kept begins with."""
        return zeros_like(param)

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.param_groups:
            for name, value in self.defaults.items():
                group.setdefault(name, value)


def _number(value):
    """A kept number: an integer where it is one, so that powers of it are exact."""
    value = value.item() if isinstance(value, Tensor) else value
    return int(value) if value == int(value) else value


def filled_like(param, value):
    """A tensor like a parameter, of one number, which may be a tensor's."""
    return full_like(param, value.reshape(()) if isinstance(value, Tensor) else value)


# ---- All parameters of a group at once -----------------------------------------------------------


class _Part:
    """Parameters of a group with gradients, of one type and on one device, and what is kept."""

    __slots__ = ("active", "count", "given", "states")

    def gradients(self):
        """What a row takes for gradients: those that its first arrays have, or a list."""
        return [_gradient_of(one) for one in self.active] if self.given else ...

    def advance(self):
        """Count a step."""
        count = self.count
        self.count = count + 1 if type(count) is int else [one + 1 for one in count]

    def counts(self):
        """How many steps each parameter has had."""
        count = self.count
        return [count] * len(self.active) if type(count) is int else count


class _Track:
    """The parameters of a group, as the last step found them."""

    __slots__ = ("names", "params", "parts", "rest")

    def fits(self, params, names):
        """Whether these are the parameters and their states, and no other has a gradient.

        That all have one is seen by the row, or here if there are several calls of it.
        """
        return (
            names == self.names
            and _same(params, self.params)
            and all(_gradient_of(one) is None for one in self.rest)
            and (len(self.parts) < 2 or all(_gradient_of(one) is not None for one in self.active()))
        )

    def active(self):
        """The parameters that had gradients."""
        return [one for part in self.parts for one in part.active]


def _same(some, others):
    return len(some) == len(others) and all(map(is_, some, others))


class ByRows(Stepping):
    """An optimiser whose step is a row of the table, or a few, for all parameters of a group."""

    _COUNTED = True  # whether the state has the number of steps

    def _names(self, group):
        """Names of the tensors that are kept; those that begin with _ are not in the state."""
        raise NotImplementedError

    def _update(self, group, params, states, gradients, count):
        """Call the rows; `count` is how many steps there were, in a list if that differs."""
        raise NotImplementedError

    def _step_group(self, place, group):
        params, names = group["params"], self._names(group)
        track = self._tracks.get(place)
        if track is None or not track.fits(params, names):
            track = self._tracks[place] = self._tracked(group, params, names)
        try:
            self._step_parts(group, track)
        except ValueError:
            # A parameter that had a gradient in the last step may have none now.
            again = self._tracked(group, params, names)
            if _same(again.active(), track.active()):
                raise
            self._tracks[place] = again
            self._step_parts(group, again)

    def _step_parts(self, group, track):
        for part in track.parts:
            options = _of_type(group, part.active[0].dtype) if _has_tensors(group) else group
            self._update(options, part.active, part.states, part.gradients(), part.count)
            part.advance()

    # ---- What is known of a group -------------------------------------------------------------

    def _tracked(self, group, params, names):
        """The parameters of a group as they are now."""
        self._settle_tracks()
        track = _Track()
        track.params, track.names, track.rest = list(params), names, []
        by_device = {}
        for one in params:
            if _gradient_of(one) is None:
                track.rest.append(one)
            else:
                by_device.setdefault(_home(one), []).append(one)
        track.parts = [self._part(group, active, names) for active in by_device.values()]
        return track

    def _part(self, group, active, names):
        part = _Part()
        part.active = active
        part.given = not all(_core._grad_info(one)[1] for one in active)
        counts = [self._count_of(one, group) for one in active]
        part.count = counts[0] if len(set(counts)) == 1 else counts
        part.states = [[self._kept(name, one, group) for one in active] for name in names]
        return part

    def _kept(self, name, param, group):
        if name.startswith("_"):
            return self._first(name, param, group)
        return self._tensor_of(name, param, group)

    def _count_of(self, param, group):
        """How many steps a parameter has had."""
        return self._numbers_of(param, group)["step"]

    def _forget(self):
        super()._forget()
        self._tracks = {}  # of groups, by their place

    def _settle_tracks(self):
        """Steps that were counted for groups, as numbers of parameters."""
        if not self._COUNTED:
            return
        for track in self._tracks.values():
            for part in track.parts:
                for one, count in zip(part.active, part.counts()):
                    self._known[one]["step"] = count

    def _settle(self):
        self._settle_tracks()
        super()._settle()


def _home(param):
    """What parameters of one call have in common."""
    return param.dtype, param.device


def _has_tensors(group):
    return isinstance(group["lr"], Tensor) or isinstance(group.get("weight_decay"), Tensor)


def _of_type(group, dtype):
    """Options whose tensors are of the parameters' type, so that results are."""
    return {
        name: value.to(dtype) if isinstance(value, Tensor) else value
        for name, value in group.items()
    }


# ---- One parameter after the other ---------------------------------------------------------------


class ByParameter(Stepping):
    """An optimiser whose step is composed of operations, for each parameter."""

    _STATES = ()  # names of the tensors that are kept

    def _step_group(self, place, group):
        for one in group["params"]:
            gradient = _gradient_of(one)
            if gradient is None:
                continue
            numbers = self._numbers_of(one, group)
            states = [self._tensor_of(name, one, group) for name in self._STATES]
            numbers["step"] += 1
            if group["maximize"]:
                gradient = -gradient
            if group.get("weight_decay", 0) != 0 and not group.get("decoupled_weight_decay"):
                gradient = gradient + group["weight_decay"] * one
            self._change(group, one, gradient, states, numbers)

    def _change(self, group, param, gradient, states, numbers):
        """A step of one parameter by its gradient; `numbers` has that it is the n-th."""
        raise NotImplementedError
