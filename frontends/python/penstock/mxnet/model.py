"""mx.model: files of parameters by prefix and epoch. What needs symbols is not built."""

from collections import namedtuple

from ._unbuilt import not_built, unbuilt

__all__ = [
    "BatchEndParam",
    "FeedForward",
    "load_checkpoint",
    "load_params",
    "save_checkpoint",
]

BatchEndParam = namedtuple("BatchEndParams", ["epoch", "nbatch", "eval_metric", "locals"])
BatchEndParam.__module__ = "mxnet.model"

load_checkpoint = not_built("mxnet.model.load_checkpoint")
save_checkpoint = not_built("mxnet.model.save_checkpoint")


def load_params(prefix, epoch):
    """Two dictionaries out of the file <prefix>-<epoch>.params: parameters, and running states."""
    from .ndarray import load

    parts = {"arg": {}, "aux": {}}
    for name, array in load(f"{prefix}-{epoch:04d}.params").items():
        kind, _, name = name.partition(":")
        if kind in parts:
            parts[kind][name] = array
    return parts["arg"], parts["aux"]


__getattr__ = unbuilt("mxnet.model")
