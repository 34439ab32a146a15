"""Gradients, step by step: what is recorded, how it is walked back, and what stays out of it."""

import penstock as ps
from penstock import autograd


def squares() -> None:
    """y = 2 x.x, whose gradient is 4 x."""
    x = ps.arange(4.0)
    x.attach_grad()
    with autograd.record():
        y = 2 * ps.linalg.vecdot(x, x)
    y.backward()
    print("y = 2 x.x at x =", x, "is", y)
    print("  its gradient:", x.grad, " is it 4 x?", (x.grad == 4 * x).all())


def heads() -> None:
    """A head with several elements counts as its sum, or as what factors make of it."""
    x = ps.arange(4.0)
    x.attach_grad()
    with autograd.record():
        y = x * x
    y.backward(retain_graph=True)
    print("x * x, summed up:", x.grad)
    y.backward(ps.array([1.0, 0.0, 0.0, 10.0]))
    print("  by factors 1, 0, 0, 10:", x.grad)


def constants() -> None:
    """What is detached is a constant."""
    x = ps.arange(4.0)
    x.attach_grad()
    with autograd.record():
        y = x * x
        z = y.detach() * x
    z.backward()
    print("u * x, where u is x * x detached:", x.grad)


def doubled(a: ps.ndarray) -> ps.ndarray:
    """As large as it needs to be: how often it is doubled depends on its value."""
    b = a * 2
    while ps.linalg.norm(b) < 1000:
        b = b * 2
    return b if b.sum() > 0 else 100 * b


def control_flow() -> None:
    """What was run is recorded, whatever loops and branches led there."""
    for start in (0.3, -0.3):
        a = ps.array(start)
        a.attach_grad()
        with autograd.record():
            d = doubled(a)
        d.backward()
        print(f"doubled({start}) = {d.item():.1f}, gradient {a.grad.item():.0f}")


class Rounded(autograd.Function):
    """Rounds; its gradient is that of x, since that of rounding is 0 everywhere."""

    @staticmethod
    def forward(ctx: autograd.Context, x: ps.ndarray) -> ps.ndarray:
        return ps.round(x)

    @staticmethod
    def backward(ctx: autograd.Context, gradient: ps.ndarray) -> ps.ndarray:
        return gradient


def own_gradients() -> None:
    """A function with a gradient of its own, and a hook that sees what flows to its argument."""
    x = ps.array([0.2, 0.7, 1.6])
    x.attach_grad()
    with autograd.record():
        y = Rounded.apply(x * x)
    with x.register_hook(lambda gradient: print("  flows to x:", gradient)):
        y.backward()
    print("x * x, rounded:", y)


def descent(steps: int = 100, rate: float = 0.3) -> None:
    """Steps against the gradient find the line that noisy points lie on."""
    rng = ps.random.default_rng(1)
    x = rng.normal(size=(1000, 2))
    y = x @ ps.array([2.0, -3.4]) + 4.2 + 0.01 * rng.normal(size=1000)
    loss = autograd.value_and_grad(lambda w, b: ((x @ w + b - y) ** 2).mean() / 2)
    w, b = ps.zeros(2), ps.zeros(())
    for step in range(steps + 1):
        value, (by_w, by_b) = loss(w, b)
        if step % (steps // 4) == 0:
            print(f"step {step:3}: loss {value.item():.6f}, w = {w}, b = {b}")
        w -= rate * by_w
        b -= rate * by_b


if __name__ == "__main__":
    squares()
    heads()
    constants()
    control_flow()
    own_gradients()
    descent()
