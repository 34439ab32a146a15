"""Rounds: in each every program does a row before anybody does the next, in an order that changes. All
must compute the same, which is asked before the first."""

from common.program import ANSWER_S, check, in_turn
from common.report import OURS, progress


def run_groups(groups, rounds, limit=ANSWER_S, checked=True):
    """Adds the values to the rows; an answer may take `limit` seconds. A group is a list of (program,
    row) that are measured beside each other."""
    for turn in range(rounds):
        for group in groups:
            rows = dict.fromkeys(row for _, row in group)
            progress(f"round {turn + 1} of {rounds}: {next(iter(rows)).name}")
            for row in rows if checked and turn == 0 else ():
                check([program for program, its in group if its is row], row, OURS)
            for program, row in in_turn(group, turn):
                value = program.ask("time", row, limit)
                if value is not None:
                    row.add(program.name, value)
    progress("")


def run_rounds(programs, rows, rounds, limit=ANSWER_S):
    """The same where every program has every row."""
    run_groups([[(program, row) for program in programs] for row in rows], rounds, limit)


def unequal_counts(program):
    """A note if our engine did not execute what was pushed."""
    line, trouble = program.send("counts", ANSWER_S)
    if trouble:
        return [trouble]
    pushed, executed = line.split()[1:]
    return [] if pushed == executed else [f"{pushed} operations pushed, {executed} executed"]
