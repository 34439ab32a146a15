"""A process that loads damaged and hostile files of a dialect.

    python <dialect>_hostile.py SEED COUNT SECONDS
    python <dialect>_hostile.py bombs 0 0

loads COUNT mutations, or as many as fit into SECONDS if that is above 0. The process may take 1 GiB
more memory than it has after a first load. Only familiar exceptions may come; nothing may be
imported, opened or run meanwhile; no file may take longer than a minute. The last line counts. With
`bombs` it loads files that would like to be large, and says of each what came of it.

DIALECT_FILES_SECONDS=60 has the tests look for new mutations for so long, of each dialect, from
DIALECT_FILES_SEED on.
"""

import math
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import time
import types

from processes import LIMIT, environment

GIB = 1 << 30
ASAN = "asan" in os.environ.get("LD_PRELOAD", "")

# What happens when code is found or run; the beginnings of the names of such events.
EVENTS = ("import", "exec", "compile", "open", "os.", "subprocess.", "socket.", "pickle.")
EVENTS += ("ctypes.", "marshal.", "code.", "function.", "shutil.", "tempfile.", "urllib.", "webbrowser.")


class Watch:
    """Says what happens in the process while a file is loaded: events that only code causes."""

    def __init__(self):
        self.on, self.seen = False, []
        sys.addaudithook(self._note)

    def _note(self, event, arguments):
        if self.on and event.startswith(EVENTS):
            self.seen.append((event, repr(arguments)[:200]))


class Hostile:
    """What the process needs of a dialect, in a class of its own."""

    familiar = (ValueError, EOFError)

    def files(self):
        """A few valid files to begin with."""
        raise NotImplementedError

    def load(self, data, whole=False):
        """What a file has; `whole` loads as much as a program may ask for."""
        raise NotImplementedError

    def tensors(self):
        """The class of tensors."""
        raise NotImplementedError

    def bad(self):
        """Files whose errors need all that errors need."""
        raise NotImplementedError

    def mutation(self, draw, files):
        """A file that is not as it was."""
        raise NotImplementedError

    def bombs(self):
        """Pairs of a name and a file."""
        raise NotImplementedError


def touched(tensors, value, budget=20000):
    """Looks at every element of what was loaded, as far as it is not too much."""
    waiting, seen = [value], set()
    while waiting and budget > 0:
        one = waiting.pop()
        budget -= 1
        if isinstance(one, tensors):
            if math.prod(one.shape) <= 4096 and max(one.shape, default=0) <= 4096:
                one.tolist()
        elif id(one) not in seen:
            seen.add(id(one))
            if isinstance(one, dict):
                waiting += [*one.keys(), *one.values()]
            elif isinstance(one, (list, tuple, set)):
                waiting += one


def limit_memory(more=GIB):
    """From here on the process gets so much more memory, and no more."""
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[0])
    limit = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def warm_up(hostile, files):
    """Loads what a load imports, so that nothing is imported later."""
    for data in files:
        hostile.load(data, whole=True)
    for bad in hostile.bad():
        try:
            hostile.load(bad)
        except hostile.familiar:
            pass


def run(hostile, seed, count, seconds):
    """Loads mutations; gives how many were loaded, and how many raised."""
    sung = []
    canary = sys.modules["canary"] = types.ModuleType("canary")
    canary.sing = lambda *words: sung.append(words)
    files = hostile.files()
    warm_up(hostile, files)
    if "asan" not in sys.argv[4:]:
        limit_memory()
    draw, watch, tensors = random.Random(seed), Watch(), hostile.tensors()
    loaded = raised = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end if seconds else loaded + raised < count:
        data = hostile.mutation(draw, files)
        signal.alarm(60)
        watch.on = True
        try:
            value = hostile.load(data, whole=draw.random() < 0.3)
            watch.on = False
            touched(tensors, value)
            del value
            loaded += 1
        except hostile.familiar as error:
            watch.on = False
            assert str(error), "an error without words"
            raised += 1
        except BaseException:
            watch.on = False
            sys.stderr.write(f"the file was {data!r}\n")
            raise
        assert not watch.seen and not sung, (watch.seen, sung, data)
    signal.alarm(0)
    return loaded, raised


def run_bombs(hostile):
    """Loads them, and prints what came of each."""
    warm_up(hostile, hostile.files())
    files = list(hostile.bombs())
    if "asan" not in sys.argv[4:]:
        limit_memory()
    for key, data in files:
        signal.alarm(300)
        try:
            hostile.load(data)
            said = "loaded"
        except hostile.familiar as error:
            said = f"{type(error).__name__} {error}"
        print(f"{key}: {said}", flush=True)


def main(hostile):
    """What a dialect's script does."""
    if sys.argv[1] == "bombs":
        run_bombs(hostile)
    else:
        print(*run(hostile, int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))


# ---- For the tests -------------------------------------------------------------------------------


def _answer(script, words, limit):
    command = [sys.executable, str(pathlib.Path(__file__).parent / script), *words]
    command += ["asan"] * ASAN
    done = subprocess.run(
        command, env=environment(), capture_output=True, text=True, timeout=limit
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def mutations(script, count=5000):
    """How many mutations were loaded by a process of a dialect's script, and how many raised."""
    seconds = os.environ.get("DIALECT_FILES_SECONDS", "0")
    seed = os.environ.get("DIALECT_FILES_SEED", "1")
    return map(int, _answer(script, [seed, str(count), seconds], LIMIT + float(seconds)).split())


def said_of_bombs(script):
    """What a process with little memory says of files that would like to be large."""
    lines = _answer(script, ["bombs", "0", "0"], LIMIT).splitlines()
    return dict(line.split(": ", 1) for line in lines)
