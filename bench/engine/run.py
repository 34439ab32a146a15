#!/usr/bin/env python3
"""Runs the engine benchmark: ours and its peers, in turn, for several rounds.

Each runtime is a program of its own (bench_engine_<name>, see measure.inc) that prints a line
"row value" for each row it is asked for, so that runtimes do not disturb each other. Rows are
asked for in small groups; within a round every runtime does a group before anybody does the next,
and the value of a row is the best of all rounds (of ratios the median): the machines are noisy,
and what disturbs one disturbs all. Peers run with the environments that suit them, one after the
other over the rounds.

Prints a table and writes a JSON list of {"name", "unit", "ours", "peers", "target"}; null stands
for a peer that is not installed, cannot do the row, or did not end in time."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

LOWER, HIGHER = min, max  # which of two values is the better one

# Rows that compare two runs with the same work cannot be told apart more closely than this.
NOISE = 0.02

STARPU = {"STARPU_SILENT": "1", "STARPU_CALIBRATE": "0",
          # As far ahead as our own bound allows.
          "STARPU_LIMIT_MAX_SUBMITTED_TASKS": "4096", "STARPU_LIMIT_MIN_SUBMITTED_TASKS": "3072"}
OPENMP = [{}, {"OMP_PROC_BIND": "true", "OMP_WAIT_POLICY": "active"}]

OURS = "penstock"
# Name and environments. The first one is the default: that of rows about idle threads.
RUNTIMES = {
    OURS: [{}],
    "gnu": OPENMP,
    "llvm": OPENMP,
    "starpu": [STARPU | {"STARPU_SCHED": "lws"}, STARPU | {"STARPU_SCHED": "eager"}],
}


class Row:
    """One line of the table: what the programs call it, and what is wanted of it."""

    def __init__(self, name, title, unit="us", better=LOWER, limit=None, times=None,
                 noise=0.0, combine=None):
        self.name, self.title, self.unit, self.better = name, title, unit, better
        self.limit = limit    # an absolute target
        self.times = times    # so many times better than the best peer
        self.noise = noise
        self.combine = combine or better  # what makes one value of those of all rounds
        self.found = {}       # runtime -> a value from each round

    def add(self, runtime, value):
        self.found.setdefault(runtime, []).append(value)

    def value(self, runtime):
        return self.combine(self.found[runtime]) if runtime in self.found else None

    def ours(self):
        return self.value(OURS)

    def best_peer(self):
        known = [self.value(r) for r in self.found if r != OURS]
        return self.better(known) if known else None

    def target(self):
        """The tighter of the absolute target and the one that the best peer sets."""
        wanted = [] if self.limit is None else [self.limit]
        if self.times is not None and self.best_peer() is not None:
            peer = self.best_peer()
            wanted.append(peer / self.times if self.better is LOWER else peer * self.times)
        return self.better(wanted) if wanted else None

    def met(self):
        ours, target = self.ours(), self.target()
        if target is None:
            return None
        if ours is None:
            return False
        slack = self.noise * target
        return ours <= target + slack if self.better is LOWER else ours >= target - slack

    def ratio(self):
        """How many times better ours is than the best peer."""
        ours, peer = self.ours(), self.best_peer()
        if not ours or not peer or self.unit == "ratio":
            return None
        return peer / ours if self.better is LOWER else ours / peer

    def json(self):
        names = [r for r in RUNTIMES if r != OURS]
        return {"name": self.name, "unit": self.unit, "ours": self.ours(),
                "peers": {r: self.value(r) for r in names}, "target": self.target()}


PATTERNS = [  # name, title, how many times the best peer completed tasks are wanted
    ("bare", "(a) independent, no variables", 1.2),
    ("independent", "(a) independent, a write each", 1.2),
    ("chain", "(b) one chain", 2.5),
    ("random", "(c) 1 read + 1 write of 1,024", 2.5),
    ("fan", "(d) fan-out 64, fan-in", 2.5),
    ("stencil", "(e) stencil", 2.5),
    ("tree", "(e) tree", 2.5),
]
METG = "smallest task at 50 %"
PUSHERS = (1, 2, 4, 16)


def make_groups(threads):
    """The rows, in the groups that one process measures."""
    groups = []
    for name, title, times in PATTERNS:
        limit = 0.12 if name == "random" else None
        groups.append([Row(f"push.{name}", f"{title}: push", limit=0.04),
                       Row(f"complete.{name}", f"{title}: complete", limit=limit, times=times)])
    groups += [[Row(f"metg.{name}", f"(e) {name}: {METG}", times=2.5)]
               for name in ("stencil", "tree")]
    groups.append([Row("roundtrip", "(f) push, then wait", limit=0.15)])
    groups += [[Row(f"wake.{way}.p{p}", f"(g) idle to start, pusher {way}: {p} %", limit=200)
                for p in (50, 99)] for way in ("busy", "asleep")]
    for name, title in (("own", "own"), ("random", "shared")):
        groups += [[Row(f"pushers.{name}.{n}", f"(h) {n} pushers, {title} variables")]
                   for n in PUSHERS]
    groups.append([Row(f"efficiency.{d}", f"(i) efficiency, {d} us tasks", "%", HIGHER, limit)
                   for d, limit in ((2, 80), (5, 92), (20, 98))])
    groups += [[Row(f"workers.{name}", f"(j) {4 * threads} workers / {threads}, {title}", "ratio",
                    HIGHER, 1.0, noise=NOISE, combine=statistics.median)]
               for name, title in (("random", "pattern (c)"), ("spin", "5 us tasks"))]
    return groups


def program_rows(group):
    """What to ask a program for: it answers `wake.busy` with rows for two percentiles."""
    wake = group[0].name.startswith("wake.")
    return [group[0].name.rpartition(".")[0]] if wake else [row.name for row in group]


class Bench:
    def __init__(self, options):
        self.options = options
        self.scratch = tempfile.TemporaryDirectory(prefix="bench-engine-")
        self.programs = {}
        for runtime in RUNTIMES:
            path = os.path.join(options.programs, f"bench_engine_{runtime}")
            if os.access(path, os.X_OK):
                self.programs[runtime] = path
        self.given_up = set()  # (runtime, rows) that failed or did not end
        self.notes = []
        self.threads = len(os.sched_getaffinity(0))

    def environment(self, extra):
        """Ours without settings that would change a runtime's defaults."""
        drop = ("PENSTOCK_", "OMP_", "GOMP_", "KMP_", "STARPU_")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(drop)}
        return kept | {"STARPU_HOME": self.scratch.name} | extra

    def ask(self, runtime, rows, extra=None):
        """A dictionary of what the program printed; empty if it is absent. Programs limit each
        row to a few seconds: one that takes far longer hangs, and is not asked for it again."""
        key = (runtime, tuple(rows))
        if runtime not in self.programs or key in self.given_up:
            return {}
        limit = 60 if runtime == OURS else 6 + 4 * len(rows)
        command = [self.programs[runtime], "--threads", str(self.threads), *rows]
        if self.options.quick:
            command.insert(1, "--quick")
        try:
            done = subprocess.run(command, env=self.environment(extra or {}), timeout=limit,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        except subprocess.TimeoutExpired as late:
            self.give_up(key, f"did not end within {limit} s")
            return parse((late.stdout or b"").decode())
        if done.returncode != 0:
            self.give_up(key, f"exit status {done.returncode}: {done.stderr.strip()[-200:]}")
        return parse(done.stdout)

    def give_up(self, key, why):
        self.given_up.add(key)
        self.notes.append(f"{key[0]} {' '.join(key[1])}: {why}")

    def find_threads(self):
        """Everybody gets as many threads as we take by default."""
        found = self.ask(OURS, ["threads"])
        self.threads = int(found.get("threads", self.threads))

    def check(self):
        """Every program must compute what a serial run computes, or its times mean nothing."""
        rows = [f"check.{name}" for name, _, _ in PATTERNS] + ["check.own"]
        for runtime in list(self.programs):
            found = self.ask(runtime, rows)
            wrong = [r for r in rows if found.get(r) != 1]
            if wrong:
                self.notes.append(f"{runtime} left out, wrong results: {' '.join(wrong)}")
                del self.programs[runtime]

    def measure(self, group, turn):
        idle = group[0].name.startswith("wake.")
        order = list(RUNTIMES)
        order = order[turn % len(order):] + order[:turn % len(order)]
        for runtime in order:
            environments = RUNTIMES[runtime]
            extra = environments[0 if idle else turn % len(environments)]
            found = self.ask(runtime, program_rows(group), extra)
            for row in group:
                if row.name in found:
                    row.add(runtime, found[row.name])


class Budget:
    """10^5 blocks of 1 MB under a small and a large bound, each run a process of its own."""

    def __init__(self, way, title):
        self.way = way
        self.small, self.large = 256, min(4096, memory_mb() // 2)
        self.peak = Row(f"budget.{way}.peak", f"(k) {title}: peak under {self.small} MB", "MB",
                        limit=1.1 * self.small, combine=max)
        self.speed = Row(f"budget.{way}.speed", f"(k) {title}: speed to {self.large} MB", "ratio",
                         HIGHER, 0.95)
        self.times = {}

    def measure(self, bench):
        for size in (self.large, self.small):
            name = f"budget.{size}.{self.way}"
            found = bench.ask(OURS, [name])
            if f"{name}.us" not in found:
                continue
            taken = found[f"{name}.us"]
            self.times[size] = min(taken, self.times.get(size, taken))
            if size == self.small:
                self.peak.add(OURS, found[f"{name}.mb"])
        if len(self.times) == 2:
            self.speed.found[OURS] = [self.times[self.large] / self.times[self.small]]

    def rows(self):
        return [self.peak, self.speed]


def memory_mb():
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20


class Others:
    """How much of the processors other programs use while we measure."""

    def __init__(self):
        self.before = self.sample()

    @staticmethod
    def sample():
        with open("/proc/stat", encoding="ascii") as stat:
            ticks = [int(t) for t in stat.readline().split()[1:9]]
        seconds = [t / os.sysconf("SC_CLK_TCK") for t in ticks]
        busy = sum(seconds) - seconds[3] - seconds[4]  # less idle, less waiting for a disk
        used = os.times()
        return sum(seconds), busy - sum(used[:4])  # busy with what is neither us nor our children

    def percent(self):
        total, others = (b - a for a, b in zip(self.before, self.sample()))
        return max(0.0, 100 * others / max(total, 0.1))


def parse(text):
    found = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) == 2 and words[1] != "-":
            found[words[0]] = float(words[1])
    return found


def number(value):
    if value is None:
        return "-"
    return f"{value:.3f}" if value < 10 else f"{value:.1f}"


def print_table(rows):
    runtimes = list(RUNTIMES)
    head = ["row", "unit", *runtimes, "ratio", "target", ""]
    lines = []
    for row in rows:
        met = {None: "", True: "met", False: "NOT MET"}[row.met()]
        sign = "<= " if row.better is LOWER else ">= "
        target = "" if row.target() is None else sign + number(row.target())
        ratio = "" if row.ratio() is None else f"{row.ratio():.2f}x"
        lines.append([row.title, row.unit, *(number(row.value(r)) for r in runtimes),
                      ratio, target, met])
    widths = [max(len(line[i]) for line in [head, *lines]) for i in range(len(head))]
    for line in [head, *lines]:
        cells = [c.ljust(w) if i < 2 or i == len(line) - 1 else c.rjust(w)
                 for i, (c, w) in enumerate(zip(line, widths))]
        print("  ".join(cells).rstrip())


def print_summary(bench, rows):
    wanted = [r for r in rows if r.target() is not None]
    print(f"\nratio: how many times better than the best peer. "
          f"{sum(bool(r.met()) for r in wanted)} of {len(wanted)} targets met.")
    absent = [r for r in RUNTIMES if r not in bench.programs]
    if absent:
        print("not there: " + ", ".join(absent))
    for note in bench.notes:
        print("note: " + note)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", default="build/release/bench",
                        help="folder of the bench_engine_* programs")
    parser.add_argument("--output", default="build/bench/engine.json")
    parser.add_argument("--quick", action="store_true", help="one short round, about a minute")
    parser.add_argument("--rounds", type=int, help="default 3")
    parser.add_argument("--rows", default="", help="only rows whose name contains this")
    options = parser.parse_args()
    rounds = options.rounds or (1 if options.quick else 3)

    bench = Bench(options)
    others = Others()
    bench.find_threads()
    bench.check()
    groups = [[r for r in g if options.rows in r.name] for g in make_groups(bench.threads)]
    groups = [g for g in groups if g]
    budgets = [b for b in (Budget("same", "1 MB dropped in place"),
                           Budget("later", "1 MB dropped by a later task"))
               if options.rows in b.peak.name]
    for turn in range(rounds):
        for group in groups:
            progress(turn, rounds, group[0].name)
            bench.measure(group, turn)
        for budget in budgets if turn < 2 else []:
            progress(turn, rounds, budget.peak.name)
            budget.measure(bench)
    progress(0, 0, "")
    if others.percent() > 5:
        bench.notes.append(f"other programs used {others.percent():.0f} % of the processors: "
                           "do not trust these figures")

    rows = [r for g in groups for r in g] + [r for b in budgets for r in b.rows()]
    print(f"Engine benchmark: {bench.threads} threads, best of {rounds}; us per task "
          "unless the unit says otherwise\n")
    print_table(rows)
    print_summary(bench, rows)
    os.makedirs(os.path.dirname(options.output) or ".", exist_ok=True)
    with open(options.output, "w", encoding="utf-8") as out:
        json.dump([r.json() for r in rows], out, indent=1)
        out.write("\n")
    print("written: " + options.output)


def progress(turn, rounds, name):
    """What is being measured, where somebody looks on."""
    if sys.stderr.isatty():
        what = f"round {turn + 1} of {rounds}: {name}" if name else ""
        print(f"\r\033[K{what}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
