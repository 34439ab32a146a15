"""Sums of products by an equation of subscripts, composed of views, sums and products of batches.

Operands are taken from left to right. Before two are multiplied, what only one of them has and
nobody else needs is summed away; the others are kept by both, summed over, or one's alone: that is
a product of batches of matrices.
"""

from math import prod

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def sums(args, kind, bmm):
    """What an equation makes of tensors of a class `kind`; `bmm` multiplies batches of them."""
    if len(args) < 2:
        raise ValueError("einsum(): an equation and operands, or operands and lists, are needed")
    if not isinstance(args[0], str):
        args = _from_lists(args, kind)
    equation, operands = args[0], args[1:]
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = tuple(operands[0])
    for at, one in enumerate(operands):
        if not isinstance(one, kind):
            raise TypeError(
                f"expected Tensor as element {at} in argument 1, but got {type(one).__name__}"
            )
    return product(operands, *understood(equation, operands), bmm)


def understood(equation, operands):
    """The names of the operands' dimensions, of the result's, and their lengths. RuntimeError."""
    inputs, output = _parsed(equation, operands)
    return inputs, output, _sizes(inputs, operands)


def product(operands, inputs, output, sizes, bmm):
    """The sum of products that an equation stands for."""
    terms = [
        (_without_repeats(one, names), list(dict.fromkeys(names)))
        for one, names in zip(operands, inputs)
    ]
    return _contracted(terms, output, sizes, bmm)


# ---- Equations -----------------------------------------------------------------------------------


def _from_lists(args, kind):
    """(a, [0, 1], b, [1, 2], [0, 2]) as an equation."""
    if not isinstance(args[0], kind):
        raise ValueError("einsum(): an equation and operands, or operands and lists, are needed")
    pairs = len(args) // 2
    lists = list(args[1 : 2 * pairs : 2])
    parts = [_letters(one) for one in lists]
    equation = ",".join(parts)
    if len(args) % 2:
        equation += "->" + _letters(args[-1])
    return (equation, *args[0 : 2 * pairs : 2])


def _letters(numbers):
    made = []
    for one in numbers:
        if one is Ellipsis:
            made.append("...")
        elif not 0 <= one < len(_LETTERS):
            raise ValueError(f"einsum(): subscripts must be from 0 to 51, not {one}")
        else:
            made.append(_LETTERS[one])
    return "".join(made)


def _parsed(equation, operands):
    """The names of each operand's dimensions, and the result's: letters, and numbers for '...'.

    The dimensions of an ellipsis are numbered from their end, so that they are broadcast.
    """
    left, arrow, right = equation.replace(" ", "").partition("->")
    parts = left.split(",")
    if len(parts) != len(operands) or not operands:
        few = "fewer" if len(parts) > len(operands) else "more"
        raise RuntimeError(f"einsum(): {few} operands were provided than specified in the equation")
    inputs = [_names(part, one.ndim, at) for at, (part, one) in enumerate(zip(parts, operands))]
    hidden = max(sum(type(one) is int for one in names) for names in inputs)
    shown = list(range(-hidden, 0))
    if not arrow:
        every = [one for names in inputs for one in names if type(one) is str]
        return inputs, shown + sorted(one for one in set(every) if every.count(one) == 1)
    before, dots, after = _halves(right, "the output")
    output = [*before, *(shown if dots else ()), *after]
    known = {one for names in inputs for one in names}
    for one in output:
        if output.count(one) > 1:
            raise RuntimeError(f"einsum(): output subscript {one} appears more than once there")
        if one not in known:
            raise RuntimeError(
                f"einsum(): output subscript {one} does not appear for any operand"
            )
    return inputs, output


def _halves(part, where):
    """The letters before and behind the ellipsis, and whether there is one."""
    before, dots, after = part.partition("...")
    for place, one in enumerate(before + after):
        if one == ".":
            raise RuntimeError(f"einsum(): found '.' for {where} that is not part of any ellipsis")
        if one not in _LETTERS:
            raise RuntimeError(
                f"einsum(): subscripts must be in [a-zA-Z], not {one!r}, at {place} of {where}"
            )
    return before, dots, after


def _names(part, ndim, at):
    before, dots, after = _halves(part, f"operand {at}")
    hidden = ndim - len(before) - len(after)
    if hidden < 0 or (hidden and not dots):
        raise RuntimeError(
            f"einsum(): there are {len(before) + len(after)} subscripts for operand {at}, which "
            f"has {ndim} dimensions{'' if dots else ', and no ellipsis was given'}"
        )
    return [*before, *range(-hidden, 0), *after]


def _sizes(inputs, operands):
    """How long each dimension is; 1 is broadcast."""
    sizes = {}
    for at, (names, one) in enumerate(zip(inputs, operands)):
        for name, length in zip(names, one.shape):
            seen = sizes.get(name, 1)
            if length != 1 and seen not in (1, length):
                raise RuntimeError(
                    f"einsum(): subscript {name} has size {length} for operand {at} which does not "
                    f"broadcast with previously seen size {seen}"
                )
            sizes[name] = length if seen == 1 else seen
    return sizes


# ---- Sums and products ---------------------------------------------------------------------------


def _without_repeats(tensor, names):
    """The diagonals of dimensions that have one name."""
    names = list(names)
    for name in dict.fromkeys(names):
        while names.count(name) > 1:
            first = names.index(name)
            second = names.index(name, first + 1)
            lengths = tensor.shape[first], tensor.shape[second]
            if lengths[0] != lengths[1]:
                raise RuntimeError(
                    f"einsum(): subscript {name} is repeated for an operand, but its sizes do not "
                    f"match, {lengths[1]} != {lengths[0]}"
                )
            tensor = tensor.diagonal(0, first, second).moveaxis(-1, first)
            del names[second]
    return tensor


def _contracted(terms, output, sizes, bmm):
    tensor, names = terms[0]
    for at in range(1, len(terms)):
        needed = {*output, *(name for _, others in terms[at + 1 :] for name in others)}
        tensor, names = _product(tensor, names, *terms[at], needed, sizes, bmm)
    tensor, names = _summed(tensor, names, set(output))
    return tensor.permute(tuple(names.index(name) for name in output)) if output else tensor


def _summed(tensor, names, needed):
    """With the dimensions that nobody needs summed away."""
    gone = tuple(at for at, name in enumerate(names) if name not in needed)
    if not gone:
        return tensor, names
    return tensor.sum(gone), [name for name in names if name in needed]


def _product(a, names_a, b, names_b, needed, sizes, bmm):
    """The product of two, with the dimensions that are needed."""
    shape_a, shape_b = dict(zip(names_a, a.shape)), dict(zip(names_b, b.shape))
    a, names_a = _without_ones(a, names_a, shape_b)
    b, names_b = _without_ones(b, names_b, shape_a)
    a, names_a = _summed(a, names_a, needed | {*names_b})
    b, names_b = _summed(b, names_b, needed | {*names_a})
    both = [name for name in names_a if name in names_b]
    kept = [name for name in both if name in needed]
    gone = [name for name in both if name not in needed]
    rows = [name for name in names_a if name not in names_b]
    columns = [name for name in names_b if name not in names_a]
    lengths = [prod(sizes[name] for name in group) for group in (kept, rows, gone, columns)]
    first = _ordered(a, names_a, kept + rows + gone, sizes).reshape((lengths[0], *lengths[1:3]))
    second = _ordered(b, names_b, kept + gone + columns, sizes).reshape((lengths[0], *lengths[2:]))
    names = kept + rows + columns
    made = bmm(first, second) if gone else first * second
    return made.reshape(tuple(sizes[name] for name in names)), names


def _without_ones(tensor, names, others):
    """Without the dimensions of length 1 that the other has longer: those are the other's alone."""
    gone = tuple(
        at
        for at, name in enumerate(names)
        if tensor.shape[at] == 1 and others.get(name, 1) != 1
    )
    if not gone:
        return tensor, names
    return tensor.squeeze(gone), [name for at, name in enumerate(names) if at not in gone]


def _ordered(tensor, names, order, sizes):
    made = tensor.permute(tuple(names.index(name) for name in order)) if order else tensor
    lengths = tuple(sizes[name] for name in order)
    return made if tuple(made.shape) == lengths else made.expand(lengths)
