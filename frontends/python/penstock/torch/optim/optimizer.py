"""What all optimisers are: groups of parameters, options for each, and what is kept of each."""

import functools
from collections import OrderedDict, defaultdict

from ... import _core
from .. import _missing
from ..autograd import _leaf
from . import _groups

_info, _extra, _grad_set = _core._grad_info, _core._extra, _core._grad_set


class _Required:
    """The default of an option that has none."""

    def __repr__(self):
        return "<required parameter>"


required = _Required()


class Optimizer:
    """Changes parameters, step by step, by their gradients. A class of its own defines `step`.

    `params` are tensors, pairs of names and tensors, or dicts with "params" and options of their
    own; `defaults` has the options of groups that do not have them.

    >>> from penstock import torch
    >>> torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1).param_groups[0]["lr"]
    0.1
    """

    __module__ = "torch.optim.optimizer"

    def __init__(self, params, defaults):
        self.defaults = defaults
        self._make_hooks()
        self.state = defaultdict(dict)
        self.param_groups = []
        for group in _groups.listed(params):
            self.add_param_group(group)

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "step" in cls.__dict__:
            cls.step = _with_hooks(cls.step)

    def __repr__(self):
        lines = [f"{type(self).__name__} ("]
        for place, group in enumerate(self.param_groups):
            lines += [""] * (place > 0) + [f"Parameter Group {place}"]
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join(lines) + "\n)"

    # ---- Parameters ---------------------------------------------------------------------------

    def add_param_group(self, param_group):
        """Parameters that are changed too from now on: a dict with "params" and options."""
        group = _groups.checked(self, param_group)
        for name, value in self.defaults.items():
            if value is required and name not in group:
                raise ValueError(
                    "parameter group didn't specify a value of required optimization parameter "
                    f"{name}"
                )
            group.setdefault(name, value)
        _groups.check_new(self.param_groups, group)
        self.param_groups.append(group)

    def zero_grad(self, set_to_none=True):
        """No parameter has a gradient any more; with set_to_none=False those there are become 0."""
        for group in self.param_groups:
            for one in group["params"]:
                if set_to_none:
                    _forget_gradient(one)
                else:
                    _fill_gradient(one)

    # ---- Steps --------------------------------------------------------------------------------

    def step(self, closure=None):
        """Change the parameters; a closure computes the gradients first, and gives the loss."""
        raise NotImplementedError(f"{type(self).__name__} does not define step")

    # ---- States -------------------------------------------------------------------------------

    def state_dict(self):
        """What the next steps depend on, with parameters by number, in torch's format."""
        from ._saved import state_dict

        return state_dict(self)

    def load_state_dict(self, state_dict):
        """Go on from what state_dict gave, here or in the real torch."""
        from ._saved import load_state_dict

        load_state_dict(self, state_dict)

    def __getstate__(self):
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state):
        if "_step_pre_hooks" not in self.__dict__:
            self._make_hooks()
        for name, value in state.items():
            setattr(self, name, value)
        self.defaults = self.__dict__.get("defaults", {})

    # ---- Hooks --------------------------------------------------------------------------------

    def _make_hooks(self):
        self._step_pre_hooks, self._step_post_hooks = OrderedDict(), OrderedDict()
        self._save_pre_hooks, self._save_post_hooks = OrderedDict(), OrderedDict()
        self._load_pre_hooks, self._load_post_hooks = OrderedDict(), OrderedDict()

    def register_step_pre_hook(self, hook):
        """Have hook(optimizer, args, kwargs) called before each step; it may give other ones."""
        return _registered(self._step_pre_hooks, hook)

    def register_step_post_hook(self, hook):
        """Have hook(optimizer, args, kwargs) called after each step."""
        return _registered(self._step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook, prepend=False):
        """Have hook(optimizer) called before each state_dict."""
        return _registered(self._save_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook, prepend=False):
        """Have hook(optimizer, state_dict) called after each state_dict; it may give another."""
        return _registered(self._save_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook, prepend=False):
        """Have hook(optimizer, state_dict) called before a load; it may give another one."""
        return _registered(self._load_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(self, hook, prepend=False):
        """Have hook(optimizer) called after each load_state_dict."""
        return _registered(self._load_post_hooks, hook, prepend)


def _registered(hooks, hook, prepend=False):
    from ..utils.hooks import RemovableHandle

    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def _with_hooks(step):
    """A class's step: notes that it was called, and calls hooks."""

    @functools.wraps(step)
    def wrapper(self, *args, **kwargs):
        self._opt_called = True
        if not self._step_pre_hooks and not self._step_post_hooks:
            return step(self, *args, **kwargs)
        for hook in tuple(self._step_pre_hooks.values()):
            args, kwargs = _replaced(hook(self, args, kwargs), args, kwargs)
        found = step(self, *args, **kwargs)
        for hook in tuple(self._step_post_hooks.values()):
            hook(self, args, kwargs)
        return found

    return wrapper


def _replaced(given, args, kwargs):
    """The arguments that a hook gives in the place of others, if it gives any."""
    if given is None:
        return args, kwargs
    if isinstance(given, tuple) and len(given) == 2:
        return given
    raise RuntimeError(f"a hook must return None or a tuple of args and kwargs, but got {given}")


# ---- Gradients -----------------------------------------------------------------------------------


def _forget_gradient(tensor):
    if _info(tensor)[1]:
        _grad_set(tensor, None)
    extra = _extra(tensor, False)
    if extra:
        extra.pop("_grad", None)


def _fill_gradient(tensor):
    gradient = _leaf.grad_of(tensor)
    if gradient is None:
        return
    if gradient.grad_fn is not None:
        gradient.detach_()
    else:
        gradient.requires_grad_(False)
    gradient.zero_()


__getattr__ = _missing.missing("torch.optim.optimizer")
