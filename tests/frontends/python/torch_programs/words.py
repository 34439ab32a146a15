"""Skip-grams with negative samples: embeddings, masks, binary cross-entropy by element."""

import torch
from d2l import torch as d2l
from torch import nn

torch.manual_seed(10)

sentences = [line.split() for line in ["a b c d a b", "e f g h e f", "a c b d", "e g f h"] * 10]
vocab = d2l.Vocab(sentences, min_freq=1)
corpus = [vocab[line] for line in sentences]
centers, contexts = d2l.get_centers_and_contexts(corpus, 2)
counter = d2l.collections.Counter(token for line in sentences for token in line)
negatives = d2l.get_negatives(contexts, vocab, counter, 3)


class Pairs(torch.utils.data.Dataset):
    def __len__(self):
        return len(centers)

    def __getitem__(self, index):
        return centers[index], contexts[index], negatives[index]


data_iter = torch.utils.data.DataLoader(Pairs(), 32, shuffle=True, collate_fn=d2l.batchify)
center, context_negative, mask, label = next(iter(data_iter))
assert center.shape == (32, 1) and context_negative.shape == mask.shape == label.shape


def scores(words, others):
    """How well each word goes with each of its others."""
    return torch.bmm(net[0](words), net[1](others).permute(0, 2, 1)).squeeze(1)


class MaskedLoss(nn.Module):
    """Binary cross-entropy, averaged over what the mask leaves."""

    def forward(self, inputs, target, mask):
        losses = nn.functional.binary_cross_entropy_with_logits(
            inputs, target, weight=mask, reduction="none"
        )
        return losses.sum(dim=1) / mask.sum(axis=1)


net = nn.Sequential(nn.Embedding(len(vocab), 8), nn.Embedding(len(vocab), 8))
net.apply(lambda m: nn.init.xavier_uniform_(m.weight) if type(m) == nn.Embedding else None)  # noqa: E721
loss, optimizer = MaskedLoss(), torch.optim.Adam(net.parameters(), lr=0.02)
losses = []
for _ in range(5):
    total = d2l.Accumulator(2)
    for batch in data_iter:
        optimizer.zero_grad()
        center, context_negative, mask, label = (one.to(d2l.try_gpu()) for one in batch)
        l = loss(scores(center, context_negative), label.float(), mask)
        l.sum().backward()
        optimizer.step()
        total.add(l.sum(), l.numel())
    losses.append(total[0] / total[1])

W = net[0].weight.data
x = W[vocab["a"]]
cos = torch.mv(W, x) / torch.sqrt(torch.sum(W * W, dim=1) * torch.sum(x * x) + 1e-9)
topk = torch.topk(cos, k=4)[1].cpu().numpy().astype("int32")
near = {vocab.to_tokens(int(i)) for i in topk}
assert "a" in near and len(near & set("abcd")) >= 3

# Convolutions over sequences of embeddings.
pool = nn.AdaptiveAvgPool1d(1)
convs = nn.ModuleList(nn.Conv1d(8, 4, kernel) for kernel in (2, 3))
embeddings = net[0](torch.randint(0, len(vocab), (5, 7))).permute(0, 2, 1)
encoding = torch.cat([torch.squeeze(torch.relu(pool(conv(embeddings))), dim=-1) for conv in convs], dim=1)
assert encoding.shape == (5, 8)
