"""Figures as text: times with units, tables with aligned columns."""


def seconds(value):
    """A time in the unit that suits it.

    >>> seconds(0), seconds(2.5e-7), seconds(0.0123), seconds(1.5)
    ('0', '0.25 µs', '12.3 ms', '1.50 s')
    """
    if value == 0:
        return "0"
    for unit, scale in (("s", 1), ("ms", 1e-3)):
        if value >= 0.9995 * scale:
            return f"{three_digits(value / scale)} {unit}"
    return f"{three_digits(value / 1e-6)} µs"


def three_digits(value):
    """
    >>> three_digits(0.123), three_digits(12.34), three_digits(123.4), three_digits(1234.5)
    ('0.12', '12.3', '123', '1,234')
    """
    if value < 9.995:
        return f"{value:.2f}"
    return f"{value:.1f}" if value < 99.95 else f"{value:,.0f}"


def render(heads, rows, left=1):
    """A table: the first `left` columns flush left, the others right. Heads may have lines."""
    lines = [head.split("\n") for head in heads]
    deep = max(len(head) for head in lines)
    lines = [[""] * (deep - len(head)) + head for head in lines]
    rows = [[str(cell) for cell in row] for row in rows]
    all_rows = [[head[i] for head in lines] for i in range(deep)] + rows
    widths = [max(len(row[column]) for row in all_rows) for column in range(len(heads))]
    all_rows.insert(deep, ["-" * width for width in widths])
    return "\n".join(line(row, widths, left) for row in all_rows)


def line(row, widths, left):
    cells = [
        cell.ljust(width) if column < left else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()
