"""Tensors, linear algebra, calculus, gradients and probability."""

import numpy as np
import torch
from d2l import torch as d2l
from torch.distributions.multinomial import Multinomial

torch.manual_seed(0)

# Tensors: shapes, operations, broadcasting, indexing, memory.
x = torch.arange(12, dtype=torch.float32)
assert x.numel() == 12 and x.shape == torch.Size([12])
X = x.reshape(3, 4)
Y = torch.tensor([[2.0, 1, 4, 3], [1, 2, 3, 4], [4, 3, 2, 1]])
assert torch.cat((X, Y), dim=0).shape == (6, 4) and torch.cat((X, Y), dim=1).shape == (3, 8)
assert (X == Y).tolist()[0] == [False, True, False, True] and X.sum().item() == 66
a, b = torch.arange(3).reshape((3, 1)), torch.arange(2).reshape((1, 2))
assert (a + b).tolist() == [[0, 1], [1, 2], [2, 3]]
X[1, 2] = 17
X[:2, :] = 12
assert X[-1].tolist() == [8, 9, 10, 11] and X[0].tolist() == [12] * 4
before = id(Y)
Y = Y + X
assert id(Y) != before
Z = torch.zeros_like(Y)
before = id(Z)
Z[:] = X + Y
assert id(Z) == before
before = id(X)
X += Y
assert id(X) == before
A = X.numpy()
assert type(A) is np.ndarray and type(torch.from_numpy(A)) is torch.Tensor
a = torch.tensor([3.5])
assert (a.item(), float(a), int(a)) == (3.5, 3.5, 3)

# Linear algebra.
A = torch.arange(6, dtype=torch.float32).reshape(2, 3)
B = A.clone()
assert torch.equal(A * B, A**2) and A.T.shape == (3, 2)
assert torch.equal(A.sum(axis=[0, 1]), A.sum()) and A.cumsum(axis=0)[1].tolist() == [3, 5, 7]
assert torch.allclose((A / A.sum(axis=1, keepdims=True)).sum(axis=1), torch.ones(2))
x = torch.arange(3.0)
assert torch.mv(A, x).tolist() == (A @ x).tolist() == [5, 14]
assert torch.mm(A, torch.ones(3, 4)).shape == (2, 4)
assert torch.norm(torch.tensor([3.0, -4.0])).item() == 5
assert torch.abs(torch.tensor([3.0, -4.0])).sum().item() == 7

# Gradients: of scalars, of vectors, through detached parts, through Python's control flow.
x = torch.arange(4.0, requires_grad=True)
y = 2 * torch.dot(x, x)
y.backward()
assert torch.equal(x.grad, 4 * x)
x.grad.zero_()
x.sum().backward()
assert x.grad.tolist() == [1] * 4
x.grad.zero_()
y = x * x
y.backward(gradient=torch.ones(len(y)))
assert torch.equal(x.grad, 2 * x)
x.grad.zero_()
y = x * x
u = y.detach()
(u * x).sum().backward()
assert torch.equal(x.grad, u)


def f(a):
    b = a * 2
    while b.norm() < 1000:
        b = b * 2
    return b if b.sum() > 0 else 100 * b


a = torch.randn(size=(), requires_grad=True)
d = f(a)
d.backward()
assert a.grad == d / a

# Probability: estimates by frequencies come close.
counts = Multinomial(10000, torch.tensor([0.5, 0.5])).sample()
assert counts.sum().item() == 10000 and abs(counts[0].item() / 10000 - 0.5) < 0.05
tosses = Multinomial(1, torch.tensor([0.5, 0.5])).sample((1000,))
estimates = tosses.cumsum(dim=0)
estimates = (estimates / estimates.sum(dim=1, keepdims=True)).numpy()
errors = np.abs(estimates[:, 0] - 0.5)
assert estimates.shape == (1000, 2) and errors[-1] < 0.1

# Going down a slope, and a picture of it.
w = torch.tensor(5.0, requires_grad=True)
losses = []
for _ in range(20):
    loss = (w - 1) ** 2
    loss.backward()
    with torch.no_grad():
        w -= 0.2 * w.grad
        w.grad.zero_()
    losses.append(float(loss))
d2l.plot(torch.arange(0, 3, 0.1), [torch.sin(torch.arange(0, 3, 0.1)), torch.ones(30)], "x", "f(x)")
d2l.plt.close("all")
