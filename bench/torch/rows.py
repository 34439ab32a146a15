"""The rows of the benchmark against PyTorch: statements over small tensors, where the call is the
cost, the chapter's loops, a step of training, and the import. They are the same in both libraries.
`x` and `y` have shape (1, 2), `m` is 2 by 2, `w` has a gradient, `device` is the host's."""

from common.dialect_rows import Rows

PEER = "torch"

# Kind: what it is called, the statement, and how many times cheaper it must be.
CALLS = {
    "add": ("x + 1", "z = x + 1", 10),
    "ones": ("ones((1, 2))", "z = torch.ones((1, 2))", 10),
    "ones_there": ("ones((1, 2), device=device)", "z = torch.ones((1, 2), device=device)", 10),
    "multiply": ("x * y", "z = x * y", 5),
    "index": ("x[0]", "z = x[0]", 5),
    "reshape": ("x.reshape(2, 1)", "z = x.reshape(2, 1)", 5),
    "mm": ("mm, 2 by 2", "z = torch.mm(m, m)", 3),
    "sum": ("x.sum()", "z = x.sum()", 3),
    "record": ("w + 1, recorded", "z = w + 1", 5),
}
# The same for whole pieces of programs, done once and waited for.
WHOLE = {
    "loop": ("10,000 times x + 1", "for _ in range(10000):\n    z = x + 1\nwait(z)", 10),
    "train": ("a step of 64-64-1, eight rows", "train()", 3),
    "products": ("ten times randn and mm of 1000 by 1000",
                 "for _ in range(10):\n    a = torch.randn(size=(1000, 1000), device=device)\n"
                 "    b = torch.mm(a, a)\nwait(b)", 1),
}
ROWS = Rows(PEER, CALLS, WHOLE, random=("products",))
all_rows = ROWS.all
