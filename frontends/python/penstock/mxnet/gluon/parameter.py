"""mx.gluon.parameter: parameters of layers, and dicts of them.

Invariants
  1. `_arrays` has a parameter's array for each device, by the native name of the device; it is
     empty before the arrays are there. Blocks read it without a lock, and find nothing or all.
  2. `_plan` says what initialisation asked for while the shape is not known; else it is None.
  3. Shape, type and arrays change only while the parameter's lock is held: arrays are made once,
     whichever thread comes first, and random numbers are drawn once.
  4. `_fresh` has for each array a deque, which a walk puts something into when it has written the
     gradient. Trainers empty them.
"""

import warnings
from _thread import RLock
from collections import OrderedDict, deque

from numpy import float32

from ... import _core
from ...nn._parameter import _Settling
from .. import _dialects, initializer
from .._missing import missing
from .._mode import mode
from .._nd_array import NDArray, element_type
from .._pickles import Pickled
from .._unbuilt import raise_not_built
from ..base import MXNetError
from ..context import Context, cpu, current_context, device_of
from .utils import _shifted, _some_names, shape_is_known

__all__ = ["Constant", "DeferredInitializationError", "Parameter", "ParameterDict"]

_REQUESTS = ("write", "add", "null")


class _Changes:
    """`mark` is another object after arrays or gradients of any parameter became others."""

    __slots__ = ("mark",)

    def __init__(self):
        self.mark = object()


changes = _Changes()  # for trainers, which keep lists of arrays
_ops = _core._ops


class DeferredInitializationError(MXNetError):
    """A parameter was asked for its array while its shape is not known."""

    __module__ = "mxnet.gluon.parameter"
    _kind = "deferred"

    def __reduce__(self):
        return (_restored_error, self.args)


def _restored_error(*args):
    return DeferredInitializationError(*args)


def array_class():
    """Of which class arrays are that the library makes: mx.np's in NumPy mode."""
    if mode.array:
        from .._np_array import ndarray

        return ndarray
    return NDArray


def _contexts(ctx):
    """Contexts as a list; None is the current one."""
    if ctx is None:
        return [current_context()]
    return [ctx] if isinstance(ctx, Context) else list(ctx)


def _default_initializer():
    return initializer.Uniform()


class Parameter(Pickled):
    """An array that is learned, once for each context, with its gradients.

    Lengths of the shape that are 0, or -1 in NumPy mode, are found at the first call of the block
    that the parameter belongs to, if allow_deferred_init is True.
    """

    __module__ = "mxnet.gluon.parameter"

    def __init__(
        self,
        name,
        grad_req="write",
        shape=None,
        dtype=float32,
        lr_mult=1.0,
        wd_mult=1.0,
        init=None,
        allow_deferred_init=False,
        differentiable=True,
        stype="default",
        grad_stype="default",
    ):
        _check_storage(name, "stype", stype)
        _check_storage(name, "grad_stype", grad_stype)
        self._lock = RLock()
        self._arrays, self._grads, self._fresh = {}, {}, {}
        self._ctx_list = None
        self._plan = None
        self._trainer = None
        self._differentiable = differentiable
        self._allow_deferred_init = allow_deferred_init
        self._grad_req = None
        self._shape = (shape,) if isinstance(shape, int) else shape and tuple(shape)
        self._dtype = dtype
        self.name = name
        self.grad_req = grad_req
        self.lr_mult = lr_mult
        self.wd_mult = wd_mult
        self.init = init

    def __repr__(self):
        return f"Parameter {self.name} (shape={self.shape}, dtype={self.dtype})"

    # ---- What it is ---------------------------------------------------------------------------

    @property
    def grad_req(self):
        """What a backward does with the gradient: 'write', 'add' or, for none, 'null'."""
        return self._grad_req

    @grad_req.setter
    def grad_req(self, req):
        if req not in _REQUESTS:
            raise AssertionError(
                f"grad_req is {req!r}; there are 'write', 'add' and 'null'"
            )
        if not self._differentiable:
            req = "null"
        if self._grad_req != req:
            with _Settling(self):
                self._grad_req = req
                if self._arrays:
                    self._attach()
                    changes.mark = object()

    @property
    def dtype(self):
        """The element type, as it was given."""
        return self._dtype

    @dtype.setter
    def dtype(self, dtype):
        self.cast(dtype)

    @property
    def shape(self):
        """The shape; lengths that are not known are 0, in NumPy mode -1."""
        shape = self._shape
        if shape is None or not mode.shape:
            return shape
        return tuple(length or -1 for length in shape)

    @shape.setter
    def shape(self, new_shape):
        new_shape = tuple(new_shape)
        with _Settling(self):
            known = self._shape
            if known is not None and (
                len(known) != len(new_shape)
                or any(was not in (-1, 0, now) for now, was in zip(new_shape, known))
            ):
                raise AssertionError(
                    f"Parameter {self.name!r} has shape {known}, which cannot become {new_shape}"
                )
            self._shape = new_shape

    @property
    def stype(self):
        """How elements are stored: always 'default', one behind the other."""
        return "default"

    # ---- Arrays -------------------------------------------------------------------------------

    def data(self, ctx=None):
        """The array in a context, the same object each time; None is the only context."""
        arrays = self._arrays
        if ctx is None and len(arrays) == 1:
            (array,) = arrays.values()
            return array
        return self._one(arrays, ctx)

    def list_data(self):
        """The arrays in all contexts."""
        return list(self._checked(self._arrays).values())

    def grad(self, ctx=None):
        """The gradient in a context: one storage, which each backward writes to."""
        self._check_has_grad()
        grads = self._grads
        if ctx is None and len(grads) == 1:
            (array,) = grads.values()
            return array
        return self._one(grads, ctx)

    def list_grad(self):
        """The gradients in all contexts."""
        self._check_has_grad()
        return list(self._checked(self._grads).values())

    def list_ctx(self):
        """The contexts of the parameter, also of one whose arrays are still to be made."""
        if not self._arrays:
            if self._plan is not None:
                return self._plan[1]
            raise RuntimeError(f"Parameter {self.name!r} has not been initialized")
        return self._ctx_list

    def _check_has_grad(self):
        if self._arrays and not self._grads:
            raise RuntimeError(
                f"Parameter {self.name!r} has no gradient: its grad_req is 'null'"
            )

    def _checked(self, arrays):
        if not arrays:
            raise self._without_arrays()
        return arrays

    def _one(self, arrays, ctx):
        """The array of a context; None is the current one."""
        found = self._checked(arrays).get(device_of(ctx))
        if found is None:
            ctx = current_context() if ctx is None else ctx
            raise RuntimeError(
                f"Parameter {self.name!r} has no data on {ctx}, only on {self._ctx_list}"
            )
        return found

    def _without_arrays(self):
        """The exception for a parameter that has no arrays."""
        if self._plan is not None:
            return DeferredInitializationError(
                f"Parameter {self.name!r} has no data yet, as its initialization is deferred: its "
                f"shape {self.shape} becomes known at the first call of its block. "
                "Call the network with a batch before, or give in_units, in_channels and the like."
            )
        return RuntimeError(
            f"Parameter {self.name!r} has not been initialized: call initialize() of it or of its "
            "block. Block.collect_params() has the parameters of all blocks inside, Block.params "
            "has not."
        )

    # ---- Initialisation -----------------------------------------------------------------------

    def initialize(self, init=None, ctx=None, default_init=None, force_reinit=False):
        """Makes the arrays, or, if the shape is not known, as soon as it is.

        Elements are what `init` says, else the parameter's own `init`, else `default_init`: numbers
        spread evenly over [-0.07, 0.07). A parameter that has arrays keeps them unless force_reinit
        is True.
        """
        with _Settling(self):
            if self._arrays and not force_reinit:
                warnings.warn(
                    f"Parameter {self.name!r} has data, which initialize() leaves as it is; "
                    "force_reinit=True makes it anew.",
                    stacklevel=2,
                )
                return
            if default_init is None:
                default_init = _default_initializer()
            own = self.init if self.init is not None else default_init
            plan = (own if init is None else init, _contexts(ctx), default_init, None)
            if not shape_is_known(self.shape) and not self._allow_deferred_init:
                raise ValueError(
                    f"the shape {self.shape} of Parameter {self.name!r} is not known, and its "
                    "initialization cannot be deferred"
                )
            self._arrays, self._grads, self._fresh = {}, {}, {}
            self._plan = plan
            changes.mark = object()
            if shape_is_known(self.shape):
                self._finish_deferred_init()

    def _finish_deferred_init(self):
        """Makes the arrays that an initialisation asked for, when the shape has become known."""
        if self._plan is None:
            return
        with _Settling(self):
            if self._plan is None:  # another thread was first
                return
            if not shape_is_known(self.shape):
                raise AssertionError(
                    f"the shape {self.shape} of Parameter {self.name!r} is not known yet. "
                    "Give in_units, in_channels and the like to its block."
                )
            init, ctx, default_init, data = self._plan
            if data is None:
                data = self._initial(init, default_init)
            self._adopt(data, ctx)

    def _initial(self, init, default_init):
        made = _ops["zeros"](self._shape, element_type(self._dtype), device="cpu:0")
        made = made.as_subclass(array_class())
        desc = initializer.InitDesc(self.name, {"__init__": init})
        initializer.create(default_init)(desc, made)
        return made

    def _adopt(self, data, ctx):
        """Makes copies of an array the parameter's, with their gradients."""
        arrays = {}
        for one in ctx:
            arrays[device_of(one)] = data.copyto(one)
        self._grads, self._fresh = {}, {}
        self._ctx_list = list(ctx)
        self._attach(arrays)
        self._arrays = arrays  # when they are complete: other threads do not ask for the lock
        self._plan = None
        changes.mark = object()

    def _attach(self, arrays=None):
        """Asks for the gradients of the arrays, or gives them up."""
        arrays = self._arrays if arrays is None else arrays
        request = self._grad_req
        fresh = {}
        for device, array in arrays.items():
            array.attach_grad(request)
            if request != "null":
                fresh[device] = written = deque(maxlen=1)
                array.register_hook(written.append, accumulated=True)
        self._grads = {device: arrays[device].grad for device in fresh}
        self._fresh = fresh

    def set_data(self, data):
        """Writes the elements, in every context; before there are any, what they will be."""
        self.shape = data.shape
        with _Settling(self):
            if not self._arrays:
                if self._plan is None:
                    raise AssertionError(f"Parameter {self.name!r} has not been initialized")
                self._plan = (*self._plan[:3], _as_array(data, self._dtype))
                return
            arrays = list(self._arrays.values())
        for array in arrays:  # refused where operations are recorded, so not while that is off
            array[()] = data
        if self._trainer is not None:
            self._trainer._was_set(self)

    def zero_grad(self):
        """Sets the gradients to 0; does nothing if there are none."""
        for grad in self._grads.values():
            grad[()] = 0

    def reset_ctx(self, ctx):
        """Moves the parameter to other contexts."""
        ctx = _contexts(ctx)
        with _Settling(self):
            if self._arrays:
                self._adopt(self._reduce(), ctx)
            elif self._plan is not None:
                init, _, default_init, data = self._plan
                self._plan = (init, ctx, default_init, data)
            else:
                raise ValueError(
                    f"Parameter {self.name!r} has no data to move to another context: call "
                    "initialize() before reset_ctx()"
                )

    def cast(self, dtype):
        """Changes the element type; gradients begin anew."""
        with _Settling(self):
            self._dtype = dtype
            if self._arrays:
                arrays = {device: one.astype(dtype) for device, one in self._arrays.items()}
                self._attach(arrays)
                self._arrays = arrays
                changes.mark = object()

    def _reduce(self):
        """The mean over the contexts, on cpu(0)."""
        arrays = [one.detach().as_in_context(cpu()) for one in self._arrays.values()]
        total = arrays[0]
        for one in arrays[1:]:
            total = total + one
        return total if len(arrays) == 1 else total / len(arrays)

    def _take_loaded(self, data, ctx, cast_dtype=False, dtype_source="current"):
        """Takes the elements of a file."""
        self._check_loaded_shape(data)
        data = self._loaded_type(data, cast_dtype, dtype_source)
        with _Settling(self):
            wanted = None if ctx is None else _contexts(ctx)
            there = self.list_ctx() if self._arrays or self._plan is not None else None
            if wanted is not None and there is not None and set(wanted) != set(there):
                raise AssertionError(
                    f"Parameter {self.name!r} is on {there}, and cannot be loaded on {wanted}"
                )
            if self._arrays:
                self.set_data(data)
            else:
                self._shape = data.shape
                self._adopt(data, there or wanted or [cpu()])

    def _check_loaded_shape(self, data):
        shape = self._shape
        if shape is not None and (
            len(shape) != data.ndim
            or any(length not in (0, -1, found) for length, found in zip(shape, data.shape))
        ):
            raise AssertionError(
                f"Parameter {self.name!r} has shape {self.shape}, and what was saved for it "
                f"{data.shape}"
            )

    def _loaded_type(self, data, cast_dtype, dtype_source):
        if cast_dtype and dtype_source not in ("current", "saved"):
            raise AssertionError(f"dtype_source must be 'current' or 'saved', not {dtype_source!r}")
        wanted = _core._dtype(element_type(self._dtype))
        if wanted == _dialects.native(data).dtype:
            return data
        if not cast_dtype:
            raise AssertionError(
                f"Parameter {self.name!r} has type {self.dtype}, and what was saved for it "
                f"{data.dtype}. cast_dtype=True casts one of them."
            )
        if dtype_source == "current":
            return data.astype(self._dtype)
        self.cast(data.dtype)
        return data

    # ---- What there is not --------------------------------------------------------------------

    def var(self):
        """A symbol for the parameter. There are none: raises NotBuiltError."""
        raise_not_built("mxnet.gluon.Parameter.var")

    def row_sparse_data(self, row_id):
        """Some rows of a sparse parameter. There are none: raises NotBuiltError."""
        raise_not_built("mxnet.gluon.Parameter.row_sparse_data")

    def list_row_sparse_data(self, row_id):
        """Some rows of a sparse parameter. There are none: raises NotBuiltError."""
        raise_not_built("mxnet.gluon.Parameter.list_row_sparse_data")

    # ---- Trainers, copies and pickles ---------------------------------------------------------

    def _set_trainer(self, trainer):
        self._trainer = trainer

    def _gradient_parts(self):
        """Gradients, arrays, and whether a gradient is fresh, by device."""
        return self._grads, self._arrays, self._fresh

    def __getstate__(self):
        state = self.__dict__.copy()
        for name in ("_lock", "_grads", "_fresh", "_trainer"):
            del state[name]
        return state

    def __setstate__(self, state):
        self.__dict__.update(state, _lock=RLock(), _grads={}, _fresh={}, _trainer=None)
        self._attach()


def _check_storage(name, what, kind):
    if kind in ("row_sparse", "csr"):
        raise_not_built(f"mxnet.gluon.Parameter({name!r}, {what}={kind!r})")
    if kind != "default":
        raise AssertionError(
            f"Parameter {name!r}: {what} is {kind!r}; there are 'default', 'row_sparse' and 'csr'"
        )


def _as_array(data, dtype):
    """A value as an array of the library's class."""
    if isinstance(data, NDArray):
        return data
    return array_class()(data, element_type(dtype))


class _Copied(initializer.Initializer):
    """Writes the elements of an array."""

    __module__ = "mxnet.gluon.parameter"

    def __init__(self, value):
        super().__init__()
        self.value = value

    def _init_weight(self, _, arr):
        self.value.copyto(arr)

    _init_default = _init_weight


class Constant(Parameter):
    """A parameter with a value that stays as it is."""

    __module__ = "mxnet.gluon.parameter"

    def __init__(self, name, value):
        self.value = value = _as_array(value, float32)
        super().__init__(name, "null", value.shape, value.dtype, init=_Copied(value))

    def __repr__(self):
        return f"Constant {self.name} (shape={self.shape}, dtype={self.dtype})"

    @property
    def grad_req(self):
        """Always 'null'."""
        return "null"

    @grad_req.setter
    def grad_req(self, req):
        if req != "null":
            warnings.warn(
                f"Constant {self.name!r} has no gradient: grad_req {req!r} is ignored, and stays "
                "'null'.",
                stacklevel=2,
            )
        self._grad_req = "null"


class ParameterDict(Pickled):
    """Parameters by name, with a prefix for those that it makes.

    `shared` is another dict in which `get` looks for parameters before it makes them.
    """

    __module__ = "mxnet.gluon.parameter"

    def __init__(self, prefix="", shared=None):
        self._prefix = prefix
        self._params = OrderedDict()
        self._shared = shared

    def __repr__(self):
        name = self._prefix + " " if self._prefix else ""
        content = "\n".join(_shifted(f"  {one}", 2) for one in self.values())
        return f"{name}(\n{content}\n)"

    def __getitem__(self, key):
        return self._params[key]

    def __iter__(self):
        return iter(self._params)

    def items(self):
        """Names and parameters."""
        return self._params.items()

    def keys(self):
        """Names."""
        return self._params.keys()

    def values(self):
        """Parameters."""
        return self._params.values()

    @property
    def prefix(self):
        """What the names of parameters begin with that `get` makes."""
        return self._prefix

    # ---- Making parameters --------------------------------------------------------------------

    def _known(self, name):
        """The parameter of a full name, here or in the shared dict; None if there is none."""
        if name not in self._params and self._shared is not None and name in self._shared:
            self._params[name] = self._shared._params[name]
        return self._params.get(name)

    def get(self, name, **kwargs):
        """The parameter of this name after the prefix; made with the arguments if there is none."""
        name = self._prefix + name
        param = self._known(name)
        if param is None:
            self._params[name] = param = Parameter(name, **kwargs)
            return param
        for key, value in kwargs.items():
            self._agree(param, name, key, value)
        return param

    def _agree(self, param, name, key, value):
        """What is known of a parameter must be what is asked for; what is not known becomes it."""
        existing = getattr(param, key, None)
        if existing is None:
            setattr(param, key, value)
        elif key == "shape" and value is not None and len(value) == len(existing):
            self._agree_shape(param, name, tuple(value), existing)
        elif key == "dtype" and _core._dtype(element_type(value)) == _core._dtype(
            element_type(existing)
        ):
            return
        elif value is not None and value != existing:
            raise AssertionError(
                f"Cannot retrieve Parameter {name!r}: its {key} is {existing!r}, and {value!r} is "
                "asked for"
            )

    def _agree_shape(self, param, name, wanted, existing):
        joined = []
        for one, other in zip(wanted, existing):
            if one != other and one > 0 and other > 0:
                raise AssertionError(
                    f"Cannot retrieve Parameter {name!r}: its shape is {existing}, and {wanted} is "
                    "asked for"
                )
            joined.append(one if other <= 0 else other)
        param._shape = tuple(joined)

    def get_constant(self, name, value=None):
        """The constant of this name after the prefix; made of the value if there is none."""
        name = self._prefix + name
        param = self._known(name)
        if param is None:
            if value is None:
                raise KeyError(
                    f"No constant named {name!r}: with a value one is made"
                )
            self._params[name] = param = Constant(name, value)
        elif value is not None:
            self._check_constant(param, name, value)
        return param

    def _check_constant(self, param, name, value):
        if not isinstance(param, Constant):
            raise AssertionError(f"there is a Parameter {name!r}, which is no Constant")
        value = _as_array(value, float32)
        if value.shape != param.shape or not (value.asnumpy() == param.value.asnumpy()).all():
            raise AssertionError(
                f"Constant {name!r} already exists, with another value than the one given"
            )

    def update(self, other):
        """Takes all parameters of another dict."""
        for name, param in other.items():
            if self._params.setdefault(name, param) is not param:
                raise AssertionError(
                    f"Cannot update the dict: it has another Parameter of the name {name!r}"
                )

    # ---- All parameters at once ---------------------------------------------------------------

    def initialize(self, init=None, ctx=None, verbose=False, force_reinit=False):
        """Initialises all parameters; those with an initialiser of their own by that."""
        init = _default_initializer() if init is None else init
        if verbose:
            init.set_verbosity(verbose=verbose)
        for param in self.values():
            param.initialize(None, ctx, init, force_reinit=force_reinit)

    def zero_grad(self):
        """Sets all gradients to 0."""
        for param in self.values():
            param.zero_grad()

    def reset_ctx(self, ctx):
        """Moves all parameters to other contexts."""
        for param in self.values():
            param.reset_ctx(ctx)

    def list_ctx(self):
        """The contexts of all parameters."""
        return list({ctx: None for param in self.values() for ctx in param.list_ctx()})

    def setattr(self, name, value):
        """Sets an attribute of all parameters: setattr('grad_req', 'null') trains none of them."""
        for param in self.values():
            setattr(param, name, value)

    # ---- Files --------------------------------------------------------------------------------

    def save(self, filename, strip_prefix=""):
        """Writes all parameters to a file, by their names without a prefix."""
        arrays = {}
        for param in self.values():
            if not param.name.startswith(strip_prefix):
                raise ValueError(
                    f"strip_prefix {strip_prefix!r} cannot be cut off the name of Parameter "
                    f"{param.name!r}, which begins otherwise. It may be of another block, or its "
                    "block was not made within name_scope()."
                )
            arrays[param.name[len(strip_prefix) :]] = reduced(param)
        save_arrays(filename, arrays)

    def load(
        self,
        filename,
        ctx=None,
        allow_missing=False,
        ignore_extra=False,
        restore_prefix="",
        cast_dtype=False,
        dtype_source="current",
    ):
        """Sets the parameters to those of a file; names in it get a prefix."""
        arrays = load_arrays(filename)
        if not isinstance(arrays, dict):
            raise TypeError(f"load: the arrays in {filename!r} have no names")
        self.load_dict(
            arrays,
            ctx,
            allow_missing,
            ignore_extra,
            restore_prefix,
            filename,
            cast_dtype,
            dtype_source,
        )

    def load_dict(
        self,
        param_dict,
        ctx=None,
        allow_missing=False,
        ignore_extra=False,
        restore_prefix="",
        filename=None,
        cast_dtype=False,
        dtype_source="current",
    ):
        """Sets the parameters to arrays by name; the names get a prefix."""
        for name in self.keys() if restore_prefix else ():
            if not name.startswith(restore_prefix):
                raise AssertionError(
                    f"restore_prefix is {restore_prefix!r}, with which the name of Parameter "
                    f"{name!r} does not start"
                )
        where = f"file {filename!r}" if filename else "param_dict"
        # Files of modules have the kind of a parameter before its name.
        plain = {
            restore_prefix + name.removeprefix("arg:").removeprefix("aux:"): array
            for name, array in param_dict.items()
        }
        cut = len(restore_prefix)
        for name in self.keys() if not allow_missing else ():
            if name not in plain:
                raise AssertionError(
                    f"{where} has nothing for Parameter {name[cut:]!r}; it has "
                    f"{_some_names(plain)}. Have both networks the same prefix?"
                )
        for name, array in plain.items():
            if name in self._params:
                self[name]._take_loaded(array, ctx, cast_dtype, dtype_source)
            elif not ignore_extra:
                raise AssertionError(
                    f"{where} has {name[cut:]!r}, which the dict does not have; it has "
                    f"{_some_names(self.keys())}. ignore_extra=True ignores it. "
                    "Have both networks the same prefix?"
                )


def reduced(param):
    """The array of a parameter for a file."""
    param._checked(param._arrays)
    return param._reduce()


def save_arrays(filename, arrays):
    """Writes arrays by name, in the way of the mode."""
    from ..ndarray._files import saved

    saved(filename, arrays)


def load_arrays(filename):
    """The arrays of a file by name."""
    from ..ndarray._files import loaded

    if not isinstance(filename, str):
        raise TypeError(f"the name of a file is a string, not {type(filename)}")
    return loaded(_core._params_load, filename, array_class())


__getattr__ = missing("mxnet.gluon.parameter")
