"""Views of a storage by offset, lengths and strides, composed of slices, reshapes and permutations.

The dimensions are taken from the longest stride to the shortest. At each, the elements are a run of
some length, which is cut into pieces of equal length, so that every so many pieces one is wanted:
the length divides the stride, and what the shorter strides need fits into a piece.
"""

from math import isqrt

from .. import _core
from ._dialect import row

_layout = _core._layout
_reshape = row("reshape", "reshape", "input:x, shape")
_permute = row("permute", "permute", "input:x, dims:axes")
_broadcast = row("broadcast_to", "expand", "input:x, size:shape")


def reach(offset, lengths, strides):
    """How many elements a storage needs for such a view, which is not empty."""
    return 1 + offset + sum((length - 1) * step for length, step in zip(lengths, strides))


def view_of(base, offset, lengths, strides):
    """The view of a tensor of one dimension; None where slices and reshapes give none."""
    count = 1
    for length in lengths:
        count *= length
    if _is_plain(lengths, strides):
        made = _reshape(base[offset : offset + count], lengths)
        return _checked(made, base, offset, lengths, strides)
    order = [axis for axis, length in enumerate(lengths) if length > 1 and strides[axis] != 0]
    order.sort(key=lambda axis: -strides[axis])
    pieces = _pieces([(lengths[axis], strides[axis]) for axis in order])
    if pieces is None or pieces[0][1] > base.shape[0]:
        return None
    made = _arranged(_cut(base, offset, pieces), order, lengths)
    return _checked(made, base, offset, lengths, strides)


def _is_plain(lengths, strides):
    """Whether the elements lie row by row, side by side."""
    expected = 1
    for length, step in zip(reversed(lengths), reversed(strides)):
        if length != 1 and step != expected:
            return False
        expected *= length
    return True


def _pieces(dimensions):
    """Stride, run that is needed and length of pieces for each; None where they overlap."""
    found, need = [], 1
    for length, step in reversed(dimensions):
        piece = _divisor(step, need)
        if piece is None:
            return None
        need = (length - 1) * step + piece
        found.append((step, need, piece))
    return found[::-1] or [(1, 1, 1)]


def _divisor(number, least):
    """The smallest divisor that is not below `least`."""
    if least > number:
        return None
    best = number
    for small in range(1, isqrt(number) + 1):
        if number % small == 0:
            if small >= least:
                return small
            if number // small >= least:
                best = number // small
    return best


def _cut(base, offset, pieces):
    made, run = base, base.shape[0]
    for step, need, piece in pieces:
        begin = min(offset, run - need)
        offset -= begin
        made = made[..., begin : begin + need]
        if piece > 1:
            made = _reshape(made, (*made.shape[:-1], need // piece, piece))
            made = made[..., :: step // piece, :]
        else:
            made = made[..., ::step, None]
        run = piece
    return made[..., offset]


def _arranged(made, order, lengths):
    """Dimensions in their places, and those without a stride."""
    places = sorted(range(len(order)), key=lambda place: order[place])
    if places != list(range(len(order))):
        made = _permute(made, tuple(places))
    kept = tuple(length if axis in order else 1 for axis, length in enumerate(lengths))
    if len(kept) != len(order):
        made = _reshape(made, kept)
    return made if kept == tuple(lengths) else _broadcast(made, tuple(lengths))


def _checked(made, base, offset, lengths, strides):
    """The view if it is that one, else None."""
    key, begin, found, _ = _layout(made)
    storage, first = _layout(base)[:2]
    steps = zip(found, strides, lengths)
    same = all(one == other for one, other, length in steps if length > 1)
    return made if same and begin - first == offset and key == storage else None
