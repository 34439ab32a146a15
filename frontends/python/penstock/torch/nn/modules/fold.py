"""Windows of images as columns."""

from ... import _missing
from .. import functional as F
from .module import Module

__all__ = ["Unfold"]


class Unfold(Module):
    """Each window of images as a column."""

    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.kernel_size, self.dilation = kernel_size, dilation
        self.padding, self.stride = padding, stride

    def forward(self, input):
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self):
        return (
            f"kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, "
            f"stride={self.stride}"
        )


__getattr__ = _missing.missing("torch.nn.modules.fold")
