"""The picture of the loops: time of a step over the number of elements, measured and predicted."""

from math import log10

from svg import FILLS, Canvas
from table import seconds

WIDTH, HEIGHT = 1000, 590
LEFT, RIGHT, TOP, BOTTOM = 90, 250, 110, 70

# (name, attribute of a row, colour, dashes): what is measured has dots.
CURVES = (
    ("waits in every step", "synchronous", FILLS[3], None),
    ("n (t1 + t2 + t3)", "predicted_synchronous", FILLS[3], "3 4"),
    ("waits once", "asynchronous", FILLS[0], None),
    ("t1 + n t2 + t3, or n max", "predicted_asynchronous", FILLS[0], "3 4"),
    ("the same, program helps", "predicted_helping", FILLS[5], "8 4"),
)


class Scale:
    """Logarithms of values, as pixels."""

    def __init__(self, values, first, last):
        self.low, self.high = log10(min(values)) - 0.1, log10(max(values)) + 0.1
        self.first, self.last = first, last

    def __call__(self, value):
        part = (log10(value) - self.low) / (self.high - self.low)
        return self.first + part * (self.last - self.first)

    def powers(self):
        return [10.0**i for i in range(-9, 12) if self.low <= i <= self.high]


def step_times(row):
    return {name: getattr(row, attribute) / row.steps for name, attribute, _, _ in CURVES}


def draw(rows, title, note):
    times = [step_times(row) for row in rows]
    across = Scale([row.elements for row in rows], LEFT, WIDTH - RIGHT)
    up = Scale([value for row in times for value in row.values()], HEIGHT - BOTTOM, TOP)
    canvas = Canvas(WIDTH, HEIGHT, title, note)
    canvas.text(30, 34, title, "title")
    canvas.text(30, 57, note, "quiet")
    draw_axes(canvas, across, up)
    draw_border(canvas, rows, across)
    for i, (name, _, colour, dashes) in enumerate(CURVES):
        points = [(across(row.elements), up(time[name])) for row, time in zip(rows, times)]
        canvas.curve(points, colour, dashes)
        if dashes is None:
            for point in points:
                canvas.dot(*point, colour)
        draw_key(canvas, TOP + 30 + 44 * i, name, colour, dashes)
    return canvas


def draw_axes(canvas, across, up):
    for value in up.powers():
        canvas.line(LEFT, up(value), WIDTH - RIGHT, up(value), "grid")
        canvas.text(LEFT - 10, up(value) + 4, whole(value), "quiet", "end")
    for value in across.powers():
        canvas.line(across(value), TOP, across(value), HEIGHT - BOTTOM, "grid")
        canvas.text(across(value), HEIGHT - BOTTOM + 20, f"{value:,.0f}", "quiet", "middle")
    canvas.line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "axis")
    canvas.line(LEFT, TOP, LEFT, HEIGHT - BOTTOM, "axis")
    middle = (LEFT + WIDTH - RIGHT) / 2
    canvas.text(middle, HEIGHT - BOTTOM + 46, "elements of x (float32)", "", "middle")
    canvas.text(LEFT, TOP - 12, "time of one step", "quiet", "middle")


def draw_border(canvas, rows, across):
    """Between the sizes whose steps are done at the call and those that are queued."""
    at_once = [row.elements for row in rows if row.at_once]
    queued = [row.elements for row in rows if not row.at_once]
    if not at_once or not queued:
        return
    x = (across(max(at_once)) + across(min(queued))) / 2
    canvas.line(x, TOP, x, HEIGHT - BOTTOM, "border")
    canvas.text(x - 8, TOP + 16, "done at the call", "quiet", "end")
    canvas.text(x + 8, TOP + 16, "queued", "quiet")


def whole(value):
    """A power of ten, as a time without decimals where it has none."""
    return seconds(value).replace(".00 ", " ").replace(".0 ", " ").replace("0.10 ", "0.1 ")


def draw_key(canvas, y, name, colour, dashes):
    x = WIDTH - RIGHT + 24
    canvas.curve([(x, y), (x + 34, y)], colour, dashes)
    if dashes is None:
        canvas.dot(x + 17, y, colour)
    canvas.text(x + 44, y + 4, name, "quiet")
    canvas.text(x + 44, y + 19, "measured" if dashes is None else "predicted", "quiet")
