"""Functions of torch.nn queue what they do: with a product held back, they return, and so do
clipping, running means over all batches, padding of sequences and losses that check values."""

import gate
import penstock as ps
import pytest
from penstock import torch
from penstock.torch import nn

PROGRAMS = """
F.binary_cross_entropy(y / 300, y / 300)
F.hinge_embedding_loss(y, y / 300)
F.gaussian_nll_loss(y, y + 1, y)
F.multi_margin_loss(y, y[0].long() - 300)
F.cross_entropy(y, y[0].long() - 300, torch.ones(300), label_smoothing=0.1)
F.adaptive_avg_pool2d(y[None], (7, 7))
F.adaptive_max_pool2d(y[None], (7, 7))
F.interpolate(y[None, None], scale_factor=2)
F.unfold(y[None, None], 3)
F.pad(y[None], (1, 1), 'reflect')
F.normalize(y)
F.dropout2d(y[None, None], 0.5)
F.gumbel_softmax(y, hard=True)
nn.BatchNorm1d(300, momentum=None)(y)
nn.InstanceNorm1d(300, track_running_stats=True)(y[None])
nn.Embedding(301, 4, padding_idx=0)(y[0].long())
nn.utils.rnn.pad_sequence([y, y[:5]])
nn.utils.parameters_to_vector([y, y])
nn.init.xavier_uniform_(y)
nn.init.trunc_normal_(y)
nn.init.orthogonal_(y)
clipped(y)
loaded(y)
"""


def clipped(y):
    one = nn.Parameter(torch.ones(300, 300))
    one.grad = y
    total = nn.utils.clip_grad_norm_([one], 1.0)
    nn.utils.clip_grad_value_([one], 0.5)
    assert not ps.ndarray.is_ready(one.grad)
    return total


def loaded(y):
    net = nn.Sequential(nn.Linear(300, 300))
    net.load_state_dict({"0.weight": y, "0.bias": y[0]})
    return net.double().state_dict()["0.weight"]


@pytest.mark.timeout(120)
@pytest.mark.parametrize("program", PROGRAMS.strip().splitlines())
def test_does_not_wait(program):
    before = ps.engine.workers()
    ps.engine.set_workers(max(before, 2))
    names = {"torch": torch, "nn": nn, "F": nn.functional, "clipped": clipped, "loaded": loaded}
    with gate.product() as product:
        made = eval(program, {**names, "y": product.as_subclass(torch.Tensor)})
        ready = ps.ndarray.is_ready(made)
    ps.engine.set_workers(before)
    assert not ready
