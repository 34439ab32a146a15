"""The rows of the benchmark against MXNet: statements over small arrays, where the call is the
cost, and loops of learning (training.py). They are the same in both libraries. `x` and `z` have two
elements, `m` is 2 by 2."""

from common.row import Row

PEER = "mxnet"
CHEAPER = 30  # times

# Kind: what it is called, the statement, and whether each one is waited for. {d} is the dialect.
KINDS = {
    "queue": ("x + 1", "y = x + 1", False),
    "wait": ("x + 1, a wait each", "y = x + 1", True),
    "multiply": ("x * z", "y = x * z", False),
    "exp": ("exp(x)", "y = {d}.exp(x)", False),
    "sum": ("x.sum()", "y = x.sum()", False),
    "dot": ("dot(m, m)", "y = {d}.dot(m, m)", False),
    "index": ("x[0]", "y = x[0]", False),
    "reshape": ("m.reshape((4,))", "y = m.reshape((4,))", False),
}
# The same for calls that MXNet, or we, make of several operations.
COMPOSED = {
    "softmax": ("softmax(m)", "y = {f}.softmax(m)", False),
    "log_softmax": ("log_softmax(m)", "y = {f}.log_softmax(m)", False),
    "relu": ("relu(x)", "y = {f}.relu(x)", False),
    "zeros": ("zeros((2, 2))", "y = {d}.zeros((2, 2))", False),
    "ones": ("ones((2, 2))", "y = {d}.ones((2, 2))", False),
    "mean": ("m.mean(axis=1)", "y = m.mean(axis=1)", False),
    "max": ("m.max(axis=0)", "y = m.max(axis=0)", False),
    "transpose": ("m.T", "y = m.T", False),
    "stack": ("stack of x and z", "y = {d}.stack({stacked})", False),
    "clip": ("m.clip(1, 3)", "y = m.clip(1, 3)", False),
    "one_hot": ("one_hot(x, 4)", "y = {f}.one_hot(x, 4)", False),
}
CHEAPER_COMPOSED = 10

# Loops of learning: how much quicker a step must be, and in which dialects.
LOOPS = {
    "chapter": ("the chapter's training", 2, ("nd",)),
    "images": ("a convolutional network", 1.5, ("nd", "np")),
    "small": ("64-64-1, eight rows", 10, ("nd", "np")),
    "tiny": ("2-1, ten rows", 10, ("nd", "np")),
}
WAYS = {"waits": "a number out of each batch", "queues": "no wait"}

DIALECTS = ("nd", "np")


def statement(row):
    """The code of a row by name, and whether it is run many times before a wait."""
    dialect, kind = row.split(".")
    _, code, waits = (KINDS | COMPOSED)[kind]
    functions = "npx" if dialect == "np" else "nd"
    stacked = "[x, z]" if dialect == "np" else "x, z"
    code = code.format(d=dialect, f=functions, stacked=stacked)
    if waits:
        return f"{code}; y.wait_to_read()", False
    return f"for _ in range(burst): {code}\nmx.nd.waitall()", True


def calls(kinds, cheaper):
    return [Row(f"{dialect}.{kind}", f"{dialect}: {title}", times=1 / cheaper, against=(PEER,))
            for dialect in DIALECTS for kind, (title, _, _) in kinds.items()]


def loops():
    return [Row(f"train_{kind}.{dialect}.{way}", f"{dialect}: {title}, {how}", times=1 / quicker,
                against=(PEER,))
            for kind, (title, quicker, dialects) in LOOPS.items()
            for dialect in dialects for way, how in WAYS.items()]


def all_rows():
    return calls(KINDS, CHEAPER) + calls(COMPOSED, CHEAPER_COMPOSED) + loops()
