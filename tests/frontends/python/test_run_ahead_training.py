"""A loop that never waits is harmless: it takes hardly more memory than one that waits for each
batch, however many batches there are.

RUN_AHEAD_BATCHES=10000 (`make soak`) is for one long loop instead of two short ones.
"""

import os
import pathlib
import subprocess
import sys

import pytest
from processes import environment

PROGRAM = pathlib.Path(__file__).with_name("run_ahead.py")
MORE = 64 << 20  # bytes
COUNTS = [int(count) for count in os.environ.get("RUN_AHEAD_BATCHES", "20 40").split()]


def growth(task, wait, batches):
    """In a process of its own, so that memory which another loop left does not hide any."""
    command = [sys.executable, PROGRAM, task, wait, str(batches)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return int(done.stdout)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("task", ["train", "predict"])
def test_a_loop_that_never_waits_is_harmless(task):
    waits = growth(task, "each", min(COUNTS[0], 40))  # grows no further
    for batches in COUNTS:
        free = growth(task, "end", batches)
        print(f"{task}: {free / 1e6:.0f} MB after {batches} batches, {waits / 1e6:.0f} with waits")
        assert free <= waits + MORE
