"""Windows over images: those that make a given number of parts, and those of convolutions."""

# ---- As many as are wanted, as even as can be ----------------------------------------------------


def bounds(length, count):
    """Where the windows begin and end along a dimension."""
    return [(at * length // count, -(-(at + 1) * length // count)) for at in range(count)]


def averages(length, count):
    """Rows of a matrix (count, length) whose products are the means of windows."""
    rows = []
    for begin, end in bounds(length, count):
        rows.append([1 / (end - begin) if begin <= at < end else 0.0 for at in range(length)])
    return rows


def pooled_to(images, made, pool, uneven):
    """Images of a size that is made: pool's if windows of one size do, else uneven's."""
    have = tuple(images.shape[-2:])
    if all(old % new == 0 for old, new in zip(have, made)):
        kernel = tuple(old // new for old, new in zip(have, made))
        return pool(images, kernel, kernel, (0, 0))
    return uneven(images, have, made)


def maxima(images, have, made, pool, joined):
    """The largest elements of windows of different sizes, which joined(parts, axis) joins."""
    lines = []
    for top, bottom in bounds(have[0], made[0]):
        cells = [
            pool(images[:, :, top:bottom, left:right], (bottom - top, right - left))
            for left, right in bounds(have[1], made[1])
        ]
        lines.append(joined(cells, 3))
    return joined(lines, 2)


# ---- Convolutions --------------------------------------------------------------------------------


def weight_shape(inputs, outputs, kernel, groups, transposed):
    """The shape of a convolution's weights."""
    first, second = (inputs, outputs) if transposed else (outputs, inputs)
    return (first, second // groups, *kernel)


def transposed_length(length, kernel, stride, padding, dilation):
    """How long a transposed convolution makes a dimension, without further elements at its end."""
    return (length - 1) * stride - 2 * padding + dilation * (kernel - 1) + 1
