"""Losses: reductions, weights, labels of several kinds, their gradients."""

SHARE = 50

REDUCTIONS = ["", "", ", reduction='sum'", ", reduction='none'", ", reduction='mean'"]


def _regression(m):
    shape = m.pick((3,), (2, 3), (4, 1))
    x = m.let(m.literal(shape, flows=True))
    y = m.let(m.literal(shape if m.chance(0.9) else (2, 2)))
    name = m.pick("mse_loss", "l1_loss", "smooth_l1_loss", "square_error_cost")
    options = "" if name == "square_error_cost" else m.pick(REDUCTIONS)
    if name == "smooth_l1_loss":
        options += m.pick("", ", delta=0.5")
    return x, f"F.{name}({x}, {y}{options})"


def _classes(m):
    rows, classes = m.integer(1, 4), m.integer(2, 4)
    x = m.let(m.literal((rows, classes), flows=True))
    labels = [m.integer(0, classes - 1) for _ in range(rows)]
    text = m.pick(f"{labels}", f"{[[one] for one in labels]}", f"{labels}, dtype='int32'")
    options = m.pick(REDUCTIONS)
    options += m.pick("", "", f", ignore_index={labels[0]}", f", weight=paddle.to_tensor({[0.5 + n for n in range(classes)]})")
    options += m.pick("", "", ", label_smoothing=0.1") if "weight" not in options and "ignore" not in options else ""
    return x, f"F.cross_entropy({x}, paddle.to_tensor({text}){options})"


def _soft(m):
    rows, classes = m.integer(1, 3), m.integer(2, 4)
    x = m.let(m.literal((rows, classes), flows=True))
    y = m.let(f"F.softmax({m.literal((rows, classes))})")
    return x, m.pick(
        f"F.cross_entropy({x}, {y}, soft_label=True{m.pick(REDUCTIONS)})",
        f"F.softmax_with_cross_entropy({x}, {y}, soft_label=True)",
        f"F.kl_div(F.log_softmax({x}), {y}{m.pick('', ', reduction=' + repr('batchmean'), ', reduction=' + repr('sum'), ', reduction=' + repr('none'))})",
    )


def _binary(m):
    shape = m.pick((3,), (2, 2))
    x = m.let(m.literal(shape, flows=True))
    y = m.let(f"({m.literal(shape)} > 0).astype('float32')")
    return x, m.pick(
        f"F.binary_cross_entropy_with_logits({x}, {y}{m.pick(REDUCTIONS)})",
        f"F.binary_cross_entropy(F.sigmoid({x}), {y}{m.pick(REDUCTIONS)})",
        f"nn.BCEWithLogitsLoss()({x}, {y})",
        f"nn.BCELoss(reduction='sum')(F.sigmoid({x}), {y})",
    )


def _likelihood(m):
    rows, classes = m.integer(1, 3), m.integer(2, 4)
    x = m.let(m.literal((rows, classes), flows=True))
    labels = [m.integer(0, classes - 1) for _ in range(rows)]
    return x, f"F.nll_loss(F.log_softmax({x}), paddle.to_tensor({labels}){m.pick(REDUCTIONS)})"


def _layer(m):
    x = m.let(m.literal((2, 3), flows=True))
    name = m.pick("MSELoss", "L1Loss", "SmoothL1Loss", "CrossEntropyLoss", "KLDivLoss", "NLLLoss")
    m.let(f"repr(nn.{name}())")
    if name in ("CrossEntropyLoss", "NLLLoss"):
        return x, f"nn.{name}({m.pick('', 'reduction=' + repr('sum'))})({x}, paddle.to_tensor([0, 2]))"
    return x, f"nn.{name}()({x}, F.softmax({m.literal((2, 3))}))"


def make(m):
    x, text = m.pick(_regression, _regression, _classes, _classes, _soft, _binary, _likelihood, _layer)(m)
    loss = m.let(text)
    m.add(f"{loss}.backward()")
    m.let(f"{x}.grad")
