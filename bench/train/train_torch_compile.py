"""PyTorch on the CPU: forward and backward compiled, the step of the weights eager."""

import torch
import train_torch as eager
from train_torch import (  # noqa: F401
    array, conv2d, cross_entropy, embedding, layer_norm, leaf, linear, lstm, max_pool2d, relu,
    values, wait, wait_all)


def about():
    return f"PyTorch {torch.__version__} compile, {torch.get_num_threads()} threads"


def gradients(function):
    return eager.gradients(torch.compile(function))


def learner(loss, rate):
    return eager.learner(torch.compile(loss), rate)
