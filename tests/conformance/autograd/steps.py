"""The steps that random programs are made of: functions that take the maker (programs.py), and do
nothing where they do not fit."""

import math

from . import rows
from .arrays import Array



def raised(most, power):
    """A power of a size; large enough where it would be beyond all numbers."""
    return math.exp(min(power * math.log(max(most, 1.0)), 50.0))


# How large results are, of operands that large: the rest stay below 2.
GROWTH = {
    "negative": lambda m: m,
    "abs": lambda m: m,
    "asinh": lambda m: m,
    "softplus": lambda m: m + 1,
    "silu": lambda m: m,
    "gelu": lambda m: m,
    "relu": lambda m: m,
    "leaky_relu": lambda m: m + 1,
    "elu": lambda m: m + 1,
    "exp": lambda m: raised(math.e, m),
    "square": lambda m: m * m,
    "cube": lambda m: m**3,
    "root": lambda m: m + 1,
    "logarithm": lambda m: 2 * m,
    "copy": lambda m: m,
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a + b,
    "multiply": lambda a, b: a * b,
    "quotient": lambda a, b: a,
    "maximum": max,
    "minimum": max,
    "hypot": lambda a, b: a + b * b,
    "logaddexp": lambda a, b: max(a, b) + 1,
    "power": lambda a, b: raised(a * a + 2, b),
}
EXACT = ("negative", "abs", "copy", "add", "subtract", "multiply", "maximum", "minimum")
WIDTHS = ("float16", "float32", "float64")


def promoted(operands):
    """The type of what is computed of arrays; Python's numbers have none."""
    found = [x.dtype for x in operands if hasattr(x, "dtype") and x.real]
    return max(found, key=WIDTHS.index) if found else "float64"


def growth(row, *most):
    return GROWTH[row](*most) if row in GROWTH else 2.0


# ---- Elementwise --------------------------------------------------------------------------------


def unary(g):
    x, row = g.array(narrow=True), g.among(rows.UNARY)
    if x.dtype != "float64":
        row = g.among(("negative", "abs", "copy"))
    most = growth(row, x.most)
    if g.fits((), most):
        g.call(row, [x], x.shape, most)
    else:
        g.call("tanh", [x], x.shape, 1.0)


def binary(g):
    x = g.array(narrow=True)
    y = g.partner(x)
    exact = x.dtype != "float64" or y.dtype != "float64"
    shape, row = x.shape, g.among(EXACT[3:] if exact else rows.BINARY)
    if y.dtype == "int64":
        row = g.among(("add", "multiply", "subtract"))
    elif g.chance(0.4):
        x, y = y, x
    most = growth(row, x.most, y.most)
    if g.fits((), most):
        g.call(row, [x, y], shape, most)


def with_number(g):
    x, row = g.array(narrow=True), g.among(("scale", "shift", "from"))
    number = g.among((0.5, -0.25, 1.5, 2, -1))
    most = x.most * abs(number) if row == "scale" else x.most + abs(number)
    if g.fits((), most):
        g.call(row, [x], x.shape, most, number=number)


def choice(g):
    x = g.array()
    y = g.shaped(x.shape)
    most = max(x.most, y.most)
    if g.chance(0.5):
        g.call("choose", [x, y], x.shape, most)
    else:
        g.call("where", [g.new(x.shape, "bool", "bool"), x, y], x.shape, most)


def cast(g):
    x = g.array(narrow=True)
    to = g.among([d for d in ("float32", "float32", "float64", "float16") if d != x.dtype])
    if not (g.large and to != "float64"):
        g.call("cast", [x], x.shape, x.most, result=to, dtype=to)


# ---- Over axes ----------------------------------------------------------------------------------


def reduced(shape, axis, keepdims):
    axes = range(len(shape)) if axis is None else [axis] if isinstance(axis, int) else axis
    axes = {a % len(shape) for a in axes} if shape else set()
    kept = [(1 if i in axes else n) for i, n in enumerate(shape) if keepdims or i not in axes]
    return tuple(kept), math.prod(n for i, n in enumerate(shape) if i in axes)


def reduce(g):
    x = g.array(lambda a: a.count > 0 and a.ndim > 0)
    if x is None:
        return
    axis = None if g.chance(0.3) else g.axis(x)
    if g.chance(0.2) and x.ndim > 1:
        axis = sorted(g.random.sample(range(x.ndim), 2))
    keepdims = g.chance(0.4)
    shape, count = reduced(x.shape, axis, keepdims)
    row = g.among(rows.REDUCTIONS)
    most = {"sum": x.most * count, "norm": x.most * count, "prod": raised(x.most, count)}
    most |= {"var": x.most**2, "logsumexp": x.most + math.log(count)}
    if g.fits(shape, most.get(row, x.most)):
        g.call(row, [x], shape, most.get(row, x.most), axis=axis, keepdims=keepdims)


def along(g):
    x = g.array(lambda a: a.count > 0 and a.ndim > 0)
    if x is None:
        return
    axis, row = g.axis(x), g.among(rows.ALONG)
    length = x.shape[axis]
    most = {"softmax": 1.0, "log_softmax": 2 * x.most + math.log(length)}
    most |= {"cumulative_sum": x.most * length, "cumulative_prod": raised(x.most, length)}
    if g.fits((), most.get(row, x.most)):
        g.call(row, [x], x.shape, most.get(row, x.most), axis=axis)


# ---- Products -----------------------------------------------------------------------------------


def matrices(g, x):
    """A product of a matrix: its name, other operands, result."""
    n, k = x.shape
    m = g.length()
    if g.chance(0.2):
        return "matmul", [g.shaped((k,))], (n,), k
    if g.chance(0.25):
        return "matmul_left", [g.shaped((n, m))], (k, m), n
    if g.chance(0.33):
        return "matmul_right", [g.shaped((m, k))], (n, m), k
    if g.chance(0.3):
        return "linear", [g.shaped((m, k)), g.shaped((m,))], (n, m), k + 1
    return g.among(("matmul", "tensordot")), [g.shaped((k, m))], (n, m), k


def product(g):
    x = g.array(lambda a: 0 < a.ndim < 4)
    if x is None:
        return
    n, m = x.shape[-1], g.length()
    if x.ndim == 2:
        row, others, shape, terms = matrices(g, x)
    elif x.ndim == 3:
        batch = (x.shape[0],) if g.chance(0.5) else ()
        row, others, shape, terms = "matmul", [g.shaped((*batch, n, m))], (*x.shape[:-1], m), n
    elif g.chance(0.3):
        row, others, shape, terms = "outer", [g.shaped((m,))], (n, m), 1
    elif g.chance(0.5):
        row, others, shape, terms = "vecdot", [g.shaped((n,))], (), n
    else:
        row, others, shape, terms = "matmul", [g.shaped((n, m))], (m,), n
    most = x.most * max(other.most for other in others) * terms
    if g.fits(shape, most):
        g.call(row, [x, *others], shape, most)


# ---- Positions ----------------------------------------------------------------------------------


def take(g):
    x = g.array(lambda a: a.ndim > 0 and a.count > 0)
    if x is None:
        return
    axis, many = g.random.randrange(x.ndim), g.length()
    shape = (*x.shape[:axis], many, *x.shape[axis + 1 :])
    if not g.fits(shape):
        return
    at = g.new((many,), "int64", "places", below=x.shape[axis])
    if axis == 0 and g.chance(0.5):
        g.call("at", [x, at], shape, x.most)
    elif axis == 1 and g.chance(0.5):
        g.call("at_second", [x, at], shape, x.most)
    else:
        g.call("take", [x, at], shape, x.most, axis=axis)


def masked(g):
    x = g.array(lambda a: a.ndim > 0)
    if x is None:
        return
    mask = g.new(x.shape, "bool", "bool")
    g.call("at", [x, mask], (sum(rows.numbers(g.steps[-1])),), x.most)


def shift_about(g):
    """Rows that move elements about."""
    x = g.array(lambda a: a.ndim > 0 and a.count > 0)
    if x is None:
        return
    row, axis = g.among(("tile", "repeat", "pad", "tril")), g.random.randrange(x.ndim)
    if row == "tile":
        reps = [g.among((1, 2)) for _ in range(x.ndim)]
        shape, given = tuple(n * r for n, r in zip(x.shape, reps)), {"reps": reps}
    elif row == "repeat":
        shape = tuple(n * (2 if i == axis else 1) for i, n in enumerate(x.shape))
        given = {"axis": axis}
    elif row == "pad":
        shape, given = tuple(n + 2 for n in x.shape), {}
    else:
        shape, given = x.shape, {}
    if g.fits(shape) and (row != "tril" or x.ndim > 1):
        g.call(row, [x], shape, max(x.most, 0.5), **given)


def join(g):
    x = g.array()
    axis = g.random.randrange(x.ndim) if x.ndim else 0
    parts = [x, *(g.shaped(x.shape) for _ in range(g.random.randint(1, 2)))]
    g.random.shuffle(parts)
    row = "stack" if x.ndim == 0 or g.chance(0.4) else "concatenate"
    shape = list(x.shape)
    if row == "stack":
        shape.insert(axis, len(parts))
    else:
        shape[axis] *= len(parts)
    if g.fits(shape):
        g.call(row, parts, shape, max(p.most for p in parts), axis=axis)


# ---- Views --------------------------------------------------------------------------------------


def slice_text(g, length):
    """A slice of a dimension, and how many elements it has."""
    start = g.random.randrange(length + (length > 1 and g.chance(0.05))) if length else 0
    stop = g.random.randint(start, length) if g.chance(0.2) else length
    step = g.among((1, 1, 2))
    if g.chance(0.3):
        start, stop = 0, length
    texts = [str(start) if start else "", str(stop) if stop != length else ""]
    return ":".join(texts + ([str(step)] if step > 1 else [])), len(range(start, stop, step))


def key_of(g, shape):
    """A key of basic indices, and the shape of what it names."""
    texts, kept = [], []
    for length in shape:
        if g.chance(0.3) and length:
            texts.append(str(g.random.randrange(-length, length)))
            continue
        text, count = slice_text(g, length)
        texts.append(text)
        kept.append(count)
    if g.chance(0.15):
        texts.insert(0, "None")
        kept.insert(0, 1)
    return ", ".join(texts) if texts else "...", tuple(kept)


def index(g):
    x = g.array(lambda a: a.ndim > 0, narrow=True)
    if x is None:
        return
    key, shape = key_of(g, x.shape)
    g.view("index", x, shape, key=key)


def permute(g):
    x = g.array(lambda a: a.ndim > 1, narrow=True)
    if x is None:
        return
    axes = g.random.sample(range(x.ndim), x.ndim)
    g.view("permute", x, [x.shape[a] for a in axes], axes=axes)


def reshape(g):
    x = g.array(lambda a: a.packed, narrow=True)
    if x is None:
        return
    n = x.count
    shapes = [(n,), (1, n), (n, 1)] + [(k, n // k) for k in (2, 3, 4) if n and n % k == 0]
    g.view("reshape", x, shape := g.among(shapes), packed=True, shape=list(shape))


def broadcast(g):
    x = g.array(lambda a: a.ndim < 3)
    if x is None:
        return
    shape = tuple(g.length() if n == 1 else n for n in x.shape)
    shape = (g.among((2, 3)), *shape) if g.chance(0.5) else shape
    if g.fits(shape):
        g.view("broadcast", x, shape, shape=list(shape)).spread = True


def split(g):
    x = g.array(lambda a: any(n and n % 2 == 0 for n in a.shape), narrow=True)
    if x is None:
        return
    axis = g.among(i for i, n in enumerate(x.shape) if n and n % 2 == 0)
    shape = tuple(n // 2 if i == axis else n for i, n in enumerate(x.shape))
    views = [g.view_of(x, shape) for _ in range(2)]
    g.emit("split", [x], to=[v.name for v in views], parts=2, axis=axis)
    for view in views:
        g.add(view)


def detach(g):
    x = g.array(narrow=True)
    view = g.view("detach", x, x.shape, packed=x.packed)
    view.flows = view.graph = view.leaf = False
    view.detached = True
    if g.chance(0.3) and not view.spread:
        g.attach(view)


# ---- Writes -------------------------------------------------------------------------------------


def target(g, wanted=lambda a: True):
    """An array to write to; sometimes one that was made for it."""
    found = g.array(lambda a: g.can_write(a) and wanted(a), narrow=True)
    if found is None or g.chance(0.15):
        array = zeros_of(g)
        return array if wanted(array) else None
    return found


def zeros_of(g):
    array = Array(g.name(), g.shape(), "float64", 0.0)
    g.emit("zeros", to=array.name, shape=list(array.shape), dtype="float64")
    return g.add(array)


def value_for(g, shape):
    """What is written to elements of a shape: an array that broadcasts to it, or a number."""
    if g.chance(0.15):
        return g.among((0.5, -1.5, 0))
    if g.chance(0.3):
        shape = tuple(1 if g.chance(0.5) else n for n in shape)
    return g.shaped(shape)


def size_of(value):
    """How large a value is, whether something flows back from it, and whether it may."""
    number = isinstance(value, (int, float))
    return (abs(value), False, False) if number else (value.most, value.flows, value.graph)


def set_part(g):
    x = target(g)
    if x is None:
        return
    key, shape = key_of(g, x.shape)
    value = value_for(g, shape)
    most, flows, graph = size_of(value)
    g.emit("set", [x, value], key=key)
    g.written(x, flows, graph, most)


def set_places(g):
    x = target(g, lambda a: a.ndim > 0 and a.count > 0)
    if x is None:
        return
    if g.chance(0.3):
        at = g.new(x.shape, "bool", "bool")
        value = g.among((0.5, -1.5))
    else:
        many = g.random.randint(1, x.shape[0])
        at = g.new((many,), "int64", "distinct", below=x.shape[0])
        value = value_for(g, (many, *x.shape[1:]))
    most, flows, graph = size_of(value)
    g.emit("set_at", [x, at, value])
    g.written(x, flows, graph, most)


def augment(g):
    x = target(g)
    if x is None:
        return
    sign = g.among("+-*")
    value = g.among((0.5, -1.5, 2)) if g.chance(0.3) else g.partner(x)
    most, flows, graph = size_of(value)
    most = x.most * most if sign == "*" else x.most + most
    if g.fits((), most):
        g.emit("augment", [x, value], sign=sign)
        g.written(x, flows or x.flows, graph, most)


def into(g):
    x = target(g, lambda a: a.dtype == "float64")
    if x is None:
        return
    a, b = g.shaped(x.shape), g.shaped(x.shape)
    function = g.among(("add", "multiply", "subtract"))
    most = growth(function, a.most, b.most)
    if g.fits((), most):
        g.emit("into", [x, a, b], function=function)
        g.written(x, a.flows or b.flows, a.graph or b.graph, most)


# ---- Walks --------------------------------------------------------------------------------------


def heads_of(g):
    """Arrays to walk back from, and their factors."""
    fitting = g.all(lambda a: a.flows and a.dtype == "float64")
    heads = [g.among(fitting) for _ in range(g.among((1, 1, 2, 3)))]
    heads = list(dict.fromkeys([*heads, fitting[-1]]))
    if g.chance(0.5):
        return {"heads": [h.name for h in heads]}
    factors = [None if g.chance(0.4) else g.new(h.shape).name for h in heads]
    return {"heads": [h.name for h in heads], "factors": factors}


def gradient(g):
    """Gradients as arrays, that the program goes on with."""
    if g.mode != "record":
        return
    given = heads_of(g)
    fitting = g.all(
        lambda a: a.dtype == "float64"
        and (a.attached or (a.flows and len(a.storage.arrays) == 1))
    )
    wanted = g.random.sample(fitting, min(len(fitting), g.random.randint(1, 2)))
    made = [Array(g.name(), w.shape, "float64", 10.0) for w in wanted]
    names = [w.name for w in wanted]
    create = g.chance(0.7)
    g.emit("grad", variables=names, create=create, to=[m.name for m in made], **given)
    for array in made:
        array.flows, array.graph = False, create
        g.add(array)
        g.call("small", [array], array.shape, 2.0)
        g.arrays.remove(array)


def read_gradients(g):
    """Copies of what all leaves have."""
    g.mode = "pause"
    for leaf in g.all(lambda a: a.attached):
        g.arrays.remove(g.call("grad_of", [leaf], leaf.shape, 0.0))
    g.mode = "record"


def walk(g, **given):
    """A walk to all leaves, and what it gave them."""
    if g.overwritten:
        for leaf in g.all(lambda a: a.attached):
            g.emit("clear_grad", [leaf])
    g.emit("backward", **given)
    read_gradients(g)


def backward(g):
    """A walk in the middle of a program."""
    walk(g, **heads_of(g), retain=True)


def finish(g, last):
    """The walk at the end; before another round leaves are written to."""
    fitting = g.all(lambda a: a.flows and a.dtype == "float64")
    head = g.call("sum", [fitting[-1]], (), 10.0, axis=None, keepdims=False)
    given = heads_of(g)
    if head.name not in given["heads"]:
        given = {"heads": [head.name]}
    walk(g, **given, retain=g.chance(0.3))
    if last:
        return
    g.forget()
    g.mode = "pause"
    for leaf in g.all(lambda a: a.attached):
        if g.chance(0.3):
            g.emit("descend", [leaf])
            g.written(leaf, True, True, leaf.most + 0.05)
        elif g.chance(0.3):
            g.emit("clear_grad", [leaf])
    g.mode = "record"


STEPS = [
    (10, unary),
    (12, binary),
    (4, with_number),
    (3, choice),
    (3, cast),
    (7, reduce),
    (5, along),
    (8, product),
    (4, take),
    (2, masked),
    (4, shift_about),
    (4, join),
    (10, index),
    (4, permute),
    (5, reshape),
    (4, broadcast),
    (3, split),
    (3, detach),
    (10, set_part),
    (4, set_places),
    (8, augment),
    (4, into),
    (3, gradient),
    (2, backward),
]
