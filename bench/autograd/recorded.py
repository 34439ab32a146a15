"""Libraries that record operations in a block and have gradients attached to arrays: ours and MXNet,
whose words these are. A module of such a library takes all of it."""

OPERATION = {
    "off": "for _ in range(burst): y = x * z\nwaitall()",
    "unrecorded": "with record():\n    for _ in range(burst): y = x * z\nwaitall()",
    "recorded": "with record():\n    for _ in range(burst): y = x * z\nwaitall()",
}


class Recorded:
    """Functions of cases.py, by the library's autograd module and functions to wait."""

    def __init__(self, autograd, array, waitall):
        self.autograd, self.array = autograd, array
        self.names = {"record": autograd.record, "waitall": waitall}

    def leaf(self, values):
        made = self.array(values)
        made.attach_grad()
        return made

    def gradients(self, function):
        def run(*leaves):
            with self.autograd.record():
                y = function(*leaves)
            y.backward()
            for x in leaves:
                x.grad.wait_to_read()
            return [x.grad for x in leaves]
        return run

    def pullback(self, function, x):
        with self.autograd.record():
            y = function(x)
        y.wait_to_read()

        def back():
            y.backward()
            x.grad.wait_to_read()
            return x.grad
        return back

    def learner(self, loss, rate):
        def step(weights, *data):
            with self.autograd.record():
                value = loss(weights, *data)
            value.backward()
            for w in weights:
                w -= rate * w.grad
            return weights
        return step


def wait(x):
    x.wait_to_read()


def values(x):
    return x.asnumpy()


def product_parts(x, w, g):
    parts = []
    for left, right in ((x, w), (g, w.T), (x.T, g)):
        parts.append(left @ right)
        parts[-1].wait_to_read()
    return parts
