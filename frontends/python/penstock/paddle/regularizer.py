"""paddle.regularizer: what is added to gradients so that weights stay small."""

from . import _missing

__all__ = ["L1Decay", "L2Decay"]


class _Decay:
    def __init__(self, coeff=0.0):
        self._coeff = float(coeff)

    def __str__(self):
        return f"{type(self).__name__}, coeff={self._coeff}"


class L1Decay(_Decay):
    """coeff times the sign of a weight."""


class L2Decay(_Decay):
    """coeff times a weight."""


__getattr__ = _missing.missing("paddle.regularizer")
