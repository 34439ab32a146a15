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

# Operators with a number, by method: the name for mx.nd, and the middle of the one for mx.np.
_WITH_NUMBERS = {
    "add": ("_plus_scalar", "add"),
    "sub": ("_minus_scalar", "subtract"),
    "mul": ("_mul_scalar", "multiply"),
    "truediv": ("_div_scalar", "true_divide"),
    "mod": ("_mod_scalar", "mod"),
    "pow": ("_power_scalar", "power"),
}
_REVERSED = {
    "sub": ("_rminus_scalar", "rsubtract"),
    "truediv": ("_rdiv_scalar", "rtrue_divide"),
    "mod": ("_rmod_scalar", "rmod"),
    "pow": ("_rpower_scalar", "rpower"),
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
    """How often, how long in all, and the shortest and the longest, in milliseconds or kilobytes."""

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
        self.spans, self.points, self.levels = [], [], []

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
                self.trace = engine.trace(EVENTS).__enter__()
                _watch_operators()
            elif not self.active and self.trace is not None:
                self._end_trace()
                _leave_operators()

    def collect(self):
        """Takes what the trace has seen so far."""
        with self.lock:
            if self.trace is not None:
                self._end_trace()
                self.follow()

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


def _watch_operators():
    """Operators of arrays note whether a number was beside the array."""
    from ._nd_array import NDArray

    for method, native, names in _methods():
        setattr(NDArray, method, _watched(_inherited(NDArray, method), native, names))


def _leave_operators():
    """Operators are those of the native class again."""
    from ._nd_array import NDArray

    for method, _, _ in _methods():
        watched = vars(NDArray).get(method)
        if hasattr(watched, "own"):
            if watched.own is None:
                delattr(NDArray, method)
            else:
                setattr(NDArray, method, watched.own)


def _inherited(cls, method):
    """A method of the class itself, or None, and what a call of it does."""
    return vars(cls).get(method), getattr(cls, method)


def _watched(found, native, names):
    own, original = found

    def operator(self, other):
        start = monotonic_ns()
        result = original(self, other)
        if not hasattr(other, "shape") or other.shape == () and not hasattr(other, "asnumpy"):
            name = f"_npi_{names[1]}_scalar" if hasattr(self, "as_nd_ndarray") else names[0]
            recording.beside.append((start, monotonic_ns(), native, name))
        return result

    operator.own = own
    return operator
