"""Optimisers and loaders of the torch dialect do not wait for what they are given: they are called
while that is still being computed."""

import gate
import pytest

from penstock import torch

KINDS = {
    "SGD": [{}, {"momentum": 0.9}, {"momentum": 0.9, "nesterov": True}],
    "Adam": [{}, {"amsgrad": True}],
    "RMSprop": [{}, {"centered": True}],
    **{
        name: [{}]
        for name in ("AdamW", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam", "Rprop", "ASGD")
    },
}


@pytest.mark.parametrize("name", KINDS)
def test_steps_run_ahead_of_gradients(name):
    for options in KINDS[name]:
        weight = torch.ones(300, 300, requires_grad=True)
        other = torch.ones(2, requires_grad=True)
        optimizer = getattr(torch.optim, name)([weight, other], lr=0.1, **options)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)
        with gate.product() as product:
            gradient = product.as_subclass(torch.Tensor) / 300
            for step in range(4):
                optimizer.zero_grad()
                (weight * gradient).sum().backward()
                if step == 2:
                    other.grad = torch.ones(2)
                optimizer.step()
                scheduler.step()
                if step == 1:
                    optimizer.load_state_dict(optimizer.state_dict())
            assert not product.is_ready()
        assert not (weight == 1).any() and not (other == 1).any()


@pytest.mark.parametrize("options", [{}, {"shuffle": True}, {"sampler": range(0, 300, 3)}])
def test_batches_of_tensors_run_ahead_of_them(options):
    with gate.product() as product:
        tensor = product.as_subclass(torch.Tensor)
        dataset = torch.utils.data.TensorDataset(tensor, torch.arange(300))
        batches = list(torch.utils.data.DataLoader(dataset, 64, **options))
        assert not product.is_ready()
    assert all((x == 300).all() and x.shape == (len(y), 300) for x, y in batches)
