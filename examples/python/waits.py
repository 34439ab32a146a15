"""y = x + 1, a thousand times: with a wait in each step, and with one at the end.

A wait in each step makes the program and the workers take turns. With one at the end they work at
the same time, and what nobody can see any more when its turn comes need not be stored.
"""

import argparse
import sys
from time import perf_counter

import penstock as ps

STEPS = 1000


def main(size: int, digest: bool) -> int:
    x = ps.random.default_rng(1).uniform(size=(size, size))
    x.wait()

    start = perf_counter()
    for _ in range(STEPS):
        each = x + 1
        each.wait()
    in_each_step = perf_counter() - start

    start = perf_counter()
    for _ in range(STEPS):
        once = x + 1
    ps.waitall()
    at_the_end = perf_counter() - start

    same = bool((each == once).all())
    print(f"a wait in each step: {in_each_step * 1e3:8.2f} ms")
    print(f"one wait at the end: {at_the_end * 1e3:8.2f} ms")
    print("the results are", "the same" if same else "different")
    if digest:
        print("digest each", each.tobytes().hex())
        print("digest once", once.tobytes().hex())
    return 0 if same else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", nargs="?", type=int, default=2000)
    parser.add_argument("--digest", action="store_true", help="print the exact values as well")
    given = parser.parse_args()
    sys.exit(main(given.size, given.digest))
