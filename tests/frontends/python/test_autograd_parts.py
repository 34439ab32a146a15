"""Gradients through the real and the imaginary part of complex arrays."""

import penstock as ps
from penstock import autograd


def leaf(*values):
    z = ps.array(values, dtype="complex128")
    z.attach_grad()
    return z


def test_parts_that_are_read():
    z = leaf(1 + 2j, 3 + 4j)
    with autograd.record():
        y = z.real**2 * z.imag
    y.backward()
    assert z.grad.tolist() == [4 + 1j, 24 + 9j]  # 2 re im, re^2


def test_parts_that_are_written():
    z = leaf(1 + 2j, 3 + 4j)
    with autograd.record():
        h = 1 * z
        h.real[:] = h.imag * h.imag
        h.imag[1] = 7
        y = h.real * h.imag  # im^3, then 7 im^2
    y.backward()
    assert z.grad.tolist() == [12j, 56j]


def test_parts_again():
    z = leaf(1 + 2j)
    with autograd.record():
        (first,) = autograd.grad((z.imag**3).sum(), [z], create_graph=True)
        slope = first.imag.sum()  # 3 im^2
    slope.backward()
    assert z.grad.tolist() == [12j]
