"""What a line costs that is noted with an operation: the instructions of lines.cpp with it and
without, which Callgrind counts. They are the same in every run."""

import os
import re
import subprocess

from common.report import OURS

CALLS = 1000


def count(program, function, env, scratch):
    """Instructions of one call in a function of lines.cpp, and below it."""
    command = ["valgrind", "--tool=callgrind", "--toggle-collect=" + function,
               "--callgrind-out-file=" + os.path.join(scratch, function),
               program, function, str(CALLS)]
    done = subprocess.run(command, env=env, check=False, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found or int(found[1]) == 0:
        raise RuntimeError((done.stderr.strip().splitlines() or ["no answer"])[-1])
    return int(found[1]) / CALLS


def more(noted, plain):
    """By how many per cent.

    >>> more(102.0, 100.0)
    2.0
    """
    return 100 * (noted - plain) / plain


def measure(row, program, env, scratch):
    """Adds the value to the row. Notes, of what it is made of or why there is none."""
    try:
        noted, plain = (count(program, name, env, scratch) for name in ("noted", "plain"))
    except (OSError, RuntimeError) as error:
        return [f"{OURS} {row.name}: {error}"]
    row.add(OURS, more(noted, plain))
    return [f"{row.name}: {noted:.1f} instructions with the line, {plain:.1f} without"]
