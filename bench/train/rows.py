"""The rows of the benchmark of training: what they are called, and what is wanted of them."""

from common.row import Row

PEERS = ("torch", "torch_compile", "jax", "jax_jit", "mxnet")
BEST = ("torch", "torch_compile", "jax", "jax_jit")
EAGER = ("torch", "jax", "mxnet")

MEMORY_COUNTS = (10, 100, 1000, 10000)
MEMORY_PEERS = 1000  # batches, at most, of peers: they wait in each, or have shown by then how they grow

SLOWER = 1 / 0.8  # what a layer may take, of the time of the best peer

# Images, channels, size, filters, their width, stride: layers of ResNet-50.
CONVOLUTIONS = ("8x3x224x64x7x2", "8x64x56x64x3x1", "8x64x56x256x1x1", "8x128x28x128x3x1",
                "8x256x14x256x3x1", "8x512x7x512x3x1", "8x2048x7x512x1x1")


class TrainingRow(Row):
    """The loop of learning: at most 1.14 times the products of a step, and the larger of 1.05 times
    those and 0.95 times JAX compiled; not slower than the loop that waits for each batch."""

    def __init__(self, name, title, products, waits):
        super().__init__(name, title)
        self.products, self.waits = products, waits

    def target(self, ours, peers):
        products, waits = self.products.value(ours), self.waits.value(ours)
        if products is None:
            return None
        jit = self.value("jax_jit")
        wanted = [1.14 * products, max(1.05 * products, 0.95 * (jit or 0))]
        return min(wanted + ([] if waits is None else [waits]))


class SmallRow(Row):
    """Where overhead is most of it: three times as fast as PyTorch, faster than JAX compiled."""

    def target(self, ours, peers):
        torch, jit = self.value("torch"), self.value("jax_jit")
        return min(([torch / 3] if torch else []) + ([jit] if jit else []), default=None)


def all_rows():
    products = Row("products.1024x512x2048x512", "the large products of a step, each alone")
    waits = Row("mlp_waits.1024x512x2048x512x1", "the same, waiting for each batch")
    rows = [
        products,
        waits,
        TrainingRow("mlp.1024x512x2048x512x1", "step of 2048-512-1, batches of 1024x512 from NumPy",
                    products, waits),
        SmallRow("small.8x64x64x1", "step of 64-1, batches of 8x64 from NumPy"),
        Row("cnn.64", "step of two convolutions and two dense layers, 64 images of 28x28", times=1,
            against=EAGER),
        Row("lstm.35x32x64x256", "LSTM, 35 steps of 32 rows, 64 to 256, forward and backward",
            times=1, against=EAGER),
        Row("layer_norm.4096x768", "layer norm, forward and backward", times=SLOWER, against=BEST),
        Row("cross_entropy.1024x10000", "softmax and cross-entropy, forward and backward",
            times=SLOWER, against=BEST),
        Row("embedding.30000x256x4096", "4096 rows of an embedding, forward and backward",
            times=SLOWER, against=BEST),
    ]
    for shape in CONVOLUTIONS:
        images, channels, size, filters, width, stride = shape.split("x")
        title = f"convolution {width}x{width}/{stride} {channels} to {filters}, {size}x{size}"
        rows.append(Row(f"conv_forward.{shape}", title, times=SLOWER, against=BEST))
        rows.append(Row(f"conv.{shape}", title + ", and backward", times=SLOWER, against=BEST))
    return rows


class MemoryRow(Row):
    """Growth of memory in the loop that never waits: at most 64 MB over that of one that waits."""

    outside = True

    def __init__(self, batches, waits):
        super().__init__(f"memory.{batches}", f"growth of memory in {batches} steps", unit="MB",
                         combine=max)
        self.batches, self.waits = batches, waits

    def target(self, ours, peers):
        return None if self.waits is None else self.waits + 64
