"""How long it takes to compile a file that only includes a library's header."""

import os
import subprocess
import time

from common.program import in_turn
from common.report import OURS, progress

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# The header of each library, and the package by which pkg-config knows where that is.
HEADERS = {OURS: ("penstock.hpp", None), "eigen": ("Eigen/Dense", "eigen3"),
           "xtensor": ("xtensor/xarray.hpp", "xtensor")}
FLAGS = ("-std=c++20", "-O2", "-c")


def folders(package):
    """Flags that say where a header is."""
    if package is None:
        return [f"-I{ROOT}/include", f"-I{ROOT}/frontends/cpp/include"]
    found = subprocess.run(["pkg-config", "--cflags-only-I", package], check=False,
                           capture_output=True, text=True)
    return found.stdout.split()


class Compilation:
    """Of the file of one library."""

    def __init__(self, compiler, name, scratch):
        header, package = HEADERS[name]
        self.name, self.trouble = name, None
        self.source = os.path.join(scratch, name + ".cpp")
        with open(self.source, "w", encoding="ascii") as out:
            out.write(f"#include <{header}>\n")
        self.command = [compiler, *FLAGS, *folders(package), self.source,
                        "-o", os.path.join(scratch, name + ".o")]

    def seconds(self):
        """None if it fails, or has failed before."""
        if self.trouble:
            return None
        start = time.perf_counter()
        done = subprocess.run(self.command, check=False, capture_output=True, text=True)
        took = time.perf_counter() - start
        if done.returncode != 0:
            self.trouble = (done.stderr.strip().splitlines() or ["no reason given"])[0]
            return None
        return took


def measure(row, compiler, rounds, scratch):
    """Adds the values to the row. Notes of what could not be compiled."""
    every = [Compilation(compiler, name, scratch) for name in HEADERS]
    for turn in range(rounds):
        for compilation in in_turn(every, turn):
            progress(f"round {turn + 1} of {rounds}: {row.name} {compilation.name}")
            value = compilation.seconds()
            if value is not None:
                row.add(compilation.name, value)
    progress("")
    return [f"{c.name} {row.name}: {c.trouble}" for c in every if c.trouble]
