"""Sequences: one array, with the steps along an axis, or a list with an array for each step."""

from .... import _core
from ... import _composed, _dialects
from ..._mode import mode

_ops = _core._ops
_native = _core.ndarray
_stack, _swapaxes = _ops["stack"], _ops["swapaxes"]


def is_array(value):
    """Whether a sequence is one array."""
    return isinstance(value, _native)


def time_axis(layout):
    """The axis of the steps."""
    axis = layout.find("T")
    if axis < 0 or "N" not in layout:
        raise AssertionError(f"unknown layout {layout!r}: it needs T and N")
    return axis


def steps_of(length, inputs, layout):
    """The sequence as a list of so many steps."""
    axis = time_axis(layout)
    if not is_array(inputs):
        _check_length(length, len(inputs))
        return list(inputs)
    _check_length(length, inputs.shape[axis])
    if axis:
        inputs = _swapaxes(inputs, 0, axis)
    return [inputs[step] for step in range(length)]


def _check_length(length, found):
    if length is not None and length != found:
        raise AssertionError(f"a sequence of {found} steps, where {length} are to be made")


def merged(steps, layout):
    """The sequence as one array."""
    return steps if is_array(steps) else _stack(list(steps), time_axis(layout))


def formatted(length, outputs, layout, merge):
    """A sequence as one array, or as a list; with None as it is."""
    if merge is None:
        return outputs
    return merged(outputs, layout) if merge else steps_of(length, outputs, layout)


def batch_size(inputs, layout):
    """How many sequences there are."""
    return inputs.shape[layout.find("N")] if is_array(inputs) else inputs[0].shape[0]


# ---- Sequences of several lengths ----------------------------------------------------------------


def masked(x, lengths, axis):
    """0 in the place of what is beyond the end of each sequence."""
    return _dialects.call(type(x), _composed.masked, x, lengths, 0.0, axis)


def last_of(steps, lengths):
    """From a list of steps, for each sequence that in which it ends."""
    return _dialects.call(type(steps[0]), _last, steps, lengths)


def _last(steps, lengths):
    whole = _stack(steps, 0)
    last = _composed.whole(lengths) - 1
    return whole[last, _ops["arange"](0, whole.shape[1])]


def turned(steps, lengths):
    """A list of steps backwards: each sequence from its end; what is beyond stays where it is."""
    if lengths is None:
        return steps[::-1]
    return list(_dialects.call(type(steps[0]), _turned, steps, lengths))


def _turned(steps, lengths):
    whole, lengths = _stack(steps, 0), _composed.whole(lengths)
    place = _ops["arange"](0, len(steps)).reshape((-1, 1))
    place = _ops["where"](place < lengths, lengths - 1 - place, place)
    whole = whole[place, _ops["arange"](0, whole.shape[1])]
    return [whole[step] for step in range(len(steps))]


# ---- States --------------------------------------------------------------------------------------


def zeros(shape, ctx=None, dtype="float32", **others):
    """A state of zeros, of the class that the mode says."""
    from ... import nd, np

    return (np if mode.array else nd).zeros(shape, ctx=ctx, dtype=dtype)


def made_state(func, name, info):
    """A state that a function makes, as it is described; without one, of zeros."""
    if func is None:
        return zeros(**info)
    if (getattr(func, "__module__", None) or "").startswith(_OURS):  # these take no layout
        return func(**{key: value for key, value in info.items() if key != "__layout__"})
    return func(name=name, **info)


_OURS = ("mxnet.", __name__.partition(".")[0] + ".")


def first_states(cell, begin_state, inputs, layout):
    """The states that an unrolled cell begins with: zeros unless they are given."""
    if begin_state is not None:
        return begin_state
    like = inputs if is_array(inputs) else inputs[0]
    settings = {"ctx": like.context, "dtype": like.dtype}
    return cell.begin_state(batch_size=batch_size(inputs, layout), **settings)
