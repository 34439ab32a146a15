"""The story of asynchronous computation, in measured figures and pictures: `make demo`.

    python examples/python/story/run.py [--quick] [--out FOLDER]

1. Random matrices times themselves, against NumPy.
2. Queued is not finished.
3. What makes a program wait.
4. Waiting for one result, or for all.
5. A loop of 10,000 steps that waits in each, or once; and what a formula says about both.
6. Training with a wait in each batch and without any: time, and memory.
7. Pictures of what the engine recorded.

Sizes are cut on slow machines, so that all of it takes less than three minutes.
"""

import argparse
import pathlib
import sys
from dataclasses import dataclass, field
from time import perf_counter

import loop
import penstock as ps
import pictures
import products
import training
from products import indent
from screen import Screen
from table import render, seconds

ROOT = pathlib.Path(__file__).parents[3]


@dataclass
class Sizes:
    side: int = 1000
    products: int = 10
    rounds: int = 3
    steps: int = 10_000
    elements: tuple[int, ...] = (2, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
    seconds: float = 9.0  # for the loops of one array size
    lane_side: int = 700
    lane_products: int = 6
    network: training.Shape = field(default_factory=training.Shape)


QUICK = Sizes(32, 3, 1, 50, (2, 4000), 9.0, 64, 4, training.Shape(32, 16, (24, 8, 1), 6))

HEADS = (
    "elements",
    "t1\nqueue",
    "t2\nrun",
    "t3\nfetch",
    "waits\neach time",
    "for-\nmula",
    "waits\nonce",
    "for-\nmula",
    "with\nhelp",
    "N t2 >\n(N-1) t1",
    "run by\nprogram",
)


def loop_cells(row):
    return (
        f"{row.elements:,}",
        seconds(row.t1),
        "at call" if row.at_once else seconds(row.t2) + ("" if row.clear else "?"),
        seconds(row.t3),
        seconds(row.synchronous),
        seconds(row.predicted_synchronous),
        seconds(row.asynchronous),
        seconds(row.predicted_asynchronous) + ("" if row.holds else "*"),
        seconds(row.predicted_helping),
        "yes" if row.holds else "no",
        f"{100 * row.helped / row.pushed:.0f} %",
    )


def loop_table(rows):
    return render(HEADS, [loop_cells(row) for row in rows], left=0)


def loops(screen, figures, sizes):
    screen.heading(f"5. {sizes.steps:,} times y = x + 1")
    screen.tell(
        """A program that waits for y in every step goes through three stages each time: it queues
        (t1), a worker runs (t2), it fetches the result (t3). One that waits only after the last
        step queues the next steps while the worker runs, so that t1 + N t2 + t3 is left of
        N (t1 + t2 + t3). That is right as long as the worker always has something to do,
        N t2 > (N - 1) t1. If it does not hold, the program's own work decides: N max(t1, t2),
        marked * below."""
    )
    screen.say()
    screen.tell(
        """t1 is measured by queueing behind a matrix product that is not finished, so that nothing
        can run; t2 by watching the worker, once that product is there, until all is done; t3 by
        waiting for a value that is there. The loops run with one worker, as the formula has it, and
        without fusion, so that every step stores its result."""
    )
    screen.say()
    rows = loop.sweep(
        sizes.elements,
        sizes.steps,
        sizes.seconds,
        lambda elements: screen.step(f"loops over {elements:,} elements"),
    )
    screen.say("\n" + indent(loop_table(rows)) + "\n")
    explain(screen, rows, sizes)
    tell_counts(screen, rows)
    for row in rows:
        figures += loop_figures(row)
    screen.step("the same with fusion")
    largest = rows[-1]
    fused = loop.with_fusion(largest)
    screen.tell(
        f"""With fusion, which is on unless it is switched off, the loop over {largest.elements:,}
        elements that waits once takes {seconds(fused)}: most of its results are gone before anybody
        could look at them, and are not stored."""
    )
    name = f"y = x + 1, {largest.elements:,} elements: waits once, fused"
    figures.append((name, seconds(fused)))
    return rows


def loop_figures(row):
    """Both loops over one size, for the table at the end."""
    _, t1, t2, t3, each_time, each_formula, once, once_formula, *_ = loop_cells(row)
    name = f"y = x + 1, {row.elements:,} elements: waits"
    return [
        (f"{name} each time", each_time, each_formula, t1, t2, t3),
        (f"{name} once", once, once_formula, t1, t2, t3),
    ]


def tell_counts(screen, rows):
    pushed, executed = sum(row.pushed for row in rows), sum(row.executed for row in rows)
    screen.tell(
        f"""By the engine's own counts {pushed:,} steps were queued in these loops, and
        {executed:,} were run: no step is left out because its result is not used."""
    )


def explain(screen, rows, sizes):
    at_once = [row for row in rows if row.at_once]
    if at_once:
        screen.tell(
            f"""Up to {at_once[-1].elements:,} elements a step is so short that queueing it would
            take longer than doing it. It is done at the call: t1 is all of it, nothing is left to a
            worker, and there is nothing to gain by waiting later."""
        )
    queued = [row for row in rows if not row.at_once]
    if queued:
        screen.tell(
            """Larger ones are queued. Here the loop that waits once can be quicker than the formula
            says, because the program does not stand idle: when the queue is full, and in waitall,
            it runs steps itself. "with help" is the formula for that: N max(t1, (t1 + t2) / 2)."""
        )
    if not all(row.clear for row in rows):
        screen.tell(
            """Where t2 has a question mark it is an upper limit: other programs had the processors
            at the moments that matter."""
        )
    if len(rows) < len(sizes.elements):
        left = sizes.elements[len(rows) :]
        screen.tell(
            f"""Left out on this machine, because the loops would take more than
            {sizes.seconds:.0f} s: {", ".join(f"{elements:,}" for elements in left)} elements."""
        )


def train(screen, figures, sizes):
    """What was measured; None without NumPy."""
    screen.heading("6. Training, with and without waits")
    numpy = products.numpy_or_none()
    if numpy is None:
        screen.tell("NumPy, where the batches come from, is not installed: this part is left out.")
        screen.step("no training")
        screen.step("no training")
        return None
    shape = sizes.network
    layers = ", ".join(f"{units:,}" for units in shape.layers)
    screen.tell(
        f"""MXNet's Gluon over Penstock: dense layers of {layers} units learn from
        {shape.batches} batches of {shape.rows:,} x {shape.inputs}, which are copied in from NumPy.
        One loop takes its loss out of every batch, the other waits only at the end."""
    )
    found = training.compare(numpy, shape, screen.step)
    tell_training(screen, found)
    for name, run in (("in each batch", found.each), ("at the end", found.once)):
        name = f"training, {shape.batches} batches, waits {name}"
        figures.append((f"{name}: time", seconds(run.seconds)))
        figures.append((f"{name}: memory", f"{training.most(run):.1f} MB"))
    return found


def tell_training(screen, found):
    mega = training.MEGA
    screen.tell(
        f"""The loss went from {found.each.first:.3f} to {found.once.last:.3f}. With a wait in each
        batch {found.shape.batches} batches took {seconds(found.each.seconds)} and arrays used at
        most {training.most(found.each):.1f} MB; without, {seconds(found.once.seconds)} and
        {training.most(found.once):.1f} MB."""
    )
    screen.tell(
        f"""{found.copied / mega:.1f} MB were copied in by each loop. The memory of the loop that
        never waits stays flat because a call that would queue more than the bound allows,
        {found.bound / mega:.0f} MB beside the {found.before / mega:.1f} MB of weights and
        gradients, is held back until workers have done some of it, and helps them meanwhile: the program
        cannot run further ahead than that, whatever the number of batches."""
    )


def draw(screen, figures, sizes, rows, trained, folder):
    folder.mkdir(parents=True, exist_ok=True)
    screen.heading("7. Pictures")
    screen.step("pictures")
    graph_path, events, value = pictures.graph_picture(folder)
    count = sum(event.kind == "queued" for event in events)
    edges = sum(event.kind == "depends" for event in events)
    screen.tell(
        f"""The trace of z = x * y + 2 has {count} operations and {edges} dependencies; z is
        {value}. The second picture shows which thread did what while products were queued and
        waited for; the third one the loops of part 5, the fourth one the memory of part 6."""
    )
    lanes_path, _ = pictures.lanes_picture(folder, sizes.lane_side, sizes.lane_products)
    paths = [graph_path, lanes_path, pictures.chart_picture(folder, rows)]
    if trained is not None:
        paths.append(pictures.memory_picture(folder, trained))
    return paths


def summary(figures, paths):
    """All figures, and where the pictures are."""
    heads = ("what", "measured", "formula", "t1", "t2", "t3")
    rows = [figure + ("",) * (len(heads) - len(figure)) for figure in figures]
    text = render(heads, rows) + "\n\n* N max(t1, t2), since N t2 > (N - 1) t1 does not hold\n"
    return indent(text + "".join(f"\npicture: {shown(path)}" for path in paths))


def shown(path):
    """Relative where it can be."""
    try:
        return path.resolve().relative_to(pathlib.Path.cwd())
    except ValueError:
        return path


def tell_story(screen, sizes, folder):
    start = perf_counter()
    figures = []
    library = ps.engine.blas().name
    screen.say(
        f"penstock {ps.__version__}, {ps.engine.workers()} workers, products by {library}"
    )
    screen.step("sizes that suit this machine")
    sizes.side = products.choose_side(sizes.side, 0.15)
    products.against_numpy(screen, figures, sizes)
    products.queued_and_finished(screen, figures, sizes)
    products.what_waits(screen, figures, sizes)
    products.one_of_several(screen, figures, sizes)
    rows = loops(screen, figures, sizes)
    trained = train(screen, figures, sizes)
    paths = draw(screen, figures, sizes, rows, trained, folder)
    screen.end()
    screen.heading("All figures")
    screen.say(summary(figures, paths))
    screen.say(f"\nIt took {seconds(perf_counter() - start)}.")


def steps_of(sizes):
    return 1 + 2 + 1 + len(products.blockers()) + 1 + len(sizes.elements) + 1 + 2 + 1


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Tells about asynchronous computation.")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it runs")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/demo", help="pictures")
    options = parser.parse_args(arguments)
    sizes = QUICK if options.quick else Sizes()
    screen = Screen(steps_of(sizes))
    try:
        with ps.engine.sync(False):  # whatever PENSTOCK_ENGINE says
            tell_story(screen, sizes, options.out)
    except KeyboardInterrupt:
        screen.end()
        screen.say("\nStopped. What was queued is dropped.")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
