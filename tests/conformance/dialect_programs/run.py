"""Thousands of random programs on a dialect of ours and on the library that it imitates.

    PYTHONPATH=tests/conformance build/venv/bin/python -m torch_programs.run --real PYTHON

The seed is printed. A program that ends the real one's process, or to which it gives two answers,
is left out; where a dialect lists what ends it, others that do are reported. Differences are grouped
by what they have in common; of each group the shortest program is shown that still has it. The exit
status is 1 if there is any that the dialect's differences.py does not explain."""

import argparse
import ast
import collections
import random
import re
import sys

from libraries import CRASHED, Library

from .compare import compare

# ---- What a step does, in a few words ----------------------------------------------------------


LIBRARIES = ("torch", "paddle")
PATIENCE = 20  # seconds for a program, which takes some milliseconds


def dotted(node):
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr}" if inner.startswith(LIBRARIES) else f".{node.attr}"
    if isinstance(node, ast.Name) and (node.id in LIBRARIES or hasattr(__builtins__, node.id)):
        return node.id
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else "x"


def operation(node):
    if isinstance(node, ast.Call):
        name = dotted(node.func)
        if name in ("about", "repr", "x") and node.args:
            return f"{name}: {operation(node.args[0])}"
        return name + "()"
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
    return operation(node.value) if hasattr(node, "value") else type(node).__name__


def cause(difference):
    how = re.sub(r"\[[\d, ]*\]", "[…]", difference.how)
    return (difference.program["family"], does(difference.step) if difference.step else "", how)


# ---- Both libraries ----------------------------------------------------------------------------


class Both:
    """Runs a dialect's programs in both libraries and finds the differences."""

    def __init__(self, dialect, real, ours):
        self.dialect, self.real, self.ours = dialect, real, ours
        self.programs = self.steps = self.dropped = 0
        self.known = collections.Counter()
        self.groups = {}  # cause -> list of differences
        self.crashes = []  # programs that ended our process
        self.ended = []  # programs that ended the real one's, though nothing says that they may
        self.absent = collections.Counter()  # what ours said that it does not have

    def compare(self, program, real, ours):
        return compare(program, real, ours, self.dialect.known_difference)

    def differences(self, program):
        """None if the real one has no answer."""
        real = self.real.run(program)
        if real == CRASHED:
            return None
        ours = self.ours.run(program)
        if ours == CRASHED:
            self.crashes.append(program)
            return []
        return self.compare(program, real, ours)

    def steady(self, program):
        """Whether the real one says the same again."""
        first, second = self.real.run(program), self.real.run(program)
        return first != CRASHED and second != CRASHED and not self.compare(program, first, second)

    def certain(self, program, found):
        """The differences that are there again in new processes, if any is of a new kind: what
        wrote over foreign memory may show in later programs."""
        if all(difference.rule or cause(difference) in self.groups for difference in found):
            return found
        self.real.stop()
        self.ours.stop()
        return self.differences(program)

    def add(self, program):
        found = self.differences(program)
        if found is None:  # again in a new process: an earlier program may have spoilt that one
            found = self.differences(program)
        if found is None:
            self.drop(program)
        elif found and not self.steady(program):
            self.dropped += 1
        else:
            self.count(program, self.certain(program, found) or [])

    def drop(self, program):
        """A program that ended the real one's process."""
        self.dropped += 1
        ends = self.dialect.known_end(program)
        if ends:
            self.known[ends] += 1
        else:
            self.ended.append(program)

    def count(self, program, found):
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
        return sum(map(len, self.groups.values())) + len(self.crashes) + len(self.ended)

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
    text = str(
        {k: v for k, v in result.items() if k != "where"} if isinstance(result, dict) else result
    )
    return text if len(text) < 400 else text[:400] + " …"


def show(both, group, out):
    (family, what, how), found = group
    difference = both.shrink(min(found, key=lambda d: len(d.program["steps"])))
    print(f"\n{len(found)} × {family}: {what}: {how} (seed {found[0].program['seed']})", file=out)
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
    for program in both.ended[:most]:
        where = f"{program['family']} {program['seed']}"
        print(f"\nthe real one ended: {where}", *program["steps"], sep="\n    ", file=out)
    groups = sorted(both.groups.items(), key=lambda item: -len(item[1]))
    for group in groups[:most]:
        show(both, group, out)
    if len(groups) > most:
        print(f"\n{len(groups) - most} more kinds of difference are not shown", file=out)


# ---- All of it ---------------------------------------------------------------------------------


def parse_options(dialect):
    default = f"build/conformance/{dialect.name}/bin/python"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--real", default=default, metavar="PYTHON")
    parser.add_argument("--package", default="build/release/python", metavar="FOLDER")
    parser.add_argument("--count", type=int, default=6000, help="programs, of all families")
    parser.add_argument("--seed", type=int, help="where they begin; default: any")
    parser.add_argument("--family", choices=list(dialect.families), action="append")
    parser.add_argument("--shown", type=int, default=50, help="kinds of difference to show")
    parser.add_argument("--output", help="where to write the report too")
    return parser.parse_args()


def real_library(dialect, python):
    """The real one's process."""
    return Library("real", python, program=["-m", dialect.runner, "real"], patience=PATIENCE)


def libraries(dialect, options):
    """The real one's process and ours."""
    program = ["-m", dialect.runner, "ours"]
    ours = Library("ours", sys.executable, package=options.package, program=program)
    return real_library(dialect, options.real), ours


def check(dialect, library):
    """Ends the run if the library cannot be used, or is another version than ours imitates."""
    answer = library.run({"steps": [f"a = {dialect.name}.__version__"]})
    if answer == CRASHED:
        sys.exit(f"{' '.join(library.command)}: does not run")
    version = answer["steps"][0]["value"]
    if version.partition("+")[0] != dialect.version:
        told = f"has {dialect.title} {version}; {dialect.version} is needed"
        sys.exit(f"{' '.join(library.command)}: {told}")


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def main(dialect):
    options = parse_options(dialect)
    seed = random.randrange(10**6) if options.seed is None else options.seed
    print(f"programs from seed {seed}: --seed {seed} repeats them", flush=True)
    both = Both(dialect, *libraries(dialect, options))
    check(dialect, both.real)
    check(dialect, both.ours)
    programs = dialect.families.programs(seed, options.count, options.family)
    for number, program in enumerate(programs):
        progress(f"{program['family']} {number} of {options.count}: {both.unexplained()} differ")
        both.add(program)
    progress("")
    report(both, sys.stdout, options.shown)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as out:
            report(both, out, options.shown)
    both.real.stop()
    both.ours.stop()
    return 1 if both.unexplained() else 0
