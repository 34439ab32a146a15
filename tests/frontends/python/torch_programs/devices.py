"""GPUs where there are some, batches split over devices, asynchronous and scripted programs."""

import numpy
import torch
from d2l import torch as d2l
from torch import nn

torch.manual_seed(13)

# Devices.
assert torch.device("cpu") == d2l.cpu() and d2l.gpu(1) == torch.device("cuda:1")
assert d2l.num_gpus() == torch.cuda.device_count()
device, others = d2l.try_gpu(), d2l.try_all_gpus()
assert len(others) == d2l.num_gpus() and d2l.try_gpu(10) == d2l.cpu()
X = torch.ones(2, 3, device=device)
assert X.device.type == device.type and X.to(device) is X
net = nn.Sequential(nn.LazyLinear(1)).to(device=device)
assert net(X).device == X.device and net[0].weight.data.device == X.device

# Parallel layers.
parallel = nn.DataParallel(net, device_ids=others).to(device)
assert parallel(X).shape == (2, 1)


# A loop from scratch, over parts of batches.
def placed(params, device):
    """Leaves with the same numbers on a device."""
    return [p.clone().to(device).requires_grad_() for p in params]


def sum_up(parts):
    """Every part becomes the sum of all, in place."""
    for part in parts[1:]:
        parts[0][:] += part.to(parts[0].device)
    for part in parts[1:]:
        part[:] = parts[0].to(part.device)


parts = [torch.ones((1, 2)) * (i + 1) for i in range(2)]
sum_up(parts)
assert [part.tolist() for part in parts] == [[[3, 3]]] * 2

params = [torch.randn(3, 1) * 0.1, torch.zeros(1)]
devices = [device] * 2
copies = [placed(params, one) for one in devices]
features = torch.randn(64, 3)
labels = features @ torch.tensor([[1.0], [2.0], [3.0]])
losses = []
for _ in range(15):
    found = []
    for (w, b), x, y in zip(copies, features.chunk(2), labels.chunk(2)):
        loss = ((x.to(device) @ w + b - y.to(device)) ** 2).sum()
        loss.backward()
        found.append(loss)
    with torch.no_grad():
        for i in range(len(params)):
            sum_up([copies[c][i].grad for c in range(2)])
    for one in copies:
        d2l.sgd(one, 0.1, 64)
    losses.append(sum(float(one) for one in found))
assert torch.allclose(copies[0][0], copies[1][0])

# The program queues work; what it prints, it waits for.
with d2l.Benchmark("numpy"):
    for _ in range(3):
        a = numpy.random.normal(size=(100, 100))
        b = numpy.dot(a, a)
with d2l.Benchmark("torch"):
    for _ in range(3):
        a = torch.randn(size=(100, 100), device=device)
        b = torch.mm(a, a)
x, y = torch.ones((1, 2), device=device), torch.ones((1, 2), device=device)
z = x * y + 2
assert str(z).startswith("tensor([[3., 3.]]")


# Scripted networks compute the same.
def get_net():
    return nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2))


x, net = torch.randn(size=(1, 16)), get_net()
before = net(x)
net = torch.jit.script(net)
assert torch.allclose(net(x), before)
