"""mx.gluon.block: blocks, which are layers and what is made of them."""

import re
import threading
import warnings
from collections import OrderedDict

from ...nn import _failure
from .. import ndarray as _F
from .._missing import missing
from .._mode import mode
from .._nd_array import NDArray
from .._np_array import ndarray as _np_array
from .._pickles import Pickled
from .._unbuilt import raise_not_built
from ..name import Prefix, given
from . import _block_files, _deferred
from .parameter import Parameter, ParameterDict, changes
from .utils import HookHandle, _only_np_arrays, _shifted

__all__ = ["Block", "HybridBlock", "SymbolBlock"]

# ---- Names ---------------------------------------------------------------------------------------


class _Current(threading.local):
    scope = None


_current = _Current()


class _BlockScope:
    """The `with` statement of name_scope: blocks that are made inside are named after a block."""

    def __init__(self, block):
        self._block = block
        self._counter = {}
        self._outer = []

    def __enter__(self):
        block = self._block
        if not block._empty_prefix:
            names = Prefix(block.prefix)
            names.__enter__()
            self._outer.append((_current.scope, names))
            _current.scope = self
        return self

    def __exit__(self, *exception):
        if not self._block._empty_prefix:
            _current.scope, names = self._outer.pop()
            names.__exit__()

    def _next(self, hint):
        number = self._counter.get(hint, 0)
        self._counter[hint] = number + 1
        return f"{hint}{number}_"

    @staticmethod
    def create(prefix, params, hint):
        """The prefix of a new block and the dict for its parameters."""
        scope = _current.scope
        if scope is None:
            prefix = given(hint) + "_" if prefix is None else prefix
            full, shared = prefix, None
        else:
            prefix = scope._next(hint) if prefix is None else prefix
            outer = scope._block.params
            full, shared = outer.prefix + prefix, outer._shared
            prefix = scope._block.prefix + prefix
        if params is not None:
            return prefix, ParameterDict(params.prefix, params)
        return prefix, ParameterDict(full, shared)


# ---- Blocks --------------------------------------------------------------------------------------


class Block(Pickled):
    """A layer, or several: parameters, other blocks, and a function of them.

    A class of its own says in `forward` what a call computes. Blocks and parameters that are
    assigned as attributes belong to it.
    """

    __module__ = "mxnet.gluon.block"

    def __init__(self, prefix=None, params=None):
        self._empty_prefix = prefix == ""
        self._prefix, self._params = _BlockScope.create(prefix, params, self._alias())
        self._name = self._prefix[:-1] if self._prefix.endswith("_") else self._prefix
        self._scope = _BlockScope(self)
        self._children = OrderedDict()
        self._reg_params = {}
        self._forward_hooks = OrderedDict()
        self._forward_pre_hooks = OrderedDict()

    def __repr__(self):
        lines = [
            f"  ({name}): {_shifted(repr(value), 2)}"
            for name, value in self.__dict__.items()
            if isinstance(value, Block)
        ]
        return "{}(\n{}\n)".format(type(self).__name__, "\n".join(lines))

    def __setattr__(self, name, value):
        existing = self.__dict__.get(name)
        if isinstance(existing, (Parameter, Block)) and not isinstance(value, type(existing)):
            raise TypeError(
                f"{self.name}.{name} is of {type(existing)} and must stay so: {type(value)} cannot "
                "take its place"
            )
        if isinstance(value, Block):
            self.register_child(value, name)
        elif isinstance(value, Parameter):
            if name in self._reg_params:
                raise AssertionError(
                    f"there is a Parameter {name} already, which stays: parameters are shared "
                    "by the argument params of a block"
                )
            self._reg_params[name] = value
            self.__dict__.pop("_bound", None)
        object.__setattr__(self, name, value)

    def __getstate__(self):
        state = self.__dict__.copy()
        state.pop("_bound", None)
        return state

    def _alias(self):
        return type(self).__name__.lower()

    # ---- Names --------------------------------------------------------------------------------

    @property
    def prefix(self):
        """What the names of its parameters begin with."""
        return self._prefix

    @property
    def name(self):
        """The prefix without the underscore at its end."""
        return self._name

    def name_scope(self):
        """A `with` statement: blocks that are made inside of it are named after this one."""
        return self._scope

    # ---- What is inside -----------------------------------------------------------------------

    @property
    def params(self):
        """Its own parameters, without those of blocks inside."""
        return self._params

    def collect_params(self, select=None):
        """All parameters, by name: also of blocks inside; with `select` those that it matches."""
        _check_containers(self)
        found = ParameterDict(self._params.prefix)
        wanted = None if select is None else re.compile(select)
        for block in _blocks(self):
            own = block.params
            if wanted is not None:
                own = {name: one for name, one in own.items() if wanted.match(name)}
            found.update(own)
        return found

    def _collect_params_with_prefix(self, prefix=""):
        """All parameters by their structured names: 0.weight."""
        prefix = prefix + "." if prefix else ""
        found = {prefix + name: param for name, param in self._reg_params.items()}
        for name, child in self._children.items():
            found.update(child._collect_params_with_prefix(prefix + name))
        return found

    def _walk(self, name="", above=()):
        """This block and all inside with their structured names; a block in itself but once."""
        if any(self is one for one in above):
            return
        yield name, self
        for inner, child in self._children.items():
            yield from child._walk(f"{name}.{inner}" if name else inner, (*above, self))

    def register_child(self, block, name=None):
        """Makes a block one that is inside of this one."""
        self._children[str(len(self._children)) if name is None else name] = block

    def apply(self, fn):
        """Calls a function with each block inside, then with this one; gives this one."""
        for child in self._children.values():
            child.apply(fn)
        fn(self)
        return self

    # ---- Files --------------------------------------------------------------------------------

    def save_parameters(self, filename, deduplicate=False):
        """Writes all parameters to a file, by their structured names; waits for them.

        One that is shared is written under each of its names, with deduplicate=True under the last.
        """
        _block_files.save_parameters(self, filename, deduplicate)

    def load_parameters(
        self,
        filename,
        ctx=None,
        allow_missing=False,
        ignore_extra=False,
        cast_dtype=False,
        dtype_source="current",
    ):
        """Sets the parameters to those of a file, by structured names or by names after the prefix.

        With cast_dtype elements become those of the parameter's type, or, with
        dtype_source='saved', the parameter becomes one of the file's.
        """
        loading = _block_files.Loading(
            filename, ctx, allow_missing, ignore_extra, cast_dtype, dtype_source
        )
        loading.load(self)

    def save_params(self, filename):
        """Deprecated: save_parameters is its successor. Writes names after the prefix."""
        _block_files.save_params(self, filename)

    def load_params(self, filename, ctx=None, allow_missing=False, ignore_extra=False):
        """Deprecated: load_parameters is its successor, and the same."""
        warnings.warn("load_params is the old name: call load_parameters instead.", stacklevel=2)
        self.load_parameters(filename, ctx, allow_missing, ignore_extra)

    def save(self, prefix):
        """Writes the parameters to PREFIX-model.params, and to a json file what is inside."""
        _block_files.save(self, prefix)

    def load(self, prefix):
        """Sets the parameters to those that save wrote, of a block with the same inside."""
        _block_files.load(self, prefix)

    # ---- All parameters -----------------------------------------------------------------------

    def initialize(self, init=None, ctx=None, verbose=False, force_reinit=False):
        """Initialises all parameters, or, where shapes are not known, at the first call."""
        self.collect_params().initialize(init, ctx, verbose, force_reinit)

    def cast(self, dtype):
        """Changes the element type of all parameters."""
        for child in self._children.values():
            child.cast(dtype)
        for param in self.params.values():
            param.cast(dtype)

    def hybridize(self, active=True, **kwargs):
        """Has hybrid blocks inside compiled, for which nothing is to be done here."""
        for child in self._children.values():
            child.hybridize(active, **kwargs)

    # ---- Calls --------------------------------------------------------------------------------

    def __call__(self, *args):
        if self._forward_pre_hooks:
            for hook in tuple(self._forward_pre_hooks.values()):
                hook(self, args)
        try:
            out = self.forward(*args)
        except Exception as error:
            _failure.explain(error, self, args)
            raise
        if self._forward_hooks:
            for hook in tuple(self._forward_hooks.values()):
                hook(self, args, out)
        if type(out) is not _np_array and mode.array:
            _only_np_arrays(out)
        return out

    def forward(self, *args):
        """What a call computes; for classes to define."""
        raise NotImplementedError(f"{type(self).__name__} does not define forward")

    def register_forward_pre_hook(self, hook):
        """Has hook(block, args) called before each forward; gives what takes it away."""
        handle = HookHandle()
        handle.attach(self._forward_pre_hooks, hook)
        return handle

    def register_forward_hook(self, hook):
        """Has hook(block, args, result) called after each forward; gives what takes it away."""
        handle = HookHandle()
        handle.attach(self._forward_hooks, hook)
        return handle

    def register_op_hook(self, callback, monitor_all=False):
        """Functions that are called with each operation. Not built: raises NotBuiltError."""
        raise_not_built("mxnet.gluon.Block.register_op_hook")

    def summary(self, *inputs):
        """Prints a table of all blocks with shapes of results and numbers of parameters.

        The block is called once with the inputs, and must not be hybridized.
        """
        from . import _summary

        _summary.show(self, inputs)


def _blocks(block):
    """A block and all inside of it."""
    yield block
    for child in block._children.values():
        yield from _blocks(child)


def _check_containers(block):
    """Warns of blocks in lists and dicts, which do not belong to the block."""
    children = set(map(id, block._children.values()))

    def lost(value):
        if isinstance(value, (list, tuple)):
            return any(map(lost, value))
        if isinstance(value, dict):
            return any(map(lost, value.values()))
        return isinstance(value, Block) and id(value) not in children

    for name, value in block.__dict__.items():
        if isinstance(value, (list, tuple, dict)) and lost(value):
            warnings.warn(
                f'"{type(block).__name__}.{name}" holds Blocks that are not registered: those in '
                "lists, tuples and dicts do not belong to a block unless register_child() adds "
                "them; nn.Sequential and nn.HybridSequential do.",
                stacklevel=3,
            )
    for child in block._children.values():
        _check_containers(child)


# ---- Hybrid blocks -------------------------------------------------------------------------------


class HybridBlock(Block):
    """A block whose classes say in hybrid_forward(F, x, ...) what a call computes.

    F is mx.nd; the block's own parameters are given as arrays, by name. Layers whose parameters can
    have open lengths settle them in `infer_shape`; those of others are found by what they are used
    for.
    """

    __module__ = "mxnet.gluon.block"

    # Arrays of the block's own parameters, by name for each device, and the mark of when they were
    # found: while no parameter gets other arrays they are these.
    _bound = (None, {})

    def __init__(self, prefix=None, params=None):
        super().__init__(prefix, params)
        self._active = False
        self._flags = []

    def register_child(self, block, name=None):
        if not isinstance(block, HybridBlock):
            raise ValueError(
                f"a HybridBlock takes HybridBlocks only as children, and {block} has type "
                f"{type(block)}. Of Sequential there is HybridSequential."
            )
        super().register_child(block, name)

    def hybridize(
        self,
        active=True,
        backend=None,
        clear=True,
        static_alloc=False,
        static_shape=False,
        inline_limit=2,
        forward_bulk_size=None,
        backward_bulk_size=None,
        **kwargs,
    ):
        """Keeps the flags: calls are queued in the same way with and without."""
        if backend is not None:
            raise_not_built(f"mxnet.gluon.HybridBlock.hybridize(backend={backend!r})")
        flags = {
            "static_alloc": static_alloc,
            "static_shape": static_shape,
            "inline_limit": inline_limit,
        }
        if forward_bulk_size is not None:
            flags["forward_bulk_size"] = forward_bulk_size
        if backward_bulk_size is not None:
            flags["backward_bulk_size"] = backward_bulk_size
        self._active = active
        self._flags = list(flags.items())
        super().hybridize(active, **flags)

    # ---- Calls --------------------------------------------------------------------------------

    def forward(self, x, *args):
        """hybrid_forward with the parameters of the context that x is in."""
        if isinstance(x, NDArray):
            mark, bound = self._bound
            if mark is changes.mark:
                params = bound.get(x.device)
                if params is not None:
                    return self.hybrid_forward(_F, x, *args, **params)
        return self._forward_with_care(x, args)

    def _forward_with_care(self, x, args):
        """The same where the arrays of parameters are not known yet, or x is no array."""
        mark = changes.mark  # before arrays are looked at
        F, params = _deferred.prepared(self, (x, *args))
        known = F is _F and mark is changes.mark and not _deferred.probing()
        if known and isinstance(x, NDArray):
            before, bound = self._bound
            bound = bound if before is mark else {}
            self.__dict__["_bound"] = (mark, {**bound, x.device: params})
        if F is _F:
            return self.hybrid_forward(F, x, *args, **params)
        return _deferred.call_noticing(self, F, (x, *args), params)

    def hybrid_forward(self, F, x, *args, **kwargs):
        """What a call computes; for classes to define."""
        raise NotImplementedError(f"{type(self).__name__} does not define hybrid_forward")

    def infer_shape(self, *args):
        """Finds the shapes of all parameters, of blocks inside too, by the arguments of a call."""
        _deferred.probe(self, args)

    def infer_type(self, *args):
        """Checks that the element types of arguments go with those of the parameters."""
        _deferred.probe(self, args)

    # ---- What there is not --------------------------------------------------------------------

    def export(self, path, epoch=0, remove_amp_cast=True):
        """Writes the block as a symbol. Not built: raises NotBuiltError; see save_parameters."""
        raise_not_built("mxnet.gluon.HybridBlock.export")

    def optimize_for(self, x, *args, backend=None, **kwargs):
        """Compiles the block for a backend. Not built: raises NotBuiltError."""
        raise_not_built("mxnet.gluon.HybridBlock.optimize_for")


class SymbolBlock(HybridBlock):
    """A block made of symbols. Not built: making one raises NotBuiltError."""

    __module__ = "mxnet.gluon.block"

    def __init__(self, outputs, inputs, params=None):
        raise_not_built("mxnet.gluon.SymbolBlock")

    @staticmethod
    def imports(symbol_file, input_names, param_file=None, ctx=None):
        """A block out of files that export wrote. Not built: raises NotBuiltError."""
        raise_not_built("mxnet.gluon.SymbolBlock.imports")


__getattr__ = missing("mxnet.gluon.block")
