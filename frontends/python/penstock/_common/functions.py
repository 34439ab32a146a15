"""Functions with a gradient of their own, as dialects record them."""

from .. import _core, _function

_set_state, _info = _core._grad_set_state, _core._grad_info


class Context(_function.Context):
    """What the forward and the backward of a function share."""

    _without = ()  # the ids of results that have no gradient

    def mark_non_differentiable(self, *tensors):
        """Results that have no gradient."""
        self._without = {id(one) for one in tensors}

    def set_materialize_grads(self, value):
        """Gradients that nothing flowed to are zeros here: only True is."""
        if not value:
            raise NotImplementedError("set_materialize_grads(False) is not here")


def applied(function, kind, args, tensors, context, forward, gradients):
    """What forward(ctx) gives, recorded as a function of args, of which `tensors` says which are.

    A walk calls function.backward; gradients(name, tensors, found) makes of what that gave a list
    of gradients of those that are tensors. `kind` is the class of tensors.
    """
    before = _set_state(None, None, True)
    if before[2]:
        needs = (False,) * len(args)
    else:
        needs = tuple([one and _info(arg)[0] for one, arg in zip(tensors, args)])
    ctx = context(needs)
    try:
        outputs = forward(ctx)
    finally:
        _set_state(*before)
    saved = ctx._take_saves()
    if any(needs):
        inputs = args if all(tensors) else [arg for one, arg in zip(tensors, args) if one]
        listed = outputs if isinstance(outputs, (list, tuple)) else (outputs,)
        without = ctx._without
        flowing = [one for one in listed if isinstance(one, kind) and id(one) not in without]
        turn = _turn_of(function, ctx, tensors, gradients)
        _function.record_node(f"{function.__name__}Backward", inputs, flowing, saved, turn)
    return outputs


def _turn_of(function, ctx, tensors, gradients):
    """What a walk calls."""

    def call(given, saved, wanted):
        each = iter(wanted)
        needs = tuple(is_tensor and next(each) for is_tensor in tensors)
        found = ctx._during_turn(saved, needs, function.backward, ctx, *given)
        return gradients(function.__name__, tensors, found)

    return call
