"""A small writer of SVG: shapes and text with a few fixed styles, for light and dark screens."""

from xml.sax.saxutils import escape, quoteattr

# For operations that run, one after the other; white text can be read on each.
FILLS = ("#33658a", "#7a5195", "#bc5090", "#c2571a", "#8a6d00", "#3f7d4e")

STYLE = """
text { font-family: "DejaVu Sans", "Noto Sans", Arial, sans-serif; font-size: 13px; fill: #1d2733; }
.title { font-size: 18px; font-weight: bold; }
.strong { font-weight: bold; }
.quiet { fill: #56616e; font-size: 12px; }
.code { font-family: "DejaVu Sans Mono", "Noto Sans Mono", monospace; font-size: 12px; }
.inside { fill: #ffffff; font-size: 12px; }
.ground { fill: #ffffff; }
.lane { fill: #f1f4f7; }
.box { fill: #eef4fa; stroke: #33658a; stroke-width: 1.5; }
.arrow { fill: none; stroke: #56616e; stroke-width: 1.6; }
.head { fill: #56616e; }
.axis { stroke: #9aa5b1; stroke-width: 1; }
.grid { stroke: #e1e6eb; stroke-width: 1; }
.border { stroke: #9aa5b1; stroke-width: 1; stroke-dasharray: 2 3; }
.mark { stroke: #b3261e; stroke-width: 2; }
.program { fill: #bcd3c2; }
.wait { fill: #d5dae0; stroke: #9aa5b1; stroke-dasharray: 3 2; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6eaee; }
  .quiet { fill: #a9b4bf; }
  .ground { fill: #161b22; }
  .lane { fill: #1f2630; }
  .box { fill: #1c2b3a; stroke: #6ea3cc; }
  .arrow { stroke: #a9b4bf; }
  .head { fill: #a9b4bf; }
  .axis { stroke: #65717e; }
  .grid { stroke: #2c353f; }
  .border { stroke: #65717e; }
  .mark { stroke: #ff8a80; }
  .program { fill: #35573e; }
  .wait { fill: #39424d; stroke: #65717e; }
}
"""


def text_width(text, size=13, code=False):
    """About how wide a text is, in pixels: letters are not measured."""
    return len(text) * size * (0.62 if code else 0.58)


class Canvas:
    def __init__(self, width, height, title, text):
        self.width, self.height = width, height
        self.title, self.description = title, text
        self.parts = []
        self.rect(0, 0, width, height, "ground")

    def add(self, name, attributes, content=None):
        given = "".join(f" {key}={quoteattr(show(value))}" for key, value in attributes.items())
        body = f">{content}</{name}>" if content is not None else "/>"
        self.parts.append(f"<{name}{given}{body}")

    def rect(self, x, y, width, height, kind, fill=None, radius=0, tip=None):
        attributes = {"x": x, "y": y, "width": width, "height": height, "rx": radius}
        attributes |= {"class": kind} if fill is None else {"fill": fill}
        self.add("rect", attributes, f"<title>{escape(tip)}</title>" if tip else None)

    def text(self, x, y, text, kind="", anchor="start"):
        self.add("text", {"x": x, "y": y, "class": kind, "text-anchor": anchor}, escape(text))

    def line(self, x1, y1, x2, y2, kind):
        self.add("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "class": kind})

    def arrow(self, x1, y1, x2, y2):
        """From left to right, ending in a head."""
        middle = (x1 + x2) / 2
        end = x2 - 8
        numbers = map(show, (x1, y1, middle, y1, middle, y2, end, y2))
        path = "M{} {} C{} {} {} {} {} {}".format(*numbers)
        self.add("path", {"d": path, "class": "arrow"})
        points = ((x2, y2), (end - 2, y2 - 5), (end - 2, y2 + 5))
        self.add("polygon", {"points": joined(points), "class": "head"})

    def curve(self, points, colour, dashes=None):
        attributes = {"points": joined(points), "fill": "none", "stroke": colour, "stroke-width": 2}
        if dashes:
            attributes["stroke-dasharray"] = dashes
        self.add("polyline", attributes)

    def dot(self, x, y, colour):
        self.add("circle", {"cx": x, "cy": y, "r": 4, "fill": colour})

    def __str__(self):
        size = f'width="{self.width}" height="{self.height}"'
        box = f'viewBox="0 0 {self.width} {self.height}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} role="img">\n'
        head += f"<title>{escape(self.title)}</title>\n<desc>{escape(self.description)}</desc>\n"
        return head + f"<style>{STYLE}</style>\n" + "\n".join(self.parts) + "\n</svg>\n"

    def save(self, path):
        path.write_text(str(self), encoding="utf-8")


def show(value):
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def joined(points):
    return " ".join(f"{show(float(x))},{show(float(y))}" for x, y in points)
