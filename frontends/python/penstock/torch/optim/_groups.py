"""Groups of parameters, as users give them and as optimisers keep them: dicts with "params"."""

import warnings

from .._tensor import Tensor

_UNORDERED = (
    "optimizer parameters need to be organized in ordered collections, but the ordering of tensors "
    "in sets will change between runs. Please use a list instead."
)
_SOME_NAMED = "all optimizer {} should be with/without names. {}"


def listed(params):
    """What an optimiser is given, as a list of groups."""
    if isinstance(params, Tensor):
        raise TypeError(
            "params argument given to the optimizer should be an iterable of Tensors or dicts, but "
            f"got {params.type()}"
        )
    if isinstance(params, (set, frozenset)):
        warnings.warn(_UNORDERED, FutureWarning, stacklevel=4)
    found = list(params)
    if not found:
        raise ValueError("optimizer got an empty parameter list")
    return found if isinstance(found[0], dict) else [{"params": found}]


def checked(optimizer, given):
    """A group with a list of parameters, which are what can be optimised."""
    if not isinstance(given, dict):
        raise TypeError(f"param_group must be a dict, but got {type(given)}")
    params = given["params"]
    if isinstance(params, Tensor):
        params = [params]
    elif isinstance(params, set):
        raise TypeError(_UNORDERED)
    params, names = _named(list(params))
    for one in params:
        _check_parameter(optimizer, one)
    group = {**given, "params": params}
    if names is not None:
        group["param_names"] = names
    return group


def _named(params):
    """Parameters, and their names if they are pairs of both."""
    named = [isinstance(one, tuple) for one in params]
    if not any(named):
        return params, None
    if not all(named):
        raise ValueError(_SOME_NAMED.format("params", "Some param names are missing"))
    return [one for _, one in params], [name for name, _ in params]


def _check_parameter(optimizer, one):
    if not isinstance(one, Tensor):
        raise TypeError(
            f"optimizer can only optimize Tensors, but one of the params is {type(one).__name__}"
        )
    if not one.is_leaf and not one.retains_grad:
        raise ValueError("can't optimize a non-leaf Tensor")


def check_new(groups, group):
    """Whether a group may be added: no parameter twice, and names for all groups or for none."""
    params = group["params"]
    if len({id(one) for one in params}) < len(params):
        warnings.warn(
            "optimizer contains a parameter group with duplicate parameters; in future, this will "
            "cause an error; see github.com/pytorch/pytorch/issues/40967 for more information",
            UserWarning,
            stacklevel=4,
        )
    if groups and ("param_names" in groups[0]) is not ("param_names" in group):
        kind = "with" if "param_names" in group else "without"
        told = f"cannot add param group {kind} names to the optimizer"
        raise ValueError(_SOME_NAMED.format("param groups", told))
    known = {id(one) for other in groups for one in other["params"]}
    if any(id(one) in known for one in params):
        raise ValueError("some parameters appear in more than one parameter group")
