"""Largest and smallest, sorting, what is different, of ties, NaN and nothing."""

from ..maker import TYPES

SHARE = 60


def make(m):
    dtype = m.pick(TYPES) if m.chance(0.4) else m.pick("float32", "int64")
    shape = m.shape(empty=0.1)
    x = m.let(m.tensor(shape, dtype, special=0.15 if m.chance(0.5) else 0.0))
    dim = m.dim(len(shape))
    length = shape[dim] if shape and -len(shape) <= dim < len(shape) else 1
    k = m.integer(0, length + (1 if m.chance(0.1) else 0))
    keep = m.pick("", ", keepdim=True", ", True", ", keepdim=False", ", keepdims=True")
    spelled = m.pick(f"{dim}", f"dim={dim}", f"axis={dim}")
    keep = keep if "=" not in spelled or keep != ", True" else ", keepdim=True"
    choices = [
        *(m.called(name, x, [spelled + keep]) for name in ("max", "min", "median", "amax")),
        *(m.called(name, x, []) for name in ("max", "min", "median", "unique", "argmax", "msort")),
        m.called(
            m.pick("max", "min", "maximum"), x, [m.tensor(m.broadcastable(shape), dtype, 0.1)]
        ),
        m.called("aminmax", x, [m.pick("", f"dim={dim}", f"dim={dim}, keepdim=True")]),
        f"torch.sort({x}, {spelled}{m.pick('', ', descending=True', ', stable=True')}).values",
        f"torch.sort({x}, {spelled}, stable=True, descending={m.pick('True', 'False')})",
        f"{x}.sort({m.pick('', 'descending=True', str(dim), f'{dim}, True')})[0]",
        f"torch.argsort({x}, {spelled}, stable=True)",
        f"torch.topk({x}, {k}).values",
        f"torch.topk({x}, {m.pick('', 'k=')}{k}, dim={dim}, largest={m.pick('True', 'False')}).values",
        f"{x}.topk({k}, {dim})[0]",
        f"torch.kthvalue({x}, {k}, {dim}{m.pick('', ', True', ', keepdim=True')})[0]",
        f"torch.unique({x}, return_inverse={m.pick('True', 'False')}, return_counts={m.pick('True', 'False')})",
        f"torch.unique({x}, dim={dim}{m.pick('', ', return_counts=True', ', return_inverse=True')})",
        f"{x}.unique({m.pick('', 'return_counts=True', 'False', 'sorted=True')})",
        f"torch.isin({x}, {m.pick(m.literal((2,), dtype), '1')}{m.pick('', ', invert=True')})",
        f"torch.searchsorted({m.literal((3,), dtype)}.sort().values, {m.pick(x, '1', '1.5')}{m.pick('', ', right=True', ', side=' + repr('left'))})",
        f"torch.bucketize({x}, {m.literal((3,), dtype)}.sort()[0]{m.pick('', ', right=True')})",
        f"torch.bincount({m.pick(x, 'torch.tensor([1, 0, 3, 1])', 'torch.tensor([], dtype=torch.int64)', 'torch.tensor([1, -1])')}{m.pick('', ', minlength=5', ', weights=torch.ones(4)')})",
        f"repr({x}.max({dim}))",
        f"{x}.max({dim}).indices",
        f"torch.max({x}, {dim})[1]",
        f"[type(one).__name__ for one in torch.sort({x})]",
        f"torch.equal(torch.sort({x}).values, {x}.sort()[0])",
        f"torch.max({x}, {dim}, out=(torch.empty(0, dtype={x}.dtype), torch.empty(0, dtype=torch.int64)))",
    ]
    for text in m.random.sample(choices, 6):
        m.let(text)
