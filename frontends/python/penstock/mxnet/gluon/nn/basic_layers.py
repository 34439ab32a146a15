"""mx.gluon.nn.basic_layers: containers, dense layers, dropout, embeddings and norms."""

import warnings
from math import prod

from .... import _core
from ... import ndarray as _nd
from ..._layers import basic, norms
from ..._missing import missing
from ..block import Block, HybridBlock
from ..utils import _shifted
from .activations import Activation, fused

__all__ = [
    *("BatchNorm", "BatchNormReLU", "Dense", "Dropout", "Embedding", "Flatten", "GroupNorm"),
    *("HybridLambda", "HybridSequential", "InstanceNorm", "Lambda", "LayerNorm", "Sequential"),
]

_MODULE = "mxnet.gluon.nn.basic_layers"
_ops = _core._ops
_linear, _reshape, _copy = _ops["linear"], _ops["reshape"], _ops["copy"]

# ---- Containers ----------------------------------------------------------------------------------


class _Stack:
    """What both containers have in common."""

    def add(self, *blocks):
        """Puts blocks at the end."""
        for block in blocks:
            self.register_child(block)

    def _through(self, x):
        for block in self._children.values():
            x = block(x)
        return x

    def __repr__(self):
        lines = [f"  ({key}): {_shifted(repr(one), 2)}" for key, one in self._children.items()]
        return "{}(\n{}\n)".format(type(self).__name__, "\n".join(lines))

    def __getitem__(self, key):
        found = list(self._children.values())[key]
        if not isinstance(found, list):
            return found
        part = type(self)(prefix=self._prefix)
        with part.name_scope():
            part.add(*found)
        return part

    def __len__(self):
        return len(self._children)


class Sequential(_Stack, Block):
    """Blocks one after the other."""

    __module__ = _MODULE

    def forward(self, x):
        return self._through(x)

    def hybridize(self, active=True, **kwargs):
        """Hybridizes the blocks inside; of those HybridSequential would do the same."""
        if self._children and all(isinstance(one, HybridBlock) for one in self._children.values()):
            warnings.warn(
                f"Sequential '{self.prefix}' has HybridBlocks only: a HybridSequential of them "
                "would be hybridized as a whole, and faster.",
                stacklevel=2,
            )
        super().hybridize(active, **kwargs)


class HybridSequential(_Stack, HybridBlock):
    """Hybrid blocks one after the other."""

    __module__ = _MODULE

    def hybrid_forward(self, F, x):
        return self._through(x)


# ---- Dense layers --------------------------------------------------------------------------------


class Dense(HybridBlock):
    """activation(x @ weight.T + bias); with flatten, all dimensions of x but the first are one."""

    __module__ = _MODULE

    def __init__(
        self,
        units,
        activation=None,
        use_bias=True,
        flatten=True,
        dtype="float32",
        weight_initializer=None,
        bias_initializer="zeros",
        in_units=0,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self._flatten = flatten
        with self.name_scope():
            self._units = units
            self._in_units = in_units
            settings = {"dtype": dtype, "allow_deferred_init": True}
            self.weight = self.params.get(
                "weight", shape=(units, in_units), init=weight_initializer, **settings
            )
            if use_bias:
                self.bias = self.params.get(
                    "bias", shape=(units,), init=bias_initializer, **settings
                )
            else:
                self.bias = None
            if activation is None:
                self.act = None
            else:
                self.act = Activation(activation, prefix=activation + "_")

    def infer_shape(self, x, *args):
        shape = x.shape
        self.weight.shape = (self._units, prod(shape[1:]) if self._flatten else shape[-1])

    def hybrid_forward(self, F, x, weight, bias=None):
        if self._flatten and x.ndim != 2:
            x = _reshape(x, (x.shape[0], -1))
        act = self.act
        if act is None:
            return _linear(x, weight, bias)
        name = fused(act)
        return act(_linear(x, weight, bias)) if name is None else _linear(x, weight, bias, name)

    def __repr__(self):
        shape = self.weight.shape
        act = self.act if self.act is not None else "linear"
        return f"{type(self).__name__}({shape[1] or None} -> {shape[0]}, {act})"


class Flatten(HybridBlock):
    """All dimensions but the first as one."""

    __module__ = _MODULE

    def hybrid_forward(self, F, x):
        return _copy(_reshape(x, (x.shape[0], -1)))

    def __repr__(self):
        return type(self).__name__


class Dropout(HybridBlock):
    """In training elements are 0 with probability rate, else divided by 1 - rate."""

    __module__ = _MODULE

    def __init__(self, rate, axes=(), **kwargs):
        super().__init__(**kwargs)
        self._rate = rate
        self._axes = axes

    def hybrid_forward(self, F, x):
        return basic.dropout(x, self._rate, axes=self._axes) if self._rate > 0 else _copy(x)

    def __repr__(self):
        return f"{type(self).__name__}(p = {self._rate}, axes={self._axes})"


class Embedding(HybridBlock):
    """Rows of a table at integer positions; those out of range name the nearest row."""

    __module__ = _MODULE

    def __init__(
        self,
        input_dim,
        output_dim,
        dtype="float32",
        weight_initializer=None,
        sparse_grad=False,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self._kwargs = {
            "input_dim": input_dim,
            "output_dim": output_dim,
            "dtype": dtype,
            "sparse_grad": sparse_grad,
        }
        self.weight = self.params.get(
            "weight",
            shape=(input_dim, output_dim),
            init=weight_initializer,
            dtype=dtype,
            allow_deferred_init=True,
            grad_stype="row_sparse" if sparse_grad else "default",
        )

    def hybrid_forward(self, F, x, weight):
        return basic.embedding(x, weight, **self._kwargs)

    def __repr__(self):
        text = "{input_dim} -> {output_dim}, {dtype}".format(**self._kwargs)
        return f"{type(self).__name__}({text})"


# ---- Norms ---------------------------------------------------------------------------------------


class _Norm(HybridBlock):
    """Parameters gamma and beta, with a number for each place along an axis."""

    def _make(self, count, center, scale, beta, gamma, **others):
        """Makes both; one that is switched off stays as it is at first."""
        for name, active, init in (("gamma", scale, gamma), ("beta", center, beta)):
            settings = {key: value(active) for key, value in others.items()}
            made = self.params.get(
                name,
                grad_req="write" if active else "null",
                shape=(count,),
                init=init,
                allow_deferred_init=True,
                **settings,
            )
            setattr(self, name, made)

    def infer_shape(self, x, *args):
        count = x.shape[self._kwargs["axis"]]
        for param in self._reg_params.values():
            param.shape = (count,)

    def _described(self):
        return ", ".join(f"{key}={value!r}" for key, value in self._kwargs.items())

    def _count(self):
        return self.gamma.shape[0]

    def __repr__(self):
        return f"{type(self).__name__}({self._described()}, in_channels={self._count()})"


class _BatchNorm(_Norm):
    """What both kinds have in common."""

    fuse_relu = False

    def __init__(
        self,
        axis=1,
        momentum=0.9,
        epsilon=1e-5,
        center=True,
        scale=True,
        use_global_stats=False,
        beta_initializer="zeros",
        gamma_initializer="ones",
        running_mean_initializer="zeros",
        running_variance_initializer="ones",
        in_channels=0,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self._kwargs = {
            "axis": axis,
            "eps": epsilon,
            "momentum": momentum,
            "fix_gamma": not scale,
            "use_global_stats": use_global_stats,
        }
        if in_channels != 0:
            self.in_channels = in_channels
        initial = beta_initializer, gamma_initializer
        self._make(in_channels, center, scale, *initial, differentiable=bool)
        settings = {"grad_req": "null", "allow_deferred_init": True, "differentiable": False}
        settings["shape"] = (in_channels,)
        self.running_mean = self.params.get(
            "running_mean", init=running_mean_initializer, **settings
        )
        self.running_var = self.params.get(
            "running_var", init=running_variance_initializer, **settings
        )

    def cast(self, dtype):
        """Changes the element type; statistics of float16 are float32."""
        super().cast("float32" if str(_core._dtype(dtype)) == "float16" else dtype)

    def hybrid_forward(self, F, x, gamma, beta, running_mean, running_var):
        function = norms.batch_norm_with_relu if self.fuse_relu else norms.batch_norm
        return function(x, gamma, beta, running_mean, running_var, **self._kwargs)

    def _count(self):
        return self.gamma.shape[0] or None


class BatchNorm(_BatchNorm):
    """(x - mean) / sqrt(variance + epsilon) * gamma + beta, for each place along the axis.

    In training mean and variance are the batch's, and the running ones become momentum times what
    they were plus 1 - momentum times the batch's. In prediction the running ones are used.
    """

    __module__ = _MODULE


class BatchNormReLU(_BatchNorm):
    """BatchNorm, and 0 in the place of what is negative."""

    __module__ = _MODULE
    fuse_relu = True


class InstanceNorm(_Norm):
    """Mean 0 and variance 1 of each channel of each instance, times gamma, plus beta."""

    __module__ = _MODULE

    def __init__(
        self,
        axis=1,
        epsilon=1e-5,
        center=True,
        scale=False,
        beta_initializer="zeros",
        gamma_initializer="ones",
        in_channels=0,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self._kwargs = {"eps": epsilon, "axis": axis, "center": center, "scale": scale}
        self._axis = axis
        self._epsilon = epsilon
        self._make(in_channels, center, scale, beta_initializer, gamma_initializer)

    def hybrid_forward(self, F, x, gamma, beta):
        if self._axis == 1:
            return norms.instance_norm(x, gamma, beta, self._epsilon)
        swap = _ops["swapaxes"]
        found = norms.instance_norm(swap(x, 1, self._axis), gamma, beta, self._epsilon)
        return swap(found, 1, self._axis)


class LayerNorm(_Norm):
    """Mean 0 and variance 1 along the axis, times gamma, plus beta."""

    __module__ = _MODULE

    def __init__(
        self,
        axis=-1,
        epsilon=1e-5,
        center=True,
        scale=True,
        beta_initializer="zeros",
        gamma_initializer="ones",
        in_channels=0,
        prefix=None,
        params=None,
    ):
        super().__init__(prefix=prefix, params=params)
        self._kwargs = {"eps": epsilon, "axis": axis, "center": center, "scale": scale}
        self._axis = axis
        self._epsilon = epsilon
        self._center = center
        self._scale = scale
        self._make(in_channels, center, scale, beta_initializer, gamma_initializer)

    def hybrid_forward(self, F, data, gamma, beta):
        return norms.layer_norm(data, gamma, beta, self._axis, self._epsilon)


class GroupNorm(_Norm):
    """Mean 0 and variance 1 of each group of channels, times gamma, plus beta of the group."""

    __module__ = _MODULE

    def __init__(
        self,
        num_groups=1,
        epsilon=1e-5,
        center=True,
        scale=True,
        beta_initializer="zeros",
        gamma_initializer="ones",
        prefix=None,
        params=None,
    ):
        super().__init__(prefix=prefix, params=params)
        self._kwargs = {
            "eps": epsilon,
            "num_groups": num_groups,
            "center": center,
            "scale": scale,
        }
        self._num_groups = num_groups
        self._epsilon = epsilon
        self._center = center
        self._scale = scale
        self._make(num_groups, center, scale, beta_initializer, gamma_initializer)

    def hybrid_forward(self, F, data, gamma, beta):
        return norms.group_norm(data, gamma, beta, self._num_groups, self._epsilon)

    def __repr__(self):
        return f"{type(self).__name__}({self._described()})"


# ---- Functions -----------------------------------------------------------------------------------


class Lambda(Block):
    """A function as a block: one of Python, or the name of one of mx.nd."""

    __module__ = _MODULE

    def __init__(self, function, prefix=None):
        super().__init__(prefix=prefix)
        if isinstance(function, str):
            assert hasattr(_nd, function), f"mx.nd has no function of the name {function!r}"
            self._func_impl = getattr(_nd, function)
        elif callable(function):
            self._func_impl = function
        else:
            raise _unrecognized(function)

    def forward(self, *args):
        return self._func_impl(*args)

    def __repr__(self):
        return f"{type(self).__name__}({self._func_impl.__name__})"


class HybridLambda(HybridBlock):
    """A function as a hybrid block: of F and arrays, or the name of one that F has."""

    __module__ = _MODULE

    def __init__(self, function, prefix=None):
        super().__init__(prefix=prefix)
        if isinstance(function, str):
            assert hasattr(_nd, function), (
                f"mx.nd has no function of the name {function!r}"
            )
            self._func = _Named(function)
            self._func_name = function
        elif callable(function):
            self._func = function
            self._func_name = function.__name__
        else:
            raise _unrecognized(function)

    def hybrid_forward(self, F, x, *args):
        return self._func(F, x, *args)

    def __repr__(self):
        return f"{type(self).__name__}({self._func_name})"


class _Named:
    """The function that F has by a name; unlike a lambda it can be pickled."""

    def __init__(self, name):
        self._name = name

    def __call__(self, F, *args):
        return getattr(F, self._name)(*args)


def _unrecognized(function):
    return ValueError(f"a function or its name is needed, not {function} of type {type(function)}")


__getattr__ = missing("mxnet.gluon.nn.basic_layers")
