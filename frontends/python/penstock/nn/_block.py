"""Blocks: layers and what is made of them."""

from __future__ import annotations

from . import _failure, _hook
from ._hook import Hook
from ._parameter import NotInitialized, Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Self

    from .._core import _DTypeLike, ndarray
    from .init import _InitializerLike


class Block:
    """A layer, or several: parameters, other blocks, and a function of them.

    A class of its own says in `forward` what a call computes. Parameters and blocks that are
    assigned as attributes belong to it, by the names of the attributes; what is inside of an inner
    block has a structured name: `encoder.0.weight`.

    >>> class Scale(ps.nn.Block):
    ...     def __init__(self):
    ...         self.factor = ps.nn.Parameter((), init=3.0)
    ...     def forward(self, x):
    ...         return x * self.factor.data
    >>> net = ps.nn.Sequential(Scale(), Scale()).initialize()
    >>> net(ps.array([1.0, 2.0]))
    array([ 9., 18.])
    >>> list(net.parameters())
    ['0.factor', '1.factor']

    A parameter may leave lengths open: then `infer_shape` settles them at the first call.
    """

    _children: dict[str, Block]
    _parameters: dict[str, Parameter]

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        self = object.__new__(cls)
        self.__dict__.update(_children={}, _parameters={})
        return self

    def __init__(self) -> None:
        """Nothing is to be done: a class of its own need not call it."""

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        is_block, is_parameter = isinstance(value, Block), isinstance(value, Parameter)
        self._forget(name, is_block, is_parameter)
        if is_block:  # in the place of one with its name
            self._children[name] = value
            self._children_changed()
        elif is_parameter:
            self._parameters[name] = value
            value.name = value.name or name

    def __delattr__(self, name: str) -> None:
        object.__delattr__(self, name)
        self._forget(name, False, False)

    def _forget(self, name: str, is_block: bool, is_parameter: bool) -> None:
        """An attribute of that name is no block any more, no parameter, unless it is one again."""
        if not is_block and self._children.pop(name, None) is not None:
            self._children_changed()
        if not is_parameter:
            self._parameters.pop(name, None)

    def _children_changed(self) -> None:
        """Called after a block was added or removed."""

    # ---- Calls ----------------------------------------------------------------------------------

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What a call of the block computes; for classes to define.

        >>> ps.nn.Flatten().forward(ps.ones((2, 3, 4))).shape
        (2, 12)
        """
        raise NotImplementedError(f"{type(self).__name__} does not define forward")

    def infer_shape(self, *args: Any) -> None:
        """Settle the parameters whose shapes are not known, from the arguments of the first call.

        >>> layer = ps.nn.Dense(2)
        >>> layer.initialize().infer_shape(ps.ones((1, 3)))
        >>> layer.weight.shape
        (2, 3)
        """
        unknown = [name for name, one in self._parameters.items() if not one.is_initialized]
        raise NotImplementedError(
            f"{type(self).__name__} does not define infer_shape, which would have to settle "
            f"{', '.join(unknown)}"
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self.forward(*args, **kwargs)
        except NotInitialized as error:
            if not self._settle(error, args):
                _failure.explain(error, self, args)
                raise
        except Exception as error:
            _failure.explain(error, self, args)
            raise
        return self._call_settled(args, kwargs)

    def _settle(self, error: NotInitialized, args: tuple[Any, ...]) -> bool:
        """Whether the parameter without an array is the block's own, and has one now."""
        missing = error.parameter
        if missing is None or not any(missing is one for one in self._parameters.values()):
            return False
        if missing.is_deferred:
            self.infer_shape(*args)
        return missing.is_initialized

    def _call_settled(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        try:
            return self.forward(*args, **kwargs)
        except Exception as error:
            _failure.explain(error, self, args)
            raise

    def _forward_with_hooks(self, *args: Any, **kwargs: Any) -> Any:
        return _hook.call(self, args, kwargs)

    def register_forward_hook(self, function: Callable[[Any, Any, Any], Any]) -> Hook:
        """Have a function called with the block, its arguments and its result, after each call.

        What it returns, unless that is None, is given instead of the result.

        >>> layer = ps.nn.Flatten()
        >>> with layer.register_forward_hook(lambda block, args, result: result + 1):
        ...     layer(ps.zeros((1, 2)))
        array([[1., 1.]])
        """
        return Hook(self, False, function)

    def register_forward_pre_hook(self, function: Callable[[Any, Any], Any]) -> Hook:
        """Have a function called with the block and its arguments, before each call.

        What it returns, unless that is None, is used instead of the arguments: a tuple, or one.

        >>> layer = ps.nn.Flatten()
        >>> with layer.register_forward_pre_hook(lambda block, args: args[0] + 1):
        ...     layer(ps.zeros((1, 2)))
        array([[1., 1.]])
        """
        return Hook(self, True, function)

    # ---- What is inside -------------------------------------------------------------------------

    def named_children(self) -> Iterator[tuple[str, Block]]:
        """The blocks that belong to this one directly, with their names.

        >>> net = ps.nn.Sequential(ps.nn.Flatten(), ps.nn.ReLU())
        >>> [name for name, child in net.named_children()]
        ['0', '1']
        """
        return iter(tuple(self._children.items()))

    def _walk(self, name: str = "", above: tuple[Block, ...] = ()) -> Iterator[tuple[str, Block]]:
        """This block and all inside with their structured names; a block in itself but once."""
        if any(self is one for one in above):
            return
        yield name, self
        for inner, child in self.named_children():
            yield from child._walk(f"{name}.{inner}" if name else inner, (*above, self))

    def _all_parameters(self) -> Iterator[tuple[str, Parameter]]:
        """Structured names and parameters; one that is shared has several names."""
        for name, block in self._walk():
            for inner, parameter in tuple(block._parameters.items()):
                yield f"{name}.{inner}" if name else inner, parameter

    def parameters(self) -> dict[str, Parameter]:
        """All parameters by their structured names; one that is shared by the first it has.

        >>> ps.nn.Sequential(ps.nn.Dense(2, in_units=3)).parameters()["0.weight"]
        Parameter('weight', shape=(2, 3), dtype=float32)
        """
        first: dict[int, str] = {}
        found = {}
        for name, parameter in self._all_parameters():
            if first.setdefault(id(parameter), name) == name:
                found[name] = parameter
        return found

    def apply(self, function: Callable[[Block], Any]) -> Self:
        """Call a function with each block inside, then with this one; give this one.

        >>> net = ps.nn.Sequential(ps.nn.Flatten(), ps.nn.ReLU())
        >>> net = net.apply(lambda block: print(type(block).__name__))
        Flatten
        ReLU
        Sequential
        """
        for _, child in self.named_children():
            child.apply(function)
        function(self)
        return self

    # ---- All parameters at once -----------------------------------------------------------------

    def initialize(
        self, init: _InitializerLike = None, device: str | None = None, force: bool = False
    ) -> Self:
        """Make the arrays of all parameters, or, where lengths are open, at the first call.

        See Parameter.initialize. Gives the block itself.

        >>> layer = ps.nn.Dense(2).initialize("ones")
        >>> layer(ps.ones((1, 3)))
        array([[3., 3.]])
        """
        for parameter in self.parameters().values():
            parameter.initialize(init, device, force)
        return self

    def zero_grad(self) -> None:
        """Set all gradients to 0.

        >>> ps.nn.Dense(2, in_units=3).initialize().zero_grad()
        """
        for parameter in self.parameters().values():
            parameter.zero_grad()

    def cast(self, dtype: _DTypeLike) -> Self:
        """Change the element type of all parameters; gives the block itself.

        >>> ps.nn.Dense(2, in_units=3).initialize().cast("float64").weight.dtype
        penstock.float64
        """
        for parameter in self.parameters().values():
            parameter.cast(dtype)
        return self

    def save(self, path: str | bytes | os.PathLike[Any]) -> None:
        """Write all parameters to a file, by their structured names. Waits for them.

        The name of the file ends with `.safetensors` or `.params`, which says how it is written.

        >>> import tempfile
        >>> net = ps.nn.Dense(2, in_units=3).initialize()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     net.save(folder + "/net.safetensors")
        ...     same = ps.nn.Dense(2).load(folder + "/net.safetensors")
        >>> bool((same.weight.data == net.weight.data).all())
        True
        """
        from . import _files

        _files.save(self, path)

    def load(
        self,
        source: str | bytes | os.PathLike[Any] | Mapping[str, ndarray],
        allow_missing: bool = False,
        ignore_extra: bool = False,
    ) -> Self:
        """Set the parameters to those of a file that save wrote, or of a dict; gives the block.

        A parameter that the file has not is an error unless allow_missing is True, a name that the
        block has not unless ignore_extra is; shapes must be the same. Where there is an error
        nothing has been set.

        >>> layer = ps.nn.Dense(1).load({"weight": ps.ones((1, 2)), "bias": ps.zeros(1)})
        >>> layer(ps.ones((1, 2)))
        array([[2.]])
        """
        from . import _files

        _files.load(self, source, allow_missing, ignore_extra)
        return self

    # ---- Text -----------------------------------------------------------------------------------

    def _described(self) -> str:
        """What stands between the parentheses of a block's text."""
        return ""

    def __repr__(self) -> str:
        head = f"{type(self).__name__}({self._described()}"
        if not self._children:
            return head + ")"
        lines = [
            f"  ({name}): " + repr(child).replace("\n", "\n  ")
            for name, child in self.named_children()
            if child is not self
        ]
        return "\n".join((head, *lines, ")"))

    def summary(self, *inputs: Any) -> str:
        """A table of all blocks: the shapes of what they give, and the numbers of parameters.

        The block is called once, with the inputs: arrays, or shapes of arrays of zeros. Nothing is
        recorded, and it is called as in prediction.

        >>> net = ps.nn.Sequential(ps.nn.Dense(4, "relu"), ps.nn.Dense(1)).initialize()
        >>> print(net.summary((8, 3)))
        layer       output  parameters
        ------------------------------
        Sequential  (8, 1)           0
          0: Dense  (8, 4)          16
          1: Dense  (8, 1)           5
        ------------------------------
        parameters: 21, with gradients: 21
        """
        from . import _summary

        return _summary.table(self, inputs)
