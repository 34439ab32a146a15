"""The picture of who did what when, from the events of a trace: a lane for each thread.

The upper part shows the moments in which the program queued; the lower part everything.
"""

from dataclasses import dataclass

from svg import FILLS, Canvas, text_width
from table import seconds

LEFT, RIGHT, TOP = 150, 40, 80
LANE, GAP, AXIS = 34, 10, 46
WIDTH = 1000


@dataclass
class Bar:
    thread: str
    kind: str  # "run" or "wait"
    start: int  # nanoseconds
    end: int
    number: int = 0  # of the operation, in the order of queueing
    name: str = ""


@dataclass
class Mark:
    """The moment in which an operation was queued."""

    thread: str
    time: int
    number: int


def marks_of(events):
    queued = [event for event in events if event.kind == "queued"]
    return [Mark(event.thread, event.time_ns, i + 1) for i, event in enumerate(queued)]


def shares_of(events, numbers):
    """Of operations that are divided: what threads did that joined those who started them."""
    owners, joined, bars = {}, {}, []
    for event in events:
        if event.kind == "start":
            owners[event.task] = event.thread
        elif event.kind == "loop" and event.thread != owners.get(event.task):
            depth, since = joined.get((event.thread, event.task), (0, event.time_ns))
            joined[event.thread, event.task] = depth + 1, since
        elif event.kind == "loop end" and (event.thread, event.task) in joined:
            depth, since = joined.pop((event.thread, event.task))
            if depth > 1:  # a loop inside of a loop
                joined[event.thread, event.task] = depth - 1, since
                continue
            number = numbers.get(event.task, 0)
            bars.append(Bar(event.thread, "run", since, event.time_ns, number, event.name or ""))
    return bars


def bars_of(events):
    numbers = {}
    running, waiting, bars = {}, {}, []
    for event in events:
        if event.kind == "queued":
            numbers[event.task] = len(numbers) + 1
        elif event.kind == "start":
            running[event.task] = event
        elif event.kind == "end" and event.task in running:
            start = running.pop(event.task)
            number = numbers.get(event.task, 0)
            bars.append(
                Bar(start.thread, "run", start.time_ns, event.time_ns, number, event.name or "")
            )
        elif event.kind == "wait":
            waiting[event.thread] = event.time_ns
        elif event.kind == "resume" and event.thread in waiting:
            bars.append(Bar(event.thread, "wait", waiting.pop(event.thread), event.time_ns))
    return bars + shares_of(events, numbers)


def threads_of(events, workers):
    """The lanes from top to bottom: threads that queued, then workers, idle ones too."""
    found = {event.thread for event in events}
    frontends = sorted(thread for thread in found if not thread.startswith("worker"))
    named = {f"worker {i + 1}" for i in range(workers)}
    rest = sorted(named | (found - set(frontends)), key=lambda name: int(name.split()[1]))
    return frontends + rest


class Panel:
    """A part of the picture: lanes over a stretch of time."""

    def __init__(self, canvas, top, threads, start, end):
        self.canvas, self.top, self.threads = canvas, top, threads
        self.start, self.end = start, max(end, start + 1000)
        self.bottom = top + len(threads) * (LANE + GAP)

    def x(self, time):
        inside = min(max(time, self.start), self.end) - self.start
        return LEFT + (WIDTH - LEFT - RIGHT) * inside / (self.end - self.start)

    def y(self, thread):
        return self.top + self.threads.index(thread) * (LANE + GAP)

    def lanes(self):
        for thread in self.threads:
            y = self.y(thread)
            name = thread if thread.startswith("worker") else "program (Python)"
            self.canvas.text(LEFT - 14, y + 22, name, anchor="end")
            self.canvas.rect(LEFT, y, WIDTH - LEFT - RIGHT, LANE, "lane")

    def program(self, thread, start, end):
        self.bar(thread, start, end, "program")

    def bar(self, thread, start, end, kind, fill=None, tip=None, text=""):
        if end <= self.start or start >= self.end:
            return
        left, right = self.x(start), self.x(end)
        wide = max(right - left, 1.0)
        self.canvas.rect(left, self.y(thread) + 4, wide, LANE - 8, kind, fill, 2, tip)
        if text and text_width(text, 12) + 6 < wide:
            self.canvas.text(
                left + wide / 2, self.y(thread) + 21, text, "inside" if fill else "quiet", "middle"
            )

    def mark(self, mark, labelled):
        x, y = self.x(mark.time), self.y(mark.thread)
        self.canvas.line(x, y, x, y + LANE, "mark")
        if labelled:
            self.canvas.text(x + 4, y + 14, str(mark.number), "quiet")

    def axis(self):
        self.canvas.line(LEFT, self.bottom, WIDTH - RIGHT, self.bottom, "axis")
        unit, scale = ("ms", 1e6) if self.end - self.start >= 1e6 else ("µs", 1e3)
        step = nice_step((self.end - self.start) / scale)
        digits = max(0, -int(f"{step:e}".partition("e")[2]))
        tick = 0
        while tick * step * scale <= self.end - self.start:
            x = self.x(self.start + tick * step * scale)
            self.canvas.line(x, self.bottom, x, self.bottom + 5, "axis")
            text = f"{tick * step:.{digits}f}" + (f" {unit}" if tick == 0 else "")
            self.canvas.text(x, self.bottom + 20, text, "quiet", "middle")
            tick += 1


def nice_step(length, ticks=8):
    """1, 2 or 5 times a power of ten, so that at most that many fit.

    >>> nice_step(8), nice_step(90), nice_step(0.4)
    (1.0, 20.0, 0.05)
    """
    step = 10.0 ** -6
    while True:
        for factor in (1, 2, 5):
            if length <= ticks * factor * step:
                return round(factor * step, 6)
        step *= 10


def fill_panel(panel, bars, marks):
    panel.lanes()
    first, last = panel.start, max(bar.end for bar in bars)
    for thread in {mark.thread for mark in marks}:
        panel.program(thread, first, last)
    for bar in bars:
        if bar.kind == "wait":
            panel.bar(bar.thread, bar.start, bar.end, "ground")
            panel.bar(bar.thread, bar.start, bar.end, "wait", text="waits")
    for bar in bars:
        if bar.kind == "run":
            took = seconds((bar.end - bar.start) / 1e9)
            fill = FILLS[(bar.number - 1) % len(FILLS)]
            tip = f"no. {bar.number}, {bar.name}: {took}"
            text = f"no. {bar.number}"
            panel.bar(bar.thread, bar.start, bar.end, "run", fill, tip, text)
    before = None
    for mark in marks:
        labelled = before is None or panel.x(mark.time) - before > 20
        before = panel.x(mark.time) if labelled else before
        panel.mark(mark, labelled)
    panel.axis()


def draw(events, workers, title, note):
    bars, marks = bars_of(events), marks_of(events)
    threads = threads_of(events, workers)
    start, end = events[0].time_ns, events[-1].time_ns
    queued = marks[-1].time - start
    high = len(threads) * (LANE + GAP) + AXIS
    canvas = Canvas(WIDTH, TOP + 2 * (high + 34) + 30, title, note)
    canvas.text(30, 34, title, "title")
    canvas.text(30, 57, note, "quiet")
    parts = [
        (f"The first {seconds(1.6 * queued / 1e9)}: the program queues", 1.6 * queued),
        (f"All of it: {seconds((end - start) / 1e9)}", end - start),
    ]
    top = TOP + 24
    for text, length in parts:
        canvas.text(LEFT, top - 8, text, "strong")
        fill_panel(Panel(canvas, top, threads, start, start + length), bars, marks)
        top += high + 34
    draw_legend(canvas, top - 14)
    return canvas


def draw_legend(canvas, y):
    canvas.line(LEFT + 4, y - 12, LEFT + 4, y + 4, "mark")
    canvas.text(LEFT + 14, y, "an operation is queued", "quiet")
    x = LEFT + 190
    for kind, fill, text in (
        ("program", None, "the program goes on"),
        ("wait", None, "it waits"),
        ("run", FILLS[0], "an operation runs"),
    ):
        canvas.rect(x, y - 12, 24, 15, kind, fill, 2)
        canvas.text(x + 32, y, text, "quiet")
        x += 62 + text_width(text, 12)
