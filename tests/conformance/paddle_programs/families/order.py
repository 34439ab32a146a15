"""Sorting, the largest and smallest, what is different, of ties, NaN and nothing."""

from ..maker import TYPES

SHARE = 60


def make(m):
    dtype = m.pick(TYPES) if m.chance(0.25) else m.pick("float32", "int64", "float64", "int32")
    shape = m.shape(empty=0.06)
    x = m.let(m.tensor(shape, dtype, special=0.1 if m.chance(0.3) else 0.0))
    axis = m.dim(len(shape))
    length = shape[axis] if shape and -len(shape) <= axis < len(shape) else 1
    k = m.integer(1, max(length, 1))
    spelled = m.pick(f"{axis}", f"axis={axis}")
    ordered = "paddle.to_tensor([-1., 0.5, 2.])"
    choices = [
        m.called("sort", x, [m.pick("", spelled), m.pick("", "descending=True")]),
        m.called("sort", x, [m.pick("", f"axis={axis}"), m.pick("", "descending=True, stable=True")]),
        m.called("argsort", x, [m.pick("", f"axis={axis}"), m.pick("stable=True", "stable=True")]),
        f"{x}.topk({k}{m.pick('', f', axis={axis}')})[0]",
        f"paddle.topk({x}, {k}, axis={axis}, largest={m.pick('True', 'False')})[0]",
        f"paddle.kthvalue({x}, {k}, axis={axis}{m.pick('', ', keepdim=True')})[0]",
        m.called("unique", x, []),
        f"paddle.unique({x}, {m.pick('return_inverse=True', 'return_counts=True', 'return_index=True')})",
        f"paddle.unique({x}, axis={axis % max(len(shape), 1)}{m.pick('', ', return_counts=True')})",
        f"paddle.searchsorted({ordered}, {m.pick(x, 'paddle.to_tensor([0.5, 3.])')}{m.pick('', ', right=True')})",
        f"paddle.bincount({m.pick('paddle.to_tensor([1, 0, 3, 1])', x)}{m.pick('', ', minlength=5')})",
        m.called("median", x, [m.pick("", f"axis={axis}", f"axis={axis}, keepdim=True")]),
        m.called("argmax", x, [m.pick("", spelled, f"axis={axis}, keepdim=True")]),
        m.called("argmin", x, [m.pick("", spelled, f"axis={axis}, dtype='int32'")]),
        m.called(m.pick("max", "min", "amax", "amin"), x, [m.pick("", spelled)]),
        f"[type(one).__name__ for one in paddle.topk({x}, {k})]",
        f"type(paddle.topk({x}, {k})).__name__",
    ]
    for text in m.random.sample(choices, 6):
        m.let(text)
