"""state_dict and load_state_dict."""

from collections import OrderedDict, namedtuple
from collections.abc import Mapping

from ..._tensor import Tensor
from ...autograd._modes import no_grad
from ..parameter import Parameter, is_lazy
from ...._common.holders import saved

EXTRA = "_extra_state"


class IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """What load_state_dict did not find, and what it had no place for."""

    __slots__ = ()

    def __repr__(self):
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        missing, unexpected = self
        return f"_IncompatibleKeys(missing_keys={missing}, unexpected_keys={unexpected})"

    __str__ = __repr__


def has_extra_state(module):
    """Whether its class saves something beside tensors."""
    from .module import Module

    return type(module).get_extra_state is not Module.get_extra_state


# ---- Out -----------------------------------------------------------------------------------------


def collected(module, destination, prefix, keep_vars):
    """All that a module and those in it have, by their full names."""
    if destination is None:
        destination = OrderedDict()
        destination._metadata = OrderedDict()
    metadata = getattr(destination, "_metadata", None)
    if metadata is not None:
        metadata[prefix[:-1]] = {"version": module._version}
    module._save_to_state_dict(destination, prefix, keep_vars)
    for name, child in module._modules.items():
        if child is not None:
            inner = f"{prefix}{name}."
            child.state_dict(destination=destination, prefix=inner, keep_vars=keep_vars)
    return destination


def save_own(module, destination, prefix, keep_vars):
    """What one module has itself."""
    for name, one in saved(module):
        if one is not None:
            destination[prefix + name] = one if keep_vars or is_lazy(one) else one.detach()
    if has_extra_state(module):
        destination[prefix + EXTRA] = module.get_extra_state()


# ---- In ------------------------------------------------------------------------------------------


def loaded(module, state, strict, assign):
    """Write a state into a module and those in it; all errors are told together."""
    if not isinstance(state, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state)}.")
    missing, unexpected, errors = [], [], []
    metadata = getattr(state, "_metadata", None)
    copy = OrderedDict(state)
    if metadata is not None:
        copy._metadata = metadata

    def load(one, prefix):
        local = {} if metadata is None else metadata.get(prefix[:-1], {})
        if assign:
            local["assign_to_params_buffers"] = assign
        one._load_from_state_dict(copy, prefix, local, True, missing, unexpected, errors)
        for name, child in one._modules.items():
            if child is not None:
                load(child, f"{prefix}{name}.")

    load(module, "")
    if strict:
        _tell(errors, "Unexpected", unexpected)
        _tell(errors, "Missing", missing)
    if errors:
        lines = "\n\t".join([f"for {type(module).__name__}:", *errors])
        raise RuntimeError(f"Error(s) in loading state_dict {lines}")
    return IncompatibleKeys(missing, unexpected)


def _tell(errors, kind, names):
    if names:
        shown = ", ".join(f'"{name}"' for name in names)
        errors.insert(0, f"{kind} key(s) in state_dict: {shown}. ")


def load_own(module, state, prefix, assign, missing, unexpected, errors):
    """Write what one module has itself."""
    own = dict(saved(module))
    for name, one in own.items():
        if one is None:
            continue
        if prefix + name in state:
            _write(module, name, one, state[prefix + name], prefix + name, assign, errors)
        else:
            missing.append(prefix + name)
    if has_extra_state(module):
        if prefix + EXTRA in state:
            module.set_extra_state(state[prefix + EXTRA])
        else:
            missing.append(prefix + EXTRA)
    _find_unexpected(module, own, state, prefix, unexpected)


def _find_unexpected(module, own, state, prefix, unexpected):
    known = {name for name, one in own.items() if one is not None}
    if has_extra_state(module):
        known.add(EXTRA)
    children = module._modules
    for key in state:
        if key.startswith(prefix):
            first, dot, _ = key[len(prefix) :].partition(".")
            if not (first in children if dot else first in known):
                unexpected.append(key)


def _write(module, name, one, given, key, assign, errors):
    if not isinstance(given, Tensor):
        errors.append(
            f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like '
            f"object from checkpoint but received {type(given)}"
        )
        return
    if is_lazy(one):
        if is_lazy(given):
            return
        with no_grad():
            one.materialize(given.shape)
    if tuple(given.shape) == (1,) and tuple(one.shape) == ():
        given = given[0]
    if given.shape != one.shape:
        errors.append(
            f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, "
            f"the shape in current model is {one.shape}."
        )
    elif not assign:
        with no_grad():
            one.copy_(given)
    elif isinstance(one, Parameter):
        taken = given if isinstance(given, Parameter) else Parameter(given, one.requires_grad)
        setattr(module, name, taken)
    else:
        setattr(module, name, given)
