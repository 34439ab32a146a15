"""The rows of the benchmark of C++: what they are called, and what is wanted of them."""

from fractions import Fraction

from common import row
from common.report import MET, OURS

# All libraries that there may be beside ours in C++. `c` and `python` are ours too. The first one
# that answers says what all must compute.
PEERS = ("eigen", "xtensor", "torch", "mlx", "mxnet", "c", "python")


class Row(row.Row):
    """May have to be at most a share of each of several peers: `shares` says of whom how much, as a
    text. A row that is `outside` is measured by other means than asking a program."""

    def __init__(self, name, title, shares=None, outside=False, **wanted):
        super().__init__(name, title, **wanted)
        self.shares, self.outside = shares or {}, outside

    def wanted(self):
        """What each target is called, and the most that it allows. Those against a peer that is not
        there are left out."""
        found = [] if self.limit is None else [(f"{self.limit:g} {self.unit}", self.limit)]
        return found + [(f"{part} x {peer}", float(Fraction(part)) * self.value(peer))
                        for peer, part in self.shares.items() if peer in self.found]

    def target(self, ours, peers):
        return min((most for _, most in self.wanted()), default=None)

    def verdicts(self):
        """A line for each target: of which row it is, what it is called, what that means, whether
        it is met."""
        mine = self.value(OURS)
        return [(self.title, name, most, mine is not None and mine <= most)
                for name, most in self.wanted()]

    def json(self, ours, peers):
        targets = [{"name": name, "most": most, "met": met}
                   for _, name, most, met in self.verdicts()]
        return super().json(ours, peers) | {"met": self.met(ours, peers), "targets": targets}


# What a call may cost, beside C and beside the libraries that have more than a loop behind it.
CALL = {"c": "1.05", "torch": "1/5", "mlx": "1/2"}


def of_both(part):
    """Of the libraries without a queue."""
    return {"eigen": part, "xtensor": part}


def all_rows():
    return [
        Row("queue.2.float32", "x + 1 of 2, 10^4 and one wait", CALL, limit=0.10),
        Row("wait.2.float32", "x + 1 of 2, a wait each", CALL, limit=0.10),
        Row("many_index.2.float32", "x(0)", limit=0.03),
        Row("many_slice.2.float32", "x(slice(1, 2))", limit=0.03),
        Row("add.2000x2000.float32", "x + 1, 2000x2000", of_both("1/3")),
        Row("chain.2000x2000.float32", "chain of 8, 2000x2000", of_both("2/3")),
        Row("line", "instructions of x + 1 for its line", limit=2, unit="%", outside=True),
        Row("compile", "compiling the header", of_both("1"), unit="s", outside=True),
    ]


def verdict_lines(rows):
    """Cells of a table of all targets.

    >>> one = Row("wait", "x + 1", {"c": "1/2", "mlx": "1/2"}, limit=4)
    >>> one.add(OURS, 3.0), one.add("c", 5.0)
    (None, None)
    >>> verdict_lines([one])
    [['x + 1', '<= 4 us', '4.000', 'met'], ['x + 1', '<= 1/2 x c', '2.500', 'NOT MET']]
    """
    return [[title, "<= " + name, f"{most:.3f}", MET[met]]
            for row in rows for title, name, most, met in row.verdicts()]
