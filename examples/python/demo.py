"""What asynchrony looks like from Python, in measured figures.

1. Operations are queued; the program goes on, and the work gets done whether it waits or not.
2. A program waits where it needs a value, or where it says so.
3. Waiting for one result does not wait for the others.
4. An error that happens later names the line that queued the operation.
5. A loop that never waits does not fill the memory.
"""

from collections.abc import Callable
from time import perf_counter

import penstock as ps

SIZE = 1000
PRODUCTS = 11


def milliseconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return (perf_counter() - start) * 1e3


def products(x: ps.ndarray) -> list[ps.ndarray]:
    return [x @ x for _ in range(PRODUCTS)]


def queueing(x: ps.ndarray) -> None:
    print(f"1. {PRODUCTS} products of {SIZE} x {SIZE} random matrices")
    results: list[ps.ndarray] = []
    start = perf_counter()
    queued = milliseconds(lambda: results.extend(products(x)))
    print(f"   queued in {queued:.2f} ms; the last one is ready: {results[-1].is_ready()}")
    count = 0
    while not results[-1].is_ready():  # no wait: Python is busy with something else
        count += 1
    ps.waitall()
    total = (perf_counter() - start) * 1e3
    print(f"   complete after {total:.0f} ms; meanwhile Python has counted to {count:,}")


def waiting(x: ps.ndarray) -> None:
    print("2. where a program waits")
    y = x @ x
    print(f"   y.wait_to_read()       {milliseconds(y.wait_to_read):6.1f} ms, said explicitly")
    y = x @ x
    print(f"   y[0, 0].item()         {milliseconds(y[0, 0].item):6.1f} ms, a number is needed")
    y = x @ x
    print(f"   str(y)                 {milliseconds(lambda: str(y)):6.1f} ms, text is needed")
    y = x @ x
    print(f"   y.shape                {milliseconds(lambda: y.shape):6.1f} ms, known without a value")
    print(f"   ps.waitall()           {milliseconds(ps.waitall):6.1f} ms, all that is queued")


def one_of_several(x: ps.ndarray) -> None:
    print(f"3. waiting for one of {PRODUCTS} equal products")
    start = perf_counter()
    results = products(x)
    results[0].wait()
    first = (perf_counter() - start) * 1e3
    ps.waitall()
    total = (perf_counter() - start) * 1e3
    print(f"   the first after {first:.0f} ms, all after {total:.0f} ms")


def errors() -> None:
    print("4. an error while running")
    x = ps.array([1.0, 2.0, 3.0])
    places = ps.array([0, 2, 7])
    y = ps.take(x, places)
    z = ps.sqrt(y) + 1
    print("   both lines are queued; now the value is asked for")
    try:
        print(z)
    except IndexError as error:
        print(f"   IndexError: {error}")
        for note in error.__notes__:
            print("   " + note.replace("\n", "\n   "))
    print(f"   other arrays are as they were: {x.sum().item()}")


def memory(x: ps.ndarray) -> None:
    steps = 2000
    print(f"5. a loop of {2 * steps} operations that never waits")
    y = x
    ps.waitall()
    ps.memory.reset_peak()
    before = ps.memory.stats().live
    for _ in range(steps):
        y = y * 0.5 + x
    y.wait()
    most = (ps.memory.stats().peak - before) / 2**20
    total = 2 * steps * x.nbytes / 2**20
    print(f"   {total:,.0f} MB of results; at most {most:.0f} MB of them in memory at once")


def main() -> None:
    print(f"penstock {ps.__version__}, {ps.engine.workers()} workers")
    x = ps.random.normal(size=(SIZE, SIZE))
    (x @ x).wait()  # loads the library of matrix products
    queueing(x)
    waiting(x)
    one_of_several(x)
    errors()
    memory(x)


if __name__ == "__main__":
    main()
