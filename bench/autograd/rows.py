"""The rows of the benchmark of gradients: what they are called, and what is wanted of them."""

from common.row import Row

PEERS = ("torch", "jax", "jax_jit", "mxnet")

RECORDING_US = 0.1  # what recording an operation may cost


class MoreRow(Row):
    """A row that may take `more` microseconds more than our own row `than`."""

    def __init__(self, name, title, more, than):
        super().__init__(name, title)
        self.more, self.than = more, than

    def target(self, ours, peers):
        base = self.than.value(ours)
        return None if base is None else base + self.more


def all_rows():
    off = Row("operation_off.4", "x * z of 4 elements, recording off")
    products = Row("products.1000x1000", "three products of 1000x1000, each alone")
    return [
        off,
        Row("operation_unrecorded.4", "the same, recording on, no gradient wanted", times=1.2,
            own=off),
        MoreRow("operation_recorded.4", "the same, recorded", RECORDING_US, off),
        Row("backward.1000", "backward of 1,000 operations on 4 elements (jax_jit: and forward)",
            times=1 / 5, against=("torch",)),
        Row("chain.2000x2000", "chain of 8 and sum, forward and backward, 2000x2000", times=1.1,
            against=("jax_jit",)),
        products,
        Row("product.1000x1000", "product and sum, forward and backward, 1000x1000", times=1.02,
            own=products),
        Row("mlp.8x64", "step of a network 64-64-1 by plain operations, batch 8"),
    ]
