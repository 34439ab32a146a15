"""First values of parameters."""

from math import pi, sqrt


def inverse_erf(y, steps):
    """x with erf(x) = y: an approximation, made better by so many steps of Newton's."""
    part = (1 - y * y).log()
    first = part / 2 + 2 / (pi * 0.147)
    x = ((first * first - part / 0.147).sqrt() - first).sqrt() * y.sign()
    for _ in range(steps):
        x = x - (x.erf() - y) / ((-x * x).exp() * (2 / sqrt(pi)))
    return x
