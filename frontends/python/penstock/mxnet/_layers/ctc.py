"""Connectionist temporal classification, step by step over all sequences of a batch at once.

A path goes through the labels with blanks before, between and behind them. Rows of `alpha` have an
element for each place of that extended sequence: the logarithm of the probability to get there.
"""

from ... import _core
from .. import _composed, _dialects
from ..base import MXNetValueError
from ._arguments import one_of

_ops = _core._ops
_where, _reshape, _pad = _ops["where"], _ops["reshape"], _ops["pad"]
_NEVER = -1e30  # the logarithm of 0, but such that differences of two are numbers


def ctc_loss(
    data,
    label,
    data_lengths=None,
    label_lengths=None,
    use_data_lengths=False,
    use_label_lengths=False,
    blank_label="first",
):
    """-log of the probability that data (steps, batch, classes) spells the labels (batch, places).

    The blank is the first class, and 0 ends a row of labels, or it is the last, and -1 ends a row;
    unless lengths are given and to be used. Labels that so few steps cannot spell have the loss 0.
    """
    one_of("CTCLoss", "blank_label", blank_label, ("first", "last"))
    if data.ndim != 3 or label.ndim != 2 or label.shape[0] != data.shape[1]:
        raise MXNetValueError(f"CTCLoss: labels {label.shape} for data of shape {data.shape}")
    if data.shape[0] < label.shape[1]:
        raise MXNetValueError(
            "CTCLoss: The max number of labels cannot exceed the maximum sequence length of data"
        )
    lengths = _given("data", data_lengths, use_data_lengths)
    labels = _given("label", label_lengths, use_label_lengths)
    return _dialects.call(type(data), _loss, data, label, lengths, labels, blank_label == "first")


def _given(what, lengths, use):
    if use and lengths is None:
        raise MXNetValueError(f"CTCLoss: use_{what}_lengths needs {what}_lengths")
    return lengths if use else None


def _loss(x, label, lengths, label_lengths, first):
    if x.dtype == "float16":  # which has no number as low as never
        wide = _ops["cast"](x, "float32")
        return _ops["cast"](_loss(wide, label, lengths, label_lengths, first), x.dtype)
    steps, batch, classes = x.shape
    label = _composed.whole(label)
    ends, blank = (0, 0) if first else (-1, classes - 1)
    if label_lengths is None:
        running = _ops["cast"](label != ends, "int64")
        label_lengths = _ops["sum"](_ops["cumulative_prod"](running, 1), 1)
    else:
        label_lengths = _composed.whole(label_lengths)
    places = _extended(_ops["clip"](label, 0, classes - 1), blank)
    emitted = _emitted(_ops["log_softmax"](x), places)
    lengths = None if lengths is None else _composed.whole(lengths)
    alpha = _walk(emitted, _leaps(places, blank), lengths)
    found = _ended(alpha, label_lengths)
    return _where(found > _NEVER / 2, -found, 0.0)  # what cannot be spelled has no loss


def _extended(label, blank):
    """The labels with blanks before, between and behind them."""
    both = _ops["stack"]([_ops["full"](label.shape, blank, label.dtype), label], 2)
    return _pad(_reshape(both, (label.shape[0], -1)), (0, 0), (0, 1), blank)


def _emitted(logs, places):
    """The logarithms at those places: (steps, batch, places)."""
    steps, batch, _ = logs.shape
    wanted = _ops["broadcast_to"](_ops["expand_dims"](places, 0), (steps, *places.shape))
    return _ops["take_along_axis"](logs, wanted, -1)


def _leaps(places, blank):
    """0 where a blank before a place may be left out, else never: between labels that differ."""
    before = _pad(places, (0, 2), (0, 0), -1)[:, :-2]
    allowed = _ops["logical_and"](places != blank, places != before)
    return _where(allowed, 0.0, _NEVER)


def _moved(alpha, count):
    return _pad(alpha, (0, count), (0, 0), _NEVER)[:, : alpha.shape[1]]


def _walk(emitted, leaps, lengths):
    steps, _, width = emitted.shape
    begin = _where(_ops["arange"](0, width) < 2, 0.0, _NEVER)
    alpha = emitted[0] + _ops["cast"](begin, emitted.dtype)
    leaps = _ops["cast"](leaps, emitted.dtype)
    add = _ops["logaddexp"]
    for step in range(1, steps):
        ways = add(alpha, _moved(alpha, 1))
        after = add(ways, _moved(alpha, 2) + leaps) + emitted[step]
        if lengths is not None:
            after = _where(_reshape(lengths > step, (-1, 1)), after, alpha)
        alpha = after
    return alpha


def _ended(alpha, label_lengths):
    """All ways that end with the last label or the blank behind it."""
    last = _reshape(2 * label_lengths, (-1, 1))
    blank = _ops["take_along_axis"](alpha, last, 1)
    label = _ops["take_along_axis"](alpha, _ops["maximum"](last - 1, 0), 1)
    label = _where(last > 0, label, _NEVER)
    return _reshape(_ops["logaddexp"](blank, label), (-1,))
