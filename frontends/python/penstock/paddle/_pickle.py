"""Tensors in pickles: element type, shape and bytes; views are pickled as tensors of their own."""

from .. import _core
from .._common import leaves
from ._dtypes import named


def reduced(tensor):
    """What pickle asks a tensor for. Waits."""
    from ._parameter import Parameter
    from ._tensor import Tensor

    flows, leaf, _ = _core._grad_info(tensor)
    if flows and not leaf:
        raise RuntimeError("only leaf tensors can be pickled: detach() first")
    kind = type(tensor)
    return restored, (
        {Tensor: None, Parameter: True}.get(kind, kind),
        tensor.dtype._name,
        tuple(tensor.shape),
        _core.ndarray.tobytes(tensor),
        not flows,
        leaves.attributes(tensor, "_name"),
    )


def restored(kind, name, shape, elements, stop_gradient, kept):
    """A tensor out of a pickle; kind is None for the class itself, and True for parameters."""
    from ._create import zeros
    from ._parameter import Parameter
    from ._tensor import Tensor

    one = named(name)
    if elements:
        made = _core.frombuffer(elements, dtype=one._native).as_subclass(Tensor).clone()
        made = made.reshape(list(shape)) if shape else made.reshape([1]).squeeze()
    else:
        made = zeros(list(shape), one)
    if kind is not None:
        made = _core.ndarray.as_subclass(made, Parameter if kind is True else kind)
    if not stop_gradient:
        made.stop_gradient = False
    if kept:
        _core._extra(made, True).update(kept)
    return made
