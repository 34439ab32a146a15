"""Pictures of digits, generated: glyphs of 5 x 7 dots, moved, scaled, slanted and with noise."""

import penstock as ps
from penstock import data

SIZE = 28

_GLYPHS = """
.###. ..#.. .###. .###. ...#. ##### .###. ##### .###. .###.
#...# .##.. #...# #...# ..##. #.... #.... ....# #...# #...#
#...# ..#.. ....# ....# .#.#. ####. #.... ...#. #...# #...#
#...# ..#.. ...#. ..##. #..#. ....# ####. ...#. .###. .####
#...# ..#.. ..#.. ....# ##### ....# #...# ..#.. #...# ....#
#...# ..#.. .#... #...# ...#. #...# #...# ..#.. #...# ....#
.###. .###. ##### .###. ...#. .###. .###. ..#.. .###. .###.
"""


def glyphs() -> ps.ndarray:
    """The digits as an array of shape (10, 7, 5)."""
    rows = [line.split() for line in _GLYPHS.split("\n") if line]
    return ps.array([[[dot == "#" for dot in row[d]] for row in rows] for d in range(10)])


def pictures(count: int, rng: ps.random.Generator) -> data.ArrayDataset:
    """So many pictures of shape (1, SIZE, SIZE) with their digits."""
    labels = rng.integers(0, 10, count)

    def some(low: float, high: float) -> ps.ndarray:
        return rng.uniform(low, high, (count, 1, 1))

    dot, slant = some(2.4, 3.4), some(-0.3, 0.3)
    lines = ps.arange(SIZE, dtype="float32")
    down, right = lines[None, :, None] - SIZE / 2, lines[None, None, :] - SIZE / 2
    # Which dot of the glyph a pixel lies in.
    row = ps.floor((down + some(-4, 4)) / dot + 3.5)
    column = ps.floor((right + slant * down + some(-4, 4)) / dot + 2.5)
    inside = (row >= 0) & (row < 7) & (column >= 0) & (column < 5)
    place = (labels[:, None, None] * 7 + row.clip(0, 6).astype("int64")) * 5
    ink = glyphs().reshape(-1).take(place + column.clip(0, 4).astype("int64")) & inside
    noise = rng.normal(0.0, 0.2, (count, SIZE, SIZE))
    return data.ArrayDataset((ink + noise).reshape(count, 1, SIZE, SIZE), labels)


def main() -> None:
    """Prints three of them, a letter for each pixel."""
    for image, label in pictures(3, ps.random.default_rng(2)):
        print(f"a {label.item()}:")
        for line in image[0].tolist():
            print("".join("#" if pixel > 0.5 else "." for pixel in line))


if __name__ == "__main__":
    main()
