"""Padding: more elements around a tensor."""

from ..._dialect import row
from ..._tensor import Tensor
from ._arguments import refuse

__all__ = ["pad"]

_pad = row("pad", "pad", "input:x, before, after, value=0, mode=None")
_MODES = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def pad(input, pad, mode="constant", value=None):
    """Elements before and after along the last dimensions: (last before, last after, ...).

    Modes are constant, reflect, replicate and circular; numbers below 0 take elements away.
    """
    if not isinstance(input, Tensor):
        refuse("pad", input)
    given = [int(one) for one in pad]
    if len(given) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(given) // 2 > input.ndim:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got "
            f"padding length {len(given)} and input of dimension {input.ndim}"
        )
    if mode not in _MODES:
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if mode != "constant":
        _check(input, given, mode, value)
    return _padded(input, given, mode, value)


def _check(input, given, mode, value):
    if value not in (None, 0):
        raise ValueError(f'Padding mode "{mode}" doesn\'t take in value argument')
    if len(given) // 2 not in (input.ndim - 1, input.ndim - 2):
        raise NotImplementedError(
            f"Padding size {len(given)} is not supported for {input.ndim}D input tensor."
        )
    for at in range(len(given) // 2):
        length, longest = input.shape[-1 - at], max(given[2 * at : 2 * at + 2])
        if mode == "reflect" and longest >= length or mode == "circular" and longest > length:
            raise RuntimeError(
                f"Padding size should be less than the corresponding input dimension, but got: "
                f"padding {given[2 * at : 2 * at + 2]} at dimension {input.ndim - 1 - at} of input "
                f"{list(input.shape)}"
            )


def _padded(input, given, mode, value):
    ndim = input.ndim
    before, after, key = [0] * ndim, [0] * ndim, [slice(None)] * ndim
    for at in range(len(given) // 2):
        place, (first, last) = ndim - 1 - at, given[2 * at : 2 * at + 2]
        length = input.shape[place]
        if length + first + last < 0:
            raise RuntimeError(
                f"The input size {length}, plus negative padding {first} and {last} resulted in a "
                f"negative output size, which is invalid. Check dimension {place} of your input."
            )
        key[place] = slice(max(-first, 0), length - max(-last, 0))
        before[place], after[place] = max(first, 0), max(last, 0)
    if any(one != slice(None, None) and one.start for one in key) or min(given, default=0) < 0:
        input = input[tuple(key)]
    if not any(before) and not any(after):
        return input.clone()
    return _pad(input, tuple(before), tuple(after), 0 if value is None else value, _MODES[mode])
