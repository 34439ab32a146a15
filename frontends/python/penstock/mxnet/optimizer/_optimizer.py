"""What all optimisers have in common, and their registry.

`Optimizer` is what programs derive their own from: `update` gets one parameter at a time. Those of
this package derive from `ListOptimizer`, which takes lists of them as well.
"""

import warnings

from ... import _core, autograd as _autograd
from .._dialects import native
from .._nd_array import NDArray
from .._pickles import Pickled
from ..util import is_np_array

_ops = _core._ops
_native_dtype = _core.ndarray.dtype.__get__
_float16 = _core._dtype("float16")
_INFINITE = float("inf")


class Optimizer(Pickled):
    """Rates, decays and counts of updates: what every optimiser has.

    A learning rate is multiplied by the parameter's lr_mult, a weight decay by its wd_mult. They
    are those of the objects in param_dict, by index, else what set_lr_mult and set_wd_mult said,
    by index or by the name that param_idx2name has for it.
    """

    __module__ = "mxnet.optimizer.optimizer"

    opt_registry = {}

    def __init__(
        self,
        rescale_grad=1.0,
        param_idx2name=None,
        wd=0.0,
        clip_gradient=None,
        learning_rate=None,
        lr_scheduler=None,
        sym=None,
        begin_num_update=0,
        multi_precision=False,
        param_dict=None,
    ):
        self.rescale_grad = rescale_grad
        self.lr_scheduler = lr_scheduler
        if lr_scheduler is None and learning_rate is None:
            learning_rate = 0.01
        self.lr = learning_rate
        if lr_scheduler is not None and learning_rate is not None:
            if lr_scheduler.base_lr != learning_rate:
                print(
                    f"the scheduler begins with learning_rate {learning_rate}, not with its own "
                    f"{lr_scheduler.base_lr}"
                )
            lr_scheduler.base_lr = learning_rate
        self.wd = wd
        self.lr_mult = {}
        self.wd_mult = {}
        self.begin_num_update = begin_num_update
        self.num_update = begin_num_update
        self._all_index_update_counts = {0: {}}
        self._index_update_count = self._all_index_update_counts[0]
        self.clip_gradient = clip_gradient
        self.multi_precision = multi_precision
        self.aggregate_num = 0
        if param_idx2name is None:
            param_idx2name = {}
        assert isinstance(param_idx2name, dict), (
            f"param_idx2name must be a dict from numbers to names, not {param_idx2name!r}"
        )
        self.idx2name = dict(param_idx2name)
        self.sym_info = () if sym is None else (sym.attr_dict(), sym.list_arguments())
        self.param_dict = param_dict or {}
        self.allow_np_array = is_np_array()
        self.set_lr_mult({})
        self.set_wd_mult({})

    # ---- By name -------------------------------------------------------------------------------

    @staticmethod
    def register(klass):
        """Registers a class by its name in small letters, for `create`."""
        assert isinstance(klass, type), f"a class can be registered, not {klass!r}"
        name = klass.__name__.lower()
        before = Optimizer.opt_registry.get(name)
        if before is not None:
            warnings.warn(
                f"the optimizer {name} is {klass.__module__}.{klass.__name__} from now on, and no "
                f"longer {before.__module__}.{before.__name__}",
                stacklevel=2,
            )
        Optimizer.opt_registry[name] = klass
        return klass

    @staticmethod
    def create_optimizer(name, **kwargs):
        """An optimiser by its name, in letters of any case."""
        klass = Optimizer.opt_registry.get(name.lower())
        if klass is None:
            raise ValueError(f"Cannot find optimizer {name}")
        return klass(**kwargs)

    # ---- Updates -------------------------------------------------------------------------------

    def create_state(self, index, weight):
        """What is kept for a parameter besides itself: None, an array or several."""

    def create_state_multi_precision(self, index, weight):
        """The same, with a float32 copy of a float16 parameter before it if that is wanted."""
        if self._has_master(weight):
            master = weight.astype("float32")
            return (master, self.create_state(index, master))
        _advise(self, weight, "the optimizer")
        return self.create_state(index, weight)

    def update(self, index, weight, grad, state):
        """Changes a parameter by its gradient."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it updates")

    def update_multi_precision(self, index, weight, grad, state):
        """The same; of a float16 parameter its float32 copy, from which it is rounded."""
        if self._has_master(weight):
            master, state = state
            self.update(index, master, grad.astype("float32"), state)
            _copy(master, weight)
        else:
            self.update(index, weight, grad, state)

    def _has_master(self, weight):
        return self.multi_precision and _native_dtype(weight) == _float16

    # ---- Rates and decays ----------------------------------------------------------------------

    @property
    def learning_rate(self):
        """The rate now."""
        if self.lr_scheduler is not None:
            return self.lr_scheduler(self.num_update)
        return self.lr

    def set_learning_rate(self, lr):
        """A new rate; not beside a scheduler."""
        if self.lr_scheduler is not None:
            raise UserWarning(
                "this optimizer's rate comes from its lr_scheduler: set_learning_rate is for "
                "optimizers without one"
            )
        self.lr = lr

    def set_lr_scale(self, args_lrscale):
        """An older name of set_lr_mult, which is gone."""
        raise DeprecationWarning("set_lr_scale: use set_lr_mult")

    def set_lr_mult(self, args_lr_mult):
        """What learning rates are multiplied by, for names or indices."""
        self.lr_mult = {**self._attributes("__lr_mult__"), **args_lr_mult}

    def set_wd_mult(self, args_wd_mult):
        """What weight decays are multiplied by; 0 for names that are not of weights or gammas."""
        plain = {name: 0.0 for name in self.idx2name.values() if self._without_decay(name)}
        self.wd_mult = {**plain, **self._attributes("__wd_mult__"), **args_wd_mult}

    def _without_decay(self, name):
        return not name.endswith(("_weight", "_gamma"))

    def _attributes(self, name):
        """What a symbol that was given says of its arguments."""
        if not self.sym_info:
            return {}
        attributes, arguments = self.sym_info
        given = {argument: attributes.get(argument, {}) for argument in arguments}
        return {argument: float(of[name]) for argument, of in given.items() if name in of}

    def _set_current_context(self, device_id):
        """Updates that follow are counted for this device."""
        self._index_update_count = self._all_index_update_counts.setdefault(device_id, {})

    def _update_count(self, index):
        counts = self._index_update_count
        for one in index if isinstance(index, (list, tuple)) else (index,):
            count = counts.get(one, self.begin_num_update) + 1
            counts[one] = count
            if count > self.num_update:
                self.num_update = count

    def _multiplied(self, number, indices, attribute, multiples):
        """The number for each of the indices, multiplied by what is set for it."""
        numbers = [number] * len(indices)
        params = self.param_dict
        if number == 0 or not params and not multiples:
            return numbers
        for place, index in enumerate(indices):
            if index in params:
                multiple = getattr(params[index], attribute)
            elif index in multiples:
                multiple = multiples[index]
            else:
                multiple = multiples.get(self.idx2name.get(index), 1.0)
            if multiple != 1.0:
                numbers[place] = number * multiple
        return numbers

    def _get_lrs(self, indices):
        """The learning rates of parameters."""
        return self._multiplied(self.learning_rate, indices, "lr_mult", self.lr_mult)

    def _get_lr(self, index):
        return self._get_lrs([index])[0]

    def _get_wds(self, indices):
        """The weight decays of parameters."""
        return self._multiplied(self.wd, indices, "wd_mult", self.wd_mult)

    def _get_wd(self, index):
        return self._get_wds([index])[0]

    # ---- Pickles -------------------------------------------------------------------------------

    def __getstate__(self):
        state = self.__dict__.copy()
        state.pop("param_dict", None)  # parameters are no part of the rule
        return state

    def __setstate__(self, state):
        self.__dict__ = state
        self.param_dict = {}


register = Optimizer.register
create = Optimizer.create_optimizer


def zeros_like(weight):
    """Zeros as states have them: of mx.nd, also for parameters of mx.np."""
    weight = native(weight)
    made = _ops["zeros"](weight.shape, weight.dtype, device=weight.device)
    return made.as_subclass(NDArray)


def _copy(array, to):
    with _autograd.pause():
        _ops["assign"](native(array), out=native(to))


def _advise(optimizer, weight, name):
    if _native_dtype(weight) == _float16 and not optimizer.multi_precision:
        warnings.warn(
            f"{name} adds up small changes in float16, where many are lost: multi_precision=True "
            "keeps the weights in float32 as well",
            stacklevel=3,
        )


def same(numbers):
    """The number that all of them are; else the list."""
    first = numbers[0]
    return first if numbers.count(first) == len(numbers) else numbers


class ListOptimizer(Optimizer):
    """An optimiser whose update takes one parameter, or lists of them.

    `_step` does the work: `arrays` are what changes, `copies` None, or for each array None or the
    float16 parameter that it is the exact copy of.
    """

    _MASTER_LAST = False  # whether a state with a float32 copy is (state, copy)

    def create_state_multi_precision(self, index, weight):
        """The states, with a float32 copy of a float16 parameter if that is wanted."""
        if not self._MASTER_LAST:
            return super().create_state_multi_precision(index, weight)
        if self._has_master(weight):
            master = weight.astype("float32")
            return (self.create_state(index, master), master)
        _advise(self, weight, f"the {self._ADVISED} optimizer")
        return self.create_state(index, weight)

    _ADVISED = "SGD"

    def update(self, index, weight, grad, state):
        """Changes a parameter, or a list of them, by the gradients."""
        if isinstance(index, (list, tuple)):
            self._step(index, weight, None, grad, state)
        else:
            self._step((index,), (weight,), None, (grad,), (state,))

    def update_multi_precision(self, index, weight, grad, state):
        """The same; of float16 parameters their float32 copies, from which they are rounded."""
        if type(self).update is not ListOptimizer.update:  # that of a program counts
            if self._MASTER_LAST and self._has_master(weight):
                state = state[::-1]
            super().update_multi_precision(index, weight, grad, state)
            return
        if not isinstance(index, (list, tuple)):
            index, weight, grad, state = (index,), (weight,), (grad,), (state,)
        if self.multi_precision:
            self._step(index, *self._with_masters(weight, grad, state))
        else:
            self._step(index, weight, None, grad, state)

    def takes_lists(self):
        """Whether the update is not a program's own; None if what goes before it is."""
        kind = type(self)
        if kind.update_multi_precision is not ListOptimizer.update_multi_precision:
            return None
        return kind.update is ListOptimizer.update

    def _with_masters(self, weights, grads, states):
        halves = [_native_dtype(weight) == _float16 for weight in weights]
        if True not in halves:
            return weights, None, grads, states
        place = 1 if self._MASTER_LAST else 0
        arrays = [s[place] if half else w for w, s, half in zip(weights, states, halves)]
        inner = [s[1 - place] if half else s for s, half in zip(states, halves)]
        copies = [w if half else None for w, half in zip(weights, halves)]
        return arrays, copies, grads, inner

    def _limit(self):
        """What elements of gradients are clipped to; infinite if they are not."""
        clip = self.clip_gradient
        return clip if clip is not None and clip > 0 else _INFINITE

    def _numbers(self, indices):
        """Counts the update; the rates and decays, each one number if all are the same."""
        self._update_count(indices)
        return same(self._get_lrs(indices)), same(self._get_wds(indices))

    def _times(self, indices):
        """The numbers of the updates, counted from 1."""
        counts = self._index_update_count
        return [counts[index] for index in indices]

    def _step(self, indices, arrays, copies, grads, states):
        raise NotImplementedError
