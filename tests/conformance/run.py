#!/usr/bin/env python3
"""Differential tests against the real MXNet 1.9.1: the same programs in both, the same answers.

Runs the facts (facts.py), files written by one and read by the other (params.py), the programs of
examples/mxnet (examples.py), and random programs over `nd` and `np` (programs.py). Each library is a process of its own. A program that
ends the real one's process, or to which it gives two answers, is left out. Differences are
grouped by what they have in common; of each group the shortest program is shown that still has
it. The exit status is 1 if there is any that differences.py does not explain."""

import argparse
import ast
import collections
import random
import sys
import tempfile

import examples
import facts
import mxnet_training
import params
from compare import compare
from libraries import CRASHED, Library
from programs import make_program

# ---- What a step does, in a few words ----------------------------------------------------------


def dotted(node):
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return (
            f"{inner}.{node.attr}"
            if inner in ("nd", "np", "npx", "np.linalg", "mx")
            else f".{node.attr}"
        )
    if isinstance(node, ast.Name) and node.id in (
        "nd",
        "np",
        "npx",
        "mx",
        "abs",
        "bool",
        "repr",
        "str",
    ):
        return node.id
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else "x"


def operation(node):
    if isinstance(node, ast.Call):
        return dotted(node.func) + "()"
    if isinstance(node, ast.Subscript):
        return "x[...]"
    if isinstance(node, (ast.BinOp, ast.UnaryOp)):
        return type(node.op).__name__
    return "compare" if isinstance(node, ast.Compare) else dotted(node)


def does(statement):
    node = ast.parse(statement).body[0]
    if isinstance(node, ast.AugAssign):
        return "in-place " + type(node.op).__name__
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        return "x[...] ="
    return operation(node.value)


def cause(difference):
    step = difference.step
    return (
        difference.program["dialect"],
        does(step) if step else "after the program",
        difference.how,
    )


# ---- Both libraries ----------------------------------------------------------------------------


class Both:
    """Runs a program in both and finds the differences."""

    def __init__(self, real, ours):
        self.real, self.ours = real, ours
        self.programs = self.steps = self.dropped = 0
        self.known = collections.Counter()
        self.groups = {}  # cause -> list of differences
        self.crashes = []  # programs that ended our process
        self.notes = []  # differences that are no program's
        self.absent = collections.Counter()  # what ours said that it does not have

    def differences(self, program):
        """None if the real one has no answer."""
        real = self.real.run(program)
        if real == CRASHED:
            return None
        ours = self.ours.run(program)
        if ours == CRASHED:
            self.crashes.append(program)
            return []
        return compare(program, real, ours)

    def steady(self, program):
        """Whether the real one says the same again."""
        first, second = self.real.run(program), self.real.run(program)
        return first != CRASHED and second != CRASHED and not compare(program, first, second)

    def add(self, program):
        found = self.differences(program)
        if found is None or (found and not self.steady(program)):
            self.dropped += 1
            return
        self.programs += 1
        self.steps += len(program["steps"])
        for difference in found:
            if difference.rule:
                self.known[difference.rule] += 1
                if difference.rule == "not here":
                    self.absent[difference.ours["text"]] += 1
            else:
                self.groups.setdefault(cause(difference), []).append(difference)

    def unexplained(self):
        return sum(map(len, self.groups.values())) + len(self.crashes) + len(self.notes)

    def shrink(self, difference):
        """The shortest program found that has the difference."""
        wanted, kept = cause(difference), difference
        for at in reversed(range(len(difference.program["steps"]))):
            steps = kept.program["steps"]
            if at >= len(steps) or at == kept.at:
                continue
            program = dict(kept.program, steps=steps[:at] + steps[at + 1 :])
            same = [d for d in self.differences(program) or [] if cause(d) == wanted]
            kept = same[0] if same else kept
        return kept


# ---- The report --------------------------------------------------------------------------------


def short(result):
    text = str({k: v for k, v in result.items() if k != "where"})
    return text if len(text) < 400 else text[:400] + " …"


def show(both, group, out):
    (dialect, what, how), found = group
    difference = both.shrink(found[0])
    print(f"\n{len(found)} × {dialect}: {what}: {how}", file=out)
    for number, step in enumerate(difference.program["steps"]):
        mark = ">" if number == difference.at else " "
        print(f"  {mark} {step}", file=out)
    print(f"    real: {short(difference.real)}\n    ours: {short(difference.ours)}", file=out)


def report(both, out, most):
    print(
        f"{both.programs} programs, {both.steps} steps; {both.dropped} left out; "
        f"{both.unexplained()} differences unexplained, {sum(both.known.values())} known",
        file=out,
    )
    for rule, count in both.known.most_common():
        print(f"  {count} × known: {rule}", file=out)
    for said, count in both.absent.most_common():
        print(f"  {count} × not here: {said}", file=out)
    for program in both.crashes[:most]:
        print("\nours ended its process:", *program["steps"], sep="\n    ", file=out)
    for note in both.notes:
        print("\n" + note, file=out)
    groups = sorted(both.groups.items(), key=lambda item: -len(item[1]))
    for group in groups[:most]:
        show(both, group, out)
    if len(groups) > most:
        print(f"\n{len(groups) - most} more kinds of difference are not shown", file=out)


# ---- All of it ---------------------------------------------------------------------------------


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--real",
        default="build/conformance/venv/bin/python",
        metavar="PYTHON",
        help="a Python that has MXNet 1.9.1",
    )
    parser.add_argument(
        "--package",
        default="build/release/python",
        metavar="FOLDER",
        help="where the package penstock is",
    )
    parser.add_argument(
        "--count", type=int, default=3000, help="random programs for nd, and for np"
    )
    parser.add_argument("--seed", type=int, help="where the random programs begin; default: any")
    parser.add_argument("--dialect", choices=["nd", "np"], action="append")
    parser.add_argument("--shown", type=int, default=50, help="kinds of difference to show")
    parser.add_argument("--output", help="where to write the report too")
    return parser.parse_args()


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def run_random(both, options):
    seed = random.randrange(10**6) * 1000 if options.seed is None else options.seed
    print(f"random programs from seed {seed}: --seed {seed} repeats them", flush=True)
    for dialect in options.dialect or ("nd", "np"):
        for number in range(options.count):
            progress(f"{dialect} {number} of {options.count}: {both.unexplained()} differences")
            both.add(make_program(seed + number, dialect))
    progress("")


def main():
    options = parse_options()
    with tempfile.TemporaryDirectory(prefix="conformance-") as folder:
        both = Both(
            Library("real", options.real, folder),
            Library("ours", sys.executable, folder, options.package),
        )
        both.real.check()
        both.ours.check()
        for program in facts.programs():
            both.add(program)
        params.exchange(both, folder)
        examples.compare_all(both, options.real, options.package)
        mxnet_training.compare_all(both, options.real, options.package, folder)
        run_random(both, options)
        report(both, sys.stdout, options.shown)
        if options.output:
            with open(options.output, "w", encoding="utf-8") as out:
                report(both, out, options.shown)
        both.real.stop()
        both.ours.stop()
    return 1 if both.unexplained() else 0


if __name__ == "__main__":
    sys.exit(main())
