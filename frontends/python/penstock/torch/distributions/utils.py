"""Parameters of distributions."""

from .._create import tensor
from .._dialect import default_dtype
from .._elements import clamp, log, log1p, sigmoid
from .._shape import broadcast_tensors
from .._tensor import Tensor


def broadcast_all(*values):
    """Numbers and tensors as tensors of one shape; numbers become the type of the first tensor."""
    first = next((one for one in values if isinstance(one, Tensor)), None)
    for one in values:
        if not isinstance(one, (Tensor, int, float)):
            raise ValueError(
                "Input arguments must all be instances of Number, or torch.Tensor, not "
                f"{type(one).__name__}"
            )
    kind = default_dtype() if first is None else first.dtype
    device = None if first is None else first.device
    made = (
        one if isinstance(one, Tensor) else tensor(one, dtype=kind, device=device) for one in values
    )
    return broadcast_tensors(*made)


def clamp_probs(probs):
    """Probabilities that are neither 0 nor 1, so that there is a logarithm."""
    from .. import finfo

    eps = finfo(probs.dtype).eps
    return clamp(probs, eps, 1 - eps)


def probs_to_logits(probs, is_binary=False):
    """Logarithms of probabilities; of one of two, of its proportion to the other."""
    inner = clamp_probs(probs)
    return log(inner) - log1p(-inner) if is_binary else log(inner)


def logits_to_probs(logits, is_binary=False):
    """The probabilities that logits are of."""
    if is_binary:
        return sigmoid(logits)
    from ..nn.functional import softmax

    return softmax(logits, -1)


class Chances:
    """For distributions that are given probabilities or logits: the others are computed later."""

    _is_binary = False

    @property
    def probs(self):
        """The probabilities."""
        if "probs" not in self.__dict__:
            self.__dict__["probs"] = logits_to_probs(self.__dict__["logits"], self._is_binary)
        return self.__dict__["probs"]

    @property
    def logits(self):
        """The logarithms of probabilities, or of proportions."""
        if "logits" not in self.__dict__:
            self.__dict__["logits"] = probs_to_logits(self.__dict__["probs"], self._is_binary)
        return self.__dict__["logits"]

    @staticmethod
    def _check_one(probs, logits):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
