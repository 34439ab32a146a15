"""Windows that make a given number of parts of a length, as even as can be."""


def bounds(length, count):
    """Where the windows begin and end along a dimension."""
    return [(at * length // count, -(-(at + 1) * length // count)) for at in range(count)]


def averages(length, count):
    """Rows of a matrix (count, length) whose products are the means of windows."""
    rows = []
    for begin, end in bounds(length, count):
        rows.append([1 / (end - begin) if begin <= at < end else 0.0 for at in range(length)])
    return rows
