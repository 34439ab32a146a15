"""Attention by batches of products: kernels, masks, many heads, a small Transformer encoder."""

import torch
from d2l import torch as d2l
from torch import nn

torch.manual_seed(6)

# Pooling by kernels.
x_train = torch.sort(torch.rand(30) * 5)[0]
y_train = 2 * torch.sin(x_train) + x_train
x_val = torch.arange(0, 5, 0.1)
dists = x_train.reshape((-1, 1)) - x_val.reshape((1, -1))
k = torch.exp(-(dists**2) / 2)
weights = k / k.sum(0)
assert weights.shape == (30, 50) and torch.allclose(weights.sum(0), torch.ones(50))
assert (y_train @ weights).shape == (50,)

# Masks.
weights = d2l.masked_softmax(torch.rand(2, 2, 4), torch.tensor([2, 3]))
assert not weights[0, :, 2:].any() and not weights[1, :, 3:].any()
assert torch.allclose(weights.sum(2), torch.ones(2, 2))
weights = d2l.masked_softmax(torch.rand(2, 2, 4), torch.tensor([[1, 3], [2, 4]]))
assert [int((row > 0).sum()) for row in weights.reshape(4, 4)] == [1, 3, 2, 4]

# Scores.
queries, keys = torch.normal(0, 1, (2, 1, 20)), torch.normal(0, 1, (2, 10, 2))
values = torch.normal(0, 1, (2, 10, 4))
valid_lens = torch.tensor([2, 6])
additive = d2l.AdditiveAttention(num_hiddens=8, dropout=0.1)
d2l.check_shape(additive(queries, keys, values, valid_lens), (2, 1, 4))
dots = d2l.DotProductAttention(dropout=0.5).eval()
d2l.check_shape(dots(torch.normal(0, 1, (2, 1, 2)), keys, values, valid_lens), (2, 1, 4))
assert not dots.attention_weights[0, :, 2:].any()
d2l.show_heatmaps(dots.attention_weights.reshape((1, 1, 2, 10)), "Keys", "Queries")
d2l.plt.close("all")

heads = d2l.MultiHeadAttention(100, 5, 0.5)
X, Y = torch.ones((2, 4, 100)), torch.ones((2, 6, 100))
d2l.check_shape(heads(X, Y, Y, torch.tensor([3, 2])), (2, 4, 100))

positions = d2l.PositionalEncoding(32, 0).eval()
assert torch.equal(positions(torch.zeros((1, 60, 32))), positions.P[:, :60])
assert float(positions.P[0, 0, 1]) == 1 and float(positions.P[0, 0, 0]) == 0


class Finder(nn.Module):
    """Tells which token comes most often."""

    def __init__(self, vocab_size):
        super().__init__()
        self.encoder = d2l.TransformerEncoder(vocab_size, 16, 32, 4, 2, 0.1)
        self.out = nn.LazyLinear(vocab_size)

    def forward(self, X, valid_lens):
        return self.out(self.encoder(X, valid_lens).mean(dim=1))


X = torch.randint(0, 5, (96, 8))
y = torch.nn.functional.one_hot(X, 5).sum(dim=1).argmax(dim=1)
net = Finder(5)
lens = torch.full((96,), 8)
net(X, lens)
loss, trainer = nn.CrossEntropyLoss(), torch.optim.Adam(net.parameters(), lr=0.01)
losses = []
for _ in range(60):
    trainer.zero_grad()
    l = loss(net(X, lens), y)
    l.backward()
    trainer.step()
    losses.append(l.item())
assert len(net.encoder.attention_weights) == 2

# A picture in patches, as a sequence.
patches = nn.LazyConv2d(12, kernel_size=4, stride=4)(torch.zeros(2, 3, 16, 16)).flatten(2)
d2l.check_shape(patches.transpose(1, 2), (2, 16, 12))
