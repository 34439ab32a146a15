"""The cases: a layer or a function as source text, and what it is called with.

A case is {"make": text, "inputs": [[kind, shape], ...], "mode": "train" or "eval"}. The text makes
a module or a function of `torch`, `nn`, `F`; kinds of inputs are those of runner.py.
"""

import itertools

REDUCTIONS = ("mean", "sum", "none")


def case(make, *inputs, mode="train", calls=1):
    return {
        "make": make,
        "inputs": [[kind, list(shape)] for kind, shape in inputs],
        "mode": mode,
        "calls": calls,
    }


def every(**choices):
    """All combinations of arguments, each as a dictionary."""
    names = list(choices)
    for values in itertools.product(*choices.values()):
        yield dict(zip(names, values))


def call(name, *args, **kwargs):
    """The source text of a call."""
    parts = [repr(one) for one in args] + [f"{key}={value!r}" for key, value in kwargs.items()]
    return f"{name}({', '.join(parts)})"


# ---- Products ------------------------------------------------------------------------------------


def linear():
    for bias in (True, False):
        for shape in ((3,), (2, 3), (2, 4, 3), (0, 3), (2, 1, 2, 3), (1, 3)):
            yield case(call("nn.Linear", 3, 4, bias=bias), ("f", shape))
        yield case(call("nn.LazyLinear", 4, bias=bias), ("f", (2, 5)))
        yield case(call("nn.Bilinear", 2, 3, 4, bias=bias), ("f", (5, 2)), ("f", (5, 3)))
        yield case(call("nn.Bilinear", 2, 3, 4, bias=bias), ("f", (2, 2)), ("f", (2, 3)))
        yield case(f"nn.Linear(3, 4, bias={bias}, dtype=torch.float64)", ("d", (2, 3)))
    for shape in ((2, 4), (4,), ()):
        yield case("nn.Linear(3, 4)", ("f", shape))
    yield case("nn.Linear(3, 4)", ("d", (2, 3)))
    yield case("nn.Linear(3, 4)", ("i5", (2, 3)))
    yield case("nn.Identity(5)", ("f", (2, 3)))
    for start, end, shape in (
        *((1, -1, (2, 3, 4)), (0, 1, (2, 3, 4)), (0, -1, (2, 3)), (1, 2, (2, 3, 4, 5))),
        *((2, -1, (2, 3)), (1, -1, (3,)), (-2, -1, (2, 3, 4))),
    ):
        yield case(call("nn.Flatten", start, end), ("f", shape))
    for dim, sizes in ((1, (2, 3)), (1, (-1, 2)), (-1, (3, 2)), (1, (2, 2)), (0, (1, 2))):
        yield case(call("nn.Unflatten", dim, sizes), ("f", (2, 6)))
    yield case("lambda x, w, b: F.linear(x, w, b)", ("f", (2, 3)), ("f", (4, 3)), ("f", (4,)))
    yield case("lambda x, w, b: F.linear(x, w, b)", ("f", (2, 3)), ("f", (4, 3)), ("f", (3,)))
    yield case("lambda x, w: F.linear(input=x, weight=w)", ("f", (2, 3)), ("f", (4, 3)))


def embedding():
    for padding in (None, 0, 2, -1):
        for shape in ((3,), (2, 4), (), (0,), (2, 1, 3)):
            yield case(call("nn.Embedding", 5, 3, padding_idx=padding), ("i5", shape))
        yield case(call("nn.Embedding", 5, 3, padding_idx=padding), ("j5", (4,)))
        yield case(
            f"lambda i, w: F.embedding(i, w, padding_idx={padding})", ("i5", (6,)), ("f", (5, 3))
        )
    yield case("nn.Embedding(3, 2)", ("i5", (6,)))
    yield case("nn.Embedding(3, 2)", ("f", (2,)))
    yield case("lambda i: nn.Embedding(3, 2)(i - 5)", ("i5", (3,)))
    for shape, classes in itertools.product(((3,), (2, 2), (), (0,)), (5, 7, 3, -1, 0)):
        yield case(f"lambda i: F.one_hot(i, {classes})", ("i5", shape))
    yield case("F.one_hot", ("i5", (4,)))
    yield case("F.one_hot", ("f", (4,)))
    yield case("lambda i: F.one_hot(i - 3, 9)", ("i2", (4,)))


# ---- Images --------------------------------------------------------------------------------------


def convolution():
    for one in every(
        kernel_size=(1, 2, 3, (3, 2)),
        stride=(1, 2, (1, 3)),
        padding=(0, 1, (2, 1)),
        dilation=(1, 2),
    ):
        yield case(call("nn.Conv2d", 2, 3, **one), ("f", (2, 2, 6, 7)))
    for one in every(
        groups=(1, 2, 4),
        bias=(True, False),
        padding=("same", "valid", 1),
        kernel_size=(1, 2, 3, (2, 5)),
    ):
        yield case(call("nn.Conv2d", 4, 8, **one), ("f", (1, 4, 5, 6)))
    for mode in ("zeros", "reflect", "replicate", "circular"):
        for padding in (1, (2, 0), "same"):
            yield case(
                call("nn.Conv2d", 2, 3, 3, padding=padding, padding_mode=mode), ("f", (2, 2, 5, 5))
            )
    for shape in (
        (2, 5, 5), (1, 2, 5, 5), (0, 2, 5, 5), (2, 5), (1, 3, 5, 5), (1, 2, 2, 5), (1, 1, 2, 5, 5),
    ):
        yield case("nn.Conv2d(2, 3, 3)", ("f", shape))
        yield case("nn.LazyConv2d(3, kernel_size=3)", ("f", shape))
    yield case("nn.Conv2d(2, 3, 3)", ("d", (1, 2, 5, 5)))
    yield case("nn.Conv2d(2, 3, 3, dtype=torch.float64)", ("d", (1, 2, 5, 5)))
    yield case("nn.Conv2d(2, 3, 3, padding='same', stride=2)", ("f", (1, 2, 5, 5)))
    yield case("nn.Conv2d(3, 3, 3, groups=2)", ("f", (1, 3, 5, 5)))
    for one in every(
        kernel_size=(1, 3), stride=(1, 2), padding=(0, 1, 2), dilation=(1, 2), groups=(1, 2)
    ):
        yield case(call("nn.Conv1d", 4, 6, **one), ("f", (2, 4, 9)))
    for shape in ((4, 9), (0, 4, 9), (4,), (1, 3, 9), (1, 4, 2)):
        yield case("nn.Conv1d(4, 6, 3)", ("f", shape))
        yield case("nn.LazyConv1d(6, 3)", ("f", shape))
    for padding in ("same", "valid"):
        yield case(call("nn.Conv1d", 2, 3, 4, padding=padding), ("f", (2, 2, 7)))
    yield case(
        "lambda x, w, b: F.conv2d(input=x, weight=w, bias=b)",
        ("f", (1, 2, 4, 4)),
        ("f", (3, 2, 2, 2)),
        ("f", (3,)),
    )
    yield case(
        "lambda x, w: F.conv1d(x, w, stride=(2,), padding='same')",
        ("f", (1, 2, 4)),
        ("f", (3, 2, 2)),
    )
    yield case("lambda x, w: F.conv2d(x, w, padding=-1)", ("f", (1, 2, 4, 4)), ("f", (3, 2, 2, 2)))
    yield case("lambda x, w: F.conv2d(x, w, stride=0)", ("f", (1, 2, 4, 4)), ("f", (3, 2, 2, 2)))


def transposed_convolution():
    for one in every(
        kernel_size=(2, 3),
        stride=(1, 2, (3, 2)),
        padding=(0, 1),
        output_padding=(0, 1),
        dilation=(1, 2),
    ):
        yield case(call("nn.ConvTranspose2d", 2, 3, **one), ("f", (2, 2, 4, 3)))
    for groups, bias in itertools.product((1, 2), (True, False)):
        yield case(
            call("nn.ConvTranspose2d", 4, 6, 3, groups=groups, bias=bias, stride=2),
            ("f", (1, 4, 3, 3)),
        )
        yield case(
            call("nn.LazyConvTranspose2d", 6, 3, groups=groups, bias=bias, stride=2),
            ("f", (1, 4, 3, 3)),
        )
        yield case(
            call("nn.ConvTranspose1d", 4, 6, 3, 2, 0, 1, groups=groups, bias=bias),
            ("f", (2, 4, 5)),
        )
    yield case("nn.ConvTranspose2d(2, 3, 3)", ("f", (2, 3, 3)))
    yield case("nn.ConvTranspose2d(2, 3, 3)", ("f", (1, 3, 3, 3)))
    yield case("nn.ConvTranspose1d(2, 3, 3, padding=1)", ("f", (2, 6)))
    yield case(
        "lambda x: nn.ConvTranspose2d(2, 3, 3, stride=2)(x, output_size=(20, 20))",
        ("f", (1, 2, 4, 4)),
    )


def pooling():
    for one in every(
        kernel_size=(2, 3, (3, 2)),
        stride=(None, 1, (2, 3)),
        padding=(0, 1),
        ceil_mode=(False, True),
    ):
        yield case(call("nn.MaxPool2d", **one), ("f", (2, 2, 7, 8)))
        for counts in (True, False):
            yield case(call("nn.AvgPool2d", **one, count_include_pad=counts), ("f", (2, 2, 7, 8)))
    for one in every(
        kernel_size=(2, 3), stride=(None, 1, 2), padding=(0, 1), ceil_mode=(False, True)
    ):
        yield case(call("nn.MaxPool1d", **one), ("f", (2, 2, 7)))
        yield case(call("nn.AvgPool1d", **one), ("f", (2, 2, 7)))
        yield case(call("nn.AvgPool1d", **one, count_include_pad=False), ("f", (2, 7)))
    for shape in ((2, 6, 6), (6, 6), (2, 2, 3, 6), (1, 2, 2, 6, 6), (0, 2, 6, 6)):
        yield case("nn.MaxPool2d(4)", ("f", shape))
        if len(shape) > 2:
            yield case("nn.AvgPool2d(4)", ("f", shape))
        yield case("nn.AdaptiveAvgPool2d(2)", ("f", shape))
        yield case("nn.AdaptiveMaxPool2d(2)", ("f", shape))
    for size in (1, 2, 3, 5, (1, 3), (None, 2), (4, None), (7, 8), None):
        yield case(call("nn.AdaptiveAvgPool2d", size), ("f", (2, 2, 7, 8)))
        yield case(call("nn.AdaptiveMaxPool2d", size), ("f", (2, 2, 7, 8)))
    for size, shape in itertools.product((1, 2, 3, 7, 9), ((2, 2, 7), (2, 7))):
        yield case(call("nn.AdaptiveAvgPool1d", size), ("f", shape))
        yield case(call("nn.AdaptiveMaxPool1d", size), ("f", shape))
    for padding in (2, -1):
        yield case(call("nn.MaxPool2d", 3, padding=padding), ("f", (1, 1, 5, 5)))
        yield case(call("nn.AvgPool2d", 3, padding=padding), ("f", (1, 1, 5, 5)))
    yield case("nn.AvgPool2d(2, divisor_override=3)", ("f", (1, 2, 5, 5)))
    yield case("lambda x: F.avg_pool2d(input=x, kernel_size=2, stride=1)", ("f", (1, 2, 4, 4)))
    yield case("lambda x: F.max_pool2d(x, 2)", ("f", (1, 2, 4, 4)))
    yield case("lambda x: F.max_pool2d(x, 6)", ("f", (1, 2, 4, 4)))
    yield case("lambda x: F.max_pool2d(torch.zeros_like(x) * x, 2)", ("f", (1, 1, 4, 4)))


def other_images():
    for one in every(scale_factor=(1, 2, 3, 1.5, 0.5), mode=("nearest", "bilinear")):
        yield case(
            f"lambda x: {call('F.interpolate', **one)}".replace("interpolate(", "interpolate(x, "),
            ("f", (1, 2, 4, 6)),
        )
    for size in ((8, 9), (3, 2), 5):
        for corners in (True, False):
            yield case(
                f"nn.Upsample(size={size}, mode='bilinear', align_corners={corners})",
                ("f", (1, 2, 4, 6)),
            )
        yield case(f"nn.Upsample(size={size})", ("f", (1, 2, 4, 6)))
    yield case("nn.Upsample(scale_factor=2, mode='linear')", ("f", (1, 2, 5)))
    for one in every(kernel_size=(1, 2, (2, 3)), dilation=(1, 2), padding=(0, 1), stride=(1, 2)):
        yield case(call("nn.Unfold", **one), ("f", (2, 2, 5, 6)))
    yield case("nn.PixelShuffle(2)", ("f", (2, 8, 3, 2)))
    yield case("nn.PixelShuffle(2)", ("f", (2, 7, 3, 2)))
    yield case("nn.PixelUnshuffle(2)", ("f", (2, 2, 4, 6)))
    yield case("nn.ChannelShuffle(2)", ("f", (2, 4, 3, 3)))
    for mode, pads in itertools.product(
        ("constant", "reflect", "replicate", "circular"),
        ((1, 2), (1, 2, 3, 0), (0, 0, 1, 1), (-1, 2)),
    ):
        yield case(
            f"lambda x: F.pad(x, {pads}, mode={mode!r})",
            ("f", (1, 2, 4, 5) if len(pads) == 4 else (2, 4, 5)),
        )
    yield case("lambda x: F.pad(x, (1, 1), value=2.5)", ("f", (3,)))
    yield case("lambda x: F.pad(x, (1, 1, 1))", ("f", (3,)))
    yield case("lambda x: F.pad(x, (4, 1), mode='reflect')", ("f", (1, 3)))
    for name in ("ZeroPad2d", "ReflectionPad2d", "ReplicationPad2d", "CircularPad2d"):
        yield case(call(f"nn.{name}", (1, 2, 0, 1)), ("f", (1, 2, 4, 4)))
    yield case("nn.ConstantPad1d(2, 1.5)", ("f", (2, 3)))


# ---- Normalisation -------------------------------------------------------------------------------


def normalisation():
    for mode, calls in (("train", 1), ("train", 3), ("eval", 1)):
        for one in every(
            affine=(True, False), track_running_stats=(True, False), momentum=(0.1, 0.7, None)
        ):
            yield case(call("nn.BatchNorm1d", 3, **one), ("f", (4, 3)), mode=mode, calls=calls)
            yield case(call("nn.BatchNorm1d", 3, **one), ("f", (2, 3, 4)), mode=mode, calls=calls)
            yield case(
                call("nn.BatchNorm2d", 3, **one), ("f", (2, 3, 2, 3)), mode=mode, calls=calls
            )
        for one in every(affine=(True, False), track_running_stats=(True, False)):
            yield case(
                call("nn.InstanceNorm1d", 3, **one), ("f", (2, 3, 4)), mode=mode, calls=calls
            )
            yield case(
                call("nn.InstanceNorm2d", 3, **one), ("f", (2, 3, 2, 3)), mode=mode, calls=calls
            )
            yield case(
                call("nn.InstanceNorm2d", 3, **one), ("f", (3, 2, 3)), mode=mode, calls=calls
            )
        yield case("nn.LazyBatchNorm1d()", ("f", (4, 3)), mode=mode, calls=calls)
        yield case("nn.LazyBatchNorm2d(eps=0.01)", ("f", (4, 3, 2, 2)), mode=mode, calls=calls)
        yield case("nn.BatchNorm2d(3, bias=False)", ("f", (4, 3, 2, 2)), mode=mode, calls=calls)
        for kind, shape in (
            ("f", (1, 3)), ("f", (1, 3, 1)), ("f", (3,)), ("f", (2, 4)), ("d", (2, 3)),
            ("i5", (2, 3)), ("f", (0, 3)),
        ):
            yield case("nn.BatchNorm1d(3)", (kind, shape), mode=mode)
        yield case("nn.BatchNorm2d(3)", ("f", (2, 3)), mode=mode)
    for shape, one in itertools.product(
        ((2, 4), (2, 3, 4), (4,)),
        every(elementwise_affine=(True, False), bias=(True, False), eps=(1e-5, 0.1)),
    ):
        yield case(call("nn.LayerNorm", 4, **one), ("f", shape))
    for lengths in ((3, 4), [2, 3, 4], 4, (4, 3)):
        yield case(call("nn.LayerNorm", lengths), ("f", (2, 3, 4)))
        yield case(call("nn.RMSNorm", lengths), ("f", (2, 3, 4)))
        yield case(call("nn.RMSNorm", lengths, eps=0.1, elementwise_affine=False), ("f", (2, 3, 4)))
    yield case("nn.LayerNorm(4)", ("d", (2, 4)))
    yield case("nn.LayerNorm(4)", ("i5", (2, 4)))
    for groups, affine, shape in itertools.product(
        (1, 2, 4), (True, False), ((2, 8), (2, 8, 3), (2, 8, 2, 3))
    ):
        if groups < 4 or len(shape) > 2:  # of two numbers nothing but rounding flows back
            yield case(call("nn.GroupNorm", groups, 8, affine=affine), ("f", shape))
    yield case("nn.GroupNorm(2, 4)", ("f", (2, 6, 2)))
    yield case("nn.GroupNorm(3, 4)", ("f", (2, 4, 2)))
    for size in (1, 2, 3, 5):
        yield case(call("nn.LocalResponseNorm", size, alpha=0.5), ("f", (2, 6, 3)))
        yield case(call("nn.LocalResponseNorm", size), ("f", (2, 6, 3, 2)))
    for p, dim in itertools.product((2.0, 1.0, 3.0), (0, 1, -1)):
        yield case(f"lambda x: F.normalize(x, p={p}, dim={dim})", ("f", (3, 4)))
    yield case("lambda x: F.normalize(x * 0)", ("f", (3, 4)))


# ---- Elements ------------------------------------------------------------------------------------

ACTIVATIONS = (
    "ReLU() ReLU6() LeakyReLU() LeakyReLU(0.3) ELU() ELU(0.5) SELU() CELU() CELU(0.5) GELU() "
    "GELU('tanh') SiLU() Mish() Sigmoid() Tanh() Softplus() Softplus(2.0) Softplus(1.0,1.0) "
    "Softsign() Hardsigmoid() Hardswish() Hardtanh() Hardtanh(-0.5,2.0) Hardshrink() Softshrink() "
    "Softshrink(0.2) Tanhshrink() "
    "LogSigmoid() Threshold(0.1,2.0) PReLU() RReLU()"
).split()

IN_PLACE = "ReLU ReLU6 LeakyReLU ELU SELU CELU SiLU Mish Hardsigmoid Hardswish Hardtanh".split()
FUNCTIONS = (
    "relu relu6 leaky_relu elu selu celu silu mish gelu softplus softsign sigmoid tanh hardsigmoid "
    "hardswish hardtanh hardshrink softshrink tanhshrink logsigmoid"
).split()


def activations():
    for name, shape in itertools.product(ACTIVATIONS, ((7,), (2, 3), ())):
        for kind in ("f", "n", "d", "e"):
            if kind == "d" and name == "PReLU()":
                continue
            yield case(f"nn.{name}", (kind, shape), mode="eval")
        yield case(f"nn.{name}", ("i5", shape), mode="eval")
    yield case("nn.PReLU(3)", ("n", (2, 3)))
    yield case("nn.PReLU(3)", ("n", (2, 3, 4)))
    yield case("nn.PReLU(3)", ("n", (2, 4)))
    for name in IN_PLACE:
        yield case(f"lambda x: nn.{name}(inplace=True)(x * 2)", ("n", (2, 5)))
        yield case(f"lambda x: nn.{name}(inplace=True)(x)", ("n", (2, 5)))
    for name in FUNCTIONS:
        yield case(f"F.{name}", ("n", (3, 4)))
    for name, kind in itertools.product(
        ("softmax", "log_softmax", "softmin"), ("f", "n", "i5", "d")
    ):
        for dim, shape in (
            (0, (4,)), (1, (2, 3)), (-1, (2, 3, 4)), (1, (2, 3, 4)), (0, ()), (2, (2, 3)),
            (None, (2, 3)), (None, (2, 3, 4)),
        ):
            yield case(f"lambda x: F.{name}(x, dim={dim})", (kind, shape))
    yield case("lambda x: F.softmax(x, 0, dtype=torch.float64)", ("i5", (4,)))
    for dim in (-1, 0, 1):
        yield case(f"nn.GLU({dim})", ("f", (2, 4)))
    yield case("nn.GLU()", ("f", (2, 3)))
    yield case("nn.Softmax2d()", ("f", (2, 3, 2, 2)))
    yield case("nn.Softmax(dim=1)", ("f", (2, 3)))
    yield case("nn.LogSoftmax(dim=1)", ("f", (2, 3)))
    for p in (0.0, 0.5):
        yield case(f"nn.Dropout({p})", ("f", (2, 3)), mode="eval")
    yield case("nn.Dropout(0.0)", ("f", (2, 3)))
    yield case("nn.Dropout(1.0)", ("f", (2, 3)))
    yield case("nn.Dropout2d(1.0)", ("f", (2, 3, 2, 2)))
    yield case("nn.Dropout(2.0)", ("f", (2, 3)))


# ---- Losses --------------------------------------------------------------------------------------


def losses():
    pairs = "MSELoss L1Loss SmoothL1Loss HuberLoss SoftMarginLoss PoissonNLLLoss KLDivLoss".split()
    for name, reduction, shape in itertools.product(
        pairs, REDUCTIONS, ((4,), (2, 3), (), (2, 3, 2))
    ):
        yield case(call(f"nn.{name}", reduction=reduction), ("f", shape), ("p", shape))
        yield case(call(f"nn.{name}", reduction=reduction), ("f", shape), ("P", shape))
    for name in ("MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss"):
        yield case(f"nn.{name}()", ("f", (3,)), ("f", (3, 1)))
        yield case(f"nn.{name}()", ("f", (3,)), ("f", (2,)))
        if name != "HuberLoss":  # whose gradient the real one refuses for two types
            yield case(f"nn.{name}()", ("f", (3,)), ("d", (3,)))
            yield case(f"nn.{name}()", ("f", (3,)), ("i5", (3,)))
        yield case(f"nn.{name}()", ("i5", (3,)), ("i5", (3,)))
        yield case(f"nn.{name}(reduction='other')", ("f", (3,)), ("f", (3,)))
    for beta, reduction in itertools.product((0.0, 0.3, 1.0, 2.0), REDUCTIONS):
        yield case(
            call("nn.SmoothL1Loss", beta=beta, reduction=reduction), ("n", (2, 5)), ("f", (2, 5))
        )
        yield case(
            call("nn.HuberLoss", delta=beta, reduction=reduction), ("n", (2, 5)), ("f", (2, 5))
        )
    yield case("nn.SmoothL1Loss(beta=-1.0)", ("f", (3,)), ("f", (3,)))
    for one in every(reduction=(*REDUCTIONS, "batchmean"), log_target=(True, False)):
        yield case(call("nn.KLDivLoss", **one), ("f", (2, 3)), ("p", (2, 3)))
    for reduction in REDUCTIONS:
        yield from two_classes(reduction)
        yield from margins(reduction)
        for log_input, full in itertools.product((True, False), (True, False)):
            yield case(
                call("nn.PoissonNLLLoss", log_input=log_input, full=full, reduction=reduction),
                ("p", (2, 3)),
                ("c5", (2, 3)),
            )
        yield case(
            call("nn.GaussianNLLLoss", reduction=reduction),
            ("f", (2, 3)),
            ("f", (2, 3)),
            ("p", (2, 3)),
        )
        yield case(
            call("nn.GaussianNLLLoss", reduction=reduction, full=True),
            ("f", (2, 3)),
            ("f", (2, 3)),
            ("p", (2, 1)),
        )


def two_classes(reduction):
    for shape in ((4,), (2, 3), ()):
        yield case(call("nn.BCELoss", reduction=reduction), ("p", shape), ("P", shape))
        yield case(call("nn.BCEWithLogitsLoss", reduction=reduction), ("n", shape), ("P", shape))
        yield case(call("nn.BCEWithLogitsLoss", reduction=reduction), ("n", shape), ("p", shape))
    weights = "torch.tensor([0.5, 2.0, 1.0])"
    yield case(
        f"nn.BCELoss(weight={weights}, reduction={reduction!r})", ("p", (2, 3)), ("P", (2, 3))
    )
    yield case(
        f"nn.BCEWithLogitsLoss(weight={weights}, reduction={reduction!r})",
        ("n", (2, 3)),
        ("P", (2, 3)),
    )
    yield case(
        f"nn.BCEWithLogitsLoss(pos_weight={weights}, reduction={reduction!r})",
        ("n", (2, 3)),
        ("P", (2, 3)),
    )
    yield case(
        f"nn.MultiLabelSoftMarginLoss(weight={weights}, reduction={reduction!r})",
        ("n", (2, 3)),
        ("P", (2, 3)),
    )
    yield case(
        call("nn.MultiLabelSoftMarginLoss", reduction=reduction), ("n", (2, 3)), ("P", (2, 3))
    )
    for name in ("BCELoss", "BCEWithLogitsLoss"):
        yield case(call(f"nn.{name}", reduction=reduction), ("p", (3,)), ("P", (4,)))
        yield case(call(f"nn.{name}", reduction=reduction), ("p", (3,)), ("i2", (3,)))
    yield case(call("nn.BCELoss", reduction=reduction), ("n", (3,)), ("P", (3,)))
    yield case(
        "lambda x: F.binary_cross_entropy(torch.stack([x * 0, x * 0 + 1]), torch.tensor([0., 1.]), "
        f"reduction={reduction!r})",
        ("f", ()),
    )


def margins(reduction):
    r = {"reduction": reduction}
    for margin in (0.0, 0.5, 1.0):
        yield case(call("nn.HingeEmbeddingLoss", margin=margin, **r), ("f", (2, 3)), ("s", (2, 3)))
        yield case(
            call("nn.MarginRankingLoss", margin=margin, **r), ("f", (4,)), ("f", (4,)), ("s", (4,))
        )
        yield case(
            call("nn.CosineEmbeddingLoss", margin=margin, **r),
            ("f", (4, 3)),
            ("f", (4, 3)),
            ("s", (4,)),
        )
    for swap, p in itertools.product((True, False), (2.0, 1.0)):
        yield case(
            call("nn.TripletMarginLoss", swap=swap, p=p, **r),
            ("f", (4, 3)),
            ("f", (4, 3)),
            ("f", (4, 3)),
        )
    yield case(
        call("nn.TripletMarginWithDistanceLoss", **r), ("f", (4, 3)), ("f", (4, 3)), ("f", (4, 3))
    )
    for p in (1, 2):
        yield case(call("nn.MultiMarginLoss", p=p, margin=0.7, **r), ("f", (4, 3)), ("i3", (4,)))
    yield case(
        f"nn.MultiMarginLoss(weight=torch.tensor([1., 2., 3.]), reduction={reduction!r})",
        ("f", (4, 3)),
        ("i3", (4,)),
    )


def classes():
    weights = "torch.tensor([0.5, 2.0, 1.0])"
    for reduction, weight, smoothing in itertools.product(
        REDUCTIONS, ("None", weights), (0.0, 0.1, 1.0)
    ):
        make = f"nn.CrossEntropyLoss(weight={weight}, reduction={reduction!r}, "
        make += f"label_smoothing={smoothing})"
        yield case(make, ("f", (4, 3)), ("i3", (4,)))
        yield case(make, ("f", (4, 3)), ("soft", (4, 3)))
        yield case(make, ("f", (2, 3, 4)), ("i3", (2, 4)))
        yield case(make, ("f", (2, 3, 2, 2)), ("i3", (2, 2, 2)))
        yield case(make, ("f", (2, 3, 4)), ("p", (2, 3, 4)))
        yield case(make, ("f", (3,)), ("i3", ()))
        yield case(make, ("f", (3,)), ("soft", (3,)))
        yield case(make.replace("weight", "ignore_index=1, weight", 1), ("f", (6, 3)), ("i3", (6,)))
        yield case(make, ("f", (4, 3)), ("k3", (4,)))
    for reduction, weight in itertools.product(REDUCTIONS, ("None", weights)):
        make = f"nn.NLLLoss(weight={weight}, reduction={reduction!r})"
        yield case(make, ("f", (4, 3)), ("i3", (4,)))
        yield case(make, ("f", (2, 3, 4)), ("i3", (2, 4)))
        yield case(make, ("f", (3,)), ("i3", ()))
        yield case(make.replace("weight", "ignore_index=1, weight", 1), ("f", (6, 3)), ("i3", (6,)))
        yield case(make, ("f", (4, 3)), ("k3", (4,)))
    for name in ("CrossEntropyLoss", "NLLLoss"):
        for kind, shape in (
            ("i3", (5,)), ("j3", (4,)), ("f", (4,)), ("u3", (4,)), ("i9", (4,)), ("i3", (4, 1)),
            ("i3", ()),
        ):
            yield case(f"nn.{name}()", ("f", (4, 3)), (kind, shape))
        yield case(f"nn.{name}()", ("f", (2, 3, 4)), ("i3", (2, 5)))
        yield case(f"nn.{name}()", ("f", (2, 3, 4)), ("i3", (2,)))
        yield case(f"nn.{name}()", ("d", (4, 3)), ("i3", (4,)))
        yield case(f"nn.{name}()", ("i5", (4, 3)), ("i3", (4,)))
        yield case(f"nn.{name}()", ("f", (0, 3)), ("i3", (0,)))
        yield case(
            f"lambda x, i: F.{'nll_loss' if name[0] == 'N' else 'cross_entropy'}(x, i - 100)",
            ("f", (4, 3)),
            ("i1", (4,)),
        )
    for name, reduction, shape in itertools.product(
        ("CrossEntropyLoss", "NLLLoss"), REDUCTIONS, ((2,), (1, 1))
    ):
        yield case(f"nn.{name}(reduction={reduction!r})", ("f", (3,)), ("i3", shape))
    for shape in ((3, 4), (3, 5), (2, 1), (3, 1)):
        yield case("nn.CrossEntropyLoss()", ("f", (2, 3, 4)), ("i3", shape))
        yield case("nn.CrossEntropyLoss()", ("f", (2, 3)), ("i3", shape))
    yield case("nn.CrossEntropyLoss(weight=torch.ones(2))", ("f", (4, 3)), ("i3", (4,)))
    yield case("nn.CrossEntropyLoss(label_smoothing=1.5)", ("f", (4, 3)), ("i3", (4,)))
    yield case("nn.CrossEntropyLoss()", ("f", (4, 3)), ("i3", (4, 3)))
    yield case("nn.CrossEntropyLoss()", ("n", (4, 3)), ("d", (4, 3)))


def distances():
    for dim in (0, 1, -1):
        yield case(f"nn.CosineSimilarity(dim={dim})", ("f", (3, 4)), ("f", (3, 4)))
    yield case("lambda x, y: F.cosine_similarity(x * 0, y)", ("f", (3, 4)), ("f", (3, 4)))
    for p, keepdim in itertools.product((1.0, 2.0, 3.0), (True, False)):
        yield case(call("nn.PairwiseDistance", p=p, keepdim=keepdim), ("f", (3, 4)), ("f", (3, 4)))
    for causal, mask in ((False, None), (True, None), (False, "float"), (False, "bool")):
        inner = {None: "None", "float": "torch.eye(4, 5)", "bool": "torch.eye(4, 5) > 0"}[mask]
        make = "lambda q, k, v: F.scaled_dot_product_attention(q, k, v, "
        make += f"attn_mask={inner}, is_causal={causal})"
        yield case(make, ("f", (2, 4, 3)), ("f", (2, 5, 3)), ("f", (2, 5, 6)))


# ---- Recurrent -----------------------------------------------------------------------------------


def recurrent():
    layers = (("RNN", {}), ("RNN", {"nonlinearity": "relu"}), ("GRU", {}), ("LSTM", {}))
    for (name, more), one in itertools.product(
        layers,
        every(
            num_layers=(1, 2),
            bidirectional=(False, True),
            batch_first=(False, True),
            bias=(True, False),
        ),
    ):
        make = call(f"nn.{name}", 2, 3, **one, **more)
        yield case(make, ("f", (4, 2, 2)))
        yield case(make, ("f", (4, 2)))
        directions = one["num_layers"] * (2 if one["bidirectional"] else 1)
        batch = 4 if one["batch_first"] else 2
        yield case(with_state(name, make), ("f", (4, 2, 2)), *states(name, (directions, batch, 3)))
        yield case(with_state(name, make), ("f", (5, 2)), *states(name, (directions, 3)))
    for name, _ in layers:
        for kind, shape in (
            ("f", (1, 1, 1, 2)), ("f", (2,)), ("f", (1, 1, 3)), ("f", (0, 4, 2)), ("f", (3, 0, 2)),
            ("d", (3, 4, 2)),
        ):
            yield case(f"nn.{name}(2, 3)", (kind, shape))
        for shape in ((1, 4, 3), (4, 3), (1, 2, 2), (2, 2, 3)):
            yield case(with_state(name, f"nn.{name}(2, 3)"), ("f", (5, 2, 2)), *states(name, shape))
        yield case(f"nn.{name}(2, 3, dtype=torch.float64)", ("d", (3, 4, 2)))
        for bias in (True, False):
            make = call(f"nn.{name}Cell", 2, 3, bias=bias)
            yield case(make, ("f", (4, 2)))
            yield case(make, ("f", (2,)))
            yield case(with_state(name, make), ("f", (4, 2)), *states(name, (4, 3)))
            yield case(with_state(name, make), ("f", (2,)), *states(name, (3,)))
        for shape in ((1, 2, 2), (4, 3), ()):
            yield case(f"nn.{name}Cell(2, 3)", ("f", shape))
        for shape in ((3, 3), (3,), (4, 2)):
            yield case(
                with_state(name, f"nn.{name}Cell(2, 3)"), ("f", (4, 2)), *states(name, shape)
            )
    yield case("nn.RNNCell(2, 3, nonlinearity='relu')", ("f", (4, 2)))
    yield case("nn.RNN(2, 3, nonlinearity='other')", ("f", (4, 2)))
    yield case("nn.LSTM(2, 3, 2, dropout=0.5)", ("f", (4, 2, 2)), mode="eval")


def states(name, shape):
    return [("f", shape)] * (2 if name == "LSTM" else 1)


def with_state(name, make):
    """The layer as a module whose call takes its states one by one."""
    return f"Stated({make})" if name != "LSTM" else f"Paired({make})"


FAMILIES = {
    one.__name__: one
    for one in (
        *(linear, embedding, convolution, transposed_convolution, pooling, other_images),
        *(normalisation, activations, losses, classes, distances, recurrent),
    )
}


def all_cases():
    """All cases, each with its family and number."""
    for name, family in FAMILIES.items():
        for number, one in enumerate(family()):
            yield {"family": name, "number": number, **one}
