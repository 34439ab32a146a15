"""When a call returns, and when its result is there."""

import argparse
from time import perf_counter

import penstock as ps


def main(size: int, digest: bool) -> None:
    x = ps.random.default_rng(1).uniform(size=(size, size))
    x.wait()

    start = perf_counter()
    y = ps.dot(x, x).sum()
    queued = perf_counter() - start
    value = y.item()  # waits for its value
    finished = perf_counter() - start
    print(f"queued after   {queued * 1e3:8.3f} ms")
    print(f"finished after {finished * 1e3:8.3f} ms: sum = {value:.9g}")
    if digest:
        print("digest sum", y.tobytes().hex())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", nargs="?", type=int, default=2000)
    parser.add_argument("--digest", action="store_true", help="print the exact value as well")
    given = parser.parse_args()
    main(given.size, given.digest)
