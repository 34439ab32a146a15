"""What all optimisers are: parameters in groups, a rate, and what is kept of each parameter.

A step is a row of the table, called once for all parameters of one type. Nothing here waits.
"""

from math import inf

from ... import _core
from .._create import full
from .._dialect import row
from .._tensor import Tensor
from ..nn._names import numbered
from ..regularizer import L1Decay, L2Decay
from . import lr

_gradient = _core._grad_get
_set_state = _core._grad_set_state
_op_update = _core._op_update
_sign = row("sign", "sign", "x")

_OPTIONS = ("params", "learning_rate", "weight_decay", "grad_clip")


class _Part:
    """Parameters of one type that had gradients in the last step, and what is kept of them."""

    __slots__ = ("params", "states", "factors", "decays", "signs")


class Optimizer:
    """Changes parameters, step by step, by their gradients.

    >>> from penstock import paddle
    >>> layer = paddle.nn.Linear(1, 1)
    >>> paddle.optimizer.SGD(0.5, parameters=layer.parameters()).get_lr()
    0.5
    """

    _STATES = ()  # names of the tensors that are kept, in the order of the row's arguments

    def __init__(
        self, learning_rate, parameters=None, weight_decay=None, grad_clip=None, name=None
    ):
        if parameters is None:
            raise AttributeError(
                "parameters argument given to the Optimizer should not be None in dygraph mode."
            )
        if isinstance(parameters, (Tensor, dict)):
            raise TypeError(
                "`parameters` argument given to the optimizer should be an iterable of paddle "
                f"Tensors, but got argument type is `{type(parameters)}`."
            )
        if learning_rate is None:
            raise ValueError("learning_rate is not set")
        if not isinstance(learning_rate, (float, lr.LRScheduler)):
            raise TypeError(
                "learning rate should be float or LRScheduler, got "
                f"{type(learning_rate)} here"
            )
        self._learning_rate, self._name = learning_rate, name
        self._weight_decay, self._grad_clip = _coefficient(weight_decay), grad_clip
        self._kept = {}  # tensors by name, of each parameter
        self._kept_names = {}  # what state_dict calls them
        self._counts = {}  # steps of each parameter
        self._parts, self._active = None, None
        self._param_groups = []
        self._parameter_list = []
        for group in _groups(list(parameters)):
            self._add_group(group)

    def _add_group(self, group):
        unknown = [name for name in group if name not in _OPTIONS]
        if unknown:
            raise NotImplementedError(
                f"{type(self).__name__}: the option {unknown[0]!r} of a group is not here"
            )
        given = group["params"]
        params = [given] if isinstance(given, Tensor) else list(given)
        for one in params:
            if not isinstance(one, Tensor):
                raise AttributeError(f"a parameter is a Tensor, not {one!r}", name="dtype", obj=one)
        known = {id(one) for one in self._parameter_list}
        if any(id(one) in known for one in params):
            raise ValueError("some parameters appear in more than one parameter group")
        made = dict(group, params=params)
        made["weight_decay"] = _coefficient(group.get("weight_decay", self._weight_decay))
        self._param_groups.append(made)
        self._parameter_list += params

    # ---- The rate --------------------------------------------------------------------------------

    def get_lr(self):
        """The rate of the next step."""
        rate = self._learning_rate
        return rate if isinstance(rate, float) else rate()

    def set_lr(self, value):
        """Another rate; not where a scheduler says it."""
        if isinstance(self._learning_rate, lr.LRScheduler):
            raise RuntimeError(
                "optimizer's learning rate can't be LRScheduler when invoke this API, because this "
                "will lead to conflict."
            )
        if not isinstance(value, (int, float)):
            raise TypeError(
                "The type of 'value' in optimizer.set_lr must be float, but received "
                f"{type(value)}."
            )
        self._learning_rate = float(value)

    def set_lr_scheduler(self, scheduler):
        """A scheduler that says the rate from now on."""
        if not isinstance(scheduler, lr.LRScheduler):
            raise TypeError(
                f"set_lr_scheduler: an LRScheduler is needed, not {type(scheduler).__name__}"
            )
        self._learning_rate = scheduler

    # ---- Steps -----------------------------------------------------------------------------------

    def step(self):
        """Change the parameters that have gradients. Does not wait."""
        before = _set_state(None, None, True)
        try:
            found = [_gradient(one, None) for one in self._parameter_list]
            self._step(found)
        finally:
            _set_state(*before)

    def _step(self, gradients):
        active = [
            at
            for at, one in enumerate(gradients)
            if one is not None and not self._parameter_list[at].stop_gradient
        ]
        if active != self._active or self._parts is None:
            self._parts, self._active = self._plan(active), active
        clipped = self._clipped(gradients)
        rate = self.get_lr()
        for places, part in self._parts:
            chosen = [clipped[at] for at in places]
            if part.signs:
                chosen = [
                    one + _sign(param) * sign if sign else one
                    for one, param, sign in zip(chosen, part.params, part.signs)
                ]
            factors = part.factors
            rates = rate if factors is None else [rate * factor for factor in factors]
            self._update(part, chosen, rates)

    def _clipped(self, gradients):
        """The gradients after what the optimiser, or a group, cuts."""
        if all(group.get("grad_clip", self._grad_clip) is None for group in self._param_groups):
            return gradients
        made, at = [], 0
        for group in self._param_groups:
            params = group["params"]
            pairs = list(zip(params, gradients[at : at + len(params)]))
            clip = group.get("grad_clip", self._grad_clip)
            made += [one for _, one in (pairs if clip is None else clip(pairs))]
            at += len(params)
        return made

    def _plan(self, active):
        """The parameters of each type, with their states, factors of the rate and decays."""
        by_type, options = {}, self._options()
        for at in active:
            one = self._parameter_list[at]
            by_type.setdefault((one.dtype, str(one.place)), []).append(at)
        return [(places, self._part(places, options)) for places in by_type.values()]

    def _options(self):
        """Factors of the rate and decays, of each parameter."""
        found = []
        for group in self._param_groups:
            for one in group["params"]:
                known = getattr(one, "optimize_attr", None) or {}
                factor = group.get("learning_rate", known.get("learning_rate", 1.0))
                own = getattr(one, "regularizer", None)
                decay = group["weight_decay"] if own is None else _coefficient(own)
                found.append((factor, decay))
        return found

    def _part(self, places, options):
        part = _Part()
        part.params = [self._parameter_list[at] for at in places]
        factors = [options[at][0] for at in places]
        part.factors = None if all(one == 1.0 for one in factors) else factors
        decays = [options[at][1] for at in places]
        squares = [0.0 if isinstance(one, L1Decay) else one for one in decays]
        signs = [one._coeff if isinstance(one, L1Decay) else 0.0 for one in decays]
        part.decays = squares[0] if len(set(squares)) == 1 else squares
        part.signs = signs if any(signs) else None
        part.states = [[self._state(one, name) for one in part.params] for name in self._STATES]
        return part

    def _update(self, part, gradients, rates):
        """Call the row of the kind."""
        raise NotImplementedError(f"{type(self).__name__} does not say what a step is")

    # ---- What is kept ----------------------------------------------------------------------------

    def _state(self, param, name):
        kept = self._kept.setdefault(id(param), {})
        if name not in kept:
            kept[name] = full(param.shape, self._first(name), param.dtype)
        return kept[name]

    def _first(self, name):
        """What a kept tensor begins with."""
        return 0.0

    def _count(self, part):
        """The number of this step: an int, or a list where parameters differ in it."""
        counts = []
        for one in part.params:
            made = self._counts.get(id(one), 0) + 1
            self._counts[id(one)] = made
            counts.append(made)
        return counts[0] if min(counts) == max(counts) else counts

    def _key(self, param, name):
        """What state_dict calls a kept tensor."""
        place = (id(param), name)
        if place not in self._kept_names:
            self._kept_names[place] = numbered(f"{param.name}_{name}")
        return self._kept_names[place]

    def state_dict(self):
        """What the next steps depend on, by names of parameters."""
        found = {}
        for name in self._STATES:
            for one in self._parameter_list:
                if name in self._kept.get(id(one), ()):
                    found[self._key(one, name)] = self._kept[id(one)][name]
        found.update(self._numbers())
        if isinstance(self._learning_rate, lr.LRScheduler):
            found["LR_Scheduler"] = self._learning_rate.state_dict()
        return found

    def _numbers(self):
        return {}

    def set_state_dict(self, state_dict):
        """Go on from what state_dict gave, here or in the real one."""
        from .._create import to_tensor

        rate = state_dict.get("LR_Scheduler")
        if rate is not None and isinstance(self._learning_rate, lr.LRScheduler):
            self._learning_rate.set_state_dict(rate)
        names = {_without_number(name): name for name in state_dict}
        for one in self._parameter_list:
            for name in self._STATES:
                found = names.get(f"{one.name}_{name}")
                if found is not None:
                    value = state_dict[found]
                    if list(value.shape) != list(one.shape):
                        raise AssertionError(
                            f"set_state_dict: {found} has the shape {list(value.shape)}, not "
                            f"{list(one.shape)}"
                        )
                    kept = self._kept.setdefault(id(one), {})
                    kept[name] = to_tensor(value).astype(one.dtype)
                    self._kept_names[(id(one), name)] = found
        self._set_numbers(state_dict, names)
        self._parts = None

    load_state_dict = set_dict = set_state_dict

    def _set_numbers(self, state_dict, names):
        """What is kept beside tensors."""

    # ---- Gradients -------------------------------------------------------------------------------

    def clear_grad(self, set_to_zero=True):
        """Make the gradients of all parameters 0; with False there are none."""
        for one in self._parameter_list:
            if not one.stop_gradient:
                one.clear_gradient(set_to_zero)

    clear_gradients = clear_grad

    def zero_grad(self, set_to_none=True):
        """Take the gradients of all parameters away, or make them 0."""
        self.clear_grad(not set_to_none)

    def minimize(self, loss, startup_program=None, parameters=None, no_grad_set=None):
        """A step by the gradients that backward has computed; gives the pairs it used."""
        pairs = [(one, _gradient(one, None)) for one in self._parameter_list]
        self.step()
        return None, [pair for pair in pairs if pair[1] is not None]


def _groups(given):
    return given if given and isinstance(given[0], dict) else [{"params": given}]


def _coefficient(decay):
    """How much of a weight is added to its gradient: a number, or an L1Decay."""
    if decay is None:
        return 0.0
    if isinstance(decay, L2Decay):
        return decay._coeff
    if isinstance(decay, L1Decay):
        return decay
    if isinstance(decay, (int, float)):
        return float(decay)
    raise TypeError(f"weight_decay is a float, an L1Decay or an L2Decay, not {decay!r}")


def _without_number(name):
    head, _, number = name.rpartition("_")
    return head if number.isdigit() else name


def update(name, part, gradients, *numbers, rescale=1.0, decays=None):
    """Call a row for all parameters of a part."""
    last = (rescale, inf, part.decays if decays is None else decays)
    _op_update(name, None, part.params, *part.states, gradients, *numbers, *last)
