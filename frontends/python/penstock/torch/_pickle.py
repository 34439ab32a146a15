"""Tensors in pickles: element type, shape and bytes; views are pickled as tensors of their own."""

from .. import _core
from .._common import leaves
from ._dtypes import named


def reduced(tensor):
    """What pickle asks a tensor for. Waits."""
    flows, leaf, _ = _core._grad_info(tensor)
    if flows and not leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) can be pickled: detach() first"
        )
    elements = _core.ndarray.tobytes(tensor)
    return _restored, (
        class_path(type(tensor)),
        tensor.dtype._name,
        tuple(tensor.shape),
        elements,
        str(tensor.device),
        flows,
        leaves.attributes(tensor),
    )


def class_path(cls):
    """A class as pickles name it: those that show torch's names by their place in this package."""
    if cls.__module__ == "torch" or cls.__module__.startswith("torch."):
        package = __name__.rpartition(".")[0]
        return f"{package}{cls.__module__[5:]}", cls.__qualname__
    return cls


def _class_at(path):
    if not isinstance(path, tuple):
        return path
    from importlib import import_module

    return getattr(import_module(path[0]), path[1])


def _restored(cls, name, shape, elements, device, requires_grad, kept):
    from ._create import frombuffer, zeros

    one = named(name)
    made = frombuffer(elements, dtype=one) if elements else zeros(0, dtype=one)
    made = made.reshape(shape).clone().to(device)
    made = _core.ndarray.as_subclass(made, _class_at(cls))
    if requires_grad:
        made.requires_grad = True
    if kept:
        _core._extra(made, True).update(kept)
    return made
