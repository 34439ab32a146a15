"""Losses as modules."""

from ... import _missing
from .. import functional as F
from ..functional._reduction import legacy
from .module import Module

__all__ = (
    "BCELoss BCEWithLogitsLoss CosineEmbeddingLoss CrossEntropyLoss GaussianNLLLoss "
    "HingeEmbeddingLoss "
    "HuberLoss KLDivLoss L1Loss MSELoss MarginRankingLoss MultiLabelSoftMarginLoss MultiMarginLoss "
    "NLLLoss PoissonNLLLoss SmoothL1Loss SoftMarginLoss TripletMarginLoss "
    "TripletMarginWithDistanceLoss"
).split()


class _Loss(Module):
    """What losses have in common: how the numbers of single elements are reduced."""

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            reduction = legacy(size_average, reduce)
        self.reduction = reduction


class _WeightedLoss(_Loss):
    """Losses with weights, which are a buffer."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


class MSELoss(_Loss):
    """Squared differences.

    >>> from penstock import torch
    >>> torch.nn.MSELoss()(torch.tensor([1.0, 3.0]), torch.zeros(2))
    tensor(5.)
    """

    def forward(self, input, target):
        return F.mse_loss(input, target, None, None, self.reduction)


class L1Loss(_Loss):
    """Absolute differences."""

    def forward(self, input, target):
        return F.l1_loss(input, target, None, None, self.reduction)


class SmoothL1Loss(_Loss):
    """Absolute differences, squared and scaled below beta."""

    def __init__(self, size_average=None, reduce=None, reduction="mean", beta=1.0):
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input, target):
        return F.smooth_l1_loss(input, target, None, None, self.reduction, self.beta)


class HuberLoss(_Loss):
    """Squared differences below delta, else absolute ones."""

    def __init__(self, reduction="mean", delta=1.0):
        super().__init__(reduction=reduction)
        self.delta = delta

    def forward(self, input, target):
        return F.huber_loss(input, target, self.reduction, self.delta)


class CrossEntropyLoss(_WeightedLoss):
    """-log softmax(input) at the labels, or its mean by probabilities.

    >>> from penstock import torch
    >>> torch.nn.CrossEntropyLoss()(torch.zeros(2, 4), torch.tensor([0, 3]))
    tensor(1.3863)
    """

    def __init__(
        self,
        weight=None,
        size_average=None,
        ignore_index=-100,
        reduce=None,
        reduction="mean",
        label_smoothing=0.0,
    ):
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing

    def forward(self, input, target):
        return F.cross_entropy(
            *(input, target, self.weight, None, self.ignore_index, None, self.reduction),
            self.label_smoothing,
        )


class NLLLoss(_WeightedLoss):
    """-input at the labels; input is logarithms of probabilities."""

    def __init__(
        self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"
    ):
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input, target):
        return F.nll_loss(
            input, target, self.weight, None, self.ignore_index, None, self.reduction
        )


class BCELoss(_WeightedLoss):
    """-target log(input) - (1 - target) log(1 - input)."""

    def forward(self, input, target):
        return F.binary_cross_entropy(input, target, self.weight, None, None, self.reduction)


class BCEWithLogitsLoss(_Loss):
    """BCELoss of sigmoid(input)."""

    def __init__(
        self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
    ):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input, target):
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, None, None, self.reduction, self.pos_weight
        )


class KLDivLoss(_Loss):
    """target * (log(target) - input)."""

    def __init__(self, size_average=None, reduce=None, reduction="mean", log_target=False):
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input, target):
        return F.kl_div(input, target, None, None, self.reduction, self.log_target)


class SoftMarginLoss(_Loss):
    """log(1 + exp(-target * input))."""

    def forward(self, input, target):
        return F.soft_margin_loss(input, target, None, None, self.reduction)


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """BCEWithLogitsLoss, the mean over the classes of each sample."""

    def forward(self, input, target):
        return F.multilabel_soft_margin_loss(
            input, target, self.weight, None, None, self.reduction
        )


class HingeEmbeddingLoss(_Loss):
    """The input where the target is 1, and what it lacks to the margin where that is -1."""

    def __init__(self, margin=1.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input, target):
        return F.hinge_embedding_loss(input, target, self.margin, None, None, self.reduction)


class MarginRankingLoss(_Loss):
    """max(0, -target * (input1 - input2) + margin)."""

    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1, input2, target):
        return F.margin_ranking_loss(
            input1, input2, target, self.margin, None, None, self.reduction
        )


class CosineEmbeddingLoss(_Loss):
    """1 - cosine where the target is 1, and the cosine above the margin where it is -1."""

    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1, input2, target):
        return F.cosine_embedding_loss(
            input1, input2, target, self.margin, None, None, self.reduction
        )


class MultiMarginLoss(_WeightedLoss):
    """The mean over the other classes of max(0, margin - input at the label + input)^p."""

    def __init__(
        self, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"
    ):
        super().__init__(weight, size_average, reduce, reduction)
        if p not in (1, 2):
            raise ValueError("only p == 1 and p == 2 supported")
        self.p, self.margin = p, margin

    def forward(self, input, target):
        return F.multi_margin_loss(
            input, target, self.p, self.margin, self.weight, None, None, self.reduction
        )


class TripletMarginLoss(_Loss):
    """How much nearer than the margin the negative is, compared with the positive."""

    def __init__(
        self,
        margin=1.0,
        p=2.0,
        eps=1e-06,
        swap=False,
        size_average=None,
        reduce=None,
        reduction="mean",
    ):
        super().__init__(size_average, reduce, reduction)
        if margin <= 0:
            raise ValueError(f"TripletMarginLoss: margin must be greater than 0, got {margin}")
        self.margin, self.p, self.eps, self.swap = margin, p, eps, swap

    def forward(self, anchor, positive, negative):
        return F.triplet_margin_loss(
            *(anchor, positive, negative, self.margin, self.p, self.eps, self.swap),
            *(None, None, self.reduction),
        )


class TripletMarginWithDistanceLoss(_Loss):
    """TripletMarginLoss by any distance."""

    def __init__(self, *, distance_function=None, margin=1.0, swap=False, reduction="mean"):
        super().__init__(reduction=reduction)
        self.distance_function, self.margin, self.swap = distance_function, margin, swap

    def forward(self, anchor, positive, negative):
        return F.triplet_margin_with_distance_loss(
            *(anchor, positive, negative),
            distance_function=self.distance_function,
            margin=self.margin,
            swap=self.swap,
            reduction=self.reduction,
        )


class PoissonNLLLoss(_Loss):
    """-log of the probability of counts by a Poisson distribution."""

    def __init__(
        self,
        log_input=True,
        full=False,
        size_average=None,
        eps=1e-08,
        reduce=None,
        reduction="mean",
    ):
        super().__init__(size_average, reduce, reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def forward(self, log_input, target):
        return F.poisson_nll_loss(
            *(log_input, target, self.log_input, self.full, None, self.eps, None),
            self.reduction,
        )


class GaussianNLLLoss(_Loss):
    """-log of the probability by normal distributions with given means and variances."""

    def __init__(self, *, full=False, eps=1e-06, reduction="mean"):
        super().__init__(reduction=reduction)
        self.full, self.eps = full, eps

    def forward(self, input, target, var):
        return F.gaussian_nll_loss(input, target, var, self.full, self.eps, self.reduction)


__getattr__ = _missing.missing("torch.nn.modules.loss")
