"""Formulas of optimisers of the MXNet dialect, written out in NumPy: where epsilon goes, and what the
learning rate does."""

import numpy
import pytest

from penstock import mxnet as mx

GRADIENTS = [[0.5, -1.0, 1e-6], [0.25, 2.0, -1e-6], [-1.5, 0.0, 2e-6]]
START = numpy.array([1.0, -2.0, 3.0])


def learned(name, **settings):
    """The weights after a step for each of GRADIENTS."""
    update = mx.optimizer.get_updater(mx.optimizer.create(name, **settings))
    weight = mx.nd.array(START)
    for gradient in GRADIENTS:
        update(0, mx.nd.array(gradient), weight)
    return weight.asnumpy()


def close(found, wanted):
    numpy.testing.assert_allclose(found, wanted, rtol=2e-6)


def test_adam_corrects_the_rate_and_adds_epsilon_to_the_root():
    weight, mean, square = START.copy(), 0.0, 0.0
    for step, gradient in enumerate(numpy.array(GRADIENTS), 1):
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        rate = 0.1 * numpy.sqrt(1 - 0.999**step) / (1 - 0.9**step)
        weight -= rate * mean / (numpy.sqrt(square) + 1e-3)
    close(learned("adam", learning_rate=0.1, epsilon=1e-3), weight)


def test_rmsprop_adds_epsilon_inside_the_root():
    weight, square = START.copy(), 0.0
    for gradient in numpy.array(GRADIENTS):
        square = 0.9 * square + 0.1 * gradient**2
        weight -= 0.1 * gradient / numpy.sqrt(square + 1e-3)
    close(learned("rmsprop", learning_rate=0.1, gamma1=0.9, epsilon=1e-3), weight)


def test_adagrad_adds_epsilon_inside_the_root():
    weight, square = START.copy(), 0.0
    for gradient in numpy.array(GRADIENTS):
        square = square + gradient**2
        weight -= 0.1 * gradient / numpy.sqrt(square + 1e-3)
    close(learned("adagrad", learning_rate=0.1, eps=1e-3), weight)


@pytest.mark.parametrize("rate", [0.001, 1.0, 50.0])
def test_adadelta_ignores_the_learning_rate(rate):
    weight, square, moved = START.copy(), 0.0, 0.0
    for gradient in numpy.array(GRADIENTS):
        square = 0.9 * square + 0.1 * gradient**2
        change = numpy.sqrt(moved + 1e-5) / numpy.sqrt(square + 1e-5) * gradient
        moved = 0.9 * moved + 0.1 * change**2
        weight -= change
    close(learned("adadelta", learning_rate=rate, rho=0.9, epsilon=1e-5), weight)
