"""Ours. Operations that the package does not have leave their rows out."""

import penstock as ps
from library_penstock import (  # noqa: F401
    about, array, counts, gradients, leaf, learner, relu, values, wait)
from protocol import Absent

wait_all = ps.waitall


def word(name):
    def absent(*_args, **_kwargs):
        raise Absent
    return getattr(ps.nn, name, absent)


linear, layer_norm, embedding = ps.nn.linear, word("layer_norm"), word("embedding")


def conv2d(x, weight, stride, padding):
    return word("conv2d")(x, weight, stride=stride, padding=padding)


def max_pool2d(x, size):
    return word("max_pool2d")(x, size, stride=size)


def lstm(x, parameters, hidden):
    zeros = ps.zeros((1, x.shape[1], hidden))
    return word("rnn")(x, parameters, zeros, "lstm", zeros)[0]


def cross_entropy(x, labels):
    return word("softmax_cross_entropy")(x, labels).mean()
