"""Dense layers, embeddings, dropout, flattening, padding."""

from ..._calls import nearest
from ..._dialect import default_dtype
from .. import functional as F
from .layers import Layer


def refuse_keywords(kind, given, *known):
    """TypeError for a keyword that a layer does not take."""
    for key in given:
        raise TypeError(
            f"paddle.nn.{kind}() received unexpected keyword argument '{key}'{nearest(key, known)}"
        )


class Identity(Layer):
    """What it is given."""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


class Linear(Layer):
    """The product with a weight of (inputs, outputs), plus a bias.

    >>> from penstock import paddle
    >>> paddle.nn.Linear(2, 3).weight.shape
    paddle.Size([2, 3])
    """

    def __init__(
        self, in_features, out_features, weight_attr=None, bias_attr=None, name=None, **unknown
    ):
        refuse_keywords("Linear", unknown, "bias_attr", "weight_attr", "name")
        super().__init__()
        self._dtype = default_dtype()._name
        self.in_features, self.out_features = in_features, out_features
        self.weight = self.create_parameter([in_features, out_features], weight_attr)
        self.bias = self.create_parameter([out_features], bias_attr, is_bias=True)
        self.name = name

    def forward(self, input):
        own = self.__dict__
        return F.common._linear(input, own["weight"], own["bias"])

    def extra_repr(self):
        name = f", name={self.name}" if self.name else ""
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"dtype={self._dtype}{name}"
        )


class Embedding(Layer):
    """Rows of a weight at places; those of padding_idx are zeros."""

    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        padding_idx=None,
        max_norm=None,
        norm_type=2.0,
        *,
        sparse=False,
        scale_grad_by_freq=False,
        weight_attr=None,
        name=None,
    ):
        super().__init__()
        if num_embeddings <= 0 or embedding_dim <= 0:
            raise ValueError(
                f"num_embeddings and embedding_dim must be greater than 0, but received "
                f"{num_embeddings} and {embedding_dim}"
            )
        count = num_embeddings
        if padding_idx is not None and not -count <= padding_idx < count:
            raise ValueError(f"padding_idx must be within [-{count}, {count})")
        self._num_embeddings, self._embedding_dim = num_embeddings, embedding_dim
        self._padding_idx = None if padding_idx is None else padding_idx % count
        self._told_padding = padding_idx
        self._given = (max_norm, norm_type, sparse, scale_grad_by_freq)
        self._sparse, self._scale = sparse, scale_grad_by_freq
        self._dtype = default_dtype()._name
        self.weight = self.create_parameter([num_embeddings, embedding_dim], weight_attr)
        if padding_idx is not None:
            from ...autograd._modes import no_grad

            with no_grad():
                self.weight[self._padding_idx] = 0.0

    def forward(self, x):
        return F.embedding(x, self.weight, self._padding_idx, *self._given)

    def extra_repr(self):
        text = f"{self._num_embeddings}, {self._embedding_dim}"
        if self._padding_idx is not None:
            text += f", padding_idx={self._told_padding}"
        return f"{text}, sparse={self._sparse}, scale_grad_by_freq={self._scale}"


class Dropout(Layer):
    """In training each element is 0 with probability p, else divided by 1 - p."""

    def __init__(self, p=0.5, inplace=False, axis=None, mode="upscale_in_train", name=None):
        super().__init__()
        self.p, self.axis, self.mode, self.inplace = p, axis, mode, inplace
        self.name = name

    def forward(self, input):
        return F.dropout(input, self.p, self.axis, self.training, self.inplace, self.mode)

    def extra_repr(self):
        return f"p={self.p}, axis={self.axis}, mode={self.mode}, inplace={self.inplace}"


class _ChannelDropout(Layer):
    def __init__(self, p=0.5, data_format=None, name=None):
        super().__init__()
        self.p, self.data_format = p, data_format or self._FORMAT

    def forward(self, input):
        return self._function(input, self.p, self.training, self.data_format)

    def extra_repr(self):
        return f"p={self.p}, data_format={self.data_format}"


class Dropout2D(_ChannelDropout):
    """In training each channel of images is 0 with probability p, else divided by 1 - p."""

    _FORMAT, _function = "NCHW", staticmethod(F.dropout2d)


class Dropout3D(_ChannelDropout):
    """In training each channel of volumes is 0 with probability p, else divided by 1 - p."""

    _FORMAT, _function = "NCDHW", staticmethod(F.dropout3d)


class Flatten(Layer):
    """Some dimensions as one: all but the first, unless said otherwise."""

    def __init__(self, start_axis=1, stop_axis=-1):
        super().__init__()
        self.start_axis, self.stop_axis = start_axis, stop_axis

    def forward(self, input):
        return input.flatten(self.start_axis, self.stop_axis)


class Unflatten(Layer):
    """One dimension as several."""

    def __init__(self, axis, shape, name=None):
        super().__init__()
        self.axis, self.shape = axis, list(shape)

    def forward(self, x):
        have, axis = list(x.shape), self.axis % x.ndim
        return x.reshape([*have[:axis], *self.shape, *have[axis + 1 :]])

    def extra_repr(self):
        return f"axis={self.axis}, shape={self.shape}"


class CosineSimilarity(Layer):
    """The cosine of the angle between vectors along a dimension."""

    def __init__(self, axis=1, eps=1e-8):
        super().__init__()
        self._axis, self._eps = axis, eps

    def forward(self, x1, x2):
        return F.cosine_similarity(x1, x2, self._axis, self._eps)

    def extra_repr(self):
        return f"axis={self._axis}, eps={self._eps}"


class _Pad(Layer):
    def __init__(self, padding, mode="constant", value=0.0, data_format=None, name=None):
        super().__init__()
        self._mode, self._value = mode, value
        self._pad = [padding] * (2 * self._COUNT) if isinstance(padding, int) else list(padding)
        self._data_format = data_format or self._FORMAT

    def forward(self, x):
        return F.pad(x, self._pad, self._mode, self._value, self._data_format)

    def extra_repr(self):
        return (
            f"padding={self._pad}, mode={self._mode}, value={self._value}, "
            f"data_format={self._data_format}"
        )


class Pad1D(_Pad):
    """Elements around lines."""

    _COUNT, _FORMAT = 1, "NCL"


class Pad2D(_Pad):
    """Elements around images: left, right, top and bottom."""

    _COUNT, _FORMAT = 2, "NCHW"


class ZeroPad2D(_Pad):
    """Zeros around images: left, right, top and bottom."""

    _COUNT, _FORMAT = 2, "NCHW"

    def __init__(self, padding, data_format="NCHW", name=None):
        super().__init__(padding, "constant", 0.0, data_format)
