"""Steps of the NumPy dialect, `np` and `npx`."""

from programs import forms
from steps_common import create

UNARY = """
    abs absolute exp log sqrt square cbrt sin cos tan arcsin arccos arctan sinh cosh tanh
    arcsinh arccosh arctanh floor ceil rint trunc fix sign reciprocal log10 log2 log1p expm1
    degrees radians deg2rad rad2deg logical_not negative invert bitwise_not isnan isinf
    isfinite isposinf isneginf fabs
""".split()
EXTENDED = "relu sigmoid erf erfinv gamma gammaln softmax log_softmax batch_flatten".split()
METHODS = (
    """exp log abs sqrt square sin cos tanh sigmoid relu flatten floor ceil round std var cumsum
 argsort argmax argmin nonzero tolist""".split()
)
BINARY = (
    """add subtract multiply divide true_divide mod remainder power maximum minimum hypot arctan2
 copysign fmod lcm float_power""".split()
)
COMPARE = """
    equal not_equal greater greater_equal less less_equal logical_and logical_or logical_xor
""".split()
BITS = "bitwise_and bitwise_or bitwise_xor".split()
REDUCE = "sum sum mean mean prod max min amax amin std var all any".split()


CREATION_FORMS = forms("""
zeros({s}{d})
ones({s}{d})
full({s}, {v}{d})
arange({n}{d})
arange({m}, {n}{d})
arange({m}, {n}, {k}{d})
eye({n}{d})
linspace(0, 1, {n}{d})
eye({n}, {n}, 1)
identity({n}{d})
linspace({m}, {n}, 5, endpoint=False)
zeros({n}{d})
array({l}{d})
array({l}{d})
array({l})
array(onp.array({l}, dtype='float64'))
array(onp.array({l}, dtype='int64'){d})
array(3{d})
array(2.5)
array([])
array(True)
array([True, False])
full({s}, {v})
ones(())
zeros((0, 2))
array(onp.array([True, False]))
logspace(0, 2, 3)
arange(0)
indices((2, 3))
tril(np.ones((3, 3)))
empty({s}).shape
zeros(shape={s}{d})
array({l}, ctx=mx.cpu())
ones({n}, ctx=npx.cpu())
""")


def creation(g):
    create(g, "np", CREATION_FORMS)


LIKE_FORMS = forms("""
zeros_like({a})
ones_like({a})
full_like({a}, {v})
array({a})
copy({a})
array({a}, dtype={d!r})
zeros_like({a}, dtype={d!r})
ones_like({a}, dtype={d!r})
array([{a}, {a}])
""")


def like(g):
    a = g.array()
    form = g.among(LIKE_FORMS)
    g.add("np." + form.format(a=a, v=g.scalar(), d=g.dtype()))


def unary(g):
    a = g.floats() if g.chance(0.75) else g.array()
    g.add(f"np.{g.among(UNARY)}({a})", a.shape, None)


def extended(g):
    a = g.floats() if g.chance(0.9) else g.array()
    g.add(f"npx.{g.among(EXTENDED)}({a})")


def method(g):
    a = g.floats() if g.chance(0.8) else g.array()
    g.add(f"{a}.{g.among(METHODS)}()")


def binary(g):
    a = g.array()
    b = g.partner(a) if g.chance(0.75) else g.scalar()
    name = g.among(BINARY + COMPARE)
    pair = f"{a}, {b}" if g.chance(0.7) else f"{b}, {a}"
    g.add(f"np.{name}({pair})")


BITS_FORMS = forms("""
np.{n}({a}, {b})
{a} & {b}
{a} | {b}
{a} ^ {b}
{a} & 1
{a} | True
""")


def bits(g):
    a = g.array(dtype=g.pick("int32", "bool", "int64", "uint8"))
    b = g.partner(a)
    form = g.among(BITS_FORMS)
    g.add(form.format(n=g.among(BITS), a=a, b=b))


def reduce(g):
    a = g.array()
    name = g.among(REDUCE)
    axes = g.axes(a.ndim)
    axis = "" if axes is None else f", axis={axes!r}" if g.chance(0.9) else f", {axes!r}"
    dtype = (
        f", dtype={g.dtype()!r}"
        if name in ("sum", "mean", "prod", "std", "var") and g.chance(0.15)
        else ""
    )
    spread = name in ("std", "var") and a.dtype.startswith("float")  # else it divides by zero
    ddof = ", ddof=1" if spread and g.chance(0.3) else ""
    g.add(f"np.{name}({a}{axis}{dtype}{g.some(keepdims=[True, False])}{ddof})")


REDUCE_MORE_FORMS = forms("""
{a}.std(axis={x})
{a}.var(axis={x})
{a}.sum(axis={x}, dtype={d!r})
{a}.mean({x})
{a}.sum({x})
{a}.any()
{a}.all()
np.argmax({a})
np.argmax({a}, axis={x})
np.argmin({a}, axis={x})
np.average({a})
np.average({a}, axis={x})
np.linalg.norm({a})
np.linalg.norm({a}, axis={x})
np.median({a})
np.count_nonzero({a})
np.ptp({a})
np.nanmax({a})
{a}.max(axis={x}, keepdims=True)
np.linalg.norm({a}, ord=1, axis={x})
np.sum({a} > 0)
np.sum({a} > 0, axis={x})
np.mean({a} > 0)
np.percentile({a}, 50)
np.quantile({a}, 0.25)
np.nansum({a})
""")


def reduce_more(g):
    a = g.array()
    axis = g.axis(a.ndim)
    form = g.among(REDUCE_MORE_FORMS)
    g.add(form.format(a=a, x=axis, d=g.dtype()))


RESHAPE_FORMS = forms("""
{a}.reshape({s})
{a}.reshape({s})
{a}.reshape({args})
np.reshape({a}, {s})
{a}.reshape(-1)
{a}.reshape(-1, 1)
{a}.reshape((1, -1))
npx.reshape({a}, {x})
{a}.reshape({s}, order='C')
np.reshape({a}, newshape={s})
""")


def reshape(g):
    a = g.array()
    shape = g.factors(a.shape)
    kind = g.random.random()
    if kind < 0.35:
        at = g.random.randrange(len(shape))
        shape = shape[:at] + (-1,) + shape[at + 1 :]
    elif kind < 0.45:
        shape = g.pick((0, -1), (-2,), (7,), (-1, -1), (0,), ())
    form = g.among(RESHAPE_FORMS)
    known = shape if shape and min(shape) > 0 and "{s}" in form else None
    g.add(
        form.format(
            a=a,
            s=shape,
            args=", ".join(map(str, shape)),
            x=g.pick((-2, -1), (-4,), (-5, -4), (-2, -4), (-1,), (-6, 1, -1, -4)),
        ),
        known,
        a.dtype,
    )


SHAPE_STEP_FORMS = forms("""
np.expand_dims({a}, axis={x})
np.expand_dims({a}, {x})
{a}.expand_dims({x})
np.squeeze({a})
np.squeeze({a}, axis={x})
{a}.flatten()
np.ravel({a})
np.swapaxes({a}, {x}, 0)
np.moveaxis({a}, 0, -1)
np.tile({a}, 2)
np.tile({a}, (2, 1))
np.repeat({a}, 2)
np.repeat({a}, 2, axis={x})
{a}.repeat(2, axis={x})
{a}.repeat(3)
np.flip({a}, axis={x})
np.flip({a})
np.fliplr({a})
np.flipud({a})
np.roll({a}, 1)
np.roll({a}, 1, axis={x})
np.rot90({a})
np.diag({a})
np.diag({a}, k=1)
np.tril({a})
np.triu({a})
np.broadcast_to({a}, (2,) + {a}.shape)
np.broadcast_to({a}, (3, 3))
npx.reshape_like({a}, {b})
np.atleast_1d({a})
np.atleast_2d({a})
np.rollaxis({a}, {x})
np.trace({a})
npx.batch_flatten({a})
npx.shape_array({a})
np.pad({a}, 1)
np.pad({a}, ((1, 0),) * {n}, mode='constant')
np.diagonal({a})
npx.slice({a}, begin=(0,), end=(1,))
np.broadcast_arrays({a}, {b})
np.shape({a})
np.ndim({a})
np.size({a})
np.resize({a}, (2, 2))
np.diff({a})
np.ediff1d({a})
""")


def shape_step(g):
    a = g.array()
    axis = g.axis(a.ndim + 1)
    b = g.array()
    form = g.among(SHAPE_STEP_FORMS)
    g.add(form.format(a=a, b=b, x=axis, n=a.ndim))


JOIN_FORMS = forms("""
np.concatenate([{a}, {b}], axis={x})
np.concatenate(({a}, {b}))
np.concatenate([{a}, {b}], {x})
np.stack([{a}, {b}])
np.stack(({a}, {b}), axis={x})
np.stack([{a}, {b}, {a}], 1)
np.vstack([{a}, {b}])
np.hstack([{a}, {b}])
np.dstack(({a}, {b}))
np.column_stack(({a}, {b}))
np.append({a}, {b})
np.append({a}, {b}, axis=0)
np.concatenate([{a}, {b}], axis=None)
""")


def join(g):
    a = g.array()
    b = g.array(shape=a.shape, dtype=a.dtype) if g.chance(0.85) else g.array()
    axis = g.axis(a.ndim)
    form = g.among(JOIN_FORMS)
    g.add(form.format(a=a, b=b, x=axis))


SPLIT_FORMS = forms("""
np.split({a}, {n}, axis={x})
np.split({a}, {n})
np.split({a}, [1], axis={x})
np.split({a}, (1, 2))
np.array_split({a}, 2, axis={x})
np.hsplit({a}, {n})
np.vsplit({a}, {n})
{a}.split({n}, axis={x})
""")


def split(g):
    a = g.array(least=1)
    axis = g.random.randrange(a.ndim)
    parts = a.shape[axis] if g.chance(0.8) and a.shape[axis] else 2
    form = g.among(SPLIT_FORMS)
    g.add(form.format(a=a, n=parts, x=axis))


DOT_FORMS = forms("""
np.dot({a}, {b})
np.dot({a}, {b})
{a}.dot({b})
{a} @ {b}
np.matmul({a}, {b})
np.inner({a}, {a})
np.outer({a}, {b})
np.tensordot({a}, {b}, axes=1)
np.dot({a}, {c})
np.vdot({a}, {a})
np.tensordot({a}, {a}, axes=0)
np.dot({a}, 2)
np.einsum('...i,...i->...', {a}, {a})
np.kron({a}, {b})
""")


def dot(g):
    a = g.floats(ndim=g.pick(1, 2, 2, 2, 3))
    inner = a.shape[-1]
    b = g.array(
        shape=g.pick((inner,), (inner, 2), (inner, 3), (2, inner, 2)),
        dtype=a.dtype if g.chance(0.9) else None,
    )
    form = g.among(DOT_FORMS)
    g.add(form.format(a=a, b=b, c=g.array()))


def batch_dot(g):
    n, i, j, k = (g.pick(1, 2, 3) for _ in range(4))
    ta, tb = g.chance(0.3), g.chance(0.3)
    a = g.array(shape=(n, j, i) if ta else (n, i, j), dtype="float32")
    b = g.array(shape=(n, k, j) if tb else (n, j, k), dtype="float32")
    flags = (", transpose_a=True" if ta else "") + (", transpose_b=True" if tb else "")
    g.add(f"npx.batch_dot({a}, {b}{flags})")


TAKE_FORMS = forms("""
np.take({a}, {i})
np.take({a}, {i}, axis={x})
{a}.take({i})
{a}.take({i}, axis={x})
np.take({a}, {i}, axis={x}, mode='wrap')
np.take({a}, {i}, axis={x}, mode='clip')
""")


def take(g):
    a = g.array(least=1)
    axis = g.random.randrange(a.ndim)
    size = a.shape[axis]
    i = g.integers(
        g.pick((2,), (3,), (2, 2), (1,)),
        -1 if g.chance(0.2) else 0,
        max(0, size if g.chance(0.2) else size - 1),
        g.pick("int32", "int64", "float32"),
    )
    form = g.among(TAKE_FORMS)
    g.add(form.format(a=a, i=i, x=axis))


def pick(g):
    a = g.array(ndim=g.pick(2, 2, 3))
    axis = g.pick(-1, g.random.randrange(a.ndim))
    rest = list(a.shape)
    size = max(1, rest.pop(axis))
    i = g.integers(tuple(rest), 0, size if g.chance(0.15) else size - 1)
    g.add(
        g.pick(
            "npx.pick({a}, {i}, axis={x})",
            "npx.pick({a}, {i}, axis={x}, keepdims=True)",
            "npx.pick({a}, {i})",
        ).format(a=a, i=i, x=axis)
    )


def one_hot(g):
    i = g.integers(g.pick((3,), (2, 2), (1,)), -1 if g.chance(0.1) else 0, 4)
    g.add(
        g.pick(
            "npx.one_hot({i}, 4)",
            "npx.one_hot({i}, depth=5)",
            "npx.one_hot({i}, 4, on_value=2, off_value=-1)",
            "npx.one_hot({i}, 4, dtype='int32')",
        ).format(i=i)
    )


WHERE_FORMS = forms("""
np.where({c}, {a}, {b})
np.where({a} > 0, {a}, {b})
np.where({c}, {a}, {v})
np.where({c}, {v}, {a})
np.where({c}, 1, 0)
np.where({a}, {a}, {b})
np.nonzero({a})
npx.nonzero({a})
np.where({c})
np.argwhere({a})
np.flatnonzero({a})
""")


def where(g):
    a = g.array()
    b = g.partner(a)
    c = g.array(shape=a.shape, dtype="bool")
    form = g.among(WHERE_FORMS)
    g.add(form.format(a=a, b=b, c=c, v=g.scalar()))


CLIP_FORMS = forms("""
np.clip({a}, -1, 2)
{a}.clip(0, 1)
np.clip({a}, 0.5, 1.5)
np.clip({a}, 0, None)
{a}.clip(min=0)
np.clip({a}, None, 1)
{a}.clip(0)
np.maximum({a}, 0)
np.minimum(1, {a})
""")


def clip(g):
    a = g.array()
    form = g.among(CLIP_FORMS)
    g.add(form.format(a=a))


ORDER_FORMS = forms("""
npx.topk({a}, k={k}, axis={x})
npx.topk({a}, k={k}, ret_typ='value')
npx.topk({a}, k={k}, ret_typ='both')
npx.topk({a}, k={k}, is_ascend=True)
np.sort({a}, axis={x})
np.sort({a})
np.argsort({a}, axis={x})
np.argsort({a})
np.cumsum({a})
np.cumsum({a}, axis={x})
{a}.cumsum(axis={x})
np.cumsum({a}, dtype={d!r})
np.unique({a})
np.unique({a}, return_counts=True)
np.unique({a}, return_index=True, return_inverse=True)
{a}.argsort(axis={x})
np.sort({a}, axis=None)
np.bincount({a})
npx.topk({a}, k={k}, ret_typ='mask', axis={x})
np.searchsorted({a}, 1)
""")


def order(g):
    a = g.array()
    k, axis = g.pick(1, 1, 2, 3), g.axis(a.ndim)
    form = g.among(ORDER_FORMS)
    g.add(form.format(a=a, k=k, x=axis, d=g.dtype()))


NETWORK_FORMS = forms("""
npx.softmax({a}, axis={x})
npx.log_softmax({a}, axis={x})
npx.activation({a}, act_type='{t}')
npx.leaky_relu({a})
npx.smooth_l1({a}, scalar=2)
npx.leaky_relu({a}, act_type='elu', slope=0.3)
npx.fully_connected({a}, np.ones((2, {n})), np.array([1, 2]), num_hidden=2)
npx.sequence_mask({a}, np.array({v}), use_sequence_length=True, value=-1)
npx.sequence_mask({a}, np.array({w}), True, axis=1)
npx.embedding(np.array([0, 1]), {a}, input_dim={r}, output_dim={c})
npx.gather_nd({a}, np.array([[0, 1], [0, 0]]))
npx.leaky_relu({a}, act_type='gelu')
npx.arange_like({a})
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
    flat = 1
    for n in a.shape[1:]:
        flat *= n
    form = g.among(NETWORK_FORMS)
    length = lambda most, count: [g.random.randint(0, most) for _ in range(count)]
    g.add(
        form.format(
            a=a,
            x=g.axis(a.ndim),
            n=flat,
            t=g.among(NETWORK_FORMS2),
            r=a.shape[0],
            c=a.shape[1],
            v=length(a.shape[0], a.shape[1]),
            w=length(a.shape[1], a.shape[0]),
        )
    )


CASTS_FORMS = forms("""
npx.cast({a}, dtype={d!r})
{a}.astype(np.{f})
{a}.astype({d!r})
{a}.as_nd_ndarray()
{a}.as_np_ndarray()
{a}.astype(bool)
{a}.astype(int)
{a}.astype(float)
{a}.as_in_ctx(npx.cpu())
np.float32({a})
""")


def casts(g):
    a = g.array()
    form = g.among(CASTS_FORMS)
    g.add(form.format(a=a, d=g.dtype(), f=g.pick("float32", "int32", "float64", "int64")))


SCALARS_FORMS = forms("""
{a}.item()
{a}.sum().item()
{a}.tolist()
{a}.asscalar()
{a} // 2
float({a}.sum())
int({a}.max())
{a}.wait_to_read()
bool({a}.any())
range(int({a}.size))[-1:]
round(float({a}.mean()), 3)
'%.3f' % {a}.sum()
f'{{float({a}.sum()):.2f}}'
{a}.norm()
{a}.itemsize
{a}.nbytes
""")


def scalars(g):
    a = g.any()
    g.add(g.among(SCALARS_FORMS).format(a=a))


GRID_FORMS = forms("""
np.meshgrid({a}, {b})
np.meshgrid({a}, {b}, indexing='ij')
np.outer({a}, {b})
np.array_equal({a}, {b})
np.allclose({a}, {b})
np.isclose({a}, {b})
np.around({a}, 1)
np.round({a}, 2)
np.nan_to_num({a})
np.interp({a}, {b}, {b})
np.polyval({a}, {b})
np.may_share_memory({a}, {b})
np.max({a}) - np.min({b})
""")


def grid(g):
    a, b = g.array(ndim=1), g.array(ndim=1)
    g.add(g.among(GRID_FORMS).format(a=a, b=b))


OUTPUTS_FORMS = forms("""
np.exp({a}, out={o})
np.add({a}, {a}, out={o})
np.multiply({a}, 2, out={o})
np.sum({a}, axis=0, out={o})
np.sqrt({a}, {o})
""")


def outputs(g):
    a = g.floats()
    out = g.array(shape=a.shape, dtype=a.dtype)
    g.add(g.among(OUTPUTS_FORMS).format(a=a, o=out))


BY_KEYWORD_FORMS = forms("""
np.sum(a={a}, axis={x})
np.dot(a={a}, b={b}.T)
np.exp(x={a})
np.add(x1={a}, x2={b})
np.reshape({a}, newshape=(-1,))
np.clip(a={a}, a_min=0, a_max=1)
np.transpose({a}, (1, 0))
np.transpose({a}, axes=(1, 0))
np.expand_dims(a={a}, axis={x})
np.squeeze({a}, axis=None)
np.concatenate(seq=[{a}, {b}], axis={x})
np.stack(arrays=[{a}, {b}], axis={x})
np.where(condition={a} > 0, x={a}, y={b})
np.mean(a={a}, axis={x}, keepdims=True)
np.argmax(a={a}, axis={x})
np.tile({a}, reps=(1, 2))
np.repeat({a}, repeats=2, axis={x})
np.swapaxes({a}, axis1=0, axis2=1)
np.split({a}, indices_or_sections=1, axis=0)
np.take({a}, indices=np.array([0]), axis=0)
np.max({a}, axis={x}, keepdims=True)
np.zeros(shape=(2, {x} + 1), dtype='int32')
np.full(shape=(2,), fill_value=3)
np.arange(start=0, stop=3)
np.linspace(start=0, stop=1, num=3)
np.eye(N=3, M=2, k=1)
np.power(x1={a}, x2=2)
np.maximum({a}, x2=0)
npx.softmax(data={a}, axis={x})
npx.one_hot(data=np.array([0, 1]), depth=3)
npx.pick(data={a}, index=np.zeros(({n},)), axis=1)
npx.topk(data={a}, k=1, ret_typ='value')
npx.relu(data={a})
npx.batch_dot(a=np.expand_dims({a}, 0), b=np.expand_dims({b}.T, 0))
np.sum()
np.exp()
np.exp({a}, {b}, {a})
np.dot({a})
np.array(object=[1, 2])
np.cumsum(a={a}, axis={x})
np.sort(a={a}, axis={x})
np.linalg.norm(x={a}, axis={x})
np.std(a={a}, axis={x})
""")


def by_keyword(g):
    a = g.floats(ndim=2)
    b = g.array(shape=a.shape, dtype=a.dtype)
    form = g.among(BY_KEYWORD_FORMS)
    g.add(form.format(a=a, b=b, x=g.random.randrange(2), n=a.shape[0]))


MORE_METHODS_FORMS = forms("""
{a}.sum(axis={x}, keepdims=True)
{a}.mean(axis={x}, dtype='float64')
{a}.max(axis={x})
{a}.argmax({x})
{a}.argsort({x})
{a}.clip(0, 1)
{a}.clip(None, 1)
{a}.cumsum()
{a}.cumsum({x})
{a}.dot({a})
{a}.flatten()
{a}.repeat(2)
{a}.repeat(2, {x})
{a}.reshape({a}.shape)
{a}.round()
{a}.round(1)
{a}.squeeze()
{a}.std()
{a}.std({x})
{a}.swapaxes(0, {x})
{a}.take(np.array([0]))
{a}.transpose()
{a}.transpose(None)
{a}.var()
{a}.var(axis={x})
{a}.prod(axis={x})
{a}.all(axis={x})
{a}.any(axis={x})
{a}.nonzero()
{a}.tolist()
{a}.as_in_ctx(npx.cpu(1)).ctx
{a}.copyto(npx.cpu(1)).ctx
{a}.astype('int32')
{a}.astype(np.int32)
{a}.item(0)
{a}.exp()
{a}.log()
{a}.abs()
{a}.sigmoid()
{a}.T.T
{a}.reshape_view((-1,))
{a}.tile((2,))
{a}.broadcast_to({a}.shape)
{a}.pick(np.array([0]))
{a}.softmax()
{a}.grad
{a}.size
""")


def more_methods(g):
    a = g.floats()
    form = g.among(MORE_METHODS_FORMS)
    g.add(form.format(a=a, x=g.axis(a.ndim)))


DRAWS_FORMS = forms("""
np.random.uniform(0, 1, size={s}).shape
np.random.normal(0, 1, {s}).dtype
np.random.normal(loc=0, scale=1, size={s}).shape
np.random.randn({n}, 2).shape
np.random.rand({n}).shape
np.random.randint(0, 5, size={s}).dtype
np.random.uniform().shape
np.random.normal().shape
np.random.randint(3).shape
np.random.uniform(size={n}, dtype='float64').dtype
np.random.multinomial(5, [0.5, 0.5]).sum()
np.random.choice(5, 2).shape
np.random.permutation(4).shape
np.random.shuffle(np.arange(4))
np.random.exponential(2, size={s}).shape
np.random.gamma(2, 2, size={s}).shape
np.random.beta(1, 1, size={s}).shape
mx.random.seed({n})
np.random.randint(2, 3, size={s})
np.random.uniform(1, 1, size={s})
np.random.normal(0, 0, size={s})
np.random.multinomial(1, np.array([0, 1, 0]))
np.random.logistic(size={s}).shape
np.random.laplace(size={s}).shape
np.random.choice(np.array([3, 3]), size={s})
np.random.bernoulli(0.5, size={s}).shape
np.random.normal(np.zeros(({n},)), 1).shape
np.random.normal(0, 1, size='a')
np.random.uniform(0, 1, size=(-1,))
""")


def draws(g):
    shape = g.shape()
    form = g.among(DRAWS_FORMS)
    g.add(form.format(s=shape, n=g.pick(1, 2, 3)))


STEPS = [
    (6, creation),
    (3, like),
    (8, unary),
    (3, extended),
    (3, method),
    (7, binary),
    (2, bits),
    (8, reduce),
    (5, reduce_more),
    (5, reshape),
    (9, shape_step),
    (5, join),
    (3, split),
    (6, dot),
    (1, batch_dot),
    (4, take),
    (2, pick),
    (2, one_hot),
    (4, where),
    (2, clip),
    (6, order),
    (4, network),
    (3, casts),
    (3, scalars),
    (2, grid),
    (1, outputs),
    (3, by_keyword),
    (3, more_methods),
    (1, draws),
]
