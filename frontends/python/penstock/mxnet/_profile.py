"""What the profiler has seen: operations out of the engine's trace, and what programs mark.

While it runs a trace is recorded (`penstock.engine.trace`). `collect` ends that trace, takes what
is complete, and begins another one. A trace knows operations by their own names; two things are
noted beside it, with their times: which operators of arrays had a number beside the array, since
MXNet has names of their own for these, and what is inside of custom operators.
"""

import threading
from contextlib import contextmanager
from time import monotonic_ns

from .. import engine, memory

EVENTS = 1 << 17  # for each thread, between two collections

# Operations that MXNet calls otherwise.
_NAMES = {name: f"_{name}" for name in ("arange", "eye", "full", "linspace", "ones", "zeros")}

# Operators with a number, by method: the names for mx.nd and for mx.np.
_WITH_NUMBERS = {
    "add": ("_plus_scalar", "_npi_add_scalar"),
    "sub": ("_minus_scalar", "_npi_subtract_scalar"),
    "mul": ("_mul_scalar", "_npi_multiply_scalar"),
    "truediv": ("_div_scalar", "_npi_true_divide_scalar"),
    "mod": ("_mod_scalar", "_npi_mod_scalar"),
    "pow": ("_power_scalar", "_npi_power_scalar"),
}
_REVERSED = {
    "sub": ("_rminus_scalar", "_npi_rsubtract_scalar"),
    "truediv": ("_rdiv_scalar", "_npi_rtrue_divide_scalar"),
    "mod": ("_rmod_scalar", "_npi_rmod_scalar"),
    "pow": ("_rpower_scalar", "_npi_rpower_scalar"),
}
_ENGINE_NAMES = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
    "mod": "remainder",
    "pow": "power",
}


class Span:
    """Something that took time: what, of which category, from when to when, on which thread."""

    __slots__ = ("category", "name", "start", "end", "thread")

    def __init__(self, category, name, start, end, thread):
        self.category, self.name, self.start, self.end = category, name, start, end
        self.thread = thread


class Numbers:
    """How often, how much in all, the least and the most: milliseconds, or kilobytes."""

    __slots__ = ("count", "total", "least", "most")

    def __init__(self):
        self.count, self.total, self.least, self.most = 0, 0.0, float("inf"), 0.0

    def add(self, value):
        self.count += 1
        self.total += value
        self.least = min(self.least, value)
        self.most = max(self.most, value)


class Level(Numbers):
    """The same of something that has a value at a time: the total is the last one."""

    __slots__ = ()

    def add(self, value):
        super().add(value)
        self.total = value


class Recording:
    """All that is known; one lock guards it."""

    def __init__(self):
        self.lock = threading.RLock()
        self.running = False
        self.paused = False
        self.wanted = {"operators": True, "memory": True, "waits": True}
        self.trace = None
        self.beside = []  # (start, end, engine's name, MXNet's name) of operators with numbers
        self.custom = []  # (start, end, name) of custom operators
        self.clear()
        self.reset()

    def clear(self):
        """Forgets what would be written to the file."""
        self.lines, self.lanes = [], {}  # of the file: what was written to it, and its threads
        self.forget_events()

    def forget_events(self):
        """Forgets what has become lines of the file."""
        self.spans, self.points, self.levels = [], [], []

    def lane(self, thread):
        """The number of a thread in the file."""
        return self.lanes.setdefault(thread, len(self.lanes) + 1)

    def reset(self):
        """Forgets the sums."""
        self.sums, self.storage = {}, Level()

    @property
    def active(self):
        return self.running and not self.paused

    # ---- The trace -------------------------------------------------------------------------------

    def follow(self):
        """Begins or ends the trace as the state says."""
        with self.lock:
            if self.active and self.trace is None:
                self._begin_trace()
                _watch_operators()
            elif not self.active and self.trace is not None:
                self._end_trace()
                _leave_operators()

    def collect(self):
        """Takes what the trace has seen so far."""
        with self.lock:
            if self.trace is not None:
                self._end_trace()
                self._begin_trace()

    def _begin_trace(self):
        self.trace = engine.trace(EVENTS).__enter__()

    def _end_trace(self):
        trace, self.trace = self.trace, None
        trace.__exit__()
        self._take(trace.events)
        self.beside.clear()
        self.custom.clear()
        if self.wanted["memory"]:
            self.storage.add(memory.stats().live / 1000)
            self.levels.append(("Memory: cpu/0", monotonic_ns(), memory.stats().live))

    def _take(self, events):
        queued, started, waits = {}, {}, {}
        for event in events:
            if event.kind == "queued":
                queued[event.task] = event.time_ns
            elif event.kind == "start":
                started[event.task] = event
            elif event.kind == "end" and event.task in started:
                self._take_operation(queued.get(event.task), started.pop(event.task), event)
            elif event.kind == "wait":
                waits[event.thread] = event.time_ns
            elif event.kind == "resume" and event.thread in waits and self.wanted["waits"]:
                begin = waits.pop(event.thread)
                self.span("wait", f"Wait for {event.other}", begin, event.time_ns, event.thread)

    def _take_operation(self, queued, start, end):
        if not self.wanted["operators"]:
            return
        name = _NAMES.get(start.name, start.name) or "operation"
        category = "operator"
        if queued is not None:
            name = _inside(self.beside, queued, start.name) or name
            outer = _inside(self.custom, queued)
            if outer:
                category, name = "Custom Operator", f"{outer}::{name}"
        self.span(category, name, start.time_ns, end.time_ns, start.thread)

    # ---- Sums ------------------------------------------------------------------------------------

    def sum_of(self, category, name, kind=Numbers):
        return self.sums.setdefault(category, {}).setdefault(name, kind())

    def span(self, category, name, start, end, thread=None):
        """Notes something that took from start to end, in nanoseconds."""
        with self.lock:
            thread = thread or threading.current_thread().name
            self.spans.append(Span(category, name, start, end, thread))
            self.sum_of(category, name).add((end - start) / 1e6)

    def point(self, category, name, scope):
        """Notes an instant."""
        with self.lock:
            where = threading.current_thread().name
            self.points.append((category, name, monotonic_ns(), scope, where))
            self.sums.setdefault(category, {})

    def level(self, category, name, value):
        """Notes a new value of a counter."""
        with self.lock:
            self.levels.append((name, monotonic_ns(), value))
            self.sum_of(category, name, Level).add(value / 1000)


def _inside(intervals, time, engine_name=None):
    """The name of the innermost interval that a time is in, of this operation."""
    for start, end, *names in reversed(intervals):
        if start <= time <= end and (engine_name is None or names[0] == engine_name):
            return names[-1]
    return None


recording = Recording()

# ---- What is noted beside the trace -------------------------------------------------------------


@contextmanager
def custom_operator(name):
    """Around the Python code of a custom operator."""
    start = monotonic_ns()
    try:
        yield
    finally:
        if recording.active:
            end = monotonic_ns()
            recording.custom.append((start, end, name))
            recording.span("Custom Operator", f"{name}::pure_python", start, end)


def _methods():
    """Each method of an operator, with the engine's name of it, and MXNet's two."""
    for operator, names in _WITH_NUMBERS.items():
        native = _ENGINE_NAMES[operator]
        yield f"__{operator}__", native, names
        yield f"__i{operator}__", native, names
        yield f"__r{operator}__", native, _REVERSED.get(operator, names)


def _classes():
    """The two classes of arrays, and which of MXNet's two names their operators have."""
    from ._nd_array import NDArray
    from ._np_array import ndarray

    return ((NDArray, 0), (ndarray, 1))


def _watch_operators():
    """Operators of arrays note whether a number was beside the array."""
    originals = [
        (cls, method, vars(cls).get(method), getattr(cls, method), native, names[which])
        for cls, which in _classes()
        for method, native, names in _methods()
    ]
    for cls, method, own, original, native, name in originals:
        setattr(cls, method, _watched(own, original, native, name))


def _leave_operators():
    """Operators are those that the classes had."""
    for cls, _ in _classes():
        for method, _, _ in _methods():
            own = vars(cls)[method].own
            if own is None:
                delattr(cls, method)
            else:
                setattr(cls, method, own)


def _watched(own, original, native, name):
    from .. import _core

    def operator(self, other):
        start = monotonic_ns()
        result = original(self, other)
        if not isinstance(other, _core.ndarray):
            recording.beside.append((start, monotonic_ns(), native, name))
        return result

    operator.own = own
    return operator
