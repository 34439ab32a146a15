#!/usr/bin/env python3
"""Compares this tree's speed with that of a commit: `make bench-compare BASE=<commit> [ONLY=<rows>]`.

Builds both, the base in two placements (sides.py), measures the rows that both have (rows.py,
programs.py) in rounds in which base, twin and tree take turns (measure.py), and reports what became
slower or faster than both placements by more than 2 % and by more than the noise (verdict.py). Rows that
look changed are measured anew, twice, and only what all of them say is reported.

Prints a table of all rows: `ratio` is above 1 where the tree is slower. Writes a JSON list of {"name",
"unit", "ours", "peers": {"base"}, "target", "ratio", "placement", "noise", "change", "rounds"};
"change" is "slower", "faster" or null.

The exit status is 0 if nothing is slower, 1 if some row is, 2 if nothing can be compared, and 130
after an interrupt."""

import argparse
import functools
import os
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.append(os.path.dirname(HERE))

import sides  # noqa: E402
from common.environment import processor_seconds  # noqa: E402
from common.report import (  # noqa: E402
    disturbance, number, print_columns, progress, selected, write_json)
from measure import Samples  # noqa: E402
from programs import make_families  # noqa: E402
from rows import all_rows  # noqa: E402
from verdict import FIRST, STRICT, Verdict, confirm  # noqa: E402

ROUNDS = 15          # of all rows
CONFIRM_ROUNDS = 20  # of those that look changed
CONFIRMATIONS = 2
SECONDS = 0.03       # for a row, a side and a round

CHANGES = {1: "slower", -1: "faster", 0: None}


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", default="", metavar="COMMIT", help="what to compare with")
    parser.add_argument("--only", default="", metavar="PATTERN",
                        help="rows whose name contains this, or matches it if it has * or ?")
    parser.add_argument("--rounds", type=int, default=ROUNDS,
                        help=f"default {ROUNDS}; fewer would say nothing about the noise")
    parser.add_argument("--jobs", type=int, default=2, help="compilers at a time, default 2")
    parser.add_argument("--output", default=os.path.join(ROOT, "build", "bench", "compare.json"))
    options = parser.parse_args()
    if options.rounds < ROUNDS:
        parser.error(f"--rounds must be {ROUNDS} or more")
    return options


def choose_rows(pattern):
    chosen = selected(all_rows(), pattern, name=lambda row: row.key)
    if not chosen:
        raise sides.Unusable(f"no row is called {pattern}")
    return chosen if pattern else [row for row in chosen if not row.long]


# ---- Measuring ---------------------------------------------------------------------------------

def measure(families, renew, rows, rounds, title):
    samples = Samples(families, rows, renew)
    for turn in range(rounds):
        samples.add_round(f"{title}, round {turn + 1} of {rounds}")
    progress("")
    return samples


def judge(samples, part):
    """Verdicts by key, of the rows that all sides have."""
    return {row.key: Verdict(samples.found[row.key], row.best, part)
            for row in samples.rows if samples.found[row.key]}


def measure_again(families, renew, rows, verdicts):
    """Replaces the verdicts on what looks changed by those on new rounds, as often as is needed to
    believe them. Returns the keys of such rows."""
    seen = set()
    for turn in range(CONFIRMATIONS):
        suspects = [row for row in rows if row.key in verdicts and verdicts[row.key].change]
        if not suspects:
            break
        print(f"{len(suspects)} look changed: measuring them again", flush=True)
        title = f"again ({turn + 1} of {CONFIRMATIONS})"
        again = judge(measure(families, renew, suspects, CONFIRM_ROUNDS, title), STRICT)
        verdicts |= {key: confirm(verdicts[key], verdict) for key, verdict in again.items()}
        seen |= set(again)
    return seen


# ---- Reporting ---------------------------------------------------------------------------------

def print_table(rows, verdicts):
    lines = [["row", "unit", "base", "tree", "ratio", "placement", "noise", ""]]
    for row in rows:
        verdict = verdicts[row.key]
        lines.append([row.key, row.unit, number(verdict.base), number(verdict.tree),
                      f"{verdict.ratio:.3f}", f"{100 * verdict.placement:.1f} %",
                      f"{100 * verdict.noise:.1f} %", CHANGES[verdict.change] or ""])
    print_columns(lines, left=(0, 1, 7))


def print_summary(rows, verdicts, notes):
    by_change = {change: [r.key for r in rows if verdicts[r.key].change == change]
                 for change in CHANGES}
    print(f"\n{len(rows)} rows, {len(by_change[1])} slower, {len(by_change[-1])} faster: by more "
          "than 2 % and the noise, than the base in either placement.")
    for change in (1, -1):
        if by_change[change]:
            print(f"{CHANGES[change]}: " + " ".join(by_change[change]))
    for note in notes:
        print("note: " + note)


def lonely_notes(samples):
    """A line for each side that has rows which the other has not."""
    for side in sorted(set(samples.lonely.values())):
        names = " ".join(key for key, s in samples.lonely.items() if s == side)
        yield f"only the {side} has {names}"


def json_row(row, verdict, rounds):
    return {"name": row.key, "unit": row.unit, "ours": verdict.tree,
            "peers": {"base": verdict.base}, "target": None, "ratio": verdict.ratio,
            "placement": verdict.placement, "noise": verdict.noise, "change": CHANGES[verdict.change], "rounds": rounds}


# ---- All of it ---------------------------------------------------------------------------------

def compare(options):
    """The exit status."""
    rows = choose_rows(options.only)
    commit = sides.find_commit(ROOT, options.base)
    folders = sides.stage(ROOT, commit, sys.executable, options.jobs)
    families = make_families(ROOT, folders, {row.family for row in rows}, SECONDS)
    print(f"{len(rows)} rows, {options.rounds} rounds: {commit[:12]} and this tree", flush=True)
    before = processor_seconds()
    renew = functools.partial(sides.renew, folders)
    samples = measure(families, renew, rows, options.rounds, "all")
    verdicts = judge(samples, FIRST)
    again = measure_again(families, renew, rows, verdicts)
    used = [b - a for a, b in zip(before, processor_seconds())]
    known = [row for row in rows if row.key in verdicts]
    if not known:
        raise sides.Unusable("no row could be measured on both sides")
    notes = [f"no {f.name} rows: {f.missing}" for f in families if f.missing]
    notes += [note for family in families for note in family.notes()]
    print_table(known, verdicts)
    print_summary(known, verdicts, [*lonely_notes(samples), *notes, *disturbance(*used)])
    write_json(options.output, [
        json_row(row, verdicts[row.key], CONFIRM_ROUNDS if row.key in again else options.rounds)
        for row in known])
    return 1 if any(verdict.change > 0 for verdict in verdicts.values()) else 0


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        return compare(parse_options())
    except sides.Unusable as error:
        print(f"bench-compare: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nbench-compare: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
