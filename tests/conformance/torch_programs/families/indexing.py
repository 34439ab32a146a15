"""Indices of all kinds, to read and to write."""

SHARE = 100


def _slice(m):
    ends = ["", "0", "1", "2", "-1", "-2", "5", "-7", "None"]
    step = m.pick("", "", "", ":", ":1", ":2", ":3")
    ends += ["torch.tensor(1)", "np.int64(1)", "True"] if m.chance(0.08) else []
    return f"{m.pick(ends)}:{m.pick(ends)}{step}"


def _places(m, length, shape=None, from_0=False):
    """An array of places, seldom one that is not there; or only those that functions take."""
    length = max(length, 1)
    shape = (m.integer(0, 3),) if shape is None else shape
    low, high = (0 if from_0 else -length, length - 1)
    if not from_0 and m.chance(0.05):
        low, high = -length - 1, length

    def nested(lengths):
        if not lengths:
            return str(m.integer(low, high))
        return f"[{', '.join(nested(lengths[1:]) for _ in range(lengths[0]))}]"

    return nested(shape)


def _array(m, length, shape):
    text = _places(m, length, shape)
    if m.chance(0.4) and text.startswith("["):
        return text
    if m.chance(0.1):
        return f"np.array({text}, 'int64')"
    if m.chance(0.1):
        return f"({text.strip('[]')},)" if text.count("[") == 1 and text != "[]" else text
    kind = m.pick("", "", "", ", dtype=torch.int32", ", dtype=torch.int16", ", dtype=torch.float32")
    return f"torch.tensor({text}{kind or ', dtype=torch.int64'})"


def _mask(m, shape):
    if m.chance(0.05):
        shape = tuple(length + 1 for length in shape)
    text = m.elements(shape, "bool") if 0 not in shape else "[]"
    if m.chance(0.2):
        return text
    return f"torch.tensor({text}, dtype=torch.{m.pick('bool', 'bool', 'bool', 'uint8')})"


ODD = ["1.5", "1j", "{}", "torch.tensor(1.5)", "object()", "torch.tensor([1.])", "torch.ones(2)"]


def key(m, shape):
    """The text of an index of a tensor of a shape."""
    parts, at, arrays = [], 0, None
    while at < len(shape) and m.chance(0.85):
        choice = m.random.random()
        if choice < 0.25:
            parts.append(
                str(m.integer(-shape[at], shape[at] - 1) if shape[at] and m.chance(0.95) else 5)
            )
            at += 1
        elif choice < 0.5:
            parts.append(_slice(m))
            at += 1
        elif choice < 0.58:
            parts.append("None")
        elif choice < 0.64 and "..." not in parts:
            parts.append("...")
            at += m.integer(0, len(shape) - at)
        elif choice < 0.82:
            if arrays is None or m.chance(0.1):
                arrays = m.pick((2,), (3,), (1,), (2, 1), (2, 2), (0,), ())
            parts.append(_array(m, shape[at], arrays))
            at += 1
        elif choice < 0.92:
            ndim = m.integer(1, len(shape) - at)
            parts.append(_mask(m, shape[at : at + ndim]))
            at += ndim
        elif choice < 0.97:
            parts.append(
                m.pick(
                    "True",
                    "False",
                    "torch.tensor(True)",
                    "torch.tensor(0)",
                    "np.int64(0)",
                    "torch.tensor(False)",
                    "torch.tensor(1, dtype=torch.int32)",
                    "np.array(0)",
                )
            )
            at += 0 if "True" in parts[-1] or "False" in parts[-1] else 1
        else:
            parts.append(m.pick(ODD))
            at += 1
    if m.chance(0.02):
        parts += ["0"] * (len(shape) + 1)
    if m.chance(0.03):
        return m.pick("::-1", "::0", "1.0:", ":'a'")
    if not parts:
        return m.pick("...", "()", "None", ":")
    text = ", ".join(parts)
    if m.chance(0.03):
        return f"({text},)" if ":" not in text else text
    return text


def _value(m, x, where):
    """What is written there: it fits, is broadcast, or does not fit."""
    choice = m.random.random()
    if choice < 0.4:
        return m.pick(
            "7", "2.5", "True", "torch.tensor(8)", "torch.tensor([9.5])", "np.float64(3.5)"
        )
    if choice < 0.75:
        return f"torch.ones_like({x}[{where}]) * 7"
    if choice < 0.85:
        return f"torch.arange({x}[{where}].numel()).reshape({x}[{where}].shape)"
    return m.pick(
        "torch.ones(2)",
        "torch.ones(3, 1)",
        "[1, 2]",
        "None",
        "'a'",
        "np.ones(2)",
        "torch.ones(1, 1, 1, 1)",
        f"{x}[{where}][0]",
        "(1,)",
        "torch.ones(0)",
        "5",
    )


def make(m):
    shape = m.shape(m.pick(0, 1, 1, 2, 2, 2, 3, 3))
    x = m.let(m.tensor(shape, m.pick("int64", "float32", "float32", "bool", "uint8", "float64")))
    for _ in range(3):
        m.let(f"{x}[{key(m, shape)}]")
    if m.chance(0.2):
        m.add(
            f"{x}[...] = {m.pick('-2.5', '-2', '300', 'nan', 'inf', '1j', '10**20', '2.9', '-128')}"
        )
    for _ in range(3):
        where = key(m, shape)
        if m.chance(0.7):
            m.add(f"{x}[{where}] = {_value(m, x, where)}")
        else:
            m.add(
                f"{x}[{where}] {m.pick('+=', '*=', '-=')} {m.pick('2', '1.5', f'{x}[{where}]', 'torch.tensor(2)')}"
            )
    if 0 not in shape:
        _by_functions(m, x, shape)


def _by_functions(m, x, shape):
    """The functions that take places."""
    dim = m.dim(len(shape))
    length = shape[dim] if shape and -len(shape) <= dim < len(shape) else 1
    index = f"torch.tensor({_places(m, length, None, True)}, dtype=torch.{m.pick('int64', 'int64', 'int64', 'int32', 'float32')})"
    along = tuple(m.integer(1, max(n, 1)) for n in shape)
    places = f"torch.tensor({_places(m, length, along, True)}, dtype=torch.{m.pick('int64', 'int64', 'int64', 'int32')})"
    mask = f"torch.tensor({m.elements(m.broadcastable(shape) if 0 not in shape else (), 'bool')})"
    choices = [
        m.called("index_select", x, [dim, index]),
        m.called("gather", x, [dim, places]),
        m.called("take_along_dim", x, [places, dim]),
        m.called("take", x, [f"torch.tensor({_places(m, 1, (2,), True)})"]),
        m.called(
            "masked_fill", x, [mask, m.pick("7", "1.5", "torch.tensor(3)", "torch.ones(2)", "nan")]
        ),
        m.called("masked_select", x, [mask]),
        m.called("nonzero", x, [m.pick("", "as_tuple=True")]),
        m.called("argwhere", x, []),
        m.called("index_fill", x, [dim, index, m.pick("7", "1.5", "torch.tensor(3)")]),
        m.called(
            "index_add",
            x,
            [
                dim,
                index,
                f"torch.ones_like({x}.index_select({dim}, {index}))",
                m.pick("", "alpha=2"),
            ],
        ),
        m.called("index_copy", x, [dim, index, f"{x}.index_select({dim}, {index})"]),
        m.called(
            "scatter",
            x,
            [
                dim,
                places,
                m.pick(
                    "7", f"torch.ones_like({x})", "value=1.5", f"src=torch.zeros_like({x})", f"{x}"
                ),
            ],
        ),
        m.called("scatter_add", x, [dim, places, m.pick(f"torch.ones_like({x})", x)]),
    ]
    for text in m.random.sample(choices, 3):
        m.let(text)
    name = m.pick(
        "masked_fill_",
        "index_fill_",
        "fill_diagonal_",
        "scatter_",
        "index_add_",
        "masked_scatter_",
        "index_put_",
        "put_",
    )
    given = {
        "masked_fill_": f"{mask}, {m.pick('7', '2.5', 'True')}",
        "index_fill_": f"{dim}, {index}, {m.pick('7', '2.5')}",
        "fill_diagonal_": m.pick("7", "2.5", "torch.tensor(3)"),
        "scatter_": f"{dim}, {places}, {m.pick('7', f'torch.ones_like({x})')}",
        "index_add_": f"{dim}, {index}, {x}.index_select({dim}, {index})",
        "masked_scatter_": f"{mask}, torch.arange(50).to({x}.dtype)",
        "index_put_": f"({index},), torch.tensor(7, dtype={x}.dtype)",
        "put_": f"torch.tensor({_places(m, 1, (2,), True)}), torch.ones(2, dtype={x}.dtype)",
    }[name]
    m.add(f"y = {x}.clone()\ny = y.{name}({given})")
