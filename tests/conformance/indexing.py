"""Random index expressions, as text."""

import numpy as onp


def position(g, size, write=False):
    """MXNet writes outside the array where one of several positions is negative or too large."""
    if write and size:
        return str(g.random.randrange(size))
    if g.chance(0.04):
        return str(g.pick(size, size + 2, -size - 1))
    return str(g.random.randrange(-size, size)) if size else "0"


def span(g, size):
    bound = lambda: "" if g.chance(0.35) else str(g.random.randint(-size - 1, size + 1))
    if g.chance(0.7):
        return f"{bound()}:{bound()}"
    return f"{bound()}:{bound()}:{g.pick('1', '2', '-1', '-2', '3', '1', '2')}"


def positions(g, size, write):
    """A list of positions, or an array of them."""
    if size == 0:
        return "[]"
    count = g.random.randint(1, 3)
    pick = lambda: position(g, size, write)
    if g.chance(0.6):
        return "[" + ", ".join(pick() for _ in range(count)) + "]"
    shape = g.pick((count,), (2, 2), (1, 2))
    dtype = g.pick("int32", "int64", "int64", "float32", "uint8")
    number = lambda: str(g.random.randrange(size)) if dtype == "uint8" else pick()
    if g.chance(0.3) and dtype != "float32":
        return f"onp.array({g.nested(shape, number)}, dtype={dtype!r})"
    return str(g.new(shape, dtype, number))


def basic(g, shape, write=False):
    parts = []
    used = 0
    count = g.random.randint(0, len(shape))
    while used < count:
        if g.chance(0.07):
            parts.append("None")
            continue
        size = shape[used]
        parts.append(position(g, size, write) if g.chance(0.45) else span(g, size))
        used += 1
    if g.chance(0.12):
        parts.insert(g.random.randint(0, len(parts)), "...")
    if g.chance(0.02):
        parts += [":"] * (len(shape) + 1 - used)
    return parts


def mask(g, shape):
    """A condition with the array's shape, or that of its first dimensions."""
    shape = shape[: g.random.randint(1, len(shape))] if g.chance(0.3) and len(shape) > 1 else shape
    literal = g.nested(shape, lambda: repr(g.chance(0.5)))
    if g.chance(0.2):
        return f"onp.array({literal})"
    return str(g.new(shape, "bool")) if g.dialect == "np" else literal


def key(g, shape, write=False):
    """An index for an array of that shape, to read or to write."""
    kind = g.random.random()
    if kind < 0.65 or not shape or 0 in shape:
        return ", ".join(basic(g, shape)) or g.pick(":", "...", "()" if g.dialect == "np" else ":")
    if kind < 0.75 and g.dialect == "np":
        return mask(g, shape)
    parts = basic(g, shape, write)[: len(shape)]
    while len(parts) < 1:
        parts.append(":")
    sized = min(len(parts), len(shape))
    for at in g.random.sample(range(sized), g.random.randint(1, sized)):
        if parts[at] not in ("None", "..."):
            parts[at] = positions(g, shape[at], write)
    return ", ".join(parts)


def shape_after(g, shape, text):
    """What NumPy makes of it, where the text stands for itself."""
    names = {"onp": onp}
    try:
        return onp.zeros(shape)[eval(f"onp.s_[{text}]", names)].shape  # noqa: S307 - our own text
    except (IndexError, NameError, ValueError, TypeError):
        return None
