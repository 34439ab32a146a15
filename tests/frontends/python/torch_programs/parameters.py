"""Access, first values and sharing of parameters; layers of one's own; lazy layers; files."""

import pathlib
import tempfile

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(12)


class Chain(nn.Module):
    """Modules one after the other, under names that it gives them."""

    def __init__(self, *links):
        super().__init__()
        for number, link in enumerate(links):
            self.add_module(f"link{number}", link)

    def forward(self, x):
        for link in self.children():
            x = link(x)
        return x


class Shrinking(nn.Module):
    """One layer used twice, a constant matrix between, and a loop that looks at values."""

    def __init__(self, width):
        super().__init__()
        self.constant = torch.rand((width, width))
        self.layer = nn.LazyLinear(width)

    def forward(self, x):
        x = self.layer(F.relu(self.layer(x) @ self.constant + 1))
        while x.norm() > 1:
            x = x / 2
        return x.sum()


class Centred(nn.Module):
    """A layer without parameters."""

    def forward(self, x):
        return x - x.mean(dim=1, keepdim=True)


class Affine(nn.Module):
    """A layer with parameters of its own."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.slope = nn.Parameter(torch.randn(inputs, outputs))
        self.shift = nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        return torch.relu(torch.matmul(x, self.slope) + self.shift)


X = torch.rand(2, 20)
net = Chain(nn.LazyLinear(256), nn.ReLU(), nn.LazyLinear(10))
assert net(X).shape == (2, 10) and list(net.state_dict())[0] == "link0.weight"
nested = nn.Sequential(Chain(nn.LazyLinear(20), nn.ReLU()), Shrinking(20))
assert nested(X).shape == () and abs(float(nested(X))) <= 40**0.5
assert float(nn.Sequential(nn.LazyLinear(128), Centred())(X).mean(dim=1).abs().max()) < 1e-6
assert nn.Sequential(Affine(20, 8), Affine(8, 1))(X).shape == (2, 1)

# Access.
net = nn.Sequential(nn.LazyLinear(8), nn.ReLU(), nn.LazyLinear(1))
assert net[0].weight.__class__ is nn.UninitializedParameter
net(torch.rand(2, 4))
assert list(net[2].state_dict()) == ["weight", "bias"] and net[2].weight.grad is None
assert [(name, tuple(p.shape)) for name, p in net.named_parameters()] == [
    ("0.weight", (8, 4)),
    ("0.bias", (8,)),
    ("2.weight", (1, 8)),
    ("2.bias", (1,)),
]
assert type(net[2].bias) is nn.Parameter and type(net[2].bias.data) is torch.Tensor

# First values.


def small(module):
    if type(module) is nn.Linear:
        nn.init.normal_(module.weight, mean=0, std=0.01)
        nn.init.zeros_(module.bias)


def none_or_large(module):
    if type(module) is nn.Linear:
        nn.init.uniform_(module.weight, -10, 10)
        module.weight.data *= module.weight.data.abs() >= 5


net.apply(small)
assert not net[0].bias.any() and float(net[0].weight.abs().max()) < 0.1
net.apply(none_or_large)
assert all(value == 0 or abs(value) >= 5 for value in net[0].weight.flatten().tolist())
net[0].weight.data[:] += 1
net[0].weight.data[0, 0] = 42
assert net[0].weight[0, 0].item() == 42
net[2].apply(lambda m: nn.init.constant_(m.weight, 42))
assert net[2].weight.data[0].tolist() == [42] * 8

# Sharing.
shared = nn.LazyLinear(8)
net = nn.Sequential(nn.LazyLinear(8), nn.ReLU(), shared, nn.ReLU(), shared, nn.ReLU(), nn.LazyLinear(1))
net(torch.rand(2, 4))
net[2].weight.data[0, 0] = 100
assert net[2].weight is net[4].weight and len(list(net.parameters())) == 6

# Learning with them.
trainer, losses = torch.optim.SGD(net.parameters(), lr=1e-4), []
with torch.no_grad():
    net[2].weight[0, 0] = 0.1
X, y = torch.rand(16, 4), torch.ones(16, 1)
trainer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(30):
    trainer.zero_grad()
    loss = F.mse_loss(net(X), y)
    loss.backward()
    trainer.step()
    losses.append(loss.item())

# Files.
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    x, y = torch.arange(4), torch.zeros(4)
    torch.save(x, folder / "one")
    assert torch.equal(torch.load(folder / "one"), x)
    torch.save([x, y], str(folder / "list"))
    again, zeros = torch.load(str(folder / "list"))
    assert torch.equal(again, x) and torch.equal(zeros, y)
    torch.save({"x": x, "y": y}, folder / "dict")
    assert torch.load(folder / "dict")["y"].tolist() == [0] * 4
    torch.save(net.state_dict(), folder / "net.params")
    clone = nn.Sequential(
        nn.Linear(4, 8), nn.ReLU(), s := nn.Linear(8, 8), nn.ReLU(), s, nn.ReLU(), nn.Linear(8, 1)
    )
    clone.load_state_dict(torch.load(folder / "net.params"))
    clone.eval()
    assert torch.equal(clone(X), net(X))
