"""What a tensor's gradient is: whether one is asked for, what has come, what computed the tensor."""

from ... import _core
from ..._common import leaves
from ..._common.leaves import retains  # noqa: F401

_native = _core.ndarray
_info = _core._grad_info
_extra = _core._extra
_NOT_FLOATING = "Only Tensors of floating point and complex dtype can require gradients"


def set_flag(tensor, wanted):
    """What assigning requires_grad does: only leaves take it."""
    if not isinstance(wanted, bool):
        raise RuntimeError("requires_grad must be a bool")
    flows, leaf, _ = _info(tensor)
    if flows and not leaf and wanted:
        raise RuntimeError("you can only change requires_grad flags of leaf variables.")
    require(tensor, wanted)


def require(tensor, wanted):
    """Ask for the gradient of a leaf, or no more."""
    flows, leaf, _ = _info(tensor)
    if flows and not leaf:
        if not wanted:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables. If you want to use a "
                "computed variable in a subgraph that doesn't require differentiation use "
                "var_no_grad = var.detach()."
            )
    elif wanted and not flows:
        one = tensor.dtype
        if not one.is_floating_point and not one.is_complex:
            raise RuntimeError(_NOT_FLOATING)
        _native.attach_grad(tensor, "add")
    elif flows and not wanted:
        _native.attach_grad(tensor, "null")


# ---- .grad ----------------------------------------------------------------------------------------


def grad_of(tensor):
    """The gradient, the same object each time."""
    flows, leaf, _ = _info(tensor)
    extra = _extra(tensor, False)
    known = extra.get("_grad") if extra else None
    if not leaf:
        return known  # of a result: kept by a hook, or set
    found = _core._grad_get(tensor, known)
    if found is not known:
        _extra(tensor, True)["_grad"] = found
    return found


def set_grad(tensor, given):
    """What .grad is from now on; None: nothing until the next backward."""
    if given is not None:
        _check(tensor, given)
    if _info(tensor)[1]:
        _core._grad_set(tensor, given)
    _extra(tensor, True)["_grad"] = given


def _check(tensor, given):
    if not isinstance(given, _native):
        raise TypeError(f"assigned grad expected to be a Tensor or None but got {type(given).__name__}")
    if given is tensor:
        raise RuntimeError("can't assign Variable as its own grad")
    if given.shape != tensor.shape or given.dtype is not tensor.dtype:
        raise RuntimeError(
            f"assigned grad has data of a different size: {list(given.shape)} of {given.dtype} for "
            f"{list(tensor.shape)} of {tensor.dtype}"
        )


def hooked(tensor, hook):
    """Have a function called with a tensor's gradient; gives what takes it out again."""
    from collections import OrderedDict

    from ..utils.hooks import RemovableHandle

    if not _info(tensor)[0]:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    hooks = OrderedDict()
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    leaves.hook(tensor, hooks, handle.id)
    return handle


def retain(tensor):
    """Keep the gradient of a result."""
    flows, leaf, _ = _info(tensor)
    if not flows:
        raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
    if not leaf:
        leaves.retain(tensor)


# ---- The handle --------------------------------------------------------------------------------------


def set_data(tensor, given):
    """Other elements in the place of a tensor's; whether it has a gradient stays."""
    if not isinstance(given, _native):
        raise TypeError(f"Variable data has to be a tensor, but got {type(given).__name__}")
    flows, leaf, _ = _info(tensor)
    gradient = grad_of(tensor)
    _core._become(tensor, _core._grad_alias(given))
    if flows:
        require(tensor, True)
        if gradient is not None and gradient.shape == tensor.shape:
            set_grad(tensor, gradient)


def like(tensor, made):
    """A detached tensor as an object like another: its class, its attributes, its gradient asked for."""
    found = _native.as_subclass(made, type(tensor))
    kept = leaves.attributes(tensor)
    if kept:
        _extra(found, True).update(kept)
    if _info(tensor)[1]:
        require(found, True)
    return found


def deep_copy(tensor, memo):
    """A copy of a leaf, with its gradient."""
    import copy

    if id(tensor) in memo:
        return memo[id(tensor)]
    flows, leaf, _ = _info(tensor)
    if flows and not leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy "
            "protocol at the moment.  If you were attempting to deepcopy a module, this may be "
            "because of a torch.nn.utils.weight_norm usage, see torch.nn.utils.parametrizations."
        )
    made = like(tensor, _native.detach(tensor).clone())
    memo[id(tensor)] = made
    gradient = grad_of(tensor)
    if gradient is not None:
        set_grad(made, copy.deepcopy(gradient, memo))
    return made


# ---- What computed it ----------------------------------------------------------------------------------

# The table's name -> torch's; others are made of their own: exp is ExpBackward0.
_NAMES = {
    "write": "CopySlices",
    "matmul": "MmBackward0",
    "multiply": "MulBackward0",
    "subtract": "SubBackward0",
    "divide": "DivBackward0",
    "negative": "NegBackward0",
    "square": "PowBackward0",
    "linear": "AddmmBackward0",
    "concatenate": "CatBackward0",
    "cast": "ToCopyBackward0",
    "copy": "CloneBackward0",
    "conv2d": "ConvolutionBackward0",
    "conv1d": "ConvolutionBackward0",
    "conv2d_transpose": "ConvolutionBackward0",
    "batch_norm_train": "NativeBatchNormBackward0",
    "layer_norm_rows": "NativeLayerNormBackward0",
    "cumulative_sum": "CumsumBackward0",
    "cumulative_prod": "CumprodBackward0",
    "take": "IndexSelectBackward0",
    "take_along_axis": "GatherBackward0",
    "clip": "ClampBackward1",
    "max": "MaxBackward1",
    "min": "MinBackward1",
    "norm": "LinalgVectorNormBackward0",
    "cross_entropy_rows": "NllLossBackward0",
    "max_pool2d": "MaxPool2DWithIndicesBackward0",
    "avg_pool2d": "AvgPool2DBackward0",
}


def shown_name(operation):
    """What torch calls the gradient of an operation: 'MulBackward0'."""
    if operation in _NAMES or operation.endswith("Backward"):
        return _NAMES.get(operation, operation)
    return "".join(part.capitalize() for part in operation.split("_")) + "Backward0"


class Node:
    """What computed a tensor, by its name."""

    __slots__ = ("_tensor",)

    def __init__(self, tensor):
        self._tensor = tensor

    def name(self):
        """torch's name for it: 'MulBackward0'."""
        return shown_name(_info(self._tensor)[2])

    def __repr__(self):
        return f"<{self.name()} object at {hex(id(self._tensor))}>"

    def __eq__(self, other):
        return isinstance(other, Node) and self._tensor is other._tensor

    def __hash__(self):
        return hash(id(self._tensor))
