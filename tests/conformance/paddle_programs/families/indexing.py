"""Indices of all kinds, to read and to write.

Index arrays are in range, since the real one does not look, and tensors lie row by row: of others
the real one takes wrong elements by index arrays beside slices. So it does by None, slices backward
and masks beside index arrays, and writes over foreign memory there."""

SHARE = 110


def _slice(m):
    ends = ["", "0", "1", "2", "-1", "-2", "5", "-7", "None"]
    step = m.pick("", "", "", ":", ":1", ":2", ":3", ":-1", ":-2")
    ends += ["paddle.to_tensor(1)", "np.int64(1)"] if m.chance(0.08) else []
    return f"{m.pick(ends)}:{m.pick(ends)}{step}"


def _places(m, length, shape=None, from_0=False):
    """An array of places that are there."""
    length = max(length, 1)
    shape = (m.integer(1, 3),) if shape is None else shape
    low = 0 if from_0 else -length

    def nested(lengths):
        if not lengths:
            return str(m.integer(low, length - 1))
        return f"[{', '.join(nested(lengths[1:]) for _ in range(lengths[0]))}]"

    return nested(shape)


def _array(m, length, shape):
    text = _places(m, length, shape)
    if m.chance(0.4) and text.startswith("["):
        return text
    if m.chance(0.1):
        return f"np.array({text}, 'int64')"
    kind = m.pick("'int64'", "'int64'", "'int64'", "'int32'", "'float32'")
    return f"paddle.to_tensor({text}, dtype={kind})"


def _mask(m, shape):
    if m.chance(0.05):
        shape = tuple(length + 1 for length in shape)
    text = m.elements(shape, "bool") if 0 not in shape else "[]"
    if m.chance(0.2):
        return text
    return f"paddle.to_tensor({text}, dtype='bool')"


ODD = ["1.5", "1j", "{}", "paddle.to_tensor(1.5)", "object()", "paddle.to_tensor([1.])", "'a'"]
SINGLE = [
    *("True", "False", "paddle.to_tensor(True)", "paddle.to_tensor(0)", "np.int64(0)"),
    *("paddle.to_tensor(False)", "paddle.to_tensor(1, dtype='int32')", "np.array(0)"),
]


def _plain(m, shape):
    """Numbers, slices, None and an ellipsis."""
    parts, at = [], 0
    while at < len(shape) and m.chance(0.85):
        choice = m.random.random()
        if choice < 0.35:
            inside = m.chance(0.95)
            parts.append(str(m.integer(-shape[at], shape[at] - 1) if inside else 5))
        elif choice < 0.75:
            parts.append(_slice(m))
        elif choice < 0.87:
            parts.append("None")
            continue
        elif "..." not in parts:
            parts.append("...")
            break
        at += 1
    return parts


def _by_arrays(m, shape):
    """Index arrays, with numbers and slices forward beside them."""
    parts, arrays = [], m.pick((2,), (3,), (1,), (2, 1), (2, 2), ())
    for length in shape[: m.integer(1, len(shape))]:
        choice = m.random.random()
        if choice < 0.6:
            parts.append(_array(m, length, arrays))
        elif choice < 0.75:
            parts.append(str(m.integer(0, length - 1)))
        else:
            parts.append(m.pick(":", "0:1", "1:", ":-1", "::2"))
    return parts


def _by_mask(m, shape):
    """A mask over the first dimensions, and slices after it."""
    ndim = m.integer(1, len(shape))
    return [_mask(m, shape[:ndim]), *[":"] * m.pick(0, 0, len(shape) - ndim)]


def key(m, shape):
    """The text of an index of a tensor of a shape."""
    if 0 in shape or not shape:
        return m.pick("...", "None", "..., None")
    choice = m.random.random()
    if choice < 0.03:
        return m.pick("::-1", "::0", "1.0:", ":'a'", ", ".join(["0"] * (len(shape) + 1)))
    if choice < 0.06:
        return m.pick(ODD)
    if choice < 0.1 and min(shape) > 1:
        return m.pick(SINGLE)
    parts = (_plain if choice < 0.55 else _by_arrays if choice < 0.8 else _by_mask)(m, shape)
    return ", ".join(parts) or m.pick("...", "None", ":")


def _value(m, x, where):
    """What is written there: it fits, is broadcast, or does not fit."""
    choice = m.random.random()
    if choice < 0.4:
        return m.pick("7", "2.5", "True", "paddle.to_tensor(8)", "np.float64(3.5)", "-1")
    if choice < 0.75:
        return f"paddle.ones_like({x}[{where}])"
    if choice < 0.85:
        return f"{x}[{where}] * 2"
    return m.pick(
        *("paddle.ones([2])", "paddle.ones([3, 1])", "[1, 2]", "None", "'a'", "np.ones(2)"),
        *(f"{x}[{where}][0]", "(1,)", "5", "np.float32(2)"),
    )


def make(m):
    shape = m.shape(m.pick(0, 1, 1, 2, 2, 2, 3, 3))
    x = m.let(m.literal(shape, m.pick("int64", "float32", "float32", "bool", "int32", "float64")))
    for _ in range(3):
        m.let(f"{x}[{key(m, shape)}]")
    for _ in range(3):
        where = key(m, shape)
        if m.chance(0.7):
            m.add(f"{x}[{where}] = {_value(m, x, where)}")
        else:
            m.add(f"{x}[{where}] {m.pick('+=', '*=', '-=')} {m.pick('2', '1.5', f'{x}[{where}]')}")
    if 0 not in shape:
        _by_functions(m, x, shape)


def _by_functions(m, x, shape):
    """The functions that take places."""
    axis = m.dim(len(shape))
    length = shape[axis] if shape and -len(shape) <= axis < len(shape) else 1
    kind = m.pick("int64", "int64", "int64", "int32")
    index = f"paddle.to_tensor({_places(m, length, None, True)}, dtype='{kind}')"
    along = tuple(m.integer(1, max(n, 1)) for n in shape)
    places = f"paddle.to_tensor({_places(m, length, along, True)}, dtype='{kind}')"
    mask = f"paddle.to_tensor({m.elements(m.broadcastable(shape), 'bool')})"
    rows = min(shape[:1], default=1)
    choices = [
        m.called("index_select", x, [index, axis]),
        m.called("gather", x, [index, m.pick("", f"axis={axis}")]) if axis in (0, -len(shape)) else
        m.called("gather", x, [index, f"axis={axis}"]),
        m.called("take_along_axis", x, [places, axis]),
        m.called("masked_fill", x, [mask, m.pick("7", "1.5", "paddle.to_tensor(3.)", "nan")]),
        m.called("masked_select", x, [mask]),
        m.called("nonzero", x, [m.pick("", "as_tuple=True")]),
        m.called(
            "gather_nd", x, [f"paddle.to_tensor({_places(m, min(shape, default=1), (2, 1), True)})"]
        ),
        f"paddle.index_add({x}, {index}, {axis}, paddle.ones_like({x}.index_select({index}, {axis})))",
        f"paddle.scatter({x}, paddle.to_tensor({_places(m, rows, (1,), True)}), {x}[:1])",
    ]
    for text in m.random.sample(choices, 4):
        m.let(text)
