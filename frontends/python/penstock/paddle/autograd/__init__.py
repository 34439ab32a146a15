"""Gradients: paddle.autograd.

>>> from penstock import paddle
>>> x = paddle.to_tensor(3.0, stop_gradient=False)
>>> paddle.grad(x ** 2, x)[0].item()
6.0
"""

from ... import _core
from .. import _missing
from .._tensor import Tensor
from . import _leaf
from ._modes import enable_grad, no_grad, set_grad_enabled

__all__ = ["backward", "enable_grad", "grad", "no_grad", "set_grad_enabled"]

_walk = _core._grad_walk
_info = _core._grad_info


def _listed(tensors):
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


def _check_head(head, given):
    if not isinstance(given, Tensor):
        raise AssertionError(
            f"The type of grad_tensor must be paddle.Tensor, not {type(given).__name__}"
        )
    if given.shape != head.shape:
        raise AssertionError(
            f"Tensor shape not match, Tensor of grad_tensor with shape {given.shape} mismatch "
            f"Tensor with shape {head.shape}"
        )
    return given if given.dtype is head.dtype else given.astype(head.dtype)


def _walked(heads, gradients, wanted, retain, create):
    """What the library's walk gives; a graph that was walked before is a SystemError."""
    try:
        return _walk(heads, gradients, wanted, retain, create, False)
    except RuntimeError as error:
        if "walked before" in str(error):
            raise SystemError(f"(Fatal) retain_graph=True was not given: {error}") from None
        raise


def _backward(self, grad_tensor=None, retain_graph=False, dump_backward_graph_path=None):
    """Add gradients to all leaves that this was computed of. Does not wait."""
    if grad_tensor is not None:
        grad_tensor = _check_head(self, grad_tensor)
    if _info(self)[0]:
        _walked([self], [grad_tensor], None, bool(retain_graph), False)


Tensor.backward = _backward
Tensor.clear_grad = Tensor.clear_gradient = _leaf.clear
Tensor.grad = property(
    *(_leaf.grad_of, _leaf.set_grad),
    doc="The gradient, to which each backward adds; None before the first.",
)


def backward(tensors, grad_tensors=None, retain_graph=False):
    """Add gradients of tensors to the .grad of the leaves they were computed of. Does not wait."""
    heads = _listed(tensors)
    given = [None] * len(heads) if grad_tensors is None else _listed(grad_tensors)
    if len(given) != len(heads):
        raise AssertionError(f"{len(heads)} tensors and {len(given)} grad_tensors")
    pairs = [
        (head, None if one is None else _check_head(head, one))
        for head, one in zip(heads, given)
        if _info(head)[0]
    ]
    if pairs:
        heads, given = map(list, zip(*pairs))
        _walked(heads, given, None, bool(retain_graph), False)


def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=False,
    no_grad_vars=None,
):
    """Gradients of outputs to inputs, as a list; .grad stays as it is."""
    if no_grad_vars is not None:
        raise NotImplementedError("paddle.grad: no_grad_vars is not here")
    heads, wanted = _listed(outputs), _listed(inputs)
    given = [None] * len(heads) if grad_outputs is None else _listed(grad_outputs)
    given = [None if one is None else _check_head(head, one) for head, one in zip(heads, given)]
    retain = bool(create_graph) if retain_graph is None else bool(retain_graph)
    for one in wanted:
        if not _info(one)[0] and not allow_unused:
            raise ValueError("(InvalidArgument) paddle.grad: an input stops gradients")
    found = _walked(heads, given, wanted, retain, bool(create_graph))
    if not allow_unused and any(one is None for one in found):
        raise ValueError(
            "(InvalidArgument) The input is not in the backward graph of the outputs; set "
            "allow_unused=True to get None for it"
        )
    return list(found)


def __getattr__(name):
    if name in ("PyLayer", "PyLayerContext"):
        from . import _layer

        return getattr(_layer, name)
    return _not_here(name)


_not_here = _missing.missing("paddle.autograd")
