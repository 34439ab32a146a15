"""Convolutions, pooling, LeNet, batch normalization from scratch, residual blocks."""

import torch
from d2l import torch as d2l
from pictures import Pictures, fitted
from torch import nn
from torch.nn import functional as F

torch.manual_seed(4)

# A kernel that finds edges is learned from examples.
X = torch.ones((6, 8))
X[:, 2:6] = 0
K = torch.tensor([[1.0, -1.0]])
Y = d2l.corr2d(X, K)
assert torch.equal(Y, F.conv2d(X[None, None], K[None, None])[0, 0])
conv2d = nn.LazyConv2d(1, kernel_size=(1, 2), bias=False)
X, Y = X.reshape((1, 1, 6, 8)), Y.reshape((1, 1, 6, 7))
losses = []
for _ in range(15):
    loss = (conv2d(X) - Y) ** 2
    conv2d.zero_grad()
    loss.sum().backward()
    conv2d.weight.data[:] -= 3e-2 * conv2d.weight.grad
    losses.append(float(loss.sum()))
assert (conv2d.weight.data.reshape((1, 2)) - K).abs().max() < 0.2

# Shapes.
X = torch.rand(1, 1, 8, 8)
assert nn.LazyConv2d(1, kernel_size=(5, 3), padding=(2, 1))(X).shape == (1, 1, 8, 8)
assert nn.LazyConv2d(1, kernel_size=(3, 5), padding=(0, 1), stride=(3, 4))(X).shape == (1, 1, 2, 2)
assert nn.MaxPool2d((2, 3), stride=(2, 3), padding=(0, 1))(X).shape == (1, 1, 4, 3)
assert nn.ConvTranspose2d(1, 2, kernel_size=4, padding=1, stride=2)(X).shape == (1, 2, 16, 16)


class BatchNorm(nn.Module):
    """Batch normalization of (batch, features) or (batch, channels, rows, columns)."""

    def __init__(self, features, ndim, eps=1e-5, momentum=0.1):
        super().__init__()
        shape = [1, features] + [1] * (ndim - 2)
        self.over = [0, *range(2, ndim)]
        self.eps, self.momentum = eps, momentum
        self.scale = nn.Parameter(torch.ones(shape))
        self.shift = nn.Parameter(torch.zeros(shape))
        self.mean, self.var = torch.zeros(shape), torch.ones(shape)

    def moved(self, old, new):
        return ((1 - self.momentum) * old + self.momentum * new).detach()

    def forward(self, x):
        mean, var = self.mean, self.var
        if self.training:
            mean = x.mean(dim=self.over, keepdim=True)
            var = ((x - mean) ** 2).mean(dim=self.over, keepdim=True)
            self.mean, self.var = self.moved(self.mean, mean), self.moved(self.var, var)
        return self.scale * (x - mean) / torch.sqrt(var + self.eps) + self.shift


class Net(d2l.Classifier):
    """A network of given layers."""

    def __init__(self, lr, *layers):
        super().__init__()
        self.save_hyperparameters(ignore=["layers"])
        self.net = nn.Sequential(*layers)


ours = BatchNorm(3, 4)
theirs = nn.BatchNorm2d(3)
X = torch.rand(4, 3, 5, 5) * 3
assert torch.allclose(ours(X), theirs(X), atol=1e-5)
assert torch.allclose(ours.mean.reshape(-1), theirs.running_mean, atol=1e-6)

data = Pictures(size=28, num_train=128, num_val=32)
lenet = d2l.LeNet(lr=0.1, num_classes=4)
lenet.layer_summary((1, 1, 28, 28))
lenet.apply_init([next(iter(data.train_dataloader()))[0]], d2l.init_cnn)
assert fitted(lenet, data, 1)[0] > 0

small = Pictures(size=12, num_train=128, num_val=32)
normed = Net(
    *(0.1, nn.LazyConv2d(6, kernel_size=3), BatchNorm(6, 4), nn.Sigmoid()),
    *(nn.AvgPool2d(kernel_size=2, stride=2), nn.Flatten(), nn.LazyLinear(8), BatchNorm(8, 2)),
    *(nn.Sigmoid(), nn.LazyLinear(4)),
)
found = fitted(normed, small, 6)
assert found[-1] < found[0]

resnet = Net(
    *(0.05, nn.LazyConv2d(8, kernel_size=3, padding=1), nn.LazyBatchNorm2d(), nn.ReLU()),
    *(d2l.Residual(8), d2l.Residual(16, use_1x1conv=True, strides=2)),
    *(d2l.ResNeXtBlock(16, 4, 1), nn.AdaptiveAvgPool2d((2, 2)), nn.Flatten(), nn.LazyLinear(4)),
)
found = fitted(resnet, small, 3)
assert found[-1] < found[0]


class Growing(nn.Module):
    """Each part sees the channels of all before it."""

    def __init__(self, parts, channels):
        super().__init__()
        self.parts = nn.ModuleList()
        for _ in range(parts):
            convolution = nn.LazyConv2d(channels, kernel_size=3, padding=1)
            self.parts.append(nn.Sequential(nn.LazyBatchNorm2d(), nn.ReLU(), convolution))

    def forward(self, x):
        for part in self.parts:
            x = torch.cat((x, part(x)), dim=1)
        return x


class Branches(nn.Module):
    """Windows of several sizes side by side."""

    def __init__(self, *channels):
        super().__init__()
        self.branches = nn.ModuleList(
            nn.LazyConv2d(count, kernel_size=2 * at + 1, padding=at)
            for at, count in enumerate(channels)
        )
        self.pool = nn.MaxPool2d(kernel_size=3, stride=1, padding=1)

    def forward(self, x):
        return torch.cat([self.pool(x), *(F.relu(branch(x)) for branch in self.branches)], dim=1)


X = torch.rand(4, 3, 8, 8)
assert Growing(2, 10)(X).shape == (4, 23, 8, 8)
assert Branches(2, 3, 4)(X).shape == (4, 12, 8, 8)
