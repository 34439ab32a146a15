#!/usr/bin/env python3
"""Runs the benchmark of operations: ours and its peers, in turn, for several rounds.

Ours is a C program (ops.c), each peer a Python program (peer.py) in a virtual environment that is
made at the first run; a peer that cannot be installed is left out. The programs stay alive and
answer a line for each row they are asked for. In a round every program does a row before anybody
does the next, in an order that changes from round to round; the value of a row is the best of all
rounds. Before a row is timed, all results are compared: who computes something else is not timed.

Prints a table and writes a JSON list of {"name", "unit", "ours", "peers", "target"}; null stands
for a peer that is not there or cannot do the row."""

import argparse
import fnmatch
import json
import os
import select
import subprocess
import sys
import tempfile
import time

from rows import OURS, PEERS, all_rows

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = {"numpy": ("numpy", "threadpoolctl"), "torch": ("torch",), "jax": ("jax",)}

ANSWER_S = 60      # no row takes so long
COMPILE_S = 240    # nor its first time
SETTLE_S = 0.02    # threads of the last program go to sleep
TOLERANCE = {"normals": 0.02}  # of digests; 10^-3 for what is not random


# ---- The peers' environment --------------------------------------------------------------------

def has_module(python, module):
    return subprocess.run([python, "-c", f"import {module}"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


def install(python, packages):
    print("installing for the peers: " + " ".join(packages), flush=True)
    done = subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        print("  failed: " + (done.stdout.strip().splitlines() or ["no reason given"])[-1])


def make_environment(folder):
    """The environment's Python and the libraries it can import."""
    python = os.path.join(folder, "bin", "python")
    if not os.access(python, os.X_OK):
        made = subprocess.run([sys.executable, "-m", "venv", folder], check=False)
        if made.returncode != 0:
            print("no virtual environment: no peers (Debian: python3-venv)")
            return python, []
    libraries = []
    for library, packages in PACKAGES.items():
        if not has_module(python, library):
            install(python, packages)
        if has_module(python, library):
            libraries.append(library)
        else:
            print(f"{library} cannot be imported: left out")
    # Inputs are made with NumPy in all peers.
    return python, libraries if "numpy" in libraries else []


def environment(scratch):
    """Ours without settings that would change a library's defaults."""
    drop = ("PENSTOCK_", "OMP_", "GOMP_", "KMP_", "MKL_", "OPENBLAS_", "JAX_", "XLA_", "TORCH")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(drop)}
    return kept | {"JAX_PLATFORMS": "cpu", "TORCHINDUCTOR_CACHE_DIR": scratch}


# ---- Programs ----------------------------------------------------------------------------------

class Program:
    """A process that answers questions. One that dies or hangs is started anew for the next."""

    def __init__(self, name, command, env):
        self.name, self.command, self.env = name, command, env
        self.process, self.errors = None, tempfile.TemporaryFile()
        self.absent = set()  # rows that it cannot do
        self.notes = []

    def start(self):
        self.errors.seek(0)
        self.errors.truncate()
        self.process = subprocess.Popen(self.command, env=self.env, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.errors)

    def stop(self):
        if self.process is not None:
            self.process.stdin.close()
            try:
                self.process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()
        self.process = None

    def said(self, limit):
        """The next line, or what to note instead."""
        ready, _, _ = select.select([self.process.stdout], [], [], limit)
        if not ready:
            self.process.kill()
            self.process.wait()
            return None, f"no answer within {limit} s"
        line = self.process.stdout.readline().decode()
        if line:
            return line.strip(), None
        status = self.process.wait()
        self.errors.seek(0)
        last = (self.errors.read().decode(errors="replace").strip().splitlines() or [""])[-1]
        return None, f"exit status {status}: {last[-200:]}"

    def send(self, words, limit):
        if self.process is None:
            self.start()
        try:
            self.process.stdin.write((words + "\n").encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended: said() tells why
        line, trouble = self.said(limit)
        if trouble:
            self.process.stdout.close()
            self.process = None
        return line, trouble

    def about(self):
        line, trouble = self.send("about", COMPILE_S)
        return line.partition(" ")[2] if line else f"{self.name}: {trouble}"

    def ask(self, command, row, limit=ANSWER_S):
        """The value, or None."""
        if row.name in self.absent:
            return None
        line, trouble = self.send(f"{command} {row.name}", limit)
        words = line.split(maxsplit=2) if line else []
        if len(words) == 2 and words[1] != "-":
            return float(words[1])
        if trouble or len(words) == 3:
            self.give_up(row, trouble or words[2])
        return None

    def give_up(self, row, why):
        self.absent.add(row.name)
        self.notes.append(f"{self.name} {row.name}: {why}")


def check(programs, row):
    """All programs must compute what the first peer that can do the row computes."""
    found = {}
    for program in programs:
        value = program.ask("check", row, COMPILE_S)
        if value is not None:
            found[program] = value
    reference = next((p for p in found if p.name != OURS), None)
    if reference is None:
        return
    wanted = found[reference]
    allowed = TOLERANCE.get(row.name.partition(".")[0], 1e-3) * max(abs(wanted), 1e-2)
    for program, value in found.items():
        if not abs(value - wanted) <= allowed:  # NaN is wrong too
            program.give_up(row, f"wrong result: digest {value:.6g}, {reference.name} {wanted:.6g}")


def measure(programs, row, turn):
    start = turn % len(programs)
    for program in programs[start:] + programs[:start]:
        time.sleep(SETTLE_S)
        value = program.ask("time", row)
        if value is not None:
            row.add(program.name, value)


# ---- What others do meanwhile ------------------------------------------------------------------

def processor_seconds():
    """All there were since the start, and those used by what is neither us nor our children."""
    with open("/proc/stat", encoding="ascii") as stat:
        ticks = [int(t) / os.sysconf("SC_CLK_TCK") for t in stat.readline().split()[1:9]]
    idle = ticks[3] + ticks[4]
    return sum(ticks), sum(ticks) - idle - sum(os.times()[:4])


# ---- The table ---------------------------------------------------------------------------------

def number(value):
    if value is None:
        return "-"
    return f"{value:.3f}" if value < 10 else f"{value:.1f}" if value < 1e4 else f"{value:.0f}"


def table_line(row, names):
    ratio = "" if row.ratio() is None else f"{row.ratio():.2f}"
    target = "" if row.target() is None else "<= " + number(row.target())
    met = {None: "", True: "met", False: "NOT MET"}[row.met()]
    return [row.title, *(number(row.value(n)) for n in names), ratio, target, met]


def print_table(rows, names):
    head = ["us", *names, "ratio", "target", ""]
    lines = [head, *(table_line(row, names) for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    for line in lines:
        cells = [c.ljust(w) if i in (0, len(line) - 1) else c.rjust(w)
                 for i, (c, w) in enumerate(zip(line, widths))]
        print("  ".join(cells).rstrip())


def print_markdown(rows, names):
    """The same for docs/performance.md."""
    print("| µs | " + " | ".join(names) + " | ratio | target | |")
    print("| --- " + "| ---: " * (len(names) + 2) + "| --- |")
    for row in rows:
        print("| " + " | ".join(table_line(row, names)) + " |")


def print_summary(rows, programs, others):
    wanted = [r for r in rows if r.target() is not None]
    print(f"\nratio: our time / that of the best peer. {sum(bool(r.met()) for r in wanted)} of "
          f"{len(wanted)} targets met.")
    notes = [note for program in programs for note in program.notes]
    if others > 5:
        notes.append(f"other programs used {others:.0f} % of the processors: "
                     "do not trust these figures")
    for note in notes:
        print("note: " + note)


# ---- All of it ---------------------------------------------------------------------------------

def selected(pattern):
    if any(c in pattern for c in "*?["):
        return [r for r in all_rows() if fnmatch.fnmatchcase(r.name, pattern)]
    return [r for r in all_rows() if pattern in r.name]


def make_programs(options, scratch):
    python, libraries = make_environment(options.venv)
    env, seconds = environment(scratch), ["--seconds", str(0.03 if options.quick else 0.15)]
    programs = [Program(OURS, [options.program, *seconds], env)]
    for peer in PEERS:
        if peer.partition("_")[0] in libraries:
            command = [python, os.path.join(HERE, "peer.py"), peer, *seconds]
            programs.append(Program(peer, command, env))
    return programs


def progress(text):
    """What is being measured, where somebody looks on."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def run_rounds(programs, rows, rounds):
    for turn in range(rounds):
        for row in rows:
            progress(f"round {turn + 1} of {rounds}: {row.name}")
            if turn == 0:
                check(programs, row)
            measure(programs, row, turn)
    progress("")


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/release/bench/bench_ops_penstock",
                        help="our side, made from ops.c")
    parser.add_argument("--venv", default="build/bench/venv", help="where the peers live")
    parser.add_argument("--output", default="build/bench/ops.json")
    parser.add_argument("--quick", action="store_true", help="one short round, to try it out")
    parser.add_argument("--rounds", type=int, help="default 5")
    parser.add_argument("--only", default="", metavar="PATTERN",
                        help="rows whose name contains this, or matches it if it has * or ?")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    return parser.parse_args()


def main():
    options = parse_options()
    rounds = options.rounds or (1 if options.quick else 5)
    rows = selected(options.only)
    with tempfile.TemporaryDirectory(prefix="bench-ops-") as scratch:
        programs = make_programs(options, scratch)
        for program in programs:
            print(program.about(), flush=True)
        total, others = processor_seconds()
        run_rounds(programs, rows, rounds)
        for program in programs:
            program.stop()
        total, others = (b - a for a, b in zip((total, others), processor_seconds()))
    print(f"\nBenchmark of operations: best of {rounds} rounds\n")
    (print_markdown if options.markdown else print_table)(rows, [p.name for p in programs])
    print_summary(rows, programs, 100 * others / max(total, 0.1))
    os.makedirs(os.path.dirname(options.output) or ".", exist_ok=True)
    with open(options.output, "w", encoding="utf-8") as out:
        json.dump([r.json() for r in rows], out, indent=1)
        out.write("\n")
    print("written: " + options.output)


if __name__ == "__main__":
    main()
