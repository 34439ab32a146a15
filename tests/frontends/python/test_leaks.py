"""Nothing is left behind: references, blocks of the interpreter, memory of the library.

sys.getallocatedblocks counts what Python's allocator has handed out; a reference that is lost in
each round of a scenario shows as one block or more a round. On a debug build of Python the total
number of references is compared as well. An array that is lost shows in the library's own count of
bytes.
"""

import copy
import gc
import os
import pickle
import sys

import numpy as np
import processes
import pytest

import penstock as ps
from penstock import _core
from penstock.mxnet import nd

ROUNDS = 60


class Sub(ps.ndarray):
    pass


def raises(error, call):
    try:
        call()
    except error:
        return
    raise AssertionError("nothing was raised")


def failing_wait(x):
    y = ps.take(x, ps.array([99]))
    raises(IndexError, y.wait_to_read)
    raises(IndexError, (y + 1).asnumpy)


class Wide(ps.ndarray, dialect=ps.Dialect("wide", float="float64", mixed="refuse", scalar="keep")):
    """Operands are converted before an operation, and refused after some were."""


def refusals(a, i):
    raises(TypeError, lambda: a + i)
    raises(ValueError, lambda: a + a[:, :2])
    raises(ValueError, lambda: nd.broadcast_div(i, i[:, :2]))
    raises(ValueError, lambda: nd.exp(a, out=nd.zeros((2, 2))))
    raises(TypeError, lambda: nd.exp(a, out=i))
    raises(TypeError, lambda: nd.dot(a, 3))
    raises(ValueError, lambda: nd.sum(a, axis=7))


def gradients(head_grad=None):
    y = ps.ones((3, 4))
    y.attach_grad("add")
    with ps.autograd.record():
        z = y * y * x[0] + y.T.sum()
        z[0] = y[1] * 2
        first = ps.autograd.grad(z, y, create_graph=True)
    ps.autograd.backward([z, first], [head_grad, None])
    return y.grad.detach()


def refused_gradients():
    raises(RuntimeError, ps.ones(2).backward)
    raises(ValueError, lambda: gradients(ps.ones(3)))
    raises(TypeError, lambda: gradients(object()))
    raises(TypeError, lambda: ps.autograd.backward([x, 3]))
    raises(ValueError, lambda: x.attach_grad("wrong"))


class Doubled(ps.autograd.Function):
    @staticmethod
    def forward(ctx, x, fails):
        y = x * 2
        ctx.fails = fails
        ctx.save_for_backward(x, None, y)
        return y, x.sum()

    @staticmethod
    def backward(ctx, dy, by_sum):
        if ctx.fails:
            raise ArithmeticError(dy)
        return dy * 2 + ctx.saved_tensors[0], None


def functions_and_hooks(fails=False):
    y = ps.ones((3, 4))
    y.attach_grad()
    hook = y.register_hook(lambda gradient: gradient * 2)
    y.register_hook(lambda gradient: None, accumulated=True)
    with ps.autograd.record():
        z, total = Doubled.apply(y, fails)
    z.backward(retain_graph=True)
    hook.remove()
    return ps.autograd.grad(z, y)


def failing_functions():
    raises(ArithmeticError, lambda: functions_and_hooks(True))
    y = ps.ones(2)
    raises(RuntimeError, lambda: y.register_hook(raises))
    y.attach_grad()
    y.register_hook(lambda gradient: 1 / 0)
    raises(ZeroDivisionError, y.backward)


def optimiser():
    w = ps.ones(3)
    w.attach_grad()
    adam = ps.optim.Adam([w], clip_norm=1.0)
    adam.step()
    adam.load_state_dict(adam.state_dict())
    adam.step()
    raises(TypeError, lambda: _core._op_update("sgd_update", None, [w], ..., object()))
    raises(ValueError, lambda: _core._op_update("sgd_update", None, [w, x], ..., 1.0))


x = ps.reshape(ps.arange(12.0), (3, 4))
mask = x > 5
sub = x.as_subclass(Sub)
host = np.arange(12.0, dtype=np.float32).reshape(3, 4)
old, count = nd.array(host), nd.array(host + 1, dtype="int32")
wide = Wide(host + 1, "int32")

SCENARIOS = {
    "operators": lambda: (x + 1) * 2 - x / (x + 3) ** 2,
    "reflected": lambda: (2 + x, 2.5 * x, host + x, np.float32(2) * x),
    "in place": lambda: ps.zeros(3).__iadd__(1),
    "comparisons": lambda: (x == 1, x < x, x != None),  # noqa: E711
    "subclass": lambda: (sub + 1).sum(),
    "functions": lambda: ps.sum(ps.exp(x), axis=(0, 1), keepdims=True),
    "keywords": lambda: ps.clip(x, min=1, max=5),
    "views": lambda: (x[0], x[1:, ::2], x.T, x[None, ..., 0], x.reshape(4, 3)),
    "arrays as index": lambda: (x[mask], x[ps.array([0, 2])], x[[1, 1]]),
    "assignment": lambda: ps.zeros((3, 4)).__setitem__((slice(None), 1), 7),
    "iteration": lambda: [row.sum() for row in x],
    "export": lambda: (x.asnumpy(), x.tolist(), float(x[0, 0]), np.asarray(x), memoryview(x)),
    "import": lambda: (ps.array(host), ps.array([[1, 2], [3, 4]]), ps.asarray(host, copy=False)),
    "dlpack": lambda: ps.from_dlpack(np.from_dlpack(x)),
    "text": lambda: (repr(x), str(x), format(x[0, 0], ".2f")),
    "pickle": lambda: (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(sub)),
    "random": lambda: (ps.random.normal(size=3), ps.random.default_rng(1).uniform(size=2)),
    "nn": lambda: ps.nn.softmax(ps.nn.relu(x)),
    "optimiser": lambda: optimiser(),
    "schedule": lambda: ps.optim.schedules.MultiFactor(0.1, [1, 2], 0.5)(3),
    "gradients": lambda: (gradients(), gradients(host)),
    "gradients that are refused": lambda: refused_gradients(),
    "values and gradients": lambda: ps.autograd.value_and_grad(lambda x: (x @ x.T).sum())(x),
    "functions and hooks": lambda: functions_and_hooks(),
    "functions and hooks that fail": lambda: failing_functions(),
    "bad argument": lambda: raises(TypeError, lambda: ps.sum(x, axes=1)),
    "bad shape": lambda: raises(ValueError, lambda: x + ps.ones(5)),
    "bad index": lambda: raises(IndexError, lambda: x[7]),
    "bad list": lambda: raises(ValueError, lambda: ps.array([[1], [1, 2]])),
    "failed operation": lambda: failing_wait(x),
    "synchronous": lambda: synchronous(),
    "dialect": lambda: (old + 1, -old, nd.exp(old), nd.dot(old, old.T), count / count, nd.sum(old)),
    "dialect's refusals": lambda: refusals(old, count),
    "dialect's conversions": lambda: (-(wide > 1), wide / wide, ps.exp(wide)),
    "conversions refused": lambda: raises(ValueError, lambda: wide / wide[:2]),
}


def synchronous():
    with ps.engine.sync():
        return x + 1


def counts():
    ps.waitall()
    gc.collect()
    total = getattr(sys, "gettotalrefcount", lambda: 0)()
    return sys.getallocatedblocks(), total, ps.memory.stats().live


@pytest.mark.parametrize("name", SCENARIOS)
def test_nothing_is_left_by(name):
    scenario = SCENARIOS[name]
    for _ in range(300):
        scenario()
    least = None
    for _ in range(5):  # of several: caches of the interpreter fill at their own pace
        before = counts()
        for _ in range(ROUNDS):
            scenario()
        after = counts()
        growth = max(b - a for a, b in zip(before, after))
        least = growth if least is None else min(least, growth)
    assert least < ROUNDS, f"{least} blocks, references or bytes more after {ROUNDS} rounds"


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_memory_is_flat_over_a_million_operations():
    y = ps.ones(2)

    def run(count):
        z = y
        for _ in range(count):
            z = z * 0.5 + y
        z.wait_to_read()

    run(50_000)
    before, live = resident_bytes(), ps.memory.stats().live
    run(500_000)
    ps.waitall()
    assert ps.memory.stats().live <= live + 4096
    if "asan" not in os.environ.get("LD_PRELOAD", ""):  # it keeps what is freed, on purpose
        assert resident_bytes() - before < 8 << 20


MADE_CODE = """
import sys

y = ps.ones(2)

def run(count):
    for i in range(count):
        exec(compile(f"z = y + {i}", f"<made {i}>", "exec"), {"y": y})
    ps.waitall()

run(3000)
before = sys.getallocatedblocks()
run(6000)
print(sys.getallocatedblocks() - before)
"""


def test_code_that_is_made_and_dropped_is_not_kept():
    assert int(processes.run_quietly(MADE_CODE)) < 6000
