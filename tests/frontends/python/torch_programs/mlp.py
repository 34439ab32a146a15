"""Networks of several layers: from scratch, with layers, with dropout from scratch and built in."""

import torch
from d2l import torch as d2l
from pictures import Pictures, fitted
from torch import nn

torch.manual_seed(3)


def relu(X):
    return torch.max(X, torch.zeros_like(X))


class MLPScratch(d2l.Classifier):
    def __init__(self, num_inputs, num_outputs, num_hiddens, lr, sigma=0.1):
        super().__init__()
        self.save_hyperparameters()
        self.W1 = nn.Parameter(torch.randn(num_inputs, num_hiddens) * sigma)
        self.b1 = nn.Parameter(torch.zeros(num_hiddens))
        self.W2 = nn.Parameter(torch.randn(num_hiddens, num_outputs) * sigma)
        self.b2 = nn.Parameter(torch.zeros(num_outputs))

    def forward(self, X):
        H = relu(torch.matmul(X.reshape((-1, self.num_inputs)), self.W1) + self.b1)
        return torch.matmul(H, self.W2) + self.b2


class MLP(d2l.Classifier):
    def __init__(self, num_outputs, num_hiddens, lr):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(
            nn.Flatten(), nn.LazyLinear(num_hiddens), nn.ReLU(), nn.LazyLinear(num_outputs)
        )


def dropout_layer(X, dropout):
    if dropout == 1:
        return torch.zeros_like(X)
    mask = (torch.rand(X.shape) > dropout).float()
    return mask * X / (1.0 - dropout)


class DropoutScratch(d2l.Classifier):
    def __init__(self, lr):
        super().__init__()
        self.save_hyperparameters()
        self.lin1, self.lin2 = nn.LazyLinear(32), nn.LazyLinear(4)

    def forward(self, X):
        H = nn.ReLU()(self.lin1(X.reshape((X.shape[0], -1))))
        return self.lin2(dropout_layer(H, 0.2) if self.training else H)


data = Pictures(size=8)
losses = []
models = [MLPScratch(64, 4, 32, 0.3), MLP(4, 32, 0.3), DropoutScratch(0.3)]
models.append(MLP(4, 32, 0.3))
models[-1].net = nn.Sequential(
    nn.Flatten(), nn.LazyLinear(32), nn.ReLU(), nn.Dropout(0.3), nn.LazyLinear(4)
)
for model in models:
    losses += fitted(model, data, 4)
    assert model.acc > 0.9, type(model)

X = torch.arange(16, dtype=torch.float32).reshape((2, 8))
assert torch.equal(dropout_layer(X, 0), X) and not dropout_layer(X, 1).any()

# The slopes of activations.
x = torch.arange(-8.0, 8.0, 0.1, requires_grad=True)
for function in (torch.relu, torch.sigmoid, torch.tanh):
    x.grad = None
    function(x).backward(torch.ones_like(x), retain_graph=True)
    assert x.grad.shape == x.shape and float(x.grad.max()) <= 1
