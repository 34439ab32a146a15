"""Rounds. In a round each row is measured by the base, by its twin and by the tree one after the other,
in an order that changes, before anybody does the next row: what disturbs the machine for longer than a
moment disturbs all three. Every round has new processes, of files that were copied anew, since how a
process happens to lie in memory is worth some per cent of a row's time."""

import itertools
import time

from sides import BASE, SIDES, TREE
from common.report import progress

SETTLE_S = 0.002  # threads of the last program go to sleep: they look for work for 20 us

ORDERS = list(itertools.permutations(SIDES))


def triple(family, row, order):
    """A value from each side, in the order of SIDES; None from a side that has none."""
    found = {}
    for side in order:
        time.sleep(SETTLE_S)
        found[side] = family.programs[side].ask("time", row)
    return tuple(found[side] for side in SIDES)


class Samples:
    """What was measured: by row, a list of triples (base, twin, tree). One round may follow another
    at any time."""

    def __init__(self, families, rows, renew=lambda: None):
        self.renew = renew
        self.families = [family for family in families if not family.missing]
        self.rows, self.rounds = rows, 0
        self.found = {row.key: [] for row in rows}
        self.lonely = {}  # key of a row that only one side has -> that side

    def note(self, row, values):
        base, _, tree = values
        if None not in values:
            self.found[row.key].append(values)
        elif self.rounds == 0 and (base is None) != (tree is None):
            self.lonely[row.key] = TREE if base is None else BASE

    def add_round(self, label):
        self.renew()
        try:
            for family in self.families:
                self.measure_family(family, label)
        finally:
            for family in self.families:
                family.stop()
        self.rounds += 1

    def measure_family(self, family, label):
        rows = [row for row in self.rows if row.family == family.name]
        for number, row in enumerate(rows):
            progress(f"{label}: {row.key}")
            order = ORDERS[(self.rounds + number) % len(ORDERS)]
            self.note(row, triple(family, row, order))
        family.stop()
