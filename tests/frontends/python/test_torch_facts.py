"""What is known of PyTorch 2.15.0 holds here: each fact of the reference runs as a doctest."""

import warnings

import penstock
import pytest
import reference_facts

FACTS = range(1, 61)

# By the number of the fact: the end of a line of its program, and what ours shows.
OURS = {
    4: {
        # Imports are copies and exports are snapshots.
        "a[0] = 5; t, s": "(tensor([0., 0.]), tensor([0., 0.]))",
        "n[0] = 7; n, x": "(array([7., 1.], dtype=float32), tensor([2., 2.]))",
    },
    21: {
        # All is read before anything is written.
        "x[1:] = x[:-1]": "",
    },
    33: {
        # It waits for all that is queued.
        "torch.cuda.synchronize(torch.device('cpu'))": "",
    },
}

REFERENCE = reference_facts.Reference("torch-2.15.0-behaviour.md", OURS)


@pytest.fixture
def names():
    """What the set-up of the reference leaves behind, in a process where torch is ours."""
    workers = penstock.engine.workers()
    torch = penstock.install_as("torch")
    with warnings.catch_warnings():  # the set-up silences them
        found = REFERENCE.set_up()
        assert found["torch"] is torch
        yield found
    torch.set_default_dtype(torch.float32)
    torch.set_printoptions(profile="default")
    penstock.engine.set_workers(workers)


def test_all_facts_are_there():
    assert list(REFERENCE.parts()[1]) == list(FACTS)
    assert set(OURS) <= set(FACTS)


@pytest.mark.parametrize("number", FACTS)
def test_fact(number, names):
    REFERENCE.check(number, names)
