"""Reductions over all, one or several dimensions, of every type, of NaN, infinities and nothing."""

from ..maker import TYPES

SHARE = 80

SEVERAL = (
    "sum mean prod all any amax amin logsumexp var std norm nansum nanmean count_nonzero".split()
)
SINGLE = "argmax argmin cumsum cumprod median".split()


def _spelled(m, dim, keep=True):
    """How the dimension and keepdim are given."""
    found = [m.pick(f"{dim}", f"dim={dim}", f"axis={dim}")]
    if keep and m.chance(0.5):
        value = m.pick("True", "False")
        forms = [f"keepdim={value}", f"keepdims={value}"]
        found.append(m.pick(*forms, value) if "=" not in found[0] else m.pick(forms))
    return ", ".join(found)


def _any_dim(m, ndim):
    choice = m.random.random()
    if choice < 0.5:
        return str(m.dim(ndim))
    if choice < 0.8:
        return m.dims(ndim)
    return m.pick(
        "None",
        "()",
        "[]",
        "1.5",
        "'a'",
        "torch.tensor(0)",
        "np.int64(0)",
        "(0, 0)",
        "True",
        "range(1)",
    )


def make(m):
    dtype = m.pick(TYPES) if m.chance(0.5) else "float32"
    shape = m.shape(empty=0.12)
    special = 0.15 if m.chance(0.5) else 0.0
    x = m.let(m.tensor(shape, dtype, special))
    for _ in range(4):
        name = m.pick(SEVERAL)
        if m.chance(0.3):
            m.let(m.called(name, x, [_typed(m, name)]))
            continue
        given = _spelled(m, _any_dim(m, len(shape)), name != "count_nonzero")
        order = _order_of_norm(m) if name == "norm" else ""
        first, _, rest = given.partition(", ")
        parts = [first, order, rest] if order.startswith("p=") else [order, given]
        m.let(m.called(name, x, [*parts, _typed(m, name)]))
    for name in m.some(SINGLE, 3):
        given = _spelled(m, m.dim(len(shape)), name in ("argmax", "argmin", "median"))
        m.let(m.called(name, x, [given, _typed(m, name)]))
    if not special:
        _deviations(m, x, shape)
    if m.chance(0.3):
        m.let(
            f"torch.{m.pick('sum', 'mean', 'amax')}({x}, {m.dim(len(shape), 0)}, out=torch.empty(0, dtype={x}.dtype))"
        )
    if m.chance(0.3):
        m.let(f"{m.pick('sum', 'max', 'min', 'any', 'all', 'len', 'sorted')}({x})")


def _order_of_norm(m):
    return m.pick(
        "",
        "",
        "p=1",
        "p=2",
        "p=inf",
        "p=-inf",
        "p=0",
        "p=0.5",
        "p='fro'",
        "p='nuc'",
        "p=3",
        "2",
        "None",
    )


def _typed(m, name):
    if not m.chance(0.15) and name not in ("cumsum", "cumprod"):
        return ""
    return m.pick("", "", f"dtype=torch.{m.pick(TYPES)}")


def _deviations(m, x, shape):
    if not m.chance(0.4):
        return
    name = m.pick("std", "var", "std_mean", "var_mean")
    dim = m.dim(len(shape))
    m.let(
        m.pick(
            f"torch.{name}({x}, {m.pick('True', 'False')})",
            f"torch.{name}({x}, {dim}, {m.pick('True', 'False')})",
            f"torch.{name}({x}, {dim}, {m.pick('True', 'False')}, {m.pick('True', 'False')})",
            f"torch.{name}({x}, dim={dim}, correction={m.pick('0', '1', '2', '0.5', '10')})",
            f"torch.{name}({x}, unbiased=False)",
            f"torch.{name}({x}, {m.dims(len(shape))}, keepdim=True)",
        )
    )
    m.let(
        f"{x}.{m.pick('std', 'var')}({m.pick('', 'unbiased=False', 'correction=0', f'dim={dim}', f'{dim}, keepdim=True')})"
    )
