"""Gradients: torch.autograd.

>>> from penstock import torch
>>> x = torch.tensor(3.0, requires_grad=True)
>>> torch.autograd.grad(x ** 2, x)
(tensor(6.),)
"""

from operator import index

from ... import _core
from .. import _missing
from .._tensor import Tensor
from ._function import Function
from ._modes import enable_grad, inference_mode, no_grad, set_grad_enabled

__all__ = [
    "Function",
    "backward",
    "enable_grad",
    "grad",
    "inference_mode",
    "no_grad",
    "set_grad_enabled",
]

Variable = Tensor


def _listed(tensors):
    if isinstance(tensors, Tensor):
        return [tensors]
    return list(tensors)


def _given(heads, gradients):
    """Gradients of the heads, checked: each has its head's shape."""
    if gradients is None:
        gradients = [None] * len(heads)
    elif isinstance(gradients, Tensor):
        gradients = [gradients]
    gradients = list(gradients)
    for one in gradients:
        if one is not None and not isinstance(one, Tensor):
            raise TypeError(
                f"gradients can be either Tensors or None, but got {type(one).__name__}"
            )
    if len(gradients) != len(heads):
        raise RuntimeError(f"got {len(heads)} tensors and {len(gradients)} gradients")
    for at, (head, one) in enumerate(zip(heads, gradients)):
        if not _core._grad_info(head)[0]:
            raise RuntimeError(
                f"element {at} of tensors does not require grad and does not have a grad_fn"
            )
        if one is None:
            if head.numel() != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
        elif one.shape != head.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{at}] has a shape of {one.shape} and output[{at}] "
                f"has a shape of {head.shape}."
            )
        elif one.dtype is not head.dtype:
            gradients[at] = one.to(head.dtype)
    return gradients


def backward(
    tensors,
    grad_tensors=None,
    retain_graph=None,
    create_graph=False,
    grad_variables=None,
    inputs=None,
):
    """Add gradients of tensors to the .grad of the leaves they were computed of. Does not wait."""
    heads = _listed(tensors)
    retain = bool(create_graph) if retain_graph is None else bool(index(retain_graph))
    gradients = _given(heads, grad_tensors if grad_variables is None else grad_variables)
    if inputs is None:
        _core._grad_walk(heads, gradients, None, retain, bool(create_graph), False)
        return
    wanted = _listed(inputs)
    if not wanted:
        raise RuntimeError("`inputs` argument to `backward` cannot be empty.")
    found = _core._grad_walk(heads, gradients, wanted, retain, bool(create_graph), False)
    with no_grad():
        for leaf, one in zip(wanted, found):
            if one is None:
                continue
            if leaf.grad is None:
                leaf.grad = one
            else:
                leaf.grad += one


def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
):
    """Gradients of outputs to inputs, as a tuple; .grad stays as it is."""
    if is_grads_batched:
        raise NotImplementedError("autograd.grad: is_grads_batched=True is not here")
    heads, wanted = _listed(outputs), _listed(inputs)
    gradients = _given(heads, grad_outputs)
    for one in wanted:
        if not _core._grad_info(one)[0]:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    retain = bool(create_graph) if retain_graph is None else bool(retain_graph)
    found = _core._grad_walk(heads, gradients, wanted, retain, bool(create_graph), False)
    if materialize_grads:
        from .._create import zeros_like

        found = [zeros_like(one) if got is None else got for one, got in zip(wanted, found)]
    elif not allow_unused and any(one is None for one in found):
        raise RuntimeError(
            "One of the differentiated Tensors appears to not have been used in the graph. Set "
            "allow_unused=True if this is the desired behavior."
        )
    return tuple(found)


__getattr__ = _missing.missing("torch.autograd")
