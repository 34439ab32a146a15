"""Two networks against each other; and one from noise to pictures."""

import torch
from d2l import torch as d2l
from torch import nn

torch.manual_seed(14)

X = torch.normal(0.0, 1, (256, 2))
A, b = torch.tensor([[1, 2], [-0.1, 0.5]]), torch.tensor([1, 2])
data = torch.matmul(X, A) + b
data_iter = d2l.load_array((data,), 32)

net_G = nn.Sequential(nn.Linear(2, 2))
net_D = nn.Sequential(nn.Linear(2, 5), nn.Tanh(), nn.Linear(5, 3), nn.Tanh(), nn.Linear(3, 1))
loss = nn.BCEWithLogitsLoss(reduction="sum")
for net in (net_D, net_G):
    for w in net.parameters():
        nn.init.normal_(w, 0, 0.02)
trainer_D = torch.optim.Adam(net_D.parameters(), lr=0.05)
trainer_G = torch.optim.Adam(net_G.parameters(), lr=0.01)


def distance():
    """How far the middle of what is generated lies from that of the data."""
    with torch.no_grad():
        return float(torch.norm(net_G(torch.normal(0, 1, (1000, 2))).mean(0) - data.mean(0)))


losses = [distance()]
for _ in range(20):
    for (batch,) in data_iter:
        Z = torch.normal(0, 1, size=(batch.shape[0], 2))
        d2l.update_D(batch, Z, net_D, net_G, loss, trainer_D)
        d2l.update_G(Z, net_D, net_G, loss, trainer_G)
losses.append(distance())


def larger(inputs, outputs, stride=2, padding=1):
    """Pictures of twice the size, or of 4 by 4 from one number."""
    convolution = nn.ConvTranspose2d(inputs, outputs, 4, stride, padding, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outputs), nn.ReLU())


def smaller(inputs, outputs):
    """Pictures of half the size."""
    convolution = nn.Conv2d(inputs, outputs, 4, 2, 1, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outputs), nn.LeakyReLU(0.2, inplace=True))


last = nn.ConvTranspose2d(4, 3, kernel_size=4, stride=2, padding=1, bias=False)
maker = nn.Sequential(larger(10, 8, 1, 0), larger(8, 4), last, nn.Tanh())
judge = nn.Sequential(smaller(3, 4), smaller(4, 8), nn.Conv2d(8, 1, kernel_size=4, bias=False))
pictures = maker(torch.zeros((2, 10, 1, 1)) + torch.randn(2, 10, 1, 1))
assert pictures.shape == (2, 3, 16, 16) and judge(pictures).shape == (2, 1, 1, 1)
judge(pictures).sum().backward()
assert all(p.grad is not None for p in maker.parameters())
