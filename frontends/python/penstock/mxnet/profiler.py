"""mx.profiler: what ran when, for how long; as a file for Chrome's trace viewer, and as a table.

>>> from penstock import mxnet as mx
>>> mx.profiler.set_config(aggregate_stats=True)
>>> mx.profiler.set_state("run")
>>> mx.nd.sqrt(mx.nd.ones((2,))).wait_to_read()
>>> mx.profiler.set_state("stop")
>>> "sqrt" in mx.profiler.dumps(reset=True)
True
"""

import json
import warnings
from time import monotonic_ns

from ._missing import missing
from ._profile import recording
from .base import MXNetValueError

__all__ = [
    "Counter",
    "Domain",
    "Event",
    "Frame",
    "Marker",
    "Task",
    "dump",
    "dump_profile",
    "dumps",
    "pause",
    "profiler_set_config",
    "profiler_set_state",
    "resume",
    "set_config",
    "set_kvstore_handle",
    "set_state",
]

# ---- Settings ------------------------------------------------------------------------------------

# Arguments of set_config and what they are without it. What goes beyond one process, or appends to
# a file while the program runs, changes nothing: dump writes the whole file.
_settings = {
    "filename": "profile.json",
    "profile_all": False,
    "profile_symbolic": True,
    "profile_imperative": True,
    "profile_memory": True,
    "profile_api": True,
    "continuous_dump": False,
    "dump_period": 1.0,
    "aggregate_stats": False,
    "profile_process": "worker",
}


def set_config(**kwargs):
    """What is recorded, and the file that dump writes.

    `filename`; `profile_all`, or of `profile_imperative` the operations, of `profile_memory` the
    memory in use, of `profile_api` the waits. Without a name what was set stays.
    """
    for name in kwargs:
        if name not in _settings:
            known = ", ".join(_settings)
            raise MXNetValueError(f"set_config: there is no setting {name!r}; there are {known}")
    _check_process(kwargs.get("profile_process", "worker"))
    _settings.update(kwargs)
    everything = _settings["profile_all"]
    recording.wanted.update(
        operators=everything or _settings["profile_imperative"] or _settings["profile_symbolic"],
        memory=everything or _settings["profile_memory"],
        waits=everything or _settings["profile_api"],
    )


def _check_process(process):
    """KeyError for what is no process; servers exist only where there are several."""
    if {"worker": 0, "server": 1}[process]:
        raise MXNetValueError("profiler: profile_process='server' needs a kvstore of servers")


def set_state(state="stop", profile_process="worker"):
    """Starts ('run') or ends ('stop') recording."""
    run = {"stop": False, "run": True}[state]
    _check_process(profile_process)
    with recording.lock:
        recording.running, recording.paused = run, False
        recording.follow()


def pause(profile_process="worker"):
    """Leaves a gap in what is recorded, until resume."""
    _check_process(profile_process)
    with recording.lock:
        recording.paused = True
        recording.follow()


def resume(profile_process="worker"):
    """Records again."""
    _check_process(profile_process)
    with recording.lock:
        recording.paused = False
        recording.follow()


def set_kvstore_handle(handle):
    """For stores on several machines, which do not exist here: nothing happens."""


def profiler_set_config(mode="symbolic", filename="profile.json"):
    """set_config by its older name."""
    warnings.warn("profiler_set_config() is the old name of set_config()")
    set_config(profile_all=mode == "all", filename=filename)


def profiler_set_state(state="stop"):
    """set_state by its older name."""
    warnings.warn("profiler_set_state() is the old name of set_state()")
    set_state(state)


# ---- The file ------------------------------------------------------------------------------------


def dump(finished=True, profile_process="worker"):
    """Writes the file; recording goes on if it is not finished."""
    _check_process(profile_process)
    with recording.lock:
        recording.collect()
        recording.lines += _new_lines()
        with open(_settings["filename"], "w", encoding="utf-8") as file:
            file.write('{"displayTimeUnit": "ms", "traceEvents": [\n')
            file.write(",\n".join([*_names_of_lanes(), *recording.lines]))
            file.write("\n]}\n")
        if finished:
            set_state("stop")
            recording.clear()


def dump_profile():
    """dump by its older name."""
    warnings.warn("dump_profile() is the old name of dump()")
    dump(True)


def _new_lines():
    """What Chrome's viewer reads, of all that no file has yet: spans, instants and counters."""
    lines = [json.dumps(_span_event(span)) for span in recording.spans]
    lines += [json.dumps(_point_event(point)) for point in recording.points]
    for name, time, value in recording.levels:
        name = json.dumps(name)
        # Programs may count often: this is several times as quick as to build dictionaries.
        head = f'{{"ph": "C", "name": {name}, "ts": {time / 1e3}, "pid": 0'
        lines.append(f'{head}, "args": {{{name}: {value}}}}}')
    recording.forget_events()
    return lines


def _names_of_lanes():
    yield json.dumps({"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "cpu/0"}})
    for thread, number in recording.lanes.items():
        event = {"ph": "M", "name": "thread_name", "pid": 0, "tid": number}
        yield json.dumps(event | {"args": {"name": thread}})


def _span_event(span):
    return {
        "ph": "X",
        "name": span.name,
        "cat": span.category,
        "ts": span.start / 1e3,
        "dur": (span.end - span.start) / 1e3,
        "pid": 0,
        "tid": recording.lane(span.thread),
    }


def _point_event(point):
    category, name, time, scope, thread = point
    return {
        "ph": "i",
        "name": name,
        "cat": category,
        "ts": time / 1e3,
        "s": _SCOPES[scope],
        "pid": 0,
        "tid": recording.lane(thread),
    }


# ---- The table -----------------------------------------------------------------------------------

_SORTED_BY = {
    "total": lambda numbers: numbers.total,
    "avg": lambda numbers: _average(numbers),
    "min": lambda numbers: numbers.least,
    "max": lambda numbers: numbers.most,
    "count": lambda numbers: numbers.count,
}


def _average(numbers):
    from ._profile import Level

    if isinstance(numbers, Level):
        return (numbers.least + numbers.most) / 2
    return numbers.total / numbers.count


def dumps(reset=False, format="table", sort_by="total", ascending=False):
    """Sums by name, as a table or as JSON; `reset` begins new ones."""
    if format not in ("table", "json"):
        raise AssertionError(
            f"dumps: format must be 'table' or 'json', not {format!r}"
        )
    if sort_by not in _SORTED_BY:
        known = ", ".join(map(repr, _SORTED_BY))
        raise AssertionError(f"dumps: sort_by must be one of {known}, not {sort_by!r}")
    with recording.lock:
        recording.collect()
        sums = {category: dict(names) for category, names in sorted(recording.sums.items())}
        storage = {"Memory: cpu/0": recording.storage} if recording.storage.count else {}
        if reset:
            recording.reset()

    def ordered(names):
        key = _SORTED_BY[sort_by]
        pairs = sorted(names.items(), key=lambda pair: key(pair[1]), reverse=not ascending)
        return dict(pairs)

    times = {category: ordered(names) for category, names in sums.items()}
    return (_as_json if format == "json" else _as_table)(times, ordered(storage))


def _as_json(times, storage):
    def entry(numbers, total):
        found = {"Count": numbers.count, "Total": numbers.total}
        found |= {"Min": numbers.least, "Max": numbers.most, "Avg": _average(numbers)}
        return found if total else {key: one for key, one in found.items() if key != "Total"}

    def entries(names, total):
        return {name: entry(numbers, total) for name, numbers in names.items()}

    found = {
        "Time": {category: entries(names, True) for category, names in times.items()},
        "Memory": {"Device Storage": entries(storage, False)} if storage else {},
        "Unit": {"Time": "ms", "Memory": "kB"},
    }
    return json.dumps(found, indent=4)


def _as_table(times, storage):
    text = "\nProfile Statistics:\n\tNote the difference in units for different entries.\n"
    heads = ("Total Count", "Time (ms)", "Min Time (ms)", "Max Time (ms)", "Avg Time (ms)")
    for category, names in times.items():
        rows = [
            (name, n.count, n.total, n.least, n.most, _average(n)) for name, n in names.items()
        ]
        text += _part(category, heads, rows)
    if storage:
        heads = ("Total Count", "Min Use  (kB)", "Max Use  (kB)", "Avg Use  (kB)")
        rows = [(name, n.count, n.least, n.most, _average(n)) for name, n in storage.items()]
        text += _part("Device Storage", heads, rows)
    return text


def _part(category, heads, rows):
    """The table of one category."""

    def line(name, cells):
        return f"{name:<25}" + "".join(f"{cell:>17}" for cell in cells) + "\n"

    text = f"{category}\n=================\n"
    text += line("Name", heads) + line("----", ["-" * len(head) for head in heads])
    for name, count, *values in rows:
        text += line(name, [count, *(f"{value:.4f}" for value in values)])
    return text + "\n"


# ---- What programs mark --------------------------------------------------------------------------


class Domain:
    """A name that groups tasks, counters and the like."""

    __module__ = "mxnet.profiler"

    def __init__(self, name):
        self.name = name

    def __str__(self):
        return self.name

    def new_task(self, name):
        """A task of this domain."""
        return Task(self, name)

    def new_frame(self, name):
        """A frame of this domain."""
        return Frame(self, name)

    def new_counter(self, name, value=None):
        """A counter of this domain."""
        return Counter(self, name, value)

    def new_marker(self, name):
        """A marker of this domain."""
        return Marker(self, name)


class _Duration:
    """Something with a start and a stop, which also works as a `with` statement."""

    def __init__(self, category, name):
        self._category, self.name, self._start = category, name, None

    def __str__(self):
        return self.name

    def start(self):
        """It begins here."""
        self._start = monotonic_ns()

    def stop(self):
        """It ends here; noted while the profiler runs."""
        start, self._start = self._start, None
        if start is not None and recording.active:
            recording.span(self._category, self.name, start, monotonic_ns())

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *exception):
        self.stop()


class Task(_Duration):
    """A piece of the program's work."""

    __module__ = "mxnet.profiler"

    def __init__(self, domain, name):
        super().__init__(str(domain), name)


class Frame(_Duration):
    """One of many equal pieces, such as the frames of a film."""

    __module__ = "mxnet.profiler"

    def __init__(self, domain, name):
        super().__init__(f"{domain},frame", name)


class Event(_Duration):
    """A piece of work without a domain."""

    __module__ = "mxnet.profiler"

    def __init__(self, name):
        super().__init__("event", name)


class Counter:
    """A number that changes with time."""

    __module__ = "mxnet.profiler"

    def __init__(self, domain, name, value=None):
        self._category, self.name, self._value = str(domain), name, 0
        if value is not None:
            self.set_value(value)

    def __str__(self):
        return self.name

    def set_value(self, value):
        """Gives it this value."""
        self._value = value
        if recording.active:
            recording.level(self._category, self.name, value)

    def increment(self, delta=1):
        """Adds to it."""
        self.set_value(self._value + delta)

    def decrement(self, delta=1):
        """Subtracts from it."""
        self.set_value(self._value - delta)

    def __iadd__(self, delta):
        self.increment(delta)
        return self

    def __isub__(self, delta):
        self.decrement(delta)
        return self


# How far a marker's line reaches in the viewer.
_SCOPES = {"global": "g", "process": "p", "thread": "t", "task": "t", "marker": "t"}


class Marker:
    """An instant."""

    __module__ = "mxnet.profiler"

    def __init__(self, domain, name):
        self._category, self.name = f"{domain},instant_marker", name

    def mark(self, scope="process"):
        """It is now; noted while the profiler runs."""
        if scope not in _SCOPES:
            known = ", ".join(map(repr, _SCOPES))
            raise MXNetValueError(f"mark: there is no scope {scope!r}; there are {known}")
        if recording.active:
            recording.point(self._category, self.name, scope)


__getattr__ = missing("mxnet.profiler")
