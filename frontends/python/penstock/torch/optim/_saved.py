"""The states of optimisers as torch's files have them: parameters are numbered over all groups."""

from collections import defaultdict
from copy import deepcopy

from .._tensor import Tensor


def state_dict(optimizer):
    """{"state": {number: {name: value}}, "param_groups": [options, with "params" as numbers]}."""
    for hook in tuple(optimizer._save_pre_hooks.values()):
        hook(optimizer)
    numbers = _numbers(optimizer.param_groups)
    groups = [
        {
            **{key: value for key, value in group.items() if key != "params"},
            "params": [numbers[id(one)] for one in group["params"]],
        }
        for group in optimizer.param_groups
    ]
    state = {
        numbers[id(key)] if isinstance(key, Tensor) else key: value
        for key, value in optimizer.state.items()
    }
    found = {"state": state, "param_groups": groups}
    for hook in tuple(optimizer._save_post_hooks.values()):
        found = _or(hook(optimizer, found), found)
    return found


def _or(given, default):
    return default if given is None else given


def _numbers(groups):
    """The number of each parameter, by its identity; one that is there twice has the first."""
    found = {}
    every = (one for group in groups for one in group["params"])
    for place, one in enumerate(every):
        found.setdefault(id(one), place)
    return found


def load_state_dict(optimizer, given):
    """Options and states of a dict for the parameters that the optimiser has, in their order."""
    given = dict(given)
    for hook in tuple(optimizer._load_pre_hooks.values()):
        given = _or(hook(optimizer, given), given)
    groups, saved = optimizer.param_groups, deepcopy(given["param_groups"])
    _check_groups(groups, saved)
    params = _by_number(groups, saved)
    state = defaultdict(dict)
    for key, value in given["state"].items():
        if key in params:
            one, options = params[key]
            state[one] = _as_of(one, value, None, options)
        else:
            state[key] = value
    loaded = [_merged(group, new) for group, new in zip(groups, saved)]
    optimizer.__setstate__({"state": state, "param_groups": loaded})
    for hook in tuple(optimizer._load_post_hooks.values()):
        hook(optimizer)


def _check_groups(groups, saved):
    if len(groups) != len(saved):
        raise ValueError(
            "loaded state dict has a different number of parameter groups: "
            f"{len(saved)}, not {len(groups)}"
        )
    for group, new in zip(groups, saved):
        if len(group["params"]) != len(new["params"]):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of "
                f"optimizer's group: {len(new['params'])} parameters, not {len(group['params'])}"
            )


def _by_number(groups, saved):
    """Of each number in saved groups the parameter, and the saved options."""
    return {
        number: (one, new)
        for group, new in zip(groups, saved)
        for number, one in zip(new["params"], group["params"])
    }


def _merged(group, new):
    """The options that were saved, with the parameters and names that there are."""
    made = {**new, "params": group["params"]}
    if "param_names" in group:
        made.setdefault("param_names", group["param_names"])
    return made


def _as_of(param, value, name, options):
    """What was kept of a parameter, with its type and on its device; the count of steps stays."""
    if isinstance(value, Tensor):
        if name == "step":
            moves = options.get("capturable") or options.get("fused")
            return value.float().to(param.device) if moves else value
        if param.is_floating_point():
            return value.to(dtype=param.dtype, device=param.device)
        return value.to(device=param.device)
    if isinstance(value, dict):
        return {key: _as_of(param, one, key, options) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_as_of(param, one, name, options) for one in value)
    return value
