"""Parts of pictures of some area and shape."""

from math import exp, log, sqrt


def drawn_size(rows, columns, scale, ratio, between):
    """Height and width of a part of some share and ratio of sides; None if ten do not fit.

    between(low, high) draws a number.
    """
    low, high = log(ratio[0]), log(ratio[1])
    for _ in range(10):
        area = between(*scale) * rows * columns
        shape = exp(between(low, high))
        width, height = round(sqrt(area * shape)), round(sqrt(area / shape))
        if 0 < width <= columns and 0 < height <= rows:
            return height, width
    return None


def middle(rows, columns, ratio):
    """Top, left, height and width of the largest part in the middle whose shape is allowed."""
    shape, width, height = columns / rows, columns, rows
    if shape < min(ratio):
        height = round(width / min(ratio))
    elif shape > max(ratio):
        width = round(height * max(ratio))
    return (rows - height) // 2, (columns - width) // 2, height, width
