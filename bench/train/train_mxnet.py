"""The real MXNet, through its NumPy interface."""

import mxnet as mx
from library_mxnet import (  # noqa: F401
    about, array, gradients, leaf, learner, relu, values, wait)

wait_all = mx.nd.waitall


def linear(x, weight, bias):
    return mx.npx.fully_connected(x, weight, bias, num_hidden=weight.shape[0], flatten=False)


def conv2d(x, weight, stride, padding):
    return mx.npx.convolution(x, weight, kernel=weight.shape[2:], stride=(stride, stride),
                              pad=(padding, padding), num_filter=weight.shape[0], no_bias=True)


def max_pool2d(x, size):
    return mx.npx.pooling(x, kernel=(size, size), stride=(size, size), pool_type="max")


def layer_norm(x, gamma, beta):
    return mx.npx.layer_norm(x, gamma, beta)


def embedding(indices, weight):
    rows, columns = weight.shape
    return mx.npx.embedding(indices, weight, input_dim=rows, output_dim=columns)


def lstm(x, parameters, hidden):
    zeros = mx.np.zeros((1, x.shape[1], hidden))
    return mx.npx.rnn(x, parameters, zeros, zeros, mode="lstm", state_size=hidden, num_layers=1)


def cross_entropy(x, labels):
    return -mx.npx.pick(mx.npx.log_softmax(x), labels).mean()
