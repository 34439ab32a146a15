"""Reductions over all, one or several axes, of every type, of NaN, infinities and nothing."""

from ..maker import TYPES

SHARE = 90

SEVERAL = "sum mean prod all any amax amin max min logsumexp var std nansum nanmean count_nonzero".split()
SINGLE = "argmax argmin cumsum cumprod median".split()


def _spelled(m, axis, keep=True):
    """How the axis and keepdim are given."""
    found = [f"axis={axis}"]
    if keep and m.chance(0.5):
        found.append(f"keepdim={m.pick('True', 'False')}")
    return ", ".join(found)


def _any_axis(m, ndim):
    choice = m.random.random()
    if choice < 0.5:
        return str(m.dim(ndim))
    if choice < 0.85:
        return m.axes(ndim)
    return m.pick("None", "[]", "()", "1.5", "'a'", "[0, 0]", "paddle.to_tensor(0)", "np.int64(0)")


def make(m):
    dtype = m.pick(TYPES) if m.chance(0.4) else m.pick("float32", "float32", "int64", "float64")
    shape = m.shape(empty=0.12)
    special = 0.15 if m.chance(0.5) else 0.0
    x = m.let(m.tensor(shape, dtype, special))
    for _ in range(5):
        name = m.pick(SEVERAL)
        if m.chance(0.3):
            m.let(m.called(name, x, [_typed(m, name)]))
            continue
        m.let(m.called(name, x, [_spelled(m, _any_axis(m, len(shape))), _typed(m, name)]))
    for name in m.some(SINGLE, 3):
        if name == "cumprod":
            m.let(m.called(name, x, [f"dim={m.dim(len(shape))}"]))
            continue
        keep = name in ("argmax", "argmin", "median")
        m.let(m.called(name, x, [_spelled(m, m.dim(len(shape)), keep) if m.chance(0.8) else ""]))
    if m.chance(0.4):
        order = m.pick("", "p=1", "p=2", "p=inf", "p=-inf", "p=0", "p=0.5", "p='fro'", "p=3")
        axis = m.pick("", f"axis={m.dim(len(shape))}", f"axis={m.axes(len(shape))}")
        m.let(m.called("norm", x, [order, axis, m.pick("", "keepdim=True")]))
    if not special and m.chance(0.4):
        name, axis = m.pick("std", "var"), m.pick("", f"axis={m.dim(len(shape))}")
        m.let(m.called(name, x, [axis, m.pick("unbiased=False", "unbiased=True", "keepdim=True")]))
    if m.chance(0.2):
        m.let(f"{m.pick('max', 'min', 'sum', 'len')}({x})")


def _typed(m, name):
    if name not in ("sum", "prod", "nansum") or not m.chance(0.3):
        return ""
    return f"dtype='{m.pick('float64', 'int64', 'float32', 'int32')}'"
