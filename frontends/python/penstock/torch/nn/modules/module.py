"""The class that layers, losses and whole models are made of."""

from ... import _missing
from ..._convert import _wanted
from ..._dtypes import ALL, tensor_type
from ..._tensor import Tensor
from ...autograd._modes import no_grad
from ..parameter import Buffer, Parameter, is_lazy
from . import _hooks, _state
from ...._common.holders import Holder, named
from ...._common.registered import BUFFER, MODULE, PARAMETER, Registered, listed

__all__ = ["Module"]

# What pickles have instead of attributes that are registered.
_TABLES = {"_parameters": PARAMETER, "_buffers": BUFFER, "_modules": MODULE}


def type_name(value):
    """What an object's class is called in errors: 'torch.FloatTensor', 'int'."""
    if isinstance(value, Tensor):
        return tensor_type(value.dtype)
    kind = type(value)
    module = kind.__module__.removeprefix("penstock.")
    return kind.__qualname__ if module == "builtins" else f"{module}.{kind.__qualname__}"


class Module(Holder):
    """A part of a model: has parameters, buffers and other modules, and computes in forward.

    >>> from penstock import torch
    >>> from penstock.torch import nn
    >>> class Net(nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.hidden = nn.Linear(2, 3)
    ...     def forward(self, x):
    ...         return self.hidden(x).relu()
    >>> Net()(torch.ones(4, 2)).shape
    torch.Size([4, 3])
    """

    _UNSAVED = "_non_persistent_buffers_set"
    _version = 1
    call_super_init = False
    dump_patches = False

    def __init__(self, *args, **kwargs):
        if not self.call_super_init:
            if kwargs:
                raise TypeError(
                    f"{type(self).__name__}.__init__() got an unexpected keyword argument "
                    f"'{next(iter(kwargs))}'"
                )
            if args:
                raise TypeError(
                    f"{type(self).__name__}.__init__() takes 1 positional argument but "
                    f"{len(args) + 1} were given"
                )
        own = self.__dict__
        own["training"] = True
        own["_kinds"] = {}
        own["_non_persistent_buffers_set"] = set()
        own["_forward_hooks"] = _hooks.Hooks()
        own["_forward_pre_hooks"] = _hooks.Hooks()
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    # ---- Calls -----------------------------------------------------------------------------------

    def __call__(self, *args, **kwargs):
        if self._forward_hooks or self._forward_pre_hooks:
            return _hooks.call(self, args, kwargs)
        return self.forward(*args, **kwargs)

    def forward(self, *input):
        """What the module computes; for classes to define."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        """Have hook(module, args, output) called after each forward; what it gives is taken."""
        made = _hooks.Hook(hook, with_kwargs, always_call)
        return _hooks.added(self._forward_hooks, made, prepend)

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        """Have hook(module, args) called before each forward; what it gives are the arguments."""
        return _hooks.added(self._forward_pre_hooks, _hooks.Hook(hook, with_kwargs), prepend)

    def register_full_backward_hook(self, hook, prepend=False):
        """Not here: raises."""
        raise NotImplementedError("Module.register_full_backward_hook: use Tensor.register_hook")

    def register_full_backward_pre_hook(self, hook, prepend=False):
        """Not here: raises."""
        raise NotImplementedError(
            "Module.register_full_backward_pre_hook: use Tensor.register_hook"
        )

    def register_backward_hook(self, hook):
        """Not here: raises."""
        raise NotImplementedError("Module.register_backward_hook: use Tensor.register_hook")

    def compile(self, *args, **kwargs):
        """Not here: raises."""
        raise NotImplementedError("Module.compile: operations are queued as they are called")

    # ---- Registration ----------------------------------------------------------------------------

    _modules = property(lambda self: Registered(self, MODULE), doc="Submodules by name.")

    def __setattr__(self, name, value):
        kinds = self.__dict__.get("_kinds")
        if kinds is not None and name in kinds:
            self._replace(name, value, kinds[name])
        elif isinstance(value, (Parameter, Module)) or (
            isinstance(value, Tensor) and isinstance(value, Buffer)
        ):
            self._add(name, value)
        else:
            object.__setattr__(self, name, value)

    def __getattr__(self, name):
        if name == "save" and "_scripted" in self.__dict__:  # what torch.jit.script adds
            from ...jit import save

            return lambda f, _extra_files=None: save(self, f, _extra_files)
        return super().__getattr__(name)

    def __dir__(self):
        names = {*dir(type(self)), *self.__dict__}
        return sorted(name for name in names if not name[:1].isdigit())

    def _add(self, name, value):
        """A parameter, module or buffer in the place of what the name was for."""
        kind = PARAMETER if isinstance(value, Parameter) else BUFFER
        kind = MODULE if isinstance(value, Module) else kind
        if "_kinds" not in self.__dict__:
            what = "parameters" if kind == PARAMETER else kind
            raise AttributeError(f"cannot assign {what} before Module.__init__() call")
        self._non_persistent_buffers_set.discard(name)
        if kind == BUFFER and not value.persistent:
            self._non_persistent_buffers_set.add(name)
        Registered(self, kind)[name] = value

    def _replace(self, name, value, kind):
        """Something else for a name that is registered."""
        if isinstance(value, Parameter) or isinstance(value, Module) and kind != PARAMETER:
            self._add(name, value)
            return
        if value is not None and not (kind == BUFFER and isinstance(value, Tensor)):
            expected = {
                PARAMETER: f"parameter '{name}' (torch.nn.Parameter or None expected)",
                MODULE: f"child module '{name}' (torch.nn.Module or None expected)",
                BUFFER: f"buffer '{name}' (torch.nn.Buffer, torch.Tensor or None expected)",
            }[kind]
            raise TypeError(f"cannot assign '{type_name(value)}' as {expected}")
        self.__dict__[name] = value

    def _check_name(self, what, name, kind):
        if "_kinds" not in self.__dict__:
            raise AttributeError(f"cannot assign {what} before Module.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"{what} name should be a string. Got {type_name(name)}")
        if "." in name:
            raise KeyError(f'{what} name can\'t contain ".", got: {name}')
        if name == "":
            raise KeyError(f'{what} name can\'t be empty string ""')
        if hasattr(self, name) and self._kinds.get(name) != kind:
            raise KeyError(f"attribute '{name}' already exists")

    def register_parameter(self, name, param):
        """Add a parameter, or None to say that there is none of that name."""
        self._check_name("parameter", name, PARAMETER)
        if param is not None:
            if not isinstance(param, Parameter):
                raise TypeError(
                    f"cannot assign '{type_name(param)}' object to parameter '{name}' "
                    "(torch.nn.Parameter or None required)"
                )
            if not param.is_leaf:
                raise ValueError(f"Cannot assign non-leaf Tensor to parameter '{name}'.")
        self._parameters[name] = param

    def register_buffer(self, name, tensor, persistent=True):
        """Add a tensor that is no parameter; state_dict has it if it is persistent."""
        self._check_name("buffer", name, BUFFER)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{type_name(tensor)}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        self._keep_buffer(name, tensor, persistent)

    def add_module(self, name, module):
        """Add a module, or None to say that there is none of that name."""
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{type_name(module)} is not a Module subclass")
        self._check_name("module", name, MODULE)
        self._modules[name] = module

    def register_module(self, name, module):
        """As add_module."""
        self.add_module(name, module)

    # ---- What is in it ---------------------------------------------------------------------------

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        """This module and all in it, with their names, parents first."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, child in listed(self, MODULE):
            if child is not None:
                inner = f"{prefix}.{name}" if prefix else name
                yield from child.named_modules(memo, inner, remove_duplicate)

    def modules(self, remove_duplicate=True):
        """This module and all in it, parents first."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def _named(self, kind, prefix, recurse, remove_duplicate):
        if recurse:
            modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
        else:
            modules = [(prefix, self)]
        return named(modules, kind, remove_duplicate)

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        """All parameters with their names, each once; the module's own before those of others."""
        yield from self._named(PARAMETER, prefix, recurse, remove_duplicate)

    def parameters(self, recurse=True):
        """All parameters, each once."""
        for _, one in self._named(PARAMETER, "", recurse, True):
            yield one

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        """All buffers with their names, each once."""
        yield from self._named(BUFFER, prefix, recurse, remove_duplicate)

    def buffers(self, recurse=True):
        """All buffers, each once."""
        for _, one in self._named(BUFFER, "", recurse, True):
            yield one

    def get_submodule(self, target):
        """The module of a full name: 'body.0'."""
        module = self
        for name in target.split(".") if target else ():
            if not hasattr(module, name):
                raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def set_submodule(self, target, module, strict=False):
        """Put a module in the place of a full name."""
        if not target:
            raise ValueError("Cannot set the submodule without a target name!")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        if not isinstance(module, Module):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        setattr(parent, name, module)

    def _get(self, target, kind, what):
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        if module._kinds.get(name) != kind:
            raise AttributeError(f"`{name}` is not {what}")
        return getattr(module, name)

    def get_parameter(self, target):
        """The parameter of a full name: 'body.0.weight'."""
        return self._get(target, PARAMETER, "an nn.Parameter")

    def get_buffer(self, target):
        """The buffer of a full name."""
        return self._get(target, BUFFER, "a buffer")

    # ---- Modes -----------------------------------------------------------------------------------

    def train(self, mode=True):
        """Set this module and all in it to training, or with False to evaluation."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self

    def requires_grad_(self, requires_grad=True):
        """Ask for the gradients of all parameters, or no more."""
        for one in self.parameters():
            one.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        """Take the gradients of all parameters away, or make them 0."""
        for one in self.parameters():
            if set_to_none:
                one.grad = None
            elif one.grad is not None:
                with no_grad():
                    one.grad.zero_()

    # ---- Types and devices -----------------------------------------------------------------------

    def _apply(self, fn, recurse=True):
        """Put what a function makes of all parameters and buffers in their places."""
        if recurse:
            for child in self.children():
                child._apply(fn)
        for _, one in listed(self, PARAMETER):
            if one is not None:
                _change(one, fn)
        for name, one in listed(self, BUFFER):
            if one is not None:
                self.__dict__[name] = fn(one)
        return self

    def to(self, *args, **kwargs):
        """Move all parameters and buffers to a device, or convert those of floats to a dtype."""
        one, where, _ = _wanted(args, kwargs)
        if one is not None and not (one.is_floating_point or one.is_complex):
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired "
                f"dtype={one}"
            )

        def convert(tensor):
            kind = tensor.dtype
            floats = kind.is_floating_point or kind.is_complex
            return tensor.to(device=where, dtype=one if floats else None)

        return self._apply(convert)

    def cuda(self, device=None):
        """Move all parameters and buffers to a GPU."""
        return self._apply(lambda tensor: tensor.cuda(device))

    def cpu(self):
        """Move all parameters and buffers to the host."""
        return self._apply(lambda tensor: tensor.cpu())

    def type(self, dst_type):
        """Convert all parameters and buffers to a dtype."""
        return self._apply(lambda tensor: tensor.type(dst_type))

    def _to_floats(self, one):
        return self._apply(lambda t: t.to(one) if t.dtype.is_floating_point else t)

    def float(self):
        """Convert parameters and buffers of floating-point numbers to float32."""
        return self._to_floats(ALL["float32"])

    def double(self):
        """Convert parameters and buffers of floating-point numbers to float64."""
        return self._to_floats(ALL["float64"])

    def half(self):
        """Convert parameters and buffers of floating-point numbers to float16."""
        return self._to_floats(ALL["float16"])

    def bfloat16(self):
        """Convert parameters and buffers of floating-point numbers to bfloat16."""
        return self._to_floats(ALL["bfloat16"])

    def to_empty(self, *, device, recurse=True):
        """Move to a device; what elements are there is of no particular value."""
        return self._apply(lambda tensor: tensor.to(device), recurse)

    def share_memory(self):
        """Not here: raises."""
        raise NotImplementedError("Module.share_memory: elements are of one process")

    # ---- State -----------------------------------------------------------------------------------

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        """All parameters and persistent buffers by their full names: detached, not copied."""
        given = dict(zip(("destination", "prefix", "keep_vars"), args))
        destination = given.get("destination", destination)
        prefix, keep_vars = given.get("prefix", prefix), given.get("keep_vars", keep_vars)
        return _state.collected(self, destination, prefix, keep_vars)

    def load_state_dict(self, state_dict, strict=True, assign=False):
        """Write what state_dict gave into the parameters and buffers; gives what did not match."""
        return _state.loaded(self, state_dict, strict, assign)

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        _state.save_own(self, destination, prefix, keep_vars)

    def _load_from_state_dict(
        self,
        state_dict,
        prefix,
        local_metadata,
        strict,
        missing_keys,
        unexpected_keys,
        error_msgs,
    ):
        assign = local_metadata.get("assign_to_params_buffers", False)
        _state.load_own(
            self, state_dict, prefix, assign, missing_keys, unexpected_keys, error_msgs
        )

    def get_extra_state(self):
        """What else state_dict has; for classes to define."""
        raise RuntimeError("get_extra_state: the class does not define it")

    def set_extra_state(self, state):
        """What load_state_dict does with that; for classes to define."""
        raise RuntimeError("set_extra_state: the class does not define it")

    def __getstate__(self):
        kinds = self._kinds
        state = {name: value for name, value in self.__dict__.items() if name not in kinds}
        del state["_kinds"]
        for name, kind in _TABLES.items():
            state[name] = dict(listed(self, kind))
        return state

    def __setstate__(self, state):
        state = dict(state)
        registered = [(kind, state.pop(name, {})) for name, kind in _TABLES.items()]
        own = self.__dict__
        own.update(_kinds={}, _non_persistent_buffers_set=set())
        own.update(state)
        for name in ("_forward_hooks", "_forward_pre_hooks"):
            own[name] = _hooks.Hooks(own.get(name) or {})
        for kind, found in registered:
            Registered(self, kind).update(found)

    # ---- Text ------------------------------------------------------------------------------------

    def __repr__(self):
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        return _text(self._get_name(), lines, self._lines_of_children())


def _change(parameter, fn):
    """What a function makes of a parameter and its gradient, in their places."""
    with no_grad():
        before = parameter.data
        made = fn(before)
        if made is before:
            return
        gradient = None if is_lazy(parameter) else parameter.grad
        parameter.grad = None
        parameter.data = made
        if gradient is not None:
            parameter.grad = fn(gradient)


def _text(name, lines, children):
    """A module's text: on one line if that is all there is."""
    lines = lines + children
    if not lines:
        return f"{name}()"
    if len(lines) == 1 and not children:
        return f"{name}({lines[0]})"
    return f"{name}(\n  " + "\n  ".join(lines) + "\n)"


__getattr__ = _missing.missing("torch.nn.modules.module")
