"""Waiting for one value among several that are queued, and for all of them.

Powers of a matrix, each from the one before. Whoever needs the second does not wait for the rest.
"""

import argparse
from time import perf_counter

import penstock as ps

COUNT = 8


def main(size: int, digest: bool) -> None:
    high = 2.0 / size  # rows add up to about 1, in all powers
    x = ps.random.default_rng(1).uniform(0.0, high, (size, size))
    x.wait()

    start = perf_counter()
    powers = [x]
    while len(powers) < COUNT:
        powers.append(ps.dot(powers[-1], x))
    queued = perf_counter() - start
    powers[1].wait()
    second = perf_counter() - start
    ps.waitall()
    everything = perf_counter() - start

    print(f"queued                {queued * 1e3:8.2f} ms")
    print(f"the second power      {second * 1e3:8.2f} ms")
    print(f"all powers, to the {COUNT}th {everything * 1e3:7.2f} ms")
    if digest:
        print("digest second", powers[1].tobytes().hex())
        print("digest last", powers[-1].tobytes().hex())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", nargs="?", type=int, default=1000)
    parser.add_argument("--digest", action="store_true", help="print the exact values as well")
    given = parser.parse_args()
    main(given.size, given.digest)
