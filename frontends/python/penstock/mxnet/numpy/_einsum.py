"""Einstein's notation over native operations.

Each operand is brought to one axis for each letter: letters that repeat are diagonals. Operands are
joined two at a time. Where none of the letters that both have is needed further, tensordot sums
over them; else the operands are multiplied element by element, broadcast, and summed.
"""

from ... import _core
from ..._shapes import diagonal

_ops = _core._ops


def _letters(text, arrays):
    """The letters of each operand and of the result, with those for `...` filled in."""
    before, arrow, after = text.partition("->")
    terms = before.split(",")
    if len(terms) != len(arrays):
        raise ValueError(f"einsum: {text!r} has {len(terms)} operands, {len(arrays)} were given")
    spare = [chr(code) for code in range(0x100, 0x100 + 64)]
    widths = [array.ndim - len(term) + 3 for term, array in zip(terms, arrays) if "..." in term]
    dots = "".join(spare[: max(widths, default=0)])
    filled = [_filled(text, term, array, dots) for term, array in zip(terms, arrays)]
    if arrow:
        result = after.replace("...", dots)
    else:
        every = "".join(filled)
        result = dots + "".join(
            sorted({one for one in every if every.count(one) == 1 and one not in dots})
        )
    for letter in result:
        if result.count(letter) > 1 or not any(letter in term for term in filled):
            raise ValueError(f"einsum: {text!r} has no result by the letter {letter!r}")
    return filled, result


def _filled(text, term, array, dots):
    if "..." in term:
        count = array.ndim - len(term) + 3
        term = term.replace("...", dots[len(dots) - count :] if count else "")
    if len(term) != array.ndim:
        raise ValueError(
            f"einsum: {text!r} names {len(term)} axes of an operand that has {array.ndim}"
        )
    return term


def _diagonals(array, term):
    """One axis for each letter."""
    for letter in dict.fromkeys(term):
        while term.count(letter) > 1:
            first = term.index(letter)
            second = term.index(letter, first + 1)
            array = diagonal(array, 0, first, second)
            term = term[:first] + term[first + 1 : second] + term[second + 1 :] + letter
    return array, term


def _spread(array, term, letters):
    """The axes in the order of the letters, with length 1 for those that are missing."""
    array = _ops["permute"](array, [term.index(one) for one in letters if one in term])
    lengths = iter(array.shape)
    return array.reshape([next(lengths) if one in term else 1 for one in letters])


def _dropped(array, term, keep):
    """Summed over the letters that nothing else needs."""
    axes = tuple(place for place, letter in enumerate(term) if letter not in keep)
    if not axes:
        return array, term
    return _ops["sum"](array, axes, array.dtype), "".join(one for one in term if one in keep)


def _joined(a, first, b, second, keep):
    shared = [one for one in first if one in second]
    if shared and not any(one in keep for one in shared):
        axes = [first.index(one) for one in shared], [second.index(one) for one in shared]
        rest = [one for one in first + second if one not in shared]
        return _ops["tensordot"](a, b, *axes), "".join(rest)
    letters = "".join(dict.fromkeys(first + second))
    return _ops["multiply"](_spread(a, first, letters), _spread(b, second, letters)), letters


def summed(text, *arrays):
    """The sum of products that the text describes."""
    terms, result = _letters(text, arrays)
    pairs = [_diagonals(array, term) for array, term in zip(arrays, terms)]
    while len(pairs) > 1:
        (a, first), (b, second), *others = pairs
        keep = result + "".join(term for _, term in others)
        a, first = _dropped(a, first, keep + second)
        b, second = _dropped(b, second, keep + first)
        joined, letters = _joined(a, first, b, second, keep)
        pairs = [_dropped(joined, letters, keep), *others]
    array, term = _dropped(*pairs[0], result)
    return _ops["copy"](_ops["permute"](array, [term.index(one) for one in result]))
