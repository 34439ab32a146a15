"""Products with weights, dropout, embeddings, padding."""

from ..._dialect import row
from ..._dtypes import ALL
from ..._random import default_generator
from ._arguments import absent, tensor

__all__ = (
    "linear dropout dropout2d dropout3d embedding one_hot pad normalize cosine_similarity "
    "label_smooth zeropad2d"
).split()

_FLOAT32 = ALL["float32"]
_POSITIONS = {ALL["int64"], ALL["int32"]}
_LINEAR = "matmul", "linear", "x:x1, weight:x2, bias=None"
_any_linear = row(*_LINEAR)
_linear = row(
    *_LINEAR,
    arrays=True,
    unusual=lambda x, *others: _any_linear(tensor("linear", x, "X"), *others),
)
_dropout = row("dropout", "dropout", "x, p=0.5, axes=None, generator=None")
_embedding = row("embedding", "embedding", "x:indices, weight")
_one_hot = row("one_hot", "one_hot", "x, num_classes:count, axis=-1, dtype=None")
_clip = row("clip", "one_hot", "x, min=None, max=None")
_not_equal = row("not_equal", "one_hot", "x:x1, y:x2")
_equal = row("equal", "embedding", "x:x1, y:x2")
_masked_put = row("masked_put", "one_hot", "x, mask, values")
_where = row("where", "embedding", "condition, x:x1, y:x2")
_pad = row("pad", "pad", "x, before, after, value=0, mode=None")
_sum = row("sum", "sum", "x, axis=None, keepdim:keepdims=False")
_abs, _sqrt = row("abs", "abs", "x"), row("sqrt", "sqrt", "x")
_nothing = {}


def linear(x, weight, bias=None, name=None):
    """The product of x and the weight, which is (inputs, outputs), plus bias."""
    return _linear(x, weight, bias)


# ---- Dropout -------------------------------------------------------------------------------------


def dropout(
    x, p=0.5, axis=None, training=True, inplace=False, mode="upscale_in_train", name=None
):
    """Each element 0 with probability p, else divided by 1 - p; outside of training a copy.

    With an axis or several, what is drawn for places along these holds for all others. With the
    mode downscale_in_infer nothing grows, and elements are multiplied by 1 - p outside of training.
    """
    if not 0 <= p <= 1:
        raise ValueError("p argument should between 0 and 1")
    if mode not in ("upscale_in_train", "downscale_in_infer"):
        raise ValueError("mode argument should be 'downscale_in_infer' or 'upscale_in_train'")
    tensor("dropout", x)
    if mode == "downscale_in_infer":
        return _drawn(x, p, axis) * (1.0 - p) if training and p < 1 else x * (1.0 - p)
    if not p:
        return x
    return _drawn(x, p, axis) if training else x.clone()


def _drawn(x, p, axis):
    if axis is None:
        return _dropout(x, p, None, default_generator)
    drawn = {one % x.ndim for one in ([axis] if isinstance(axis, int) else axis)}
    same = tuple(one for one in range(x.ndim) if one not in drawn)
    return _dropout(x, p, same or None, default_generator)


def _channels(name, spatial):
    def function(x, p=0.5, training=True, data_format="NC", name=None):
        if x.ndim != spatial + 2:
            raise ValueError(
                f"dimensions of x should be {spatial + 2}, but received {x.ndim} != {spatial + 2}"
            )
        axis = [0, 1] if data_format in ("NC", "NCHW", "NCDHW") else [0, x.ndim - 1]
        return dropout(x, p, axis, training)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Each channel 0 with probability p, else divided by 1 - p."
    return function


dropout2d, dropout3d = _channels("dropout2d", 2), _channels("dropout3d", 3)


# ---- Places --------------------------------------------------------------------------------------


def _empty(dtype):
    """No elements of a type."""
    found = _nothing.get(dtype)
    if found is None:
        from ..._create import zeros

        found = _nothing[dtype] = zeros([0], dtype=dtype)
    return found


def within(places, count):
    """Places that fail, where they are waited for, if one is not between 0 and a count."""
    wrong = _not_equal(_clip(places, 0, count - 1), places)
    return _masked_put(places, wrong, _empty(places.dtype))


def embedding(
    x,
    weight,
    padding_idx=None,
    max_norm=None,
    norm_type=2.0,
    sparse=False,
    scale_grad_by_freq=False,
    name=None,
):
    """Rows of the weight at places; zeros, to which nothing flows back, at padding_idx.

    A place out of range is found while running.
    """
    if max_norm is not None or scale_grad_by_freq:
        raise absent("embedding", "max_norm" if max_norm is not None else "scale_grad_by_freq")
    if tensor("embedding", x).dtype not in _POSITIONS:
        raise NotImplementedError(
            f"(Unimplemented) embedding input only support int32 and int64, but get {x.dtype}"
        )
    count = weight.shape[0]
    made = _embedding(within(x, count), weight)
    if padding_idx is None or padding_idx == -1:
        return made
    if not -count <= padding_idx < count:
        raise ValueError(f"padding_idx must be within [-{count}, {count})")
    return _where(_equal(x, padding_idx % count).unsqueeze(-1), 0.0, made)


def one_hot(x, num_classes=-1, name=None):
    """1 at each class along a new last dimension, else 0, as float32.

    A class out of range is found while running. Without num_classes there are as many as the
    largest class asks for; that waits.
    """
    if tensor("one_hot", x).dtype not in _POSITIONS:
        raise RuntimeError(
            f"(NotFound) The kernel of `one_hot` for {x.dtype} is not registered: int32 and int64 "
            "are"
        )
    if num_classes == -1:
        num_classes = int(x.max()) + 1
    return _one_hot(within(x, int(num_classes)), int(num_classes), -1, _FLOAT32)


def label_smooth(label, prior_dist=None, epsilon=0.1, name=None):
    """(1 - epsilon) label + epsilon times a distribution, which is even unless given."""
    if not 0 <= epsilon <= 1:
        raise ValueError("The value of epsilon must be between 0 and 1.")
    prior = 1.0 / label.shape[-1] if prior_dist is None else prior_dist
    return label * (1.0 - epsilon) + prior * epsilon


# ---- Padding -------------------------------------------------------------------------------------

_MODES = {"constant": None, "reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def pad(
    x,
    pad,
    mode="constant",
    value=0.0,
    data_format="NCHW",
    pad_from_left_axis=True,
    name=None,
):
    """Elements added before and after: for all dimensions, or for those behind the channels.

    For all, numbers go from the first dimension to the last; else from the last to the first.
    """
    if mode not in _MODES:
        raise AssertionError(
            f"mode should be one of constant, reflect, replicate, circular, but got {mode}."
        )
    tensor("pad", x)
    given = [int(one) for one in pad.tolist()] if hasattr(pad, "tolist") else list(pad)
    pairs = list(zip(given[::2], given[1::2]))
    if len(given) == 2 * x.ndim and mode == "constant":
        pairs = pairs if pad_from_left_axis else pairs[::-1]
    else:
        behind = data_format in ("NHWC", "NLC", "NDHWC")
        around = [(0, 0)]
        pairs = pairs[::-1]
        left = x.ndim - 1 - len(pairs)
        pairs = (
            around * left + pairs + around if behind else around * (left + 1) + pairs
        )
    before, after = zip(*pairs)
    if min(*before, *after) < 0:
        raise absent("pad", "a negative number of elements")
    return _pad(x, before, after, value if mode == "constant" else 0, _MODES[mode])


def zeropad2d(x, padding, data_format="NCHW", name=None):
    """Zeros around images: left, right, top and bottom."""
    return pad(x, padding, "constant", 0.0, data_format)


# ---- Lengths -------------------------------------------------------------------------------------


def _norm(x, p, axis):
    if p == 2:
        return _sqrt(_sum(x * x, axis, True))
    return _sum(_abs(x) ** p, axis, True) ** (1.0 / p)


def normalize(x, p=2, axis=1, epsilon=1e-12, name=None):
    """The elements divided by their norm along a dimension, which counts as at least epsilon."""
    return x / _clip(_norm(x, p, axis), epsilon, None)


def cosine_similarity(x1, x2, axis=1, eps=1e-8):
    """The cosine of the angle between vectors along a dimension."""
    lengths = _sum(x1 * x1, axis) * _sum(x2 * x2, axis)
    return _sum(x1 * x2, axis) / _sqrt(_clip(lengths, eps * eps, None))
