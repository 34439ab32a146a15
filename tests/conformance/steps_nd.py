"""Steps of the older dialect, `nd`."""

from programs import forms
from steps_common import create

UNARY = """
    abs exp log sqrt square rsqrt cbrt rcbrt sin cos tan arcsin arccos arctan sinh cosh tanh
    arcsinh arccosh arctanh floor ceil round rint trunc fix sign relu sigmoid softsign erf
    reciprocal log10 log2 log1p expm1 degrees radians logical_not negative zeros_like
    ones_like identity BlockGrad stop_gradient hard_sigmoid gamma gammaln erfinv
""".split()
METHODS = (
    """abs exp log sqrt square sin cos tan tanh sinh cosh floor ceil round rint trunc fix sign relu
 sigmoid reciprocal log10 log2 log1p expm1 degrees radians zeros_like ones_like softmax log_softmax
 flatten rsqrt""".split()
)
BINARY = "add subtract multiply divide modulo power maximum minimum true_divide".split()
COMPARE = """
    equal not_equal greater greater_equal lesser lesser_equal logical_and logical_or
    logical_xor
""".split()
BROADCAST = """
    add sub mul div mod power maximum minimum hypot equal not_equal greater greater_equal
    lesser lesser_equal logical_and logical_or logical_xor plus minus
""".split()
REDUCE = "sum sum mean mean prod max min nansum nanprod sum_axis max_axis min_axis".split()


def is_float(a):
    return a.dtype is not None and a.dtype.startswith("float")


CREATION_FORMS = forms("""
zeros({s}{d})
ones({s}{d})
full({s}, {v}{d})
arange({n}{d})
arange({m}, {n}{d})
arange({m}, {n}, {k}{d})
eye({n}{d})
linspace(0, 1, {n}{d})
eye({n}, {k})
arange({k}, repeat=2)
zeros(shape={s}{d})
zeros({n}{d})
eye({n}, {n}, k=1{d})
arange({n}, ctx=mx.cpu())
array({l}{d})
array({l}{d})
array(onp.array({l}, dtype='float64'))
array(onp.array({l}, dtype='int64'){d})
array(3{d})
zeros(())
zeros((0, 2))
array([])
""")


def creation(g):
    create(g, "nd", CREATION_FORMS)


def like(g):
    a = g.array()
    g.add(f"nd.array({a}{g.pick('', '', f', dtype={g.dtype()!r}')})", a.shape)


def unary(g):
    a = g.floats() if g.chance(0.85) else g.array()
    g.add(f"nd.{g.among(UNARY)}({a})", a.shape, a.dtype if is_float(a) else None)


def method(g):
    a = g.floats() if g.chance(0.85) else g.array()
    g.add(f"{a}.{g.among(METHODS)}()")


def binary(g):
    a = g.array()
    b = g.partner(a) if g.chance(0.75) else g.scalar()
    name = g.among(BINARY + COMPARE)
    pair = f"{a}, {b}" if g.chance(0.7) else f"{b}, {a}"
    g.add(f"nd.{name}({pair})", a.shape if isinstance(b, str) else None)


def broadcast(g):
    a = g.array()
    g.add(f"nd.broadcast_{g.among(BROADCAST)}({a}, {g.partner(a)})")


ELEMENTWISE_FORMS = forms("""
elemwise_add
elemwise_sub
elemwise_mul
elemwise_div
add_n
add_n
ElementWiseSum
""")


def elementwise(g):
    a = g.array()
    b = g.array(shape=a.shape if g.chance(0.9) else None, dtype=a.dtype)
    name = g.among(ELEMENTWISE_FORMS)
    more = f", {a}" if name in ("add_n", "ElementWiseSum") else g.pick("", f", out={b}")
    g.add(f"nd.{name}({a}, {b}{more})")


def reduce(g):
    a = g.array()
    name = g.among(REDUCE)
    axes = g.axes(a.ndim)
    axis = "" if axes is None else f", axis={axes!r}" if g.chance(0.9) else f", {axes!r}"
    g.add(
        f"nd.{name}({a}{axis}{g.some(keepdims=[True, False, 1])}"
        f"{g.pick('', '', '', ', exclude=True')})"
    )


def norm(g):
    a = g.floats()
    axes = g.axes(a.ndim)
    axis = "" if axes is None else f", axis={axes!r}"
    if g.chance(0.3):
        g.add(f"{a}.norm()")
    else:
        g.add(f"nd.norm({a}{g.pick('', ', ord=1', ', ord=2')}{axis}{g.some(keepdims=[True])})")


def arg(g):
    a = g.array()
    g.add(
        f"nd.{g.pick('argmax', 'argmin')}({a}{g.pick('', f', axis={g.axis(a.ndim)}')}"
        f"{g.some(keepdims=[True])})"
    )


RESHAPE_FORMS = forms("""
{a}.reshape({s})
{a}.reshape({s})
{a}.reshape({args})
{a}.reshape(shape={s})
nd.reshape({a}, shape={s})
nd.reshape({a}, {s})
nd.Reshape({a}, shape={s})
{a}.reshape({s}, reverse=True)
nd.reshape({a}, shape={s}, reverse=True)
""")


def reshape(g):
    a = g.array()
    shape = g.factors(a.shape)
    kind = g.random.random()
    if kind < 0.3:
        at = g.random.randrange(len(shape))
        shape = shape[:at] + (-1,) + shape[at + 1 :]
    elif kind < 0.6:
        shape = g.pick(
            (0, -1),
            (-1, 0),
            (-2,),
            (0, -2),
            (-3,),
            (-3, -2),
            (0, -3),
            (-1,),
            (-4, 1, -1, -2),
            (-4, -1, 1, -2),
            (0, 0, -1),
            (-3, 0),
            (7,),
            (-1, -1),
            (0,),
            (1, -2),
        )
    form = g.among(RESHAPE_FORMS)
    g.add(
        form.format(a=a, s=shape, args=", ".join(map(str, shape))),
        shape if min(shape) > 0 else None,
        a.dtype,
    )


SHAPE_STEP_FORMS = forms("""
nd.expand_dims({a}, axis={x})
{a}.expand_dims({x})
{a}.expand_dims(axis={x})
nd.squeeze({a})
nd.flatten({a})
{a}.flatten()
nd.Flatten({a})
nd.swapaxes({a}, {x}, 0)
nd.swapaxes({a}, dim1=0, dim2={x})
nd.moveaxis({a}, 0, -1)
nd.tile({a}, reps=(2,))
nd.tile({a}, reps=(2, 1))
{a}.tile((1, 2))
nd.repeat({a}, repeats=2)
nd.repeat({a}, repeats=2, axis={x})
{a}.repeat(2, axis=0)
nd.flip({a}, axis={x})
nd.reverse({a}, axis={x})
{a}.flip(axis=0)
nd.reshape_like({a}, {b})
nd.diag({a})
nd.shape_array({a})
nd.size_array({a})
nd.slice({a}, begin=(0,), end=(1,))
nd.slice({a}, begin=(1, None), end=(None, 2))
nd.slice({a}, begin=(None,), end=(None,), step=(-1,))
{a}.slice(begin=(0,), end=(2,))
nd.slice_axis({a}, axis={x}, begin=0, end=1)
nd.slice_axis({a}, axis={x}, begin=-1, end=None)
{a}.slice_axis({x}, 0, 2)
nd.slice_like({a}, {b})
nd.slice_like({a}, {b}, axes=(0,))
nd.broadcast_like({a}, {b})
nd.depth_to_space({a}, 2)
nd.squeeze({a}, axis={x})
""")


def shape_step(g):
    a = g.array()
    axis = g.axis(a.ndim + 1)
    b = g.array()
    form = g.among(SHAPE_STEP_FORMS)
    g.add(form.format(a=a, b=b, x=axis))


BROADCAST_TO_FORMS = forms("""
nd.broadcast_to({a}, shape={w})
{a}.broadcast_to({w})
nd.broadcast_to({a}, {w})
nd.broadcast_axis({a}, axis={x}, size=2)
nd.broadcast_axes({a}, axis={x}, size=3)
{a}.broadcast_to((2,) + {w})
nd.broadcast_to({a}, shape={z})
""")


def broadcast_to(g):
    a = g.array()
    wide = tuple(n * g.pick(1, 2, 3) if n == 1 else n for n in a.shape)
    form = g.among(BROADCAST_TO_FORMS)
    zeros = tuple(0 if g.chance(0.5) else n for n in wide)
    ones = [i for i, n in enumerate(a.shape) if n == 1]
    g.add(form.format(a=a, w=wide, z=zeros, x=g.among(ones) if ones else 0))


def pad(g):
    a = g.floats(ndim=4)
    width = (0, 0, 0, 0) + tuple(g.pick(0, 1, 2) for _ in range(4))
    mode = g.pick("constant", "edge", "reflect")
    g.add(
        f"nd.{g.pick('pad', 'Pad')}({a}, mode={mode!r}, pad_width={width}"
        f"{g.some(constant_value=[0, 1.5])})"
    )


JOIN_FORMS = forms("""
nd.concat({a}, {b}, dim={x})
nd.concat({a}, {b})
nd.concat({a}, {b}, {a}, dim=0)
nd.concat(*[{a}, {b}], dim={x})
nd.concatenate([{a}, {b}], axis={x})
nd.concatenate([{a}, {b}])
nd.stack({a}, {b})
nd.stack({a}, {b}, axis={x})
nd.stack(*[{a}, {b}, {a}], axis=1)
nd.Concat({a}, {b}, dim={x})
nd.concat({a}, dim=0)
""")


def join(g):
    a = g.array()
    b = g.array(shape=a.shape, dtype=a.dtype) if g.chance(0.85) else g.array()
    axis = g.axis(a.ndim)
    form = g.among(JOIN_FORMS)
    g.add(form.format(a=a, b=b, x=axis))


SPLIT_FORMS = forms("""
nd.split({a}, num_outputs={n}, axis={x})
{a}.split({n}, axis={x})
nd.split({a}, {n}, {x})
nd.SliceChannel({a}, num_outputs={n}, axis={x})
nd.split({a}, num_outputs={n}, axis={x}, squeeze_axis=True)
nd.split({a}, num_outputs={n})
nd.split_v2({a}, {n}, axis={x})
nd.split_v2({a}, (1,), axis={x})
nd.split_v2({a}, {n}, axis={x}, squeeze_axis=True)
""")


def split(g):
    a = g.array()
    axis = g.random.randrange(a.ndim)
    parts = a.shape[axis] if g.chance(0.8) else 2
    form = g.among(SPLIT_FORMS)
    g.add(form.format(a=a, n=parts, x=axis))


def dot(g):
    a = g.floats(ndim=g.pick(1, 2, 2, 2, 3))
    kind = g.random.random()
    if kind < 0.45:
        b = g.array(shape=(a.shape[-1],) + g.pick((), (2,), (3,), (2, 2)), dtype=a.dtype)
        g.add(f"nd.dot({a}, {b})")
    elif kind < 0.6 and a.ndim == 2:
        b = g.array(shape=(2, a.shape[1]), dtype=a.dtype)
        g.add(f"nd.dot({a}, {b}, transpose_b=True)")
    elif kind < 0.75:
        b = g.array(shape=(a.shape[0], 2), dtype=a.dtype)
        g.add(f"nd.dot({a}, {b}, transpose_a=True)")
    else:
        g.add(f"nd.dot({a}, {g.array()})")


def batch_dot(g):
    n, i, j, k = (g.pick(1, 2, 3) for _ in range(4))
    ta, tb = g.chance(0.3), g.chance(0.3)
    a = g.array(shape=(n, j, i) if ta else (n, i, j), dtype="float32")
    b = g.array(shape=(n, k, j) if tb else (n, j, k), dtype="float32")
    flags = (", transpose_a=True" if ta else "") + (", transpose_b=True" if tb else "")
    form = g.pick(
        "nd.batch_dot({a}, {b}{f})",
        "nd.batch_dot({a}, {b}{f})",
        "nd.linalg_gemm2({a}, {b}{f})",
        "nd.batch_dot({a}, {a})",
    )
    g.add(form.format(a=a, b=b, f=flags))


TAKE_FORMS = forms("""
nd.take({a}, {i})
nd.take({a}, {i}, axis={x})
{a}.take({i})
{a}.take({i}, axis={x})
nd.take({a}, {i}, axis={x}, mode='wrap')
nd.take({a}, {i}, axis={x}, mode='raise')
{a}.take({i}, mode='clip')
""")


def take(g):
    a = g.array(least=1)
    axis = g.random.randrange(a.ndim)
    size = a.shape[axis]
    i = g.integers(
        g.pick((2,), (3,), (2, 2), (1,)),
        -1 if g.chance(0.2) else 0,
        size if g.chance(0.2) else size - 1,
    )
    form = g.among(TAKE_FORMS)
    g.add(form.format(a=a, i=i, x=axis))


PICK_FORMS = forms("""
nd.pick({a}, {i}, axis={x})
{a}.pick({i}, axis={x})
nd.pick({a}, {i}, axis={x}, keepdims=True)
nd.pick({a}, {i})
nd.pick({a}, {i}, axis={x}, mode='wrap')
""")


def pick(g):
    a = g.array(least=2)
    axis = g.pick(-1, g.random.randrange(a.ndim))
    rest = list(a.shape)
    size = rest.pop(axis)
    i = g.integers(tuple(rest), 0, size if g.chance(0.15) else size - 1)
    form = g.among(PICK_FORMS)
    g.add(form.format(a=a, i=i, x=axis))


ONE_HOT_FORMS = forms("""
nd.one_hot({i}, 4)
nd.one_hot({i}, depth=5)
{i}.one_hot(4)
nd.one_hot({i}, 4, on_value=2, off_value=-1)
nd.one_hot({i}, 4, dtype='int32')
""")


def one_hot(g):
    i = g.integers(g.pick((3,), (2, 2), (1,)), -1 if g.chance(0.1) else 0, 4)
    form = g.among(ONE_HOT_FORMS)
    g.add(form.format(i=i))


def where(g):
    a = g.array()
    b = g.array(shape=a.shape if g.chance(0.9) else None, dtype=a.dtype if g.chance(0.9) else None)
    c = g.array(shape=a.shape if g.chance(0.8) else a.shape[:1])
    form = g.pick(
        "nd.where({c}, {a}, {b})", "nd.where({c} > 0, {a}, {b})", "nd.where({a} > 1, {a}, {b})"
    )
    g.add(form.format(a=a, b=b, c=c))


CLIP_FORMS = forms("""
nd.clip({a}, -1, 2)
{a}.clip(0, 1)
nd.clip({a}, 0.5, 1.5)
nd.clip({a}, a_min=0, a_max=3)
{a}.clip(a_min=-1, a_max=1)
nd.clip({a}, 2, 1)
""")


def clip(g):
    a = g.array()
    form = g.among(CLIP_FORMS)
    g.add(form.format(a=a))


ORDER_FORMS = forms("""
nd.topk({a}, k={k}, axis={x})
nd.topk({a}, k={k}, ret_typ='value')
nd.topk({a}, axis={x}, k={k}, ret_typ='both')
nd.topk({a}, k={k}, ret_typ='mask', axis={x})
{a}.topk(k={k}, is_ascend=True)
nd.topk({a}, k={k}, dtype='int32')
nd.topk({a})
nd.sort({a}, axis={x})
nd.sort({a}, is_ascend=False)
{a}.sort(axis={x})
nd.sort({a})
nd.argsort({a}, axis={x})
nd.argsort({a}, is_ascend=False)
nd.argsort({a}, dtype='int32')
nd.sort({a}, axis=None)
nd.argsort({a}, axis=None)
""")


def order(g):
    a = g.array()
    k = g.pick(1, 1, 2, 3)
    axis = g.axis(a.ndim)
    form = g.among(ORDER_FORMS)
    g.add(form.format(a=a, k=k, x=axis))


GATHER_FORMS = forms("""
nd.gather_nd({a}, nd.array({p}))
nd.scatter_nd(nd.array([1, 2]), nd.array({p}), shape={s})
nd.Embedding(nd.array({i}), {a}, input_dim={r}, output_dim={c})
nd.batch_take({a}, nd.array({i}, dtype='int32'))
nd.gather_nd({a}, nd.array([{i}]))
""")


def gather(g):
    a = g.array(ndim=2)
    rows, columns = a.shape
    pairs = [
        [g.random.randrange(rows) for _ in range(2)],
        [g.random.randrange(columns) for _ in range(2)],
    ]
    form = g.among(GATHER_FORMS)
    g.add(
        form.format(
            a=a,
            p=pairs,
            s=a.shape,
            r=rows,
            c=columns,
            i=[g.random.randrange(min(rows, columns)) for _ in range(rows)],
        )
    )


NETWORK_FORMS = forms("""
nd.softmax({a})
nd.softmax({a}, axis={x})
nd.log_softmax({a}, axis={x})
nd.softmax({a}, temperature=2)
nd.relu({a})
nd.Activation({a}, act_type='{t}')
nd.LeakyReLU({a})
nd.LeakyReLU({a}, act_type='elu', slope=0.3)
nd.smooth_l1({a}, scalar=2)
nd.smooth_l1({a}, scalar=1.0)
nd.L2Normalization({a})
nd.softmin({a})
nd.FullyConnected({a}, nd.ones((2, {n})), nd.array([1, 2]), num_hidden=2)
nd.FullyConnected({a}, nd.ones((2, {n})), no_bias=True, num_hidden=2)
nd.SequenceMask({a}, nd.array({v}), use_sequence_length=True, value=-1)
nd.LeakyReLU({a}, act_type='gelu')
""")


NETWORK_FORMS2 = forms("""
relu
sigmoid
tanh
softrelu
softsign
""")


def network(g):
    a = g.floats(ndim=g.pick(2, 2, 3))
    axis = g.axis(a.ndim)
    form = g.among(NETWORK_FORMS)
    flat = 1
    for n in a.shape[1:]:
        flat *= n
    g.add(
        form.format(
            a=a,
            x=axis,
            n=flat,
            t=g.among(NETWORK_FORMS2),
            v=[g.random.randint(0, a.shape[0]) for _ in range(a.shape[1])],
        )
    )


CASTS_FORMS = forms("""
nd.cast({a}, dtype={d!r})
nd.Cast({a}, dtype={d!r})
{a}.astype(onp.{d})
{a}.as_np_ndarray()
{a}.as_nd_ndarray()
""")


def casts(g):
    a = g.array()
    dtype = g.dtype()
    form = g.among(CASTS_FORMS)
    g.add(form.format(a=a, d=dtype))


SCALARS_FORMS = forms("""
{a}.asscalar()
{a}.sum().asscalar()
{a}.mean().asscalar()
{a}.item()
{a}.tolist()
{a}.std()
{a} // 2
{a} @ {a}
{a}.wait_to_read()
hash({a}) == id({a}) // 16
""")


def scalars(g):
    a = g.any()
    g.add(g.among(SCALARS_FORMS).format(a=a))


def cumulative(g):
    a = g.array()
    g.add(
        f"nd.cumsum({a}{g.pick('', f', axis={g.axis(a.ndim)}')}"
        f"{g.pick('', '', ', dtype=' + repr(g.dtype()))})"
    )


OUTPUTS_FORMS = forms("""
nd.exp({a}, out={o})
nd.elemwise_add({a}, {a}, out={o})
nd.broadcast_mul({a}, {a}, out={o})
nd.sum({a}, axis=0, out={o})
nd.relu({a}, out={o})
""")


def outputs(g):
    a = g.floats()
    out = g.array(shape=a.shape, dtype=a.dtype)
    g.add(g.among(OUTPUTS_FORMS).format(a=a, o=out))


BY_KEYWORD_FORMS = forms("""
nd.sum(data={a}, axis={x})
nd.dot(lhs={a}, rhs={b}, transpose_b=True)
nd.exp(data={a})
nd.broadcast_add(lhs={a}, rhs={b})
nd.reshape(data={a}, shape=(-1,))
nd.clip(data={a}, a_min=0, a_max=1)
nd.transpose(data={a}, axes=(1, 0))
nd.expand_dims(data={a}, axis={x})
nd.flatten(data={a})
nd.softmax(data={a}, axis={x})
nd.slice_axis(data={a}, axis=0, begin=0, end=1)
nd.tile(data={a}, reps=(1, 2))
nd.repeat(data={a}, repeats=2, axis={x})
nd.where(condition={a}, x={a}, y={b})
nd.mean(data={a}, axis={x}, keepdims=True)
nd.topk(data={a}, k=1, ret_typ='value')
nd.split(data={a}, num_outputs=1, axis=0)
nd.norm(data={a})
nd.swapaxes(data={a}, dim1=0, dim2=1)
nd.cast(data={a}, dtype='int32')
nd.maximum(lhs={a}, rhs={b})
nd.elemwise_add(lhs={a}, rhs={b})
nd.sum({a}, axis={x}, name='s')
nd.argmax(data={a}, axis={x})
nd.Activation(data={a}, act_type='relu')
nd.one_hot(indices=nd.array([0, 1]), depth=3)
nd.exp({a}, 3)
nd.concat(*[{a}, {b}], dim={x}, num_args=2)
nd.take(a={a}, indices=nd.array([0]), axis=0)
nd.sum({a}, {b})
nd.pick(data={a}, index=nd.zeros(({n},)), axis=1)
nd.sum()
nd.exp()
nd.stack(*[{a}, {b}], axis={x})
""")


def by_keyword(g):
    """The operations' own names of arguments."""
    a = g.floats(ndim=2)
    b = g.array(shape=a.shape, dtype=a.dtype)
    form = g.among(BY_KEYWORD_FORMS)
    g.add(form.format(a=a, b=b, x=g.random.randrange(2), n=a.shape[0]))


MORE_METHODS_FORMS = forms("""
{a}.sum(axis={x}, keepdims=True)
{a}.nansum()
{a}.nanprod(axis={x})
{a}.norm(axis={x})
{a}.argmax_channel()
{a}.tile(reps=(2,))
{a}.flip(axis=0)
{a}.expand_dims({x})
{a}.broadcast_like({a})
{a}.reshape_like({a})
{a}.slice(begin=(0,), end=(1,))
{a}.slice_like({a})
{a}.pad(mode='constant', pad_width=(0, 0))
{a}.shape_array()
{a}.size_array()
{a}.softmin()
{a}.rcbrt()
{a}.cbrt()
{a}.diag()
{a}.split(num_outputs=1, axis=0)
{a}.split_v2(1)
{a}.topk(axis={x}, k=1, ret_typ='value')
{a}.sort(is_ascend=False)
{a}.clip(0, 1)
{a}.one_hot(3)
{a}.max(axis={x}, keepdims=True)
{a}.transpose(axes=None)
{a}.swapaxes(dim1=0, dim2={x})
{a}.repeat(repeats=2)
{a}.astype(dtype='int32')
{a}.mean(axis={x}, exclude=True)
{a}.broadcast_axes(axis=0, size=2)
{a}.arcsinh()
{a}.as_in_context(mx.cpu(1)).context
{a}.copyto(mx.cpu(1)).context
{a}.broadcast_to({a}.shape)
{a}.grad
{a}.stype
""")


def more_methods(g):
    a = g.floats()
    form = g.among(MORE_METHODS_FORMS)
    g.add(form.format(a=a, x=g.axis(a.ndim)))


DRAWS_FORMS = forms("""
nd.random.uniform(0, 1, shape={s}).shape
nd.random.normal(loc=1, scale=2, shape={s}).dtype
nd.random.uniform(shape={s}, dtype='float64').dtype
nd.random.randint(0, 5, shape={s}).dtype
nd.random.normal(shape={s}).mean().shape
mx.random.uniform(0, 1, {s}).shape
nd.random.uniform().shape
nd.random.normal(0, 1, {n}).shape
nd.random.randn({n}, 2).shape
nd.random.shuffle(nd.arange(4)).shape
nd.random.exponential(2, shape={s}).shape
nd.random.poisson(3, shape={s}).dtype
nd.random.multinomial(nd.array([0.5, 0.5])).dtype
nd.random_uniform(low=0, high=1, shape={s}).shape
nd.random_normal(shape={s}).shape
mx.random.seed({n})
nd.random.gamma(2, 2, shape={s}).shape
nd.random.normal(nd.array([0, 1]), nd.array([1, 1])).shape
nd.random.uniform(nd.array([0, 1]), nd.array([1, 2]), shape=3).shape
nd.random.multinomial(nd.array([0, 1, 0]), shape={n})
nd.random.randint(2, 3, shape={s})
nd.random.uniform(1, 1, shape={s})
nd.random.normal(0, 1, shape=(2, 'a'))
""")


def draws(g):
    shape = g.shape()
    form = g.among(DRAWS_FORMS)
    g.add(form.format(s=shape, n=g.pick(1, 2, 3)))


STEPS = [
    (5, creation),
    (2, like),
    (8, unary),
    (4, method),
    (6, binary),
    (4, broadcast),
    (2, elementwise),
    (8, reduce),
    (2, norm),
    (3, arg),
    (6, reshape),
    (8, shape_step),
    (3, broadcast_to),
    (1, pad),
    (4, join),
    (3, split),
    (5, dot),
    (2, batch_dot),
    (4, take),
    (3, pick),
    (2, one_hot),
    (3, where),
    (2, clip),
    (5, order),
    (2, gather),
    (4, network),
    (2, casts),
    (3, scalars),
    (1, cumulative),
    (1, outputs),
    (3, by_keyword),
    (3, more_methods),
    (1, draws),
]
