"""Steps that both dialects have: operators, indexing, methods, attributes."""

import indexing
from programs import forms, shape_of

ARITHMETIC = ["+", "-", "*", "/", "%", "**", "+", "-", "*", "/"]
COMPARE = ["==", "!=", "<", "<=", ">", ">="]


def broadcast(a, b):
    return shape_of(lambda x, y: x + y, a.shape, b.shape)


def create(g, module, forms_of_it):
    """An array by one of the forms, which may have a shape, numbers, a type and nested lists."""
    shape = g.shape()
    full = shape if 0 not in shape else (2,)
    text = g.among(forms_of_it).format(
        s=shape,
        d=g.pick("", "", f", dtype={g.dtype()!r}"),
        v=g.scalar(),
        n=g.random.randint(1, 6),
        m=g.random.randint(-2, 2),
        k=g.pick(1, 2, 0.5, 3),
        l=g.nested(full, lambda: g.number(g.pick("float32", "int32"))),
    )
    g.add(f"{module}.{text}")


def arithmetic(g):
    a = g.array()
    b = g.partner(a)
    same = a.dtype if a.dtype == b.dtype and a.dtype.startswith("f") else None
    a, b = (a, b) if g.chance(0.6) else (b, a)
    g.add(f"{a} {g.among(ARITHMETIC)} {b}", broadcast(a, b), same)


def with_scalar(g):
    a = g.array()
    op = g.among(ARITHMETIC)
    scalar = g.scalar()
    if scalar == "0" and op in "/%":
        scalar = "2"  # integers divided by zero end MXNet's process
    text = f"{a} {op} {scalar}" if g.chance(0.65) else f"{scalar} {op} {a}"
    g.add(text, a.shape, a.dtype if a.dtype.startswith("f") else None)


def compare(g):
    a = g.array()
    other = g.scalar() if g.chance(0.5) else g.partner(a)
    shape = a.shape if isinstance(other, str) else broadcast(a, other)
    dtype = "bool" if g.dialect == "np" else None
    g.add(f"{a} {g.among(COMPARE)} {other}", shape, dtype)


UNARY_FORMS = forms("""
-{}
abs({})
-{}
abs({})
~{}
+{}
""")


def unary(g):
    a = g.array()
    op = g.among(UNARY_FORMS)
    g.add(op.format(a), a.shape, a.dtype if a.dtype.startswith("f") else None)


IN_PLACE_FORMS = forms("""
+
-
*
+
*
""")


IN_PLACE_FORMS2 = forms("""
+
-
*
/
%
+
*
""")


def in_place(g):
    a = g.array()
    other = g.scalar() if g.chance(0.5) else g.partner(a)
    op = g.among(IN_PLACE_FORMS) if other == "0" else g.among(IN_PLACE_FORMS2)
    g.steps.append(f"{a} {op}= {other}")


def get(g):
    a = g.array(least=1)
    text = indexing.key(g, a.shape)
    g.add(f"{a}[{text}]", indexing.shape_after(g, a.shape, text), a.dtype)


def assigned(g, a, text):
    """A value for the place, that broadcasts if the place is known."""
    if g.chance(0.5):
        return g.scalar()
    shape = indexing.shape_after(g, a.shape, text)
    if shape is None or (shape == () and g.dialect == "nd"):
        return g.scalar()
    shape = g.partner_shape(shape) or ((1,) if g.dialect == "nd" else ())
    if g.chance(0.2) and 0 not in shape:
        return g.nested(shape, lambda: g.number(a.dtype))
    if g.chance(0.4) and 0 not in shape:
        return f"onp.array({g.nested(shape, lambda: g.number(a.dtype))}, dtype={a.dtype!r})"
    return g.array(shape=shape, dtype=a.dtype if g.chance(0.8) else None)


def put(g):
    a = g.array(least=1)
    text = indexing.key(g, a.shape, write=True)
    value = assigned(g, a, text)
    g.steps.append(f"{a}[{text}] = {value}")


ATTRIBUTE_FORMS = forms("""
shape
size
ndim
dtype
T
context
ctx
stype
grad
""")


def attribute(g):
    g.add(f"{g.any()}.{g.among(ATTRIBUTE_FORMS)}")


SHOW_FORMS = forms("""
repr({})
str({})
len({})
bool({})
list({})
float({})
int({})
{}.asnumpy()
{}.asnumpy()
'%s' % ({},)
""")


def show(g):
    g.add(g.among(SHOW_FORMS).format(g.any()))


def copies(g):
    a = g.array()
    g.add(
        g.pick(
            "{}.copy()", "{}.detach()", "{}.as_in_context(mx.cpu())", "{}.copyto(mx.cpu())"
        ).format(a),
        a.shape,
        a.dtype,
    )


def copy_to(g):
    a = g.array()
    other = g.new(a.shape if g.chance(0.9) else None, a.dtype if g.chance(0.9) else None)
    g.add(f"{a}.copyto({other})", other.shape, other.dtype)


def with_numpy(g):
    """NumPy's numbers and arrays beside ours. Not onp.array(x): MXNet's arrays have no such way out
    but asnumpy(), and NumPy ends the process when it looks at them element by element."""
    a = g.array()
    forms = [
        "{a} + onp.ones({s})",
        "onp.ones({s}) * {a}",
        "onp.sqrt({a}.asnumpy())",
        "onp.float32(2) * {a}",
        "{a} - onp.float64(1.5)",
        "{a} * onp.int64(2)",
        "divmod({a}, 2)",
        "round({a})",
        "pow({a}, 2)",
        "({a} > 0).sum()",
        "({a} == {a}).mean()",
        "onp.array({a}.asnumpy(), dtype='float64')",
    ]
    if g.dialect == "np":
        forms += [
            "onp.sum({a})",
            "onp.mean({a}, axis=0)",
            "onp.add({a}, {a})",
            "onp.exp({a})",
            "onp.dot({a}, {a})",
            "onp.concatenate([{a}, {a}])",
            "onp.maximum({a}, 1)",
        ]
    g.add(g.among(forms).format(a=a, s=a.shape))


def cast(g):
    a = g.array()
    dtype = g.dtype()
    g.add(f"{a}.astype({dtype!r}{g.some(copy=[True, False])})", a.shape, dtype)


REDUCE_METHOD_FORMS = forms("""
sum
sum
mean
mean
max
min
prod
""")


def reduce_method(g):
    a = g.array()
    name = g.among(REDUCE_METHOD_FORMS)
    axes = g.axes(a.ndim)
    axis = "" if axes is None else f"axis={axes!r}"
    keep = g.pick("", "", "keepdims=True")
    g.add(f"{a}.{name}({', '.join(filter(None, (axis, keep)))})")


def swap(g):
    a = g.array(least=1)
    first, second = g.axis(a.ndim), g.axis(a.ndim)
    g.add(
        f"{a}.swapaxes({first}, {second})",
        shape_of(lambda x: x.swapaxes(first, second), a.shape),
        a.dtype,
    )


def squeeze(g):
    a = g.array()
    ones = [i for i, n in enumerate(a.shape) if n == 1]
    axis = g.among(ones) if ones and g.chance(0.7) else None
    text = "" if axis is None else f"axis={axis}" if g.chance(0.9) else "axis=0"
    g.add(f"{a}.squeeze({text})")


TRANSPOSE_FORMS = forms("""
{a}.T
{a}.transpose()
{a}.transpose({axes})
{d}.transpose({a}, axes={axes})
{d}.transpose({a})
""")


def transpose(g):
    a = g.array()
    axes = list(range(a.ndim))
    g.random.shuffle(axes)
    form = g.among(TRANSPOSE_FORMS)
    turned = shape_of(lambda x: x.transpose(axes if "{axes}" in form else None), a.shape)
    g.add(form.format(a=a, d=g.dialect, axes=tuple(axes)), turned, a.dtype)


def arg_method(g):
    a = g.array()
    name = g.pick("argmax", "argmin", "argmax", "argsort")
    axis = "" if g.chance(0.3) else f"axis={g.axis(a.ndim)}"
    g.add(f"{a}.{name}({axis})")


STEPS = [
    (8, arithmetic),
    (8, with_scalar),
    (4, compare),
    (2, unary),
    (5, in_place),
    (10, get),
    (8, put),
    (2, attribute),
    (2, show),
    (3, copies),
    (1, copy_to),
    (2, with_numpy),
    (4, cast),
    (6, reduce_method),
    (1, swap),
    (2, squeeze),
    (3, transpose),
    (2, arg_method),
]
