"""A row of a benchmark: what was measured, and what is wanted of it."""


class Row:
    """One line of the table. The target is a limit in the row's unit, `times` the best of the peers
    in `against` (None: all of them), or `times` our own value in the row `own`; the tightest where
    there are several."""

    outside = False  # whether it is measured by other means than asking a program

    def __init__(self, name, title, times=None, against=None, limit=None, noise=0.0, unit="us",
                 combine=min, own=None):
        self.name, self.title, self.unit = name, title, unit
        self.times, self.against, self.limit, self.noise = times, against, limit, noise
        self.combine = combine  # what makes one value of those of all rounds
        self.own = own
        self.found = {}  # program -> a value from each round

    def add(self, program, value):
        self.found.setdefault(program, []).append(value)

    def value(self, program):
        return self.combine(self.found[program]) if program in self.found else None

    def best(self, peers):
        return min((self.value(p) for p in peers if p in self.found), default=None)

    def ratio(self, ours, peers):
        mine, peer = self.value(ours), self.best(peers)
        return mine / peer if mine is not None and peer else None

    def target(self, ours, peers):
        wanted = [] if self.limit is None else [self.limit]
        if self.own is not None:
            against = self.own.value(ours)
        else:
            against = self.best(peers if self.against is None else self.against)
        if self.times is not None and against is not None:
            wanted.append(self.times * against)
        return min(wanted, default=None)

    def met(self, ours, peers):
        target, mine = self.target(ours, peers), self.value(ours)
        if target is None:
            return None
        return mine is not None and mine <= target * (1 + self.noise)

    def json(self, ours, peers):
        return {"name": self.name, "unit": self.unit, "ours": self.value(ours),
                "peers": {p: self.value(p) for p in peers}, "target": self.target(ours, peers)}
