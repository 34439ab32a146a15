"""Programs in processes of their own, for tests of what a process does as a whole."""

import os
import re
import subprocess
import sys
import textwrap

import pytest

PRELUDE = "import penstock as ps\n"
LIMIT = 500  # seconds after which a program is taken for hung; no test comes near it

# What a program says that ends with work queued: how many operations, and the first of them.
NOTICE = re.compile(
    r"Exception ignored at the end of the program:\s*\n"
    r"RuntimeError: (\d+) operations? that nobody waited for (?:is|are) dropped(.*)\n"
)

# For a test that forks as soon as there are threads: AddressSanitizer does not bring its own locks
# through a fork, and the child would wait for a thread that it does not have.
forks_beside_a_new_thread = pytest.mark.skipif(
    "asan" in os.environ.get("LD_PRELOAD", ""),
    reason="a thread that is just starting may hold the lock of AddressSanitizer's allocator",
)


def environment(**settings):
    """The environment of this process, with other settings of the library; can import gate."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PENSTOCK_")}
    folders = [*filter(None, [kept.get("PYTHONPATH")]), os.path.dirname(__file__)]
    return kept | {"PYTHONPATH": os.pathsep.join(folders)} | settings


def start(program, **settings):
    """The program, begun, with pipes for its output and errors."""
    # Python 3.12 and later warn of every fork in a process with threads.
    python = [sys.executable, "-W", "ignore::DeprecationWarning"]
    return subprocess.Popen(
        [*python, "-c", PRELUDE + textwrap.dedent(program)],
        env=environment(**settings),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process, text=None):
    """What it printed and its errors' text, once it has ended with success."""
    out, errors = process.communicate(text, timeout=LIMIT)
    assert process.returncode == 0, f"exit status {process.returncode}\n{out}\n{errors}"
    return out, errors


def run(program, **settings):
    return finish(start(program, **settings))


def run_quietly(program, **settings):
    """What it printed; it must end with success and no word of complaint."""
    out, errors = run(program, **settings)
    assert errors == ""
    return out


def run_and_leave(program, **settings):
    """What it printed; if it, or a child of it, complains, then only of what it dropped."""
    out, errors = run(program, **settings)
    assert NOTICE.sub("", errors) == ""
    return out
