"""Losses as layers."""

from .. import functional as F
from .layers import Layer


def _checked(kind, reduction):
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(
            f"'reduction' in '{kind}' should be 'sum', 'mean' or 'none', but received {reduction}."
        )
    return reduction


class CrossEntropyLoss(Layer):
    """-log softmax(input) at the labels."""

    def __init__(
        self,
        weight=None,
        ignore_index=-100,
        reduction="mean",
        soft_label=False,
        axis=-1,
        use_softmax=True,
        label_smoothing=0.0,
        name=None,
    ):
        super().__init__()
        self.weight, self.ignore_index, self.reduction = weight, ignore_index, reduction
        self.soft_label, self.axis, self.use_softmax = soft_label, axis, use_softmax
        self.label_smoothing, self.name = label_smoothing, name

    def forward(self, input, label):
        return F.cross_entropy(
            *(input, label, self.weight, self.ignore_index, self.reduction, self.soft_label),
            *(self.axis, self.use_softmax, self.label_smoothing),
        )


class MSELoss(Layer):
    """Squared differences."""

    def __init__(self, reduction="mean"):
        super().__init__()
        self.reduction = _checked("MSELoss", reduction)

    def forward(self, input, label):
        return F.mse_loss(input, label, self.reduction)


class L1Loss(Layer):
    """Absolute differences."""

    def __init__(self, reduction="mean", name=None):
        super().__init__()
        self.reduction = _checked("L1Loss", reduction)

    def forward(self, input, label):
        return F.l1_loss(input, label, self.reduction)


class SmoothL1Loss(Layer):
    """Half the squared differences where they are small, else absolute ones."""

    def __init__(self, reduction="mean", delta=1.0, is_huber=True, name=None):
        super().__init__()
        self.reduction, self.delta, self.is_huber = reduction, delta, is_huber

    def forward(self, input, label):
        return F.smooth_l1_loss(input, label, self.reduction, self.delta, self.is_huber)


class BCELoss(Layer):
    """Cross-entropy of two classes, by probabilities."""

    def __init__(self, weight=None, reduction="mean", name=None):
        super().__init__()
        self.weight, self.reduction = weight, _checked("bce_loss", reduction)

    def forward(self, input, label):
        return F.binary_cross_entropy(input, label, self.weight, self.reduction)


class BCEWithLogitsLoss(Layer):
    """Cross-entropy of two classes, by what sigmoid makes probabilities of."""

    def __init__(self, weight=None, reduction="mean", pos_weight=None, name=None):
        super().__init__()
        self.weight, self.reduction = weight, _checked("BCEWithLogitsLoss", reduction)
        self.pos_weight = pos_weight

    def forward(self, logit, label):
        return F.binary_cross_entropy_with_logits(
            logit, label, self.weight, self.reduction, self.pos_weight
        )


class NLLLoss(Layer):
    """-input at the labels."""

    def __init__(self, weight=None, ignore_index=-100, reduction="mean", name=None):
        super().__init__()
        self._weight, self._ignore_index = weight, ignore_index
        self._reduction = _checked("nll_loss", reduction)

    def forward(self, input, label):
        return F.nll_loss(input, label, self._weight, self._ignore_index, self._reduction)


class KLDivLoss(Layer):
    """How far a distribution is from another, whose logarithms are given."""

    def __init__(self, reduction="mean", log_target=False):
        super().__init__()
        self.reduction, self.log_target = reduction, log_target

    def forward(self, input, label):
        return F.kl_div(input, label, self.reduction, self.log_target)
