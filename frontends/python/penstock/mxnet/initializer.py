"""mx.init: initial values of parameters.

An initialiser is called with a name and an array, which it fills. By the end of the name it knows
what kind of parameter that is: a weight is what the initialiser says, a bias 0, a gamma 1. A
description that has an initialiser of its own, as those of Gluon's parameters do, is filled by
that whatever its name is.

>>> from penstock import mxnet as mx
>>> weight = mx.nd.zeros((2, 2))
>>> mx.init.Constant(3)(mx.init.InitDesc("fc_weight"), weight)
>>> weight
<BLANKLINE>
[[3. 3.]
 [3. 3.]]
<NDArray 2x2 @cpu(0)>
"""

import json
import logging
import re
import warnings
from math import sqrt

from .. import _core, autograd as _autograd
from . import _dialects, registry
from ._missing import missing
from ._nd_array import NDArray
from ._pickles import Pickled
from ._unbuilt import raise_not_built
from .base import MXNetTypeError, MXNetValueError
from .ndarray import load
from .util import is_np_array

__all__ = [
    *("Bilinear", "Constant", "FusedRNN", "InitDesc", "Initializer", "LSTMBias", "Load"),
    *("MSRAPrelu", "Mixed", "Normal", "One", "Orthogonal", "Uniform", "Xavier", "Zero"),
    *("alias", "create", "is_np_array", "load", "register"),
]

_ops = _core._ops
_native = _core.ndarray


class InitDesc(str):
    """The name of a parameter, with attributes: '__init__' is an initialiser of its own."""

    __module__ = "mxnet.initializer"

    def __new__(cls, name, attrs=None, global_init=None):
        desc = super().__new__(cls, name)
        desc.attrs = attrs or {}
        desc.global_init = global_init
        return desc


def _fill(array, value):
    """Writes a number, an array or nested lists into an array; never a part of what is recorded."""
    with _autograd.pause():
        _dialects.native(array)[...] = _dialects.native(value)


def _draw(array, operation, *numbers):
    """Fills an array with what an operation of the table makes for its shape."""
    array = _dialects.native(array)
    try:
        made = _ops[operation](array.shape, *numbers, dtype=array.dtype, device=array.device)
    except (ValueError, TypeError) as error:
        raise _dialects.translated(error) from None
    with _autograd.pause():
        _ops["assign"](made, out=array)


class Initializer(Pickled):
    """What initialisers derive from; `_init_weight` says what weights are."""

    __module__ = "mxnet.initializer"

    def __init__(self, **kwargs):
        self._kwargs = kwargs
        self._verbose = False
        self._print_func = None

    def __eq__(self, other):
        if not isinstance(other, Initializer):
            return NotImplemented
        return type(self) is type(other) and self._kwargs == other._kwargs

    __hash__ = None

    def dumps(self):
        """The name and the arguments, in JSON: `create` makes an equal one of it."""
        return json.dumps([type(self).__name__.lower(), self._kwargs])

    def set_verbosity(self, verbose=False, print_func=None):
        """Whether what is filled is logged, and what is said of it: the root of its mean square."""
        self._verbose = verbose
        self._print_func = print_func or _root_mean_square
        return self

    def _tell(self, desc, init, arr):
        if self._verbose and self._print_func:
            logging.info("Initialized %s as %s: %s", desc, init, self._print_func(arr))

    def __call__(self, desc, arr):
        """Fills the array, by the name or by the initialiser that the description has."""
        if not isinstance(desc, InitDesc):
            self._by_plain_name(desc, arr)
            return
        if desc.global_init is None:
            desc.global_init = self
        own = desc.attrs.get("__init__", "")
        if own:
            create(own)._init_weight(desc, arr)
            self._tell(desc, own, arr)
            return
        kind = _kind(desc, _KINDS)
        getattr(self, f"_init_{kind}")(desc, arr)
        self._tell(desc, kind, arr)

    def _by_plain_name(self, name, arr):
        """The same for a name that is plain text."""
        warnings.warn(
            "an initializer that is called with plain text as the name is the old way: make the "
            "name an mx.init.InitDesc",
            DeprecationWarning,
            stacklevel=3,
        )
        if not isinstance(name, str):
            raise TypeError(f"name must be text, not {name!r}")
        if not isinstance(arr, NDArray):
            raise TypeError(f"arr must be an NDArray, not {arr!r}")
        if name.startswith("upsampling"):
            kind = "bilinear"
        elif name.startswith("stn_loc") and name.endswith("weight"):
            kind = "zero"
        elif name.startswith("stn_loc") and name.endswith("bias"):
            kind = "loc_bias"
        else:
            kind = _kind(name, _LEGACY_KINDS)
        getattr(self, f"_init_{kind}")(name, arr)

    def _init_bilinear(self, _, arr):
        if arr.ndim < 4:
            raise IndexError(f"bilinear weights have 4 dimensions, not shape {arr.shape}")
        _draw(arr, "bilinear")

    def _init_loc_bias(self, _, arr):
        assert arr.shape[0] == 6, f"an affine transformation has 6 numbers, not shape {arr.shape}"
        _fill(arr, [1.0, 0, 0, 0, 1.0, 0])

    def _init_zero(self, _, arr):
        _fill(arr, 0)

    def _init_one(self, _, arr):
        _fill(arr, 1)

    _init_bias = _init_beta = _init_quantized_bias = _init_zero
    _init_gamma = _init_one

    def _init_quantized_weight(self, _, arr):
        _fill(arr, _ops["random_integers"]((1,), -127, 127, device=arr.device))

    def _init_weight(self, name, arr):
        raise NotImplementedError(f"{type(self).__name__} does not define _init_weight")

    def _init_default(self, name, _):
        raise ValueError(
            f"the name {name} does not say how to begin: without an initializer of their own, only "
            "names that end in weight, bias, gamma (1) or beta (0) do. Give init= where the "
            "parameter or variable is made."
        )


# What a parameter is, by how its name ends.
_KINDS = {
    "weight": "weight",
    "bias": "bias",
    "gamma": "gamma",
    "beta": "beta",
    "min": "zero",
    "max": "one",
    "weight_quantize": "quantized_weight",
    "bias_quantize": "quantized_bias",
}
_LEGACY_KINDS = {
    "bias": "bias",
    "gamma": "gamma",
    "beta": "beta",
    "weight": "weight",
    "moving_mean": "zero",
    "moving_var": "one",
    "moving_inv_var": "zero",
    "moving_avg": "zero",
    "min": "zero",
    "max": "one",
}


def _kind(name, kinds):
    for ending, kind in kinds.items():
        if name.endswith(ending):
            return kind
    return "default"


def _root_mean_square(array):
    return str((array.norm() / sqrt(array.size)).asscalar())


_register = registry.get_register_func(Initializer, "initializer")
alias = registry.get_alias_func(Initializer, "initializer")
create = registry.get_create_func(Initializer, "initializer")


def register(klass):
    """Registers an initialiser by its name in small letters, for `create`."""
    return _register(klass)


# ---- Numbers -------------------------------------------------------------------------------------


@register
@alias("zeros")
class Zero(Initializer):
    """All elements 0."""

    __module__ = "mxnet.initializer"

    def __init__(self):
        super().__init__()

    def _init_weight(self, _, arr):
        _fill(arr, 0)


@register
@alias("ones")
class One(Initializer):
    """All elements 1."""

    __module__ = "mxnet.initializer"

    def __init__(self):
        super().__init__()

    def _init_weight(self, _, arr):
        _fill(arr, 1)


@register
class Constant(Initializer):
    """All elements a number; or those of an array, which is broadcast."""

    __module__ = "mxnet.initializer"

    def __init__(self, value):
        super().__init__(value=value)
        self.value = value

    def _init_weight(self, _, arr):
        _fill(arr, self.value)

    def dumps(self):
        """The name and the value, in JSON. Waits for an array."""
        value = self._kwargs["value"]
        if hasattr(value, "asnumpy"):
            value = value.asnumpy()
        if hasattr(value, "tolist"):
            self._kwargs["value"] = value.tolist()
        return super().dumps()


# ---- Random numbers ------------------------------------------------------------------------------


@register
class Uniform(Initializer):
    """Numbers spread evenly over [-scale, scale)."""

    __module__ = "mxnet.initializer"

    def __init__(self, scale=0.07):
        super().__init__(scale=scale)
        self.scale = scale

    def _init_weight(self, _, arr):
        _draw(arr, "random_uniform", -self.scale, self.scale)


@register
class Normal(Initializer):
    """Normal numbers around 0 with a deviation of sigma."""

    __module__ = "mxnet.initializer"

    def __init__(self, sigma=0.01):
        super().__init__(sigma=sigma)
        self.sigma = sigma

    def _init_weight(self, _, arr):
        _draw(arr, "random_normal", 0, self.sigma)


@register
class Orthogonal(Initializer):
    """scale times a random matrix of orthogonal rows, or columns if these are fewer."""

    __module__ = "mxnet.initializer"

    def __init__(self, scale=1.414, rand_type="uniform"):
        super().__init__(scale=scale, rand_type=rand_type)
        self.scale = scale
        self.rand_type = rand_type

    def _init_weight(self, name, arr):
        if self.rand_type not in ("uniform", "normal"):
            raise MXNetValueError(
                f"Orthogonal: rand_type must be 'uniform' or 'normal', not {self.rand_type!r}"
            )
        if arr.ndim < 2:
            raise MXNetTypeError(
                f"Orthogonal is for two dimensions or more, and {name} has shape {arr.shape}"
            )
        _draw(arr, "orthogonal", self.scale)


@register
class Xavier(Initializer):
    """Numbers whose spread is sqrt(magnitude / factor), for the number of inputs and outputs.

    factor_type says which of them is the factor: 'in', 'out' or 'avg', their mean. rnd_type is
    'uniform' or 'gaussian'.
    """

    __module__ = "mxnet.initializer"

    def __init__(self, rnd_type="uniform", factor_type="avg", magnitude=3):
        super().__init__(rnd_type=rnd_type, factor_type=factor_type, magnitude=magnitude)
        self.rnd_type = rnd_type
        self.factor_type = factor_type
        self.magnitude = float(magnitude)

    def _init_weight(self, name, arr):
        if arr.ndim < 2:
            raise ValueError(
                f"Xavier is for two dimensions or more, and {name} has shape {arr.shape}"
            )
        if self.factor_type not in ("avg", "in", "out"):
            raise ValueError(f"factor_type must be 'avg', 'in' or 'out', not {self.factor_type!r}")
        if self.rnd_type not in ("uniform", "gaussian"):
            raise ValueError(f"rnd_type must be 'uniform' or 'gaussian', not {self.rnd_type!r}")
        _draw(arr, "xavier", self.rnd_type, self.factor_type, self.magnitude)


@register
class MSRAPrelu(Xavier):
    """Normal numbers for what comes before a leaky relu of that slope."""

    __module__ = "mxnet.initializer"

    def __init__(self, factor_type="avg", slope=0.25):
        super().__init__("gaussian", factor_type, 2.0 / (1 + slope**2))
        self._kwargs = {"factor_type": factor_type, "slope": slope}


# ---- Layers --------------------------------------------------------------------------------------


@register
class Bilinear(Initializer):
    """Weights of a transposed convolution that enlarges pictures by linear interpolation."""

    __module__ = "mxnet.initializer"

    def __init__(self):
        super().__init__()

    def _init_weight(self, name, arr):
        self._init_bilinear(name, arr)


@register
class LSTMBias(Initializer):
    """0, but forget_bias for the forget gates, the second quarter."""

    __module__ = "mxnet.initializer"

    def __init__(self, forget_bias=1.0):
        super().__init__(forget_bias=forget_bias)
        self.forget_bias = forget_bias

    def _init_weight(self, name, arr):
        _fill(arr, 0)
        hidden = arr.shape[0] // 4
        with _autograd.pause():
            _dialects.native(arr)[hidden : 2 * hidden] = self.forget_bias


@register
class FusedRNN(Initializer):
    """For the parameters of fused cells, which are symbols: filling an array raises."""

    __module__ = "mxnet.initializer"

    def __init__(self, init, num_hidden, num_layers, mode, bidirectional=False, forget_bias=1.0):
        init = create(init) if isinstance(init, str) else init
        super().__init__(
            init=init.dumps() if init is not None else None,
            num_hidden=num_hidden,
            num_layers=num_layers,
            mode=mode,
            bidirectional=bidirectional,
            forget_bias=forget_bias,
        )
        self._init = init

    def _init_weight(self, desc, arr):
        raise_not_built("mxnet.initializer.FusedRNN")


# ---- By name -------------------------------------------------------------------------------------


class Mixed(Pickled):
    """Several initialisers: the first one whose regular expression fits a name fills its array."""

    __module__ = "mxnet.initializer"

    def __init__(self, patterns, initializers):
        assert len(patterns) == len(initializers), (
            f"{len(patterns)} patterns, {len(initializers)} initializers"
        )
        self.map = list(zip(map(re.compile, patterns), initializers))

    def __call__(self, name, arr):
        for pattern, initializer in self.map:
            if pattern.match(name):
                initializer(name, arr)
                return
        raise ValueError(
            f"no pattern of Mixed is for the name {name}: "
            '".*" as the last one is for all that remain'
        )


class Load(Pickled):
    """Arrays by name, of a dict or a file, and an initialiser for the names that it lacks."""

    __module__ = "mxnet.initializer"

    def __init__(self, param, default_init=None, verbose=False):
        if isinstance(param, str):
            param = load(param)
        assert isinstance(param, dict), f"param must be a dict, not {type(param).__name__}"
        self.param = {
            name[4:] if name.startswith(("arg:", "aux:")) else name: array
            for name, array in param.items()
        }
        self.default_init = default_init
        self.verbose = verbose

    def __call__(self, name, arr):
        if name in self.param:
            loaded = self.param[name]
            assert arr.shape == loaded.shape, (
                f"{name} has shape {arr.shape}, and what Load has for it {loaded.shape}"
            )
            _fill(arr, loaded)
        else:
            assert self.default_init is not None, (
                f"there is nothing to load for {name}, and Load has no default_init for such names"
            )
            self.default_init(name, arr)
        if self.verbose:
            how = "by loading" if name in self.param else "by default"
            logging.info("Initialized %s %s", name, how)


__getattr__ = missing("mxnet.initializer")
