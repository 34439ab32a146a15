"""Optimisers from scratch, held against the trainer's: momentum, AdaGrad, RMSProp, Adam."""

import numpy
from mxnet import autograd, gluon, lr_scheduler, np, npx

npx.set_np()

rng = numpy.random.RandomState(13)
X = np.array(rng.normal(size=(64, 5)), dtype="float32")
y = np.array(rng.normal(size=(64, 1)), dtype="float32")
STEPS = 8
start = rng.normal(scale=0.1, size=(5, 1)).astype("float32")


def loss_of(w):
    return ((np.dot(X, w) - y) ** 2).mean()


def sgd(g, state, t):
    return 0.1 * g


def momentum(g, state, t):
    state["v"] = 0.9 * state.get("v", 0) + g
    return 0.02 * state["v"]


def adagrad(g, state, t):
    state["s"] = state.get("s", 0) + g**2
    return 0.1 * g / np.sqrt(state["s"] + 1e-6)


def rmsprop(g, state, t):
    state["s"] = 0.9 * state.get("s", 0) + 0.1 * g**2
    return 0.01 * g / np.sqrt(state["s"] + 1e-8)


def adam(g, state, t):
    state["v"] = 0.9 * state.get("v", 0) + 0.1 * g
    state["s"] = 0.999 * state.get("s", 0) + 0.001 * g**2
    v, s = state["v"] / (1 - 0.9**t), state["s"] / (1 - 0.999**t)
    return 0.05 * v / (np.sqrt(s) + 1e-8)


def by_hand(rule):
    w, state = np.array(start), {}
    w.attach_grad()
    for t in range(1, STEPS + 1):
        with autograd.record():
            loss = loss_of(w)
        loss.backward()
        w[:] = w - rule(w.grad, state, t)
    return loss_of(w).item()


def with_trainer(name, **options):
    w = gluon.Parameter("w", shape=(5, 1))
    w.initialize()
    w.set_data(np.array(start))
    trainer = gluon.Trainer([w], name, options)
    for _ in range(STEPS):
        with autograd.record():
            loss = loss_of(w.data())
        loss.backward()
        trainer.step(1)
    return loss_of(w.data()).item()


pairs = [
    (sgd, "sgd", {"learning_rate": 0.1}),
    (momentum, "sgd", {"learning_rate": 0.02, "momentum": 0.9}),
    (adagrad, "adagrad", {"learning_rate": 0.1, "eps": 1e-6}),
    (rmsprop, "rmsprop", {"learning_rate": 0.01, "gamma1": 0.9}),
    (adam, "adam", {"learning_rate": 0.05}),
]
for rule, name, options in pairs:
    found = with_trainer(name, **options)
    print(f"{rule.__name__}: by hand {by_hand(rule):.5f}, trainer {found:.5f}")

plan = lr_scheduler.CosineScheduler(20, base_lr=0.3, final_lr=0.01, warmup_steps=5)
print("rates", [f"{plan(t):.4f}" for t in range(0, 24, 4)])
print("with them", f"{with_trainer('sgd', lr_scheduler=plan):.5f}")
