"""Pictures of what was measured: curves with dots, both axes logarithmic. They are drawn with what
the story in examples/python draws its own."""

import os
import sys
from math import log10

STORY = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "python", "story")
sys.path.append(os.path.abspath(STORY))

from chart import Scale, whole  # noqa: E402
from svg import FILLS, Canvas  # noqa: E402

WIDTH, HEIGHT = 860, 520
LEFT, RIGHT, TOP, BOTTOM = 90, 620, 100, 450

COLOURS = (*FILLS, "#20262e")


def round_values(scale):
    """Powers of ten; where there are few, also twice and five times these."""
    powers = scale.powers()
    if len(powers) > 2:
        return powers
    every = (part * 10.0**i for i in range(-9, 12) for part in (1, 2, 5))
    return [value for value in every if scale.low <= log10(value) <= scale.high]


class Axis:
    """A title, the values that have a mark (None: round ones), how those are written, and values that
    the axis must reach."""

    def __init__(self, title, show, marks=None, reach=()):
        self.title, self.show, self.marks, self.reach = title, show, marks, reach

    def scale(self, values, first, last):
        return Scale([*values, *self.reach], first, last)

    def marked(self, scale):
        return round_values(scale) if self.marks is None else self.marks


class Curve:
    """(x, y) by name. A curve with dashes is no measurement and has no dots."""

    def __init__(self, name, points, colour, dashes=None):
        self.name, self.points, self.colour, self.dashes = name, points, colour, dashes


def times(title, **more):
    """An axis of seconds."""
    return Axis(title, whole, **more)


def draw_axes(canvas, across, up, scales):
    x, y = scales
    for value in up.marked(y):
        canvas.line(LEFT, y(value), RIGHT, y(value), "grid")
        canvas.text(LEFT - 10, y(value) + 4, up.show(value), "quiet", "end")
    for value in across.marked(x):
        canvas.text(x(value), BOTTOM + 22, across.show(value), "quiet", "middle")
    canvas.text(LEFT - 60, TOP - 14, up.title, "quiet")
    canvas.text((LEFT + RIGHT) / 2, BOTTOM + 50, across.title, "", "middle")


def draw_curve(canvas, curve, scales, y):
    """The curve, and its name at the height y beside all of them."""
    points = [(scales[0](a), scales[1](b)) for a, b in curve.points]
    canvas.curve(points, curve.colour, curve.dashes)
    for point in points if curve.dashes is None else ():
        canvas.dot(*point, curve.colour)
    canvas.curve([(RIGHT + 20, y), (RIGHT + 54, y)], curve.colour, curve.dashes)
    canvas.text(RIGHT + 64, y + 4, curve.name, "quiet")


def draw(path, title, note, across, up, curves):
    """Writes an SVG file."""
    curves = [curve for curve in curves if curve.points]
    points = [point for curve in curves for point in curve.points]
    scales = (across.scale([x for x, _ in points], LEFT, RIGHT),
              up.scale([y for _, y in points], BOTTOM, TOP))
    canvas = Canvas(WIDTH, HEIGHT, title, note)
    canvas.text(30, 34, title, "title")
    canvas.text(30, 57, note, "quiet")
    draw_axes(canvas, across, up, scales)
    for i, curve in enumerate(curves):
        draw_curve(canvas, curve, scales, TOP + 10 + 26 * i)
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        out.write(str(canvas))
