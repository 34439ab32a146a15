"""Parts 1 to 4: matrix products, queued and waited for."""

import io

import penstock as ps
from clock import Watch, best, spent
from table import render, seconds


def choose_side(side, most):
    """The side of matrices whose product takes at most that long: `side`, or a part of it."""
    probe = max(side // 4, 8)
    x = ps.random.normal(size=(probe, probe))
    (x @ x).wait()  # the first one loads the library of matrix products
    once = best(lambda: (x @ x).wait(), 3)
    while side > probe and once * (side / probe) ** 3 > most:
        side //= 2
    return side


def numpy_or_none():
    try:
        import numpy
    except ImportError:
        return None
    return numpy


# ---- 1. Against NumPy ---------------------------------------------------------------------------


def numpy_loop(numpy, side, count):
    generator = numpy.random.default_rng(1)
    for _ in range(count):
        a = generator.standard_normal((side, side), dtype=numpy.float32)
        a @ a


def our_loop(side, count):
    """Returns the times until all is queued, and until all is done."""
    generator = ps.random.default_rng(1)
    with Watch() as done:
        with Watch() as queued:
            for _ in range(count):
                a = generator.normal(size=(side, side))
                a @ a
        ps.waitall()
    return queued.seconds, done.seconds


def against_numpy(screen, figures, sizes):
    side, count = sizes.side, sizes.products
    screen.heading("1. Random matrices times themselves")
    screen.tell(
        f"""{count} times: {side} x {side} normal random numbers in float32, and their product with
        themselves. NumPy does the work inside of each call. Penstock's calls only note down what is
        to be done; its workers do it. The best of {sizes.rounds}."""
    )
    screen.step("products, ours")
    runs = [our_loop(side, count) for _ in range(sizes.rounds)]
    queued, done = min(run[0] for run in runs), min(run[1] for run in runs)
    rows = [("penstock, calls alone", queued), ("penstock, with waitall", done)]
    numpy = numpy_or_none()
    screen.step("products, NumPy")
    if numpy is not None:
        rows.append(("NumPy", best(lambda: numpy_loop(numpy, side, count), sizes.rounds)))
    screen.say()
    for name, value in rows:
        screen.say(f"   {name:26} {seconds(value):>10}")
        figures.append((f"{count} products of {side} x {side}: {name}", seconds(value)))
    screen.say()
    if numpy is None:
        screen.tell("NumPy is not installed for this Python, so there is no figure of its.")
    screen.tell(
        """The first figure says nothing about speed: when the loop is over, hardly anything has
        been computed. The one with waitall is what can be compared with others."""
    )


# ---- 2. Queued and finished ---------------------------------------------------------------------


def queued_and_finished(screen, figures, sizes):
    side = 2 * sizes.side
    screen.heading("2. Queued is not finished")
    screen.tell(
        f"""A {side} x {side} matrix times itself, and the sum of that. The call comes back at once
        with an array whose value is on its way. Only printing needs the value."""
    )
    screen.step("queued and finished")
    with Watch() as queued:
        x = ps.random.uniform(size=(side, side))
        y = (x @ x).sum()
    there = y.is_ready()
    with Watch() as finished:
        text = str(y)
    screen.say(f"\n   queued after   {seconds(queued.seconds):>10}   y.is_ready(): {there}")
    screen.say(f"   printed after  {seconds(finished.seconds):>10} more, y = {text}")
    figures.append((f"product of {side} x {side} and sum: queued", seconds(queued.seconds)))
    figures.append((f"product of {side} x {side} and sum: then printed", seconds(finished.seconds)))


# ---- 3. What waits ------------------------------------------------------------------------------


def blockers():
    """Each as (what it looks like, a function of an array, whether it says that it waits)."""
    numpy = ("y.asnumpy()", lambda y: y.asnumpy())
    if numpy_or_none() is None:
        numpy = ("y.tobytes()", lambda y: y.tobytes())
    return [
        ("ps.waitall()", lambda y: ps.waitall(), "says so: for everything"),
        ("y.wait_to_read()", lambda y: y.wait_to_read(), "says so: for y"),
        (*numpy, "does not say so: needs the elements"),
        ("y.sum().item()", lambda y: y.sum().item(), "does not say so: needs a number"),
        ("print(y)", lambda y: print(y, file=io.StringIO()), "does not say so: needs text"),
        ("y.shape", lambda y: y.shape, "does not wait: known without the value"),
    ]


def what_waits(screen, figures, sizes):
    screen.heading("3. What makes a program wait")
    screen.tell(
        f"""Each time a product of {sizes.side} x {sizes.side} is queued and then something is done
        with it. The figure is the time of that something."""
    )
    x = ps.random.normal(size=(sizes.side, sizes.side))
    x.wait()
    rows = []
    for name, use, how in blockers():
        screen.step(name)
        y = x @ x
        before = y.is_ready()
        taken = spent(lambda use=use, y=y: use(y))
        rows.append((name, how, seconds(taken), before, y.is_ready()))
        figures.append((f"after a product: {name}", seconds(taken)))
        ps.waitall()
    heads = ("what", "how it waits", "time", "ready\nbefore", "ready\nafter")
    screen.say("\n" + indent(render(heads, rows, left=2)))


# ---- 4. One of several --------------------------------------------------------------------------


def one_of_several(screen, figures, sizes):
    side, count = sizes.side, sizes.products
    screen.heading("4. Waiting for one, or for all")
    screen.tell(
        f"""{count} products of {side} x {side} are queued at once. wait_to_read on the first comes
        back when that one is there; waitall only when nothing is left."""
    )
    x = ps.random.normal(size=(side, side))
    x.wait()
    screen.step("the first of several")
    first, left = 0.0, 0
    with Watch() as everything:
        with Watch() as watch:
            results = [x @ x for _ in range(count)]
            results[0].wait_to_read()
        first = watch.seconds
        left = sum(not result.is_ready() for result in results)
        ps.waitall()
    screen.say(f"\n   wait_to_read, first   {seconds(first):>10}   not ready then: {left}")
    screen.say(f"   waitall               {seconds(everything.seconds):>10}   not ready then: 0")
    figures.append((f"{count} products: the first is there after", seconds(first)))
    figures.append((f"{count} products: all are there after", seconds(everything.seconds)))


def indent(text):
    return "\n".join(("   " + line).rstrip() for line in text.split("\n"))
