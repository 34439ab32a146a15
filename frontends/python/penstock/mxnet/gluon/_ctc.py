"""Connectionist temporal classification: Graves and others, 2006.

A label is read off a path of one class for each step by leaving out repetitions, then blanks. Its
probability is the sum over all paths that give it. These are followed step by step, in logarithms,
through the label with a blank before, between and behind its classes: a path stays, goes on by one
place, or leaves out a blank between two different classes.
"""

from ... import _core, _functions
from .. import _dialects

_ops = _core._ops
_cast, _where, _logaddexp = _ops["cast"], _ops["where"], _ops["logaddexp"]

# The logarithm of what cannot be; infinity would make gradients NaN.
_NEVER = -1e30


def ctc_loss(pred, label, pred_lengths=None, label_lengths=None, blank="last"):
    """The loss of each sample, of pred (steps, samples, classes) and label (samples, places).

    Labels end at the first one that is padding, -1, or 0 where the blank is the first class, unless
    label_lengths say where. The loss of a label that has no path through so few steps is 0.
    """
    return _dialects.call(
        type(pred), _losses, pred, label, pred_lengths, label_lengths, blank == "last"
    )


def _losses(pred, label, steps, lengths, last):
    if pred.ndim != 3 or label.ndim != 2 or label.shape[0] != pred.shape[1]:
        raise ValueError(f"CTCLoss: labels of shape {label.shape} for data of shape {pred.shape}")
    if label.shape[1] > pred.shape[0]:
        raise ValueError(
            f"CTCLoss: {label.shape[1]} labels cannot be read off a sequence of {pred.shape[0]}"
        )
    label = _cast(label, "int64")
    lengths = _until_padding(label, -1 if last else 0) if lengths is None else _whole(lengths)
    steps = None if steps is None else _whole(steps)
    blank = pred.shape[2] - 1 if last else 0
    places = _with_blanks(label, lengths, blank)
    logs = _functions.take_along_axis(_ops["log_softmax"](pred, -1), places[None], 2)
    skips = _where(_differs(places, blank), 0.0, _NEVER)
    ends = _followed(logs, skips, lengths, steps)
    enough = _needed(label, lengths) <= (pred.shape[0] if steps is None else steps)
    return _where(enough, -ends, _ops["zeros"]((), ends.dtype))


def _whole(lengths):
    return _cast(lengths, "int64")


def _until_padding(label, padding):
    """How many classes each label has before its padding."""
    within = _cast(label != padding, "int64")
    return _ops["sum"](_ops["cumulative_prod"](within, 1), 1)


def _with_blanks(label, lengths, blank):
    """The label with a blank before, between and behind its classes."""
    count = label.shape[1]
    within = _ops["arange"](0, count) < lengths.reshape((-1, 1))
    classes = _ops["expand_dims"](_where(within, label, blank), 2)
    pairs = _ops["concatenate"]([_ops["full"](classes.shape, blank, "int64"), classes], 2)
    pairs = pairs.reshape((label.shape[0], 2 * count))
    return _ops["pad"](pairs, (0, 0), (0, 1), blank)


def _differs(places, blank):
    """Where a path may come from two places before: at classes other than the one before them."""
    before = _ops["pad"](places[:, :-2], (0, 2), (0, 0), blank)
    return (places != blank) & (places != before)


def _needed(label, lengths):
    """How many steps a label needs: one for each class, and one between two that are equal."""
    count = label.shape[1]
    within = _ops["arange"](1, count) < lengths.reshape((-1, 1))
    return lengths + _ops["sum"](_cast(within & (label[:, 1:] == label[:, :-1]), "int64"), 1)


def _moved(paths, by):
    """Paths that go on by so many places."""
    return _ops["pad"](paths[:, :-by], (0, by), (0, 0), _NEVER)


def _followed(logs, skips, lengths, steps):
    """The logarithm of the probability of all paths from the first step to the last one."""
    first = _ops["arange"](0, logs.shape[2]) < 2
    paths = _where(first, logs[0], _NEVER)
    for step in range(1, logs.shape[0]):
        arrived = _logaddexp(_logaddexp(paths, _moved(paths, 1)), _moved(paths, 2) + skips)
        arrived = arrived + logs[step]
        if steps is not None:
            arrived = _where((step < steps).reshape((-1, 1)), arrived, paths)
        paths = arrived
    ends = (2 * lengths).reshape((-1, 1))
    blank = _functions.take_along_axis(paths, ends, 1)
    label = _functions.take_along_axis(paths, _ops["maximum"](ends - 1, 0), 1)
    return _logaddexp(blank, _where(ends > 0, label, _NEVER)).reshape(-1)
