"""Calls of hybrid blocks whose parameters have no arrays yet: their shapes are found first.

A layer that knows its shapes says them in infer_shape. Of other blocks hybrid_forward runs with a
stand-in for each parameter that has open lengths, and with an F that notices what stand-ins are
used for: where F.FullyConnected meets one, the data beside it says its shape, the parameter gets
its arrays, and the call goes on with them. So the first call computes what every call does, once.
Operators notice it too, and for that the arguments are of classes of their own during the call.
"""

import threading
from math import prod

from ... import _core
from .. import _dialects, ndarray as _F
from .._nd_array import NDArray, element_type
from ..context import device_of
from .parameter import array_class
from .utils import shape_is_known

_ops = _core._ops


class _Probing(threading.local):
    active = False  # a call is for its shapes only: parameters without arrays are zeros


_probing = _Probing()

# ---- Arguments of a call -------------------------------------------------------------------------


def _arrays_in(args):
    for one in args:
        if isinstance(one, NDArray):
            yield one
        elif isinstance(one, (list, tuple)):
            yield from _arrays_in(one)


def _context(args):
    """The context of the first array among the arguments."""
    first = next(_arrays_in(args), None)
    if first is None:
        raise ValueError(
            "a HybridBlock is called with at least one NDArray, and there is none among these "
            f"arguments: {', '.join(type(one).__name__ for one in args)}"
        )
    return first.context


def probing():
    """Whether this thread calls blocks for shapes only."""
    return _probing.active


def prepared(block, args):
    """F and the arrays of a block's own parameters, for hybrid_forward."""
    ctx = _context(args)
    params = block._reg_params
    if any(_is_open(param) for param in params.values()):
        from .block import HybridBlock

        if not _probing.active:
            _raise_uninitialized(params.values())
        if type(block).infer_shape is not HybridBlock.infer_shape:
            block.infer_shape(*args)
    F, found = _F, {}
    for name, param in params.items():
        if _is_open(param):
            F, found[name] = _Noticing(_F), _Open(param, ctx)
        else:
            found[name] = _array(param, ctx)
    return F, found


def _is_open(param):
    return not param._arrays and not shape_is_known(param.shape)


def _raise_uninitialized(params):
    for param in params:
        if not param._arrays and param._plan is None:
            raise param._without_arrays()


def _array(param, ctx):
    """The array of a parameter whose shape is known."""
    if _probing.active and not param._arrays:
        made = _ops["zeros"](param._shape, element_type(param.dtype), device=device_of(ctx))
        return made.as_subclass(array_class())
    param._finish_deferred_init()
    return param.data(ctx)


def probe(block, args):
    """Calls a block only to have the shapes of its parameters found."""
    from .. import autograd

    outer, _probing.active = _probing.active, True
    try:
        with autograd.pause():
            block.forward(*args)
    finally:
        _probing.active = outer


# ---- Stand-ins -----------------------------------------------------------------------------------


class _Open:
    """Stands for a parameter with open lengths, or for a function of its elements."""

    def __init__(self, param, ctx, function=None):
        self._param, self._ctx, self._function = param, ctx, function

    def with_shape(self, shape):
        """The array that it stands for, when its shape has been found."""
        if _is_open(self._param):
            self._param.shape = shape
        array = _array(self._param, self._ctx)
        return array if self._function is None else self._function(array)

    def then(self, function):
        """What stands for a function of its elements."""
        before = self._function
        after = function if before is None else lambda array: function(before(array))
        return _Open(self._param, self._ctx, after)

    def like(self, other):
        """The array that it stands for beside another, where both must have one shape."""
        if not _has_one_shape(other):
            raise _unknown(self._param, "an operator broadcasts it")
        return self.with_shape(other.shape)

    def after_dot(self, other):
        """The array that it stands for as the second factor of np.dot."""
        known = self._param.shape
        if known is None or self._function is not None or _has_one_shape(other):
            raise _unknown(self._param, "dot does not say what it is")
        inner = max(len(known) - 2, 0)
        return self.with_shape((*known[:inner], other.shape[-1], *known[inner + 1 :]))

    def __getattr__(self, name):
        raise _unknown(self._param, f"its attribute {name} is asked for")

    def __neg__(self):
        return self.then(lambda array: -array)


def _has_one_shape(array):
    """Whether the operators of an array take another of its own shape, and no broadcasting."""
    return type(array).__dialect__ is _dialects.nd


def _unknown(param, why):
    return ValueError(
        f"The deferred initialization cannot be completed: the shape {param.shape} of Parameter "
        f"{param.name!r} is not known, and {why}. Give its lengths, or define infer_shape in the "
        "block."
    )


def _of_stand_in(name):
    """An operator of stand-ins."""

    def operate(self, other):
        if isinstance(other, NDArray):
            return getattr(self.like(other), name)(other)
        if isinstance(other, _Open):
            raise _unknown(self._param, "it is used with another that is not known")
        return self.then(lambda array: getattr(array, name)(other))

    return operate


def _of_arrays(name, function):
    """An operator of arrays beside which there may be stand-ins."""

    def operate(self, other, *others):
        if isinstance(other, _Open):
            other = other.after_dot(self) if name == "dot" else other.like(self)
        return function(self, other, *others)

    return operate


_OPERATORS = [f"__{r}{one}__" for one in ("add", "sub", "mul", "truediv", "mod") for r in ("", "r")]

for _name in _OPERATORS:
    setattr(_Open, _name, _of_stand_in(_name))
del _name

_classes = {}  # of arrays that notice stand-ins, by the classes that they are derived from


def _noticing_class(cls):
    if cls not in _classes:
        names = [*_OPERATORS, *(["dot"] if cls.__dialect__ is _dialects.np else [])]
        fields = {name: _of_arrays(name, getattr(cls, name)) for name in names}
        _classes.setdefault(cls, type(cls.__name__, (cls,), {**fields, "_notices": True}))
    return _classes[cls]


def _as_noticing(value, classes):
    """Arrays, in lists too, of a class that notices stand-ins; `classes` gets which they were."""
    if isinstance(value, (list, tuple)):
        return type(value)(_as_noticing(one, classes) for one in value)
    if not isinstance(value, NDArray) or hasattr(type(value), "_notices"):
        return value
    cls = _noticing_class(type(value))
    classes[cls] = type(value)
    return value.as_subclass(cls)


def _as_before(value, classes):
    if isinstance(value, (list, tuple)):
        return type(value)(_as_before(one, classes) for one in value)
    cls = classes.get(type(value))
    return value if cls is None else value.as_subclass(cls)


def call_noticing(block, F, args, params):
    """hybrid_forward with stand-ins among the parameters."""
    classes = {}
    args = [_as_noticing(one, classes) for one in args]
    return _as_before(block.hybrid_forward(F, *args, **params), classes)


# ---- Rules ---------------------------------------------------------------------------------------
# Of each operation the names of its first arguments in order, and a function that gives the shapes
# of parameters by the shape of the first and the other arguments.


def _dense(shape, num_hidden, flatten=True, **others):
    inner = prod(shape[1:]) if flatten else shape[-1]
    return {"weight": (num_hidden, inner), "bias": (num_hidden,)}


def _channels(layout, shape):
    return shape[layout.index("C")] if layout else shape[1]


def _laid_out(layout, outer, inner, kernel):
    """The shape of a kernel of convolution: channels last if those of the data are."""
    return (outer, *kernel, inner) if layout and layout[-1] == "C" else (outer, inner, *kernel)


def _convolution(shape, kernel, num_filter, num_group=1, layout=None, **others):
    inner = _channels(layout, shape) // num_group
    return {"weight": _laid_out(layout, num_filter, inner, kernel), "bias": (num_filter,)}


def _deconvolution(shape, kernel, num_filter, num_group=1, layout=None, **others):
    outer = _channels(layout, shape)
    weight = _laid_out(layout, outer, num_filter // num_group, kernel)
    return {"weight": weight, "bias": (num_filter,)}


def _along(default):
    """Parameters with one element for each place along an axis."""

    def rule(shape, axis=default, **others):
        return dict.fromkeys(_STATISTICS, (shape[axis],))

    return rule


def _embedding(shape, input_dim, output_dim, **others):
    return {"weight": (input_dim, output_dim)}


_STATISTICS = ("gamma", "beta", "moving_mean", "moving_var")
_WEIGHT = ("data", "weight", "bias")
_KERNEL = (*_WEIGHT, "kernel", "stride", "dilate", "pad", "num_filter", "num_group")
_RULES = {
    ("FullyConnected", "fully_connected"): ((*_WEIGHT, "num_hidden", "no_bias", "flatten"), _dense),
    ("Convolution", "convolution"): (_KERNEL, _convolution),
    ("Deconvolution", "deconvolution"): (_WEIGHT, _deconvolution),
    ("Embedding", "embedding"): (("data", "weight", "input_dim", "output_dim"), _embedding),
    ("BatchNorm", "batch_norm"): (("data", *_STATISTICS), _along(1)),
    ("LayerNorm", "layer_norm"): (("data", "gamma", "beta"), _along(-1)),
    ("InstanceNorm", "GroupNorm"): (("data", "gamma", "beta"), _along(1)),
    ("LeakyReLU", "leaky_relu"): (("data", "gamma"), _along(1)),
}
_RULES = {name: rule for names, rule in _RULES.items() for name in names}

# All arrays have one shape.
_ALIKE = {
    *("add_n", "ElementWiseSum", "elemwise_add", "elemwise_sub", "elemwise_mul", "elemwise_div"),
    *("maximum", "minimum", "where"),
}

# The result has the shape of the only array.
_UNARY = {
    *("abs", "cbrt", "clip", "cos", "erf", "exp", "expm1", "log", "log1p", "negative", "ones_like"),
    *("reciprocal", "relu", "rsqrt", "sigmoid", "sin", "softsign", "sqrt", "square", "tanh"),
    *("zeros_like", "BlockGrad", "stop_gradient", "identity"),
}


class _Noticing:
    """A module of operations that finds the shapes of stand-ins among their arguments."""

    def __init__(self, module):
        self._module = module

    def __getattr__(self, name):
        found = getattr(self._module, name)
        if isinstance(found, type(_F)):
            return _Noticing(found)
        if not callable(found) or isinstance(found, type):
            return found

        def operation(*args, **kwargs):
            opens = [one for one in (*args, *kwargs.values()) if isinstance(one, _Open)]
            if not opens:
                return found(*args, **kwargs)
            return _settled(name, found, opens, args, kwargs)

        return operation


def _settled(name, function, opens, args, kwargs):
    """The result of an operation that stand-ins are among the arguments of."""
    if name in _UNARY and len(opens) == 1 and isinstance(args[0] if args else None, _Open):
        return opens[0].then(lambda array: function(array, *args[1:], **kwargs))
    if name in _ALIKE:
        known = next(_arrays_in((*args, *kwargs.values())), None)
        if known is not None and _has_one_shape(known):
            return _called(function, args, kwargs, lambda position, key: known.shape)
    if name == "dot" and len(args) > 1 and isinstance(args[0], NDArray):
        return function(args[0], args[1].after_dot(args[0]), *args[2:], **kwargs)
    if name in _RULES:
        names, rule = _RULES[name]
        given = {**dict(zip(names, args)), **kwargs}
        if isinstance(given.get("data"), NDArray):
            shape = given.pop("data").shape
            shapes = rule(shape, **{key: one for key, one in given.items() if one is not None})
            return _called(
                function, args, kwargs, lambda at, key: shapes[names[at] if key is None else key]
            )
    raise _unknown(opens[0]._param, f"{name} does not say what it is")


def _called(function, args, kwargs, shape_of):
    args = [
        one.with_shape(shape_of(at, None)) if isinstance(one, _Open) else one
        for at, one in enumerate(args)
    ]
    kwargs = {
        key: one.with_shape(shape_of(None, key)) if isinstance(one, _Open) else one
        for key, one in kwargs.items()
    }
    return function(*args, **kwargs)
