"""A loop over batches that are copied in from NumPy, and how far the memory of its process grew.

    run_ahead.py train|predict each|end BATCHES

The network has 512 inputs and layers of 2048, 512 and 1; a batch has 1024 rows. `each` waits for
every batch, `end` for nothing before the last. Prints bytes: the largest resident size that the
process had during the loop, less the size that it had before.
"""

import sys

import numpy as np
import penstock as ps
from penstock import autograd

ROWS, INPUTS, LAYERS = 1024, 512, (2048, 512, 1)
RATE = 1e-3


def resident(field):
    """Of this process, in bytes: VmRSS now, or VmHWM, the most so far."""
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith(field + ":"):
                return int(line.split()[1]) * 1024
    raise LookupError(field)


def forget_peak():
    """VmHWM begins anew; where that is not allowed it is larger, never smaller."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as control:
            control.write("5")
    except OSError:
        pass


def make_weights():
    rng = np.random.default_rng(1)
    weights = []
    for before, after in zip((INPUTS, *LAYERS), LAYERS):
        scale = (2 / before) ** 0.5
        weights.append(ps.array(rng.normal(0, scale, (after, before)).astype("float32")))
        weights.append(ps.zeros(after))
    for weight in weights:
        weight.attach_grad()
    return weights


def predict(weights, x):
    w1, b1, w2, b2, w3, b3 = weights
    hidden = ps.nn.relu(ps.nn.linear(x, w1, b1))
    hidden = ps.nn.relu(ps.nn.linear(hidden, w2, b2))
    return ps.nn.linear(hidden, w3, b3)


def train(weights, x, wanted):
    with autograd.record():
        missing = predict(weights, x) - wanted
        loss = (missing * missing).mean()
    loss.backward()
    for weight in weights:
        weight -= RATE * weight.grad
    return loss


def run(task, wait_for_each, batches):
    rng = np.random.default_rng(2)
    source = [rng.normal(size=(ROWS, INPUTS)).astype("float32") for _ in range(2)]
    wanted = rng.normal(size=(ROWS, 1)).astype("float32")
    weights = make_weights()
    ps.waitall()
    forget_peak()
    before = resident("VmRSS")
    for i in range(batches):
        x = ps.array(source[i % 2])
        last = train(weights, x, ps.array(wanted)) if task == "train" else predict(weights, x)
        if wait_for_each:
            last.wait_to_read()
            ps.waitall()
    ps.waitall()
    assert np.isfinite(last.asnumpy()).all()
    return resident("VmHWM") - before


if __name__ == "__main__":
    print(run(sys.argv[1], sys.argv[2] == "each", int(sys.argv[3])))
