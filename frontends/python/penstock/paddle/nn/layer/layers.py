"""The class that layers, losses and whole models are made of."""

from collections import OrderedDict

from ...._common.holders import Holder, named
from ...._common.registered import BUFFER, MODULE, PARAMETER, Registered, listed
from ..._dialect import default_dtype
from ..._dtypes import as_dtype
from ..._parameter import Parameter
from ..._tensor import Tensor
from .. import _attribute, _names
from . import _state

_FIRST = "super().__init__() should be called first"


class _Handle:
    """Takes a hook out again."""

    def __init__(self, table, number):
        self._table, self._number = table, number

    def remove(self):
        """The hook is called no more."""
        self._table.pop(self._number, None)


class Layer(Holder):
    """A part of a model: has parameters, buffers and other layers, and computes in forward.

    >>> from penstock import paddle
    >>> class Net(paddle.nn.Layer):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.hidden = paddle.nn.Linear(2, 3)
    ...     def forward(self, x):
    ...         return self.hidden(x)
    >>> Net()(paddle.ones([4, 2])).shape
    paddle.Size([4, 3])
    """

    _UNSAVED = "_non_persistable_buffer_names_set"

    def __init__(self, name_scope=None, dtype="float32"):
        own = self.__dict__
        own["training"] = True
        own["_kinds"] = {}
        own["_non_persistable_buffer_names_set"] = set()
        own["_full_name"] = _names.numbered(name_scope or _names.snake(type(self).__name__))
        own["_dtype"] = dtype
        own["_before"], own["_after"] = {}, {}
        own["_hook_number"] = 0

    # ---- Calls -----------------------------------------------------------------------------------

    def __call__(self, *inputs, **kwargs):
        if self._before or self._after:
            return self._call_with_hooks(inputs, kwargs)
        return self.forward(*inputs, **kwargs)

    def _call_with_hooks(self, inputs, kwargs):
        for hook in tuple(self._before.values()):
            changed = hook(self, inputs)
            if changed is not None:
                inputs = changed if isinstance(changed, tuple) else (changed,)
        result = self.forward(*inputs, **kwargs)
        for hook in tuple(self._after.values()):
            changed = hook(self, inputs, result)
            if changed is not None:
                result = changed
        return result

    def forward(self, *inputs, **kwargs):
        """What the layer computes; for classes to define."""
        raise NotImplementedError(f"{type(self).__name__} does not define forward")

    def register_forward_pre_hook(self, hook):
        """Have hook(layer, inputs) called before each forward; what it gives are the inputs."""
        return self._hooked(self._before, hook)

    def register_forward_post_hook(self, hook):
        """Have hook(layer, inputs, output) called after each forward; what it gives is taken."""
        return self._hooked(self._after, hook)

    register_forward_hook = register_forward_post_hook

    def _hooked(self, table, hook):
        number = self._hook_number
        self._hook_number = number + 1
        table[number] = hook
        return _Handle(table, number)

    # ---- Registration ----------------------------------------------------------------------------

    _sub_layers = property(lambda self: Registered(self, MODULE), doc="Sublayers by name.")

    def __setattr__(self, name, value):
        kinds = self.__dict__.get("_kinds")
        if kinds is not None and name in kinds:
            self._replace(name, value, kinds[name])
        elif isinstance(value, (Parameter, Layer)):
            if kinds is None:
                raise ValueError(_FIRST)
            Registered(self, PARAMETER if isinstance(value, Parameter) else MODULE)[name] = value
        else:
            object.__setattr__(self, name, value)

    def _replace(self, name, value, kind):
        """Another value for a registered name."""
        if isinstance(value, Parameter):
            Registered(self, PARAMETER)[name] = value
        elif isinstance(value, Layer):
            Registered(self, MODULE)[name] = value
        elif value is None or kind == BUFFER and isinstance(value, Tensor):
            self.__dict__[name] = value
        else:
            what = {PARAMETER: "parameter", BUFFER: "buffer", MODULE: "sublayer"}[kind]
            wanted = {PARAMETER: "Parameter", BUFFER: "Tensor", MODULE: "Layer"}[kind]
            raise TypeError(
                f"assignment to {what} '{name}' should be of type {wanted} or None, but got "
                f"'{type(value).__name__}'"
            )

    def __dir__(self):
        return sorted({*dir(type(self)), *self.__dict__})

    def _check_name(self, what, name):
        if "_kinds" not in self.__dict__:
            raise ValueError(_FIRST)
        if not isinstance(name, str):
            raise TypeError(
                f"The name of {what} should be a string, but received {type(name).__name__}."
            )
        if "." in name:
            raise KeyError(f"The name of {what} can not contain `.`: {name!r}")
        if name == "":
            raise KeyError(f"The name of {what} can not be empty.")
        if hasattr(self, name) and name not in self._kinds:
            raise KeyError(f"The {what} '{name}' already exists.")

    def add_parameter(self, name, parameter):
        """Add a parameter, or None to say that there is none of that name; gives it."""
        self._check_name("parameter", name)
        if parameter is not None and not isinstance(parameter, Parameter):
            raise TypeError(
                "The parameter to be added should be a Parameter, but received "
                f"{type(parameter).__name__}."
            )
        Registered(self, PARAMETER)[name] = parameter
        return parameter

    register_parameter = add_parameter

    def add_sublayer(self, name, sublayer):
        """Add a layer under a name; gives it."""
        if not isinstance(sublayer, Layer) and sublayer is not None:
            raise AssertionError(f"a sublayer is a Layer, not {type(sublayer).__name__}")
        Registered(self, MODULE)[str(name)] = sublayer
        return sublayer

    add_module = register_module = add_sublayer

    def register_buffer(self, name, tensor, persistable=True):
        """Add a tensor that is no parameter; state_dict has it if it is persistable."""
        self._check_name("buffer", name)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"The registered buffer should be a Paddle.Tensor, but received "
                f"{type(tensor).__name__}."
            )
        self._keep_buffer(name, tensor, persistable)

    def create_parameter(
        self, shape, attr=None, dtype=None, is_bias=False, default_initializer=None, device=None
    ):
        """A parameter for this layer, which becomes a part of it when it is assigned."""
        kind = self._dtype if dtype is None else dtype
        return _attribute.made(shape, kind, attr, default_initializer, self._full_name, is_bias)

    def create_tensor(self, name=None, persistable=None, dtype=None):
        """A tensor without elements."""
        from ..._create import empty

        return empty([0], dtype=dtype or self._dtype)

    create_variable = create_tensor

    # ---- What is in it ---------------------------------------------------------------------------

    def full_name(self):
        """The layer's name, which no other has: linear_0."""
        return self._full_name

    def named_sublayers(
        self, prefix="", include_self=False, layers_set=None, remove_duplicate=True
    ):
        """All layers in this one with their names, each once, parents first."""
        seen = set() if layers_set is None else layers_set
        if include_self and self not in seen:
            seen.add(self)
            yield prefix, self
        for name, child in listed(self, MODULE):
            if child is None or child in seen and remove_duplicate:
                continue
            inner = f"{prefix}.{name}" if prefix else name
            yield from child.named_sublayers(inner, True, seen, remove_duplicate)

    named_modules = named_sublayers

    def sublayers(self, include_self=False):
        """All layers in this one, as a list."""
        return [one for _, one in self.named_sublayers(include_self=include_self)]

    def modules(self):
        """This layer and all in it, as a list."""
        return self.sublayers(True)

    def _named(self, kind, prefix, inner):
        return named(self.named_sublayers(prefix, True) if inner else [(prefix, self)], kind)

    def named_parameters(self, prefix="", include_sublayers=True, remove_duplicate=True):
        """All parameters with their names, each once; the layer's own before those of others."""
        yield from self._named(PARAMETER, prefix, include_sublayers)

    def parameters(self, include_sublayers=True):
        """All parameters, each once, as a list."""
        return [one for _, one in self._named(PARAMETER, "", include_sublayers)]

    def named_buffers(self, prefix="", include_sublayers=True, remove_duplicate=True):
        """All buffers with their names, each once."""
        yield from self._named(BUFFER, prefix, include_sublayers)

    def buffers(self, include_sublayers=True):
        """All buffers, each once, as a list."""
        return [one for _, one in self._named(BUFFER, "", include_sublayers)]

    def get_sublayer(self, target):
        """The layer of a full name: 'body.0'."""
        layer = self
        for name in target.split(".") if target else ():
            layer = getattr(layer, name)
            if not isinstance(layer, Layer):
                raise AttributeError(f"`{name}` is not an nn.Layer")
        return layer

    get_submodule = get_sublayer

    # ---- Modes -----------------------------------------------------------------------------------

    def train(self, mode=True):
        """Set this layer and all in it to training."""
        for layer in self.sublayers(True):
            layer.training = mode
        return self

    def clear_gradients(self, set_to_zero=True):
        """Make the gradients of all parameters 0, or take them away."""
        for one in self.parameters():
            if one.trainable:
                one.clear_gradient(set_to_zero)

    def zero_grad(self, set_to_none=True):
        """Take the gradients of all parameters away, or make them 0."""
        self.clear_gradients(not set_to_none)

    def requires_grad_(self, requires_grad=True):
        """Ask for the gradients of all parameters, or no more."""
        for one in self.parameters():
            one.stop_gradient = not requires_grad
        return self

    # ---- Types and devices -----------------------------------------------------------------------

    def to(self, device=None, dtype=None, blocking=None):
        """Move all parameters and buffers to a device, or convert those of floats to a dtype."""
        return _state.moved(self, device, None if dtype is None else as_dtype(dtype))

    def astype(self, dtype=None):
        """Convert parameters and buffers of floating-point numbers."""
        return _state.moved(self, None, as_dtype(dtype or default_dtype()))

    def float(self, excluded_layers=None):
        """Convert parameters and buffers of floating-point numbers to float32."""
        return self.astype("float32")

    def float16(self, excluded_layers=None):
        """Convert parameters and buffers of floating-point numbers to float16."""
        return self.astype("float16")

    def bfloat16(self, excluded_layers=None):
        """Convert parameters and buffers of floating-point numbers to bfloat16."""
        return self.astype("bfloat16")

    def double(self):
        """Convert parameters and buffers of floating-point numbers to float64."""
        return self.astype("float64")

    half = float16

    def cpu(self):
        """Move all parameters and buffers to the host."""
        return self.to("cpu")

    def cuda(self, device_id=None):
        """Move all parameters and buffers to a GPU."""
        return self.to("gpu" if device_id is None else f"gpu:{device_id}")

    # ---- State -----------------------------------------------------------------------------------

    def state_dict(
        self,
        destination=None,
        include_sublayers=True,
        structured_name_prefix="",
        use_hook=True,
        keep_vars=True,
    ):
        """All parameters and persistable buffers by their full names: themselves, no copies."""
        found = OrderedDict() if destination is None else destination
        return _state.collected(self, found, include_sublayers, structured_name_prefix, keep_vars)

    def to_static_state_dict(self, *args, **kwargs):
        """As state_dict, with all buffers."""
        found = self.state_dict(*args, **kwargs)
        found.update(self.named_buffers())
        return found

    def set_state_dict(self, state_dict, use_structured_name=True):
        """Write what state_dict gave into the parameters and buffers.

        Gives the names that were missing, and those that were not expected.
        """
        return _state.loaded(self, state_dict, use_structured_name)

    load_dict = set_dict = load_state_dict = set_state_dict

    def backward(self, *inputs):
        """Not here: raises."""
        raise ValueError("Layer shouldn't implement backward")

    # ---- Text ------------------------------------------------------------------------------------

    def __repr__(self):
        extra, lines = self.extra_repr(), self._lines_of_children()
        if not lines:
            return f"{self._get_name()}({extra})"
        return f"{self._get_name()}({extra}\n  " + "\n  ".join(lines) + "\n)"
