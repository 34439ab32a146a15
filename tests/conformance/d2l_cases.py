"""Calls of the book's helper library (d2l 1.0.3) whose answers come from arrays alone.

Each takes d2l and mx.np. record_d2l.py notes what they give with the real MXNet;
test_mxnet_d2l.py compares.
"""


def boxes(np):
    return np.array(
        [
            [0.1, 0.08, 0.52, 0.92],
            [0.08, 0.2, 0.56, 0.95],
            [0.15, 0.3, 0.62, 0.91],
            [0.55, 0.2, 0.9, 0.88],
        ]
    )


def truth(np):
    return np.array([[0, 0.1, 0.08, 0.52, 0.92], [1, 0.55, 0.2, 0.9, 0.88]])


def anchors(np):
    return np.array(
        [
            [0, 0.1, 0.2, 0.3],
            [0.15, 0.2, 0.4, 0.4],
            [0.63, 0.05, 0.88, 0.98],
            [0.66, 0.45, 0.8, 0.8],
        ]
    )


def scores(np):
    return np.array([[0, 0, 0, 0], [0.9, 0.8, 0.7, 0.1], [0.1, 0.2, 0.3, 0.9]])


def ramp(np, *shape):
    """Numbers from -1 to 1 in a fixed disorder."""
    size = 1
    for length in shape:
        size *= length
    return (np.sin(np.arange(size) * 12.9898)).reshape(shape)


def detection(d2l, np):
    predicted = np.expand_dims(scores(np), axis=0)
    return d2l.multibox_detection(
        predicted, np.zeros((1, 16)), np.expand_dims(boxes(np), axis=0), nms_threshold=0.5
    )


def vocabulary(d2l):
    return d2l.Vocab(["a", "b", "a"], reserved_tokens=["<pad>", "<bos>", "<eos>"])


CASES = {
    "multibox_prior": lambda d2l, np: d2l.multibox_prior(
        np.zeros((1, 3, 5, 6)), sizes=[0.75, 0.5], ratios=[1, 2, 0.5]
    ),
    "corner_to_center": lambda d2l, np: d2l.box_corner_to_center(boxes(np)),
    "center_to_corner": lambda d2l, np: d2l.box_center_to_corner(boxes(np)),
    "box_iou": lambda d2l, np: d2l.box_iou(boxes(np), anchors(np)),
    "assign_anchor": lambda d2l, np: d2l.assign_anchor_to_bbox(
        truth(np)[:, 1:], anchors(np), d2l.cpu()
    ),
    "offset_boxes": lambda d2l, np: d2l.offset_boxes(anchors(np), anchors(np) + 0.1),
    "offset_inverse": lambda d2l, np: d2l.offset_inverse(anchors(np), ramp(np, 4, 4)),
    "multibox_target": lambda d2l, np: d2l.multibox_target(
        np.expand_dims(anchors(np), axis=0), np.expand_dims(truth(np), axis=0)
    ),
    "nms": lambda d2l, np: d2l.nms(boxes(np), scores(np)[1], 0.5),
    "multibox_detection": detection,
    "masked_softmax": lambda d2l, np: d2l.masked_softmax(ramp(np, 2, 2, 4), np.array([2, 3])),
    "masked_softmax 2": lambda d2l, np: d2l.masked_softmax(
        ramp(np, 2, 2, 4), np.array([[1, 3], [2, 4]])
    ),
    "linreg": lambda d2l, np: d2l.linreg(ramp(np, 3, 2), ramp(np, 2, 1), 1.5),
    "squared_loss": lambda d2l, np: d2l.squared_loss(ramp(np, 5), np.zeros(5)),
    "corr2d": lambda d2l, np: d2l.corr2d(ramp(np, 5, 4), ramp(np, 2, 2)),
    "accuracy": lambda d2l, np: d2l.accuracy(np.array([[0.1, 0.9], [0.8, 0.2]]), np.array([1, 1])),
    "build_array_nmt": lambda d2l, np: d2l.build_array_nmt([["a", "b"]], vocabulary(d2l), 4),
    "reduce_sum": lambda d2l, np: d2l.reduce_sum(ramp(np, 3, 4), axis=1, keepdims=True),
    "reduce_mean": lambda d2l, np: d2l.reduce_mean(ramp(np, 3, 4)),
    "argmax": lambda d2l, np: d2l.argmax(ramp(np, 3, 4), axis=1),
    "astype": lambda d2l, np: d2l.astype(ramp(np, 4) * 3, "int32"),
    "transpose": lambda d2l, np: d2l.transpose(ramp(np, 2, 3)),
    "repeat": lambda d2l, np: d2l.repeat(ramp(np, 3), 2),
    "batch_matmul": lambda d2l, np: d2l.batch_matmul(ramp(np, 2, 3, 4), ramp(np, 2, 4, 2)),
    "meshgrid": lambda d2l, np: d2l.meshgrid(np.arange(3), np.arange(2)),
    "size": lambda d2l, np: d2l.size(ramp(np, 2, 3)),
}


def plain(value):
    """A result as JSON can hold it: arrays with type and shape."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if not hasattr(value, "asnumpy"):
        return float(value)
    return {
        "dtype": str(value.dtype),
        "shape": list(value.shape),
        "data": value.reshape(-1).tolist(),
    }
