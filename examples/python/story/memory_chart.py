"""The picture of memory in training: megabytes over batches, of both loops and of the bound."""

from svg import FILLS, Canvas
from training import MEGA, most

WIDTH, HEIGHT = 1000, 560
LEFT, RIGHT, TOP, BOTTOM = 90, 260, 110, 70


def draw(found, title, note):
    limit = (found.before + found.bound) / MEGA
    top = 1.25 * max(limit, most(found.each), most(found.once))
    canvas = Canvas(WIDTH, HEIGHT, title, note)
    canvas.text(30, 34, title, "title")
    canvas.text(30, 57, note, "quiet")
    plot = Plot(canvas, found.shape.batches, top)
    plot.axes()
    curves = (
        ("waits in each batch", megabytes(found.each), FILLS[3], None),
        ("waits once, at the end", megabytes(found.once), FILLS[0], None),
        ("what the bound allows", [limit] * found.shape.batches, FILLS[5], "8 4"),
        ("all batches, if kept", copied(found, top), FILLS[2], "3 4"),
    )
    for i, (name, values, colour, dashes) in enumerate(curves):
        plot.curve(values, colour, dashes)
        plot.key(i, name, colour, dashes)
    return canvas


def megabytes(run):
    return [value / MEGA for value in run.memory]


def copied(found, top):
    """The weights and every batch so far, up to the edge of the picture."""
    shape = found.shape
    values = [
        (found.before + (i + 1) * shape.batch_bytes) / MEGA for i in range(shape.batches)
    ]
    return [value for value in values if value <= top]


def nice_step(top):
    """A distance of lines that gives four to ten of them.

    >>> nice_step(100), nice_step(37), nice_step(0.6)
    (20, 5, 0.1)
    """
    unit = 1.0
    while unit * 10 <= top:
        unit *= 10
    while unit > top:
        unit /= 10
    step = next(part for part in (0.1, 0.2, 0.5, 1, 2) if top / (unit * part) <= 8) * unit
    return int(step) if step >= 1 else step


class Plot:
    """Lines over batches, with axes that begin at 0."""

    def __init__(self, canvas, batches, top):
        self.canvas, self.batches, self.top = canvas, batches, top

    def x(self, batch):
        return LEFT + (WIDTH - LEFT - RIGHT) * batch / max(self.batches, 1)

    def y(self, value):
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / self.top

    def axes(self):
        canvas, step = self.canvas, nice_step(self.top)
        for i in range(int(self.top / step) + 1):
            y = self.y(i * step)
            canvas.line(LEFT, y, WIDTH - RIGHT, y, "grid")
            canvas.text(LEFT - 10, y + 4, f"{i * step:g} MB", "quiet", "end")
        canvas.line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "axis")
        canvas.line(LEFT, TOP, LEFT, HEIGHT - BOTTOM, "axis")
        every = nice_step(self.batches)
        for i in range(int(self.batches / every) + 1):
            x = self.x(i * every)
            canvas.text(x, HEIGHT - BOTTOM + 20, f"{i * every:g}", "quiet", "middle")
        canvas.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM + 46, "batches", "", "middle")
        canvas.text(30, TOP - 14, "memory of all arrays, the most since the batch before", "quiet")

    def curve(self, values, colour, dashes):
        points = [(self.x(i + 1), self.y(value)) for i, value in enumerate(values)]
        self.canvas.curve(points, colour, dashes)

    def key(self, number, name, colour, dashes):
        x, y = WIDTH - RIGHT + 20, TOP + 20 + 30 * number
        self.canvas.curve([(x, y), (x + 28, y)], colour, dashes)
        self.canvas.text(x + 36, y + 4, name, "quiet")
