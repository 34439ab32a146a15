"""The programs that measure, one of each family for every side. They are this tree's: one source, two
libraries.

Most answer questions and live for a round (../common/program.py). What is over at once, a row of the
engine and an import, is a process for each measurement."""

import os
import subprocess
import sys

from sides import BASE, SIDES, TREE, compile_program
from common.environment import settings
from common.program import ANSWER_S, Program

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

REPEATS = 3  # of what is a process for each measurement: the best counts
ENGINE_LIMIT_MS = 40
IMPORT = """
import time
start = time.perf_counter()
import penstock
print("penstock", 1e3 * (time.perf_counter() - start))
"""


def values(text, name):
    words = [line.split() for line in text.splitlines()]
    return [float(w[1]) for w in words if len(w) == 2 and w[0] == name and w[1] != "-"]


class Once(Program):
    """Runs the commands for a row to their end; they print lines `ROW value`."""

    def __init__(self, name, commands, env):
        super().__init__(name, None, env)
        self.commands = commands

    def ask(self, _command, row, limit=ANSWER_S):
        if row.name in self.absent:
            return None
        found = []
        try:
            for command in self.commands(row.name):
                done = subprocess.run(command, env=self.env, stdin=subprocess.DEVNULL, text=True,
                                      capture_output=True, timeout=limit, check=True)
                found += values(done.stdout, row.name)
        except subprocess.TimeoutExpired:
            self.give_up(row, f"did not end within {limit} s")
        except subprocess.CalledProcessError as error:
            last = (error.stderr.strip().splitlines() or [""])[-1]
            self.give_up(row, f"exit status {error.returncode}: {last[-200:]}")
        if row.name not in self.absent and not found:
            self.give_up(row, "no value")
        return None if row.name in self.absent else row.best(found)


def engine_commands(program):
    """The program answers `wake.busy` with `wake.busy.p50` and more."""
    start = [program, "--quick", "--limit", str(ENGINE_LIMIT_MS)]
    return lambda row: [[*start, *[row.removesuffix(".p50")] * (1 if "wake" in row else REPEATS)]]


def import_commands(_row):
    return [[sys.executable, "-c", IMPORT]] * REPEATS


class Family:
    """A program for each side, and why there is none if so."""

    def __init__(self, name, programs, missing=None):
        self.name, self.programs, self.missing = name, programs, missing

    def stop(self):
        for program in self.programs.values():
            program.stop()

    def notes(self):
        """What a side could not do. The twin's troubles are the base's."""
        return [note for side in (BASE, TREE) if side in self.programs
                for note in self.programs[side].notes]


def c_family(root, folders, env, name, source, make):
    """make(name, path, env) gives the program that is at a path."""
    missing = compile_program(root, folders, name, source)
    sides = () if missing else SIDES
    return Family(name, {s: make(s, os.path.join(folders[s], name), env) for s in sides}, missing)


def python_family(folders, env, name, make):
    """Python programs see the package of their side."""
    sides = {s: os.path.join(folders[s], "python") for s in SIDES}
    if not all(map(os.path.isdir, sides.values())):
        return Family(name, {}, "the base has no Python package")
    return Family(name, {s: make(s, env | {"PYTHONPATH": path}) for s, path in sides.items()})


def script(path, *arguments):
    command = [sys.executable, os.path.join(BENCH, path), *arguments]
    return lambda name, env: Program(name, command, env)


def make_families(root, folders, names, seconds):
    """Those named, in this order."""
    env = settings("") | {"PYTHONWARNINGS": "ignore"}
    env.pop("PYTHONPATH", None)
    limit = ["--seconds", str(seconds)]

    def c(name, source, make):
        return lambda: c_family(root, folders, env, name, source, make)

    def python(name, make):
        return lambda: python_family(folders, env, name, make)

    makers = {
        "engine": c("engine", "bench/engine/bench_penstock.c",
                    lambda side, path, env: Once(side, engine_commands(path), env)),
        "ops": c("ops", "bench/ops/ops.c", lambda side, path, env: Program(side, [path, *limit], env)),
        "python": python("python", script("common/peer.py", "penstock", *limit)),
        "calls": python("calls", script("compare/python_program.py", *limit)),
        "mxnet": python("mxnet", script("mxnet/library.py", "penstock", *limit)),
        "autograd": python("autograd", script("autograd/library.py", "penstock", *limit)),
        "import": python("import", lambda side, env: Once(side, import_commands, env)),
    }
    return [make() for name, make in makers.items() if name in names]
