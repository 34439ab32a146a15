"""Processors that a program may use, and how it is given some of them only."""

import os


def siblings(processor):
    """The processors that share a core with this one, itself included, as a text."""
    path = f"/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list"
    try:
        with open(path, encoding="ascii") as found:
            return found.read().strip()
    except OSError:
        return str(processor)


def in_order():
    """The processors of this process; one of each core before any core's second."""
    cores = {}
    for processor in sorted(os.sched_getaffinity(0)):
        cores.setdefault(siblings(processor), []).append(processor)
    turns = max(len(core) for core in cores.values())
    return [core[i] for i in range(turns) for core in cores.values() if i < len(core)]


def counts(most):
    """1, 2, 4 and so on, and all.

    >>> counts(12)
    [1, 2, 4, 8, 12]
    """
    found = [1]
    while found[-1] * 2 < most:
        found.append(found[-1] * 2)
    return found + [most] if most > 1 else found


def bound_to(count, command):
    """The command, confined to so many processors."""
    return ["taskset", "--cpu-list", ",".join(map(str, in_order()[:count])), *command]
