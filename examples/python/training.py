"""Training a network of three layers on batches that a generator makes, in two ways.

One reads the loss of each batch at once, the other all of them at the end. The losses are the same
to the last bit. Whoever reads each loss waits for each batch; whoever does not runs ahead of the
workers, as far as the engine lets it: memory does not fill up.
"""

import argparse
import sys
from collections.abc import Iterator
from time import perf_counter

import penstock as ps
from penstock import autograd, nn, optim

BATCHES = 20


def batches(samples: int, inputs: int) -> Iterator[tuple[ps.ndarray, ps.ndarray]]:
    rng = ps.random.default_rng(2)
    for _ in range(BATCHES):
        yield rng.normal(size=(samples, inputs)), ps.ones((samples, 1))


def network(units: int) -> nn.Sequential:
    net = nn.Sequential(nn.Dense(units, "relu"), nn.Dense(units // 4, "relu"), nn.Dense(1))
    return net.initialize(nn.init.Uniform(0.07, generator=ps.random.default_rng(1)))


def train(units: int, read_each: bool) -> list[ps.ndarray]:
    net = network(units)
    trainer = optim.SGD(net.parameters(), 0.005)
    loss_of = nn.L2Loss()
    losses = []
    for x, y in batches(units // 2, units // 4):
        with autograd.record():
            loss = loss_of(net(x), y)
        loss.backward()
        trainer.step(len(x))
        losses.append(loss.mean())
        if read_each:
            print(f"batch {len(losses):2}: loss {losses[-1].item():.9g}")
    ps.waitall()
    return losses


def measured(how: str, units: int, read_each: bool) -> list[ps.ndarray]:
    ps.memory.reset_peak()
    start = perf_counter()
    losses = train(units, read_each)
    time = perf_counter() - start
    print(f"{how}: {time * 1e3:.0f} ms, at most {ps.memory.stats().peak / 1e6:.0f} MB")
    return losses


def main(units: int, digest: bool) -> int:
    losses = measured("each loss was read at once", units, True)
    later = measured("all losses are read at the end", units, False)
    same = bool(ps.array_equal(ps.stack(losses), ps.stack(later)))
    print("the losses are", "the same" if same else "different")
    if digest:
        for loss in later:
            print("digest loss", loss.tobytes().hex())
    return 0 if same else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("units", nargs="?", type=int, default=2048, help="of the first layer")
    parser.add_argument("--digest", action="store_true", help="print the exact losses as well")
    given = parser.parse_args()
    sys.exit(main(given.units, given.digest))
