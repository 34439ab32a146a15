"""Dropout layers: in training elements or channels become 0."""

from ... import _missing
from .. import functional as F
from ..functional._dropout import check_probability
from .module import Module

__all__ = ["AlphaDropout", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "FeatureAlphaDropout"]


class _DropoutNd(Module):
    """What they have in common."""

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        check_probability(p)
        self.p, self.inplace = p, inplace

    def extra_repr(self):
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_DropoutNd):
    """Each element 0 with probability p, else divided by 1 - p; in evaluation as it is.

    >>> from penstock import torch
    >>> torch.nn.Dropout(0.5).eval()(torch.ones(2))
    tensor([1., 1.])
    """

    def forward(self, input):
        return F.dropout(input, self.p, True, self.inplace) if self.training else input


def _of(name, function):
    def forward(self, input):
        return function(input, self.p, self.training, self.inplace)

    body = {"forward": forward, "__doc__": function.__doc__, "__module__": __name__}
    return type(name, (_DropoutNd,), body)


Dropout1d, Dropout2d = _of("Dropout1d", F.dropout1d), _of("Dropout2d", F.dropout2d)
Dropout3d, AlphaDropout = _of("Dropout3d", F.dropout3d), _of("AlphaDropout", F.alpha_dropout)
FeatureAlphaDropout = _of("FeatureAlphaDropout", F.feature_alpha_dropout)

__getattr__ = _missing.missing("torch.nn.modules.dropout")
