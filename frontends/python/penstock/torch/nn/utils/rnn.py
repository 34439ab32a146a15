"""Sequences of several lengths in one tensor."""

from ... import _missing
from ..._create import full
from ..._joining import stack
from ..._tensor import Tensor

__all__ = ["pad_sequence", "unpad_sequence"]


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Sequences side by side, filled up: (longest, count, ...), or with the first two exchanged."""
    if isinstance(sequences, Tensor):
        sequences = sequences.unbind(0)
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"padding_side must be 'left' or 'right', but got {padding_side!r}")
    sequences = list(sequences)
    if not sequences:
        raise RuntimeError("received an empty list of sequences")
    longest = max(one.shape[0] for one in sequences)
    filled = [_filled(one, longest, padding_value, padding_side) for one in sequences]
    return stack(filled, 0 if batch_first else 1)


def _filled(one, longest, value, side):
    from ..._joining import cat

    if one.shape[0] == longest:
        return one
    shape = (longest - one.shape[0], *one.shape[1:])
    more = full(shape, value, dtype=one.dtype, device=one.device)
    return cat([one, more] if side == "right" else [more, one])


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    """The sequences that pad_sequence was given. Waits for the lengths."""
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    counts = lengths.tolist()
    return [one[:count] for one, count in zip(padded_sequences, counts)]


__getattr__ = _missing.missing("torch.nn.utils.rnn")
