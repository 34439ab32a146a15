"""Metrics of MXNet on a few batches: what they tell, since reset_local and since reset.

The same runs in the real MXNet 1.9.1 and in ours; record_mxnet_metrics.py recorded the answers of
the real one.
"""

import numpy

BATCHES = 5
RESET_AFTER = 3  # batches after which reset_local is called

# Name, arguments, and what batches are of.
CASES = [
    ["acc", {}, "classes"],
    ["acc", {"axis": 2}, "places"],
    ["acc", {}, "chosen"],
    ["acc", {}, "rows"],
    ["acc", {"name": "mine"}, "two outputs"],
    ["top_k_accuracy", {"top_k": 2}, "classes"],
    ["top_k_accuracy", {"top_k": 3}, "classes"],
    ["f1", {}, "binary"],
    ["f1", {"average": "micro"}, "binary"],
    ["f1", {"average": "micro"}, "binary outputs"],
    ["f1", {}, "one class"],
    ["mcc", {}, "binary"],
    ["mcc", {"average": "micro"}, "binary"],
    ["mcc", {}, "one class"],
    ["pcc", {}, "classes"],
    ["pcc", {}, "chosen"],
    ["pcc", {}, "one class"],
    ["perplexity", {"ignore_label": None}, "classes"],
    ["perplexity", {"ignore_label": 0}, "classes"],
    ["perplexity", {"ignore_label": 1}, "two outputs"],
    ["ce", {}, "classes"],
    ["ce", {"eps": 0.1}, "classes"],
    ["nll_loss", {}, "two outputs"],
    ["mae", {}, "numbers"],
    ["mae", {}, "rows of numbers"],
    ["mse", {}, "numbers"],
    ["mse", {}, "two numbers"],
    ["rmse", {}, "numbers"],
    ["rmse", {}, "rows of numbers"],
    ["pearsonr", {}, "numbers"],
    ["pearsonr", {"average": "micro"}, "numbers"],
    ["pearsonr", {}, "rows of numbers"],
    ["loss", {}, "numbers"],
    ["torch", {}, "rows of numbers"],
    ["caffe", {}, "two numbers"],
    [["acc", "ce"], {}, "classes"],
]


def _numbers(seed, *shape):
    """Exact numbers from 0 to 1, all different."""
    count = int(numpy.prod(shape))
    order = (numpy.arange(count) * 37 + seed * 11) % 127
    return ((order + numpy.arange(count) / 128.0) / 128).reshape(shape)


def _chances(seed, *shape):
    numbers = _numbers(seed, *shape) + 0.05
    return numbers / numbers.sum(-1, keepdims=True)


def _labels(seed, count, *shape):
    return (numpy.arange(int(numpy.prod(shape))) * 5 + seed * 3) % 7 % count * numpy.ones(1)


def batch(kind, seed):
    """Labels and predictions."""
    classes = [_labels(seed, 4, 9)], [_chances(seed, 9, 4)]
    if kind == "classes":
        return classes
    if kind == "two outputs":
        other = [_labels(seed + 9, 4, 6)], [_chances(seed + 9, 6, 4)]
        return [a + b for a, b in zip(classes, other)]
    if kind == "places":
        return [_labels(seed, 4, 6).reshape(2, 3)], [_chances(seed, 2, 3, 4)]
    if kind == "chosen":
        return [_labels(seed, 4, 9)], [_labels(seed // 2, 4, 9)]
    if kind == "rows":
        return [_labels(seed, 4, 9).reshape(9, 1)], [_chances(seed, 9, 4)]
    if kind == "binary":
        return [_labels(seed, 2, 9)], [_chances(seed, 9, 2)]
    if kind == "binary outputs":
        return [_labels(seed, 2, 9), _labels(seed + 1, 2, 4)], [
            _chances(seed, 9, 2),
            _chances(seed + 1, 4, 2),
        ]
    if kind == "one class":
        return [numpy.zeros(4)], [numpy.array([[0.9, 0.1]] * 4)]
    if kind == "numbers":
        return [_numbers(seed, 8)], [_numbers(seed + 1, 8)]
    if kind == "rows of numbers":
        return [_numbers(seed, 4, 3)], [_numbers(seed + 2, 4, 3)]
    assert kind == "two numbers", kind
    return [_numbers(seed, 8), _numbers(seed, 3)], [_numbers(seed + 1, 8), _numbers(seed + 1, 3)]


def answer(mx, name, arguments, kind):
    """What it tells before and after reset_local, and of all time."""
    metric = mx.metric.create(name, **arguments)
    told = []
    for seed in range(BATCHES):
        labels, preds = ([mx.nd.array(one) for one in part] for part in batch(kind, seed))
        metric.update(labels, preds)
        if seed + 1 == RESET_AFTER:
            told.append(_plain(metric.get()))
            metric.reset_local()
    return [*told, _plain(metric.get()), _plain(metric.get_global())]


def _plain(pair):
    """Names, and figures as Python's floats; nan as a text, which can be compared."""
    name, value = pair
    values = value if isinstance(value, list) else [value]
    figures = [float(one) if one == one else "nan" for one in values]
    return [name, figures]
