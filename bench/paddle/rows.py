"""The rows of the benchmark against PaddlePaddle: statements over small tensors, where the call is the
cost, the chapter's loops, steps of training, and the import. They are the same in both libraries. `x`
and `y` have shape [1, 2], `u` has 2 elements, `m` is 2 by 2, `w` and `v` have gradients."""

from common.dialect_rows import Rows

PEER = "paddle"

# Kind: what it is called, the statement, and how many times cheaper it must be.
CALLS = {
    "add": ("x + 1", "z = x + 1", 10),
    "multiply": ("x * y", "z = x * y", 10),
    "update": ("x += y", "z = x; z += y", 10),
    "greater": ("x > y", "z = x > y", 10),
    "maximum": ("maximum(x, y)", "z = paddle.maximum(x, y)", 10),
    "exp": ("exp(x)", "z = paddle.exp(x)", 10),
    "ones": ("ones([1, 2])", "z = paddle.ones([1, 2])", 10),
    "zeros": ("zeros([1, 2])", "z = paddle.zeros([1, 2])", 10),
    "to_tensor": ("to_tensor([1., 2.])", "z = paddle.to_tensor([1., 2.])", 10),
    "index": ("x[0]", "z = x[0]", 10),
    "reshape": ("x.reshape([2, 1])", "z = x.reshape([2, 1])", 10),
    "squeeze": ("squeeze(x)", "z = paddle.squeeze(x)", 10),
    "transpose": ("transpose(m, [1, 0])", "z = paddle.transpose(m, [1, 0])", 10),
    "concat": ("concat([x, y])", "z = paddle.concat([x, y])", 10),
    "astype": ("x.astype('int32')", "z = x.astype('int32')", 10),
    "cast": ("cast(x, 'float64')", "z = paddle.cast(x, 'float64')", 10),
    "sum": ("m.sum()", "z = m.sum()", 5),
    "mean": ("m.mean()", "z = m.mean()", 5),
    "max": ("m.max()", "z = m.max()", 5),
    "mm": ("mm, 2 by 2", "z = paddle.mm(m, m)", 5),
    "dot": ("dot of two elements", "z = paddle.dot(u, u)", 5),
    "dot_rows": ("dot, 2 by 2", "z = paddle.dot(m, m)", 5),
    "record": ("w * v, recorded", "z = w * v", 5),
}
# The same for whole pieces of programs, done once and waited for.
WHOLE = {
    "loop": ("10,000 times x + 1", "for _ in range(10000):\n    z = x + 1\nwait(z)", 10),
    "train_sgd": ("100 steps of 64-64-1, eight rows, SGD",
                  "for _ in range(100):\n    z = train_sgd()\nwait(z)", 5),
    "train_adam": ("100 steps of 64-64-1, eight rows, Adam",
                   "for _ in range(100):\n    z = train_adam()\nwait(z)", 5),
    "products": ("ten times randn and mm of 1000 by 1000",
                 "for _ in range(10):\n    a = paddle.randn((1000, 1000))\n"
                 "    b = paddle.mm(a, a)\nwait(b)", 1),
}
ROWS = Rows(PEER, CALLS, WHOLE, random=("products",))
all_rows = ROWS.all
