"""Rounds: in each every program does a row before anybody does the next, in an order that changes. All
must compute the same, which is asked before the first."""

from common.program import ANSWER_S, check, in_turn
from common.report import OURS, progress


def run_rounds(programs, rows, rounds, limit=ANSWER_S):
    """Adds the values to the rows; an answer may take `limit` seconds."""
    for turn in range(rounds):
        for row in rows:
            progress(f"round {turn + 1} of {rounds}: {row.name}")
            if turn == 0:
                check(programs, row, OURS)
            for program in in_turn(programs, turn):
                value = program.ask("time", row, limit)
                if value is not None:
                    row.add(program.name, value)
    progress("")


def unequal_counts(program):
    """A note if our engine did not execute what was pushed."""
    line, trouble = program.send("counts", ANSWER_S)
    if trouble:
        return [trouble]
    pushed, executed = line.split()[1:]
    return [] if pushed == executed else [f"{pushed} operations pushed, {executed} executed"]
