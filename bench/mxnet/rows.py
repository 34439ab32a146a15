"""The rows of the benchmark against MXNet: statements over small arrays, where the call is the
cost. They are the same in both libraries. `x` and `z` have two elements, `m` is 2 by 2."""

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
DIALECTS = ("nd", "np")


def statement(row):
    """The code of a row by name, and whether it is run many times before a wait."""
    dialect, kind = row.split(".")
    _, code, waits = KINDS[kind]
    code = code.format(d=dialect)
    if waits:
        return f"{code}; y.wait_to_read()", False
    return f"for _ in range(burst): {code}\nmx.nd.waitall()", True


def all_rows():
    return [Row(f"{dialect}.{kind}", f"{dialect}: {title}", times=1 / CHEAPER, against=(PEER,))
            for dialect in DIALECTS for kind, (title, _, _) in KINDS.items()]
