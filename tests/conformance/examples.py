"""The programs of examples/mxnet, run by the real MXNet and by Penstock: they print the same.

Words must be equal, and numbers as near as their last digits say: sums are added up in another
order."""

import os
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parents[2] / "examples/mxnet"
NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")
LIMIT = 300  # seconds: only ends what hangs


def names():
    return sorted(path.stem for path in FOLDER.glob("*.py"))


def run_program(name, python, package=None):
    """What a program prints; with a package, by Penstock. RuntimeError if it fails."""
    path = str(FOLDER / f"{name}.py")
    kept = {key: one for key, one in os.environ.items() if not key.startswith(("PYTHON", "MXNET_"))}
    command = [python, "-W", "ignore", path]
    if package is not None:
        kept["PYTHONPATH"] = str(package)
        command = [python, "-W", "ignore", "-m", "penstock", "--as", "mxnet", path]
    done = subprocess.run(command, env=kept, capture_output=True, text=True, timeout=LIMIT)
    if done.returncode != 0:
        raise RuntimeError(f"{name} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


def last_place(text):
    """What a unit of the last printed digit is worth.

    >>> last_place("12.340"), last_place("7"), last_place("1.5e-3")
    (0.001, 1.0, 0.0001)
    """
    digits, _, power = text.lower().partition("e")
    decimals = len(digits.partition(".")[2])
    return float(f"1e{int(power or 0) - decimals}")


def near(real, ours):
    """Whether two printed numbers are equal but for rounding; whole ones must be equal."""
    if "." not in real and "e" not in real:
        return real == ours
    unit = max(last_place(real), last_place(ours))
    return abs(float(real) - float(ours)) <= 2 * unit + 2e-3 * abs(float(real))


def differences(real, ours):
    """The lines that differ, each as a pair."""
    real, ours = real.splitlines(), ours.splitlines()
    found = [] if len(real) == len(ours) else [(f"{len(real)} lines", f"{len(ours)} lines")]
    return found + [pair for pair in zip(real, ours) if not same_line(*pair)]


def same_line(real, ours):
    words = ["".join(NUMBER.sub("#", line).split()) for line in (real, ours)]
    numbers = [NUMBER.findall(line) for line in (real, ours)]
    return words[0] == words[1] and all(map(near, *numbers))


def compare_all(both, real_python, package):
    """Adds a note for each program that prints something else, or fails."""
    for name in names():
        try:
            real = run_program(name, real_python)
            ours = run_program(name, sys.executable, package)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            both.notes.append(f"examples/mxnet/{name}.py: {error}")
            continue
        for one, other in differences(real, ours):
            both.notes.append(f"examples/mxnet/{name}.py:\n    real: {one}\n    ours: {other}")
    print(f"{len(names())} programs of examples/mxnet", flush=True)
