"""Losses, against torch.nn.functional."""

import numpy

from ..case import integers, normal
from ..gradient import gradient_case, room

DTYPES = ["float32", "float64"]


def signs(dtype):
    return numpy.where(normal(3, 4, 5) > 0, 1, -1).astype(dtype)


def shares(dtype, *shape):
    """Above 0, adding up to 1 along the last axis."""
    numbers = numpy.exp(normal(4, *shape, dtype="float64"))
    return (numbers / numbers.sum(-1, keepdims=True)).astype(dtype)


# name, ours, PyTorch's; of x and target
ELEMENTS = [
    (
        "l1",
        lambda ps, x, target: ps.nn.l1_loss(x, target),
        lambda torch, x, target: torch.nn.functional.l1_loss(x, target, reduction="none"),
    ),
    (
        "l2",
        lambda ps, x, target: ps.nn.l2_loss(x, target),
        lambda torch, x, target: torch.nn.functional.mse_loss(x, target, reduction="none") / 2,
    ),
    (
        "huber",
        lambda ps, x, target: ps.nn.huber_loss(x, target),
        lambda torch, x, target: torch.nn.functional.smooth_l1_loss(x, target, reduction="none"),
    ),
    (
        "huber rho",
        lambda ps, x, target: ps.nn.huber_loss(x, target, rho=0.4),
        lambda torch, x, target: torch.nn.functional.smooth_l1_loss(
            x, target, reduction="none", beta=0.4
        ),
    ),
    (
        "bce",
        lambda ps, x, target: ps.nn.sigmoid_bce_loss(x, target),
        lambda torch, x, target: torch.nn.functional.binary_cross_entropy_with_logits(
            x, target, reduction="none"
        ),
    ),
    (
        "kl of logits",
        lambda ps, x, target: ps.nn.kl_div_loss(x, ps.exp(target), from_logits=False),
        lambda torch, x, target: torch.nn.functional.kl_div(
            torch.log_softmax(x, -1), torch.exp(target), reduction="none"
        ),
    ),
    (
        "kl of logits along an axis",
        lambda ps, x, target: ps.nn.kl_div_loss(x, ps.exp(target), False, 0),
        lambda torch, x, target: torch.nn.functional.kl_div(
            torch.log_softmax(x, 0), torch.exp(target), reduction="none"
        ),
    ),
]

# of x and signs
MARGINS = [
    (
        "hinge",
        lambda ps, x, target: ps.nn.hinge_loss(x, target),
        lambda torch, x, target: torch.relu(1 - x * target),
    ),
    (
        "hinge margin",
        lambda ps, x, target: ps.nn.hinge_loss(x, target, margin=0.3),
        lambda torch, x, target: torch.relu(0.3 - x * target),
    ),
    (
        "squared hinge",
        lambda ps, x, target: ps.nn.squared_hinge_loss(x, target, margin=1.5),
        lambda torch, x, target: torch.relu(1.5 - x * target) ** 2,
    ),
    (
        "logistic",
        lambda ps, x, target: ps.nn.logistic_loss(x, target),
        lambda torch, x, target: torch.nn.functional.soft_margin_loss(
            x, target, reduction="none"
        ),
    ),
]


def element_cases(dtype):
    inputs = {"x": normal(1, 4, 5, dtype=dtype), "target": normal(2, 4, 5, dtype=dtype)}
    signed = {"x": inputs["x"], "target": signs(dtype)}
    for name, ours, theirs in ELEMENTS:
        yield gradient_case(
            f"{name} {dtype}", inputs, ["x", "target"], ours, theirs, **room(dtype)
        )
    for name, ours, theirs in MARGINS:
        yield gradient_case(f"{name} {dtype}", signed, ["x"], ours, theirs, **room(dtype))


def probability_cases(dtype):
    probabilities = {"x": shares(dtype, 4, 5), "target": shares(dtype, 4, 5)[::-1].copy()}
    logs = {"x": numpy.log(probabilities["x"]), "target": probabilities["target"]}
    yield gradient_case(
        f"bce of probabilities {dtype}",
        probabilities,
        ["x"],
        lambda ps, x, target: ps.nn.sigmoid_bce_loss(x, target, from_sigmoid=True),
        lambda torch, x, target: torch.nn.functional.binary_cross_entropy(
            x, target, reduction="none"
        ),
        **room(dtype),
    )
    yield gradient_case(
        f"bce of certainties {dtype}",
        {"x": numpy.array([0, 0, 1, 1], dtype), "target": numpy.array([0, 1, 0, 1], dtype)},
        [],
        lambda ps, x, target: ps.nn.sigmoid_bce_loss(x, target, from_sigmoid=True),
        lambda torch, x, target: torch.nn.functional.binary_cross_entropy(
            x, target, reduction="none"
        ),
        **room(dtype),
    )
    yield gradient_case(
        f"bce with weights {dtype}",
        probabilities | {"weight": shares(dtype, 5) * 4},
        ["x", "target"],
        lambda ps, x, target, weight: ps.nn.sigmoid_bce_loss(x, target, weight),
        lambda torch, x, target, weight: torch.nn.functional.binary_cross_entropy_with_logits(
            x, target, pos_weight=weight, reduction="none"
        ),
        **room(dtype),
    )
    yield gradient_case(
        f"kl {dtype}",
        logs,
        ["x", "target"],
        lambda ps, x, target: ps.nn.kl_div_loss(x, target),
        lambda torch, x, target: torch.nn.functional.kl_div(x, target, reduction="none"),
        **room(dtype),
    )


def cross_entropy(name, dtype, inputs, wanted, ours, theirs):
    """Options of ours, and of PyTorch's, whose classes are along the second axis."""

    def of_ours(ps, x, labels, weights=None):
        return ps.nn.softmax_cross_entropy(x, labels, weights=weights, **ours)

    def of_theirs(torch, x, labels, weights=None):
        return torch.nn.functional.cross_entropy(
            x, labels, weight=weights, reduction="none", **theirs
        )

    return gradient_case(
        f"cross entropy {name} {dtype}", inputs, wanted, of_ours, of_theirs, **room(dtype)
    )


def cross_entropy_cases(dtype):
    x, labels = normal(5, 6, 7, dtype=dtype) * 3, integers(6, 7, 6)
    ignored = {"ignore_label": 2}, {"ignore_index": 2}
    smooth = {"smoothing": 0.1}, {"label_smoothing": 0.1}
    both = ignored[0] | smooth[0], ignored[1] | smooth[1]
    plain = {"x": x, "labels": labels}
    weighted = plain | {"weights": shares(dtype, 7) * 7}
    dense = {"x": x, "labels": shares(dtype, 6, 7)}
    images = {"x": normal(7, 3, 4, 5, dtype=dtype), "labels": integers(8, 4, 3, 5)}
    outside = {"x": x, "labels": numpy.array([0, -100, 3, 6, -100, 1])}
    for inputs, name in [(plain, "plain"), (weighted, "weighted")]:
        yield cross_entropy(name, dtype, inputs, ["x"], {}, {})
        yield cross_entropy(f"{name}, ignored", dtype, inputs, ["x"], *ignored)
        yield cross_entropy(f"{name}, smooth", dtype, inputs, ["x"], *smooth)
        yield cross_entropy(f"{name}, both", dtype, inputs, ["x"], *both)
    yield cross_entropy("of labels outside", dtype, outside, ["x"], {"ignore_label": -100}, {})
    yield cross_entropy("of images", dtype, images, ["x"], {"axis": 1}, {})
    second = {"axis": 1} | smooth[0]
    yield cross_entropy("of smooth images", dtype, images, ["x"], second, smooth[1])
    yield cross_entropy("of shares", dtype, dense, ["x", "labels"], {}, {})
    yield cross_entropy("of smooth shares", dtype, dense, ["x", "labels"], *smooth)
    heavy = dense | {"weights": weighted["weights"]}
    yield cross_entropy("of weighted shares", dtype, heavy, ["x", "labels"], *smooth)


def cases():
    found = []
    for dtype in DTYPES:
        found += element_cases(dtype)
        found += probability_cases(dtype)
        found += cross_entropy_cases(dtype)
    return found
