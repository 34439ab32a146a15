"""PyTorch on the CPU, eager."""

from torch.nn import functional
from library_torch import (  # noqa: F401
    about, array, gradients, leaf, learner, relu, values, wait)

linear, max_pool2d = functional.linear, functional.max_pool2d
embedding, cross_entropy = functional.embedding, functional.cross_entropy


def conv2d(x, weight, stride, padding):
    return functional.conv2d(x, weight, None, stride, padding)


def layer_norm(x, gamma, beta):
    return functional.layer_norm(x, gamma.shape, gamma, beta)


def wait_all():
    pass
