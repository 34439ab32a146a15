"""Never slower: the time of a step that is queued against the same step with a wait, without
asynchrony, and with fewer workers.

A value is the best of all rounds. Its noise is how far the median of the rounds lies above it, and
that of a ratio is what both noises amount to, as independent errors do. A ratio counts as slower if
it is above LIMIT by more than its noise; with one round there is no noise, and none is trusted."""

from common.report import OURS
from programs import SYNC
from rows import workers_text

LIMIT = 1.03


class Ratio:
    """Of two rows of one operation and size; above 1 where the first is slower."""

    def __init__(self, row, against, what):
        self.rows = (row, against)
        self.name = f"ratio.{row.kind}.{row.shape}.{what}.w{row.workers}"
        self.title = f"{row.title}: {what}, {workers_text(row.workers)}"
        self.what = what

    def value(self):
        mine, other = (row.value(program_of(row)) for row in self.rows)
        return mine / other

    def noise(self):
        return sum(row.spread(program_of(row)) ** 2 for row in self.rows) ** 0.5

    def is_slower(self):
        return self.value() > LIMIT + self.noise()

    def json(self):
        return {"name": self.name, "unit": "ratio", "ours": self.value(), "peers": {},
                "target": LIMIT, "noise": self.noise(), "slower": self.is_slower()}


def program_of(row):
    return SYNC if row.way == "sync" else OURS


def fastest(rows):
    return min(rows, key=lambda row: row.value(program_of(row)))


def ratios(group):
    """Of the rows of one operation and size, those that were measured."""
    rows = {(row.way, row.workers): row for row in group if row.found}
    found = []
    for (way, workers), row in rows.items():
        others = ("each", "sync") if way == "once" else ()
        found += [Ratio(row, rows[other, workers], f"{way}/{other}") for other in others
                  if (other, workers) in rows]
        fewer = [r for (w, n), r in rows.items() if w == way and n < workers]
        if fewer and way != "sync":
            found.append(Ratio(row, fastest(fewer), f"{way}/fewer"))
    return found


def slower(groups):
    return [ratio for group in groups for ratio in ratios(group) if ratio.is_slower()]
