"""mx.model: files of parameters by prefix and epoch. What needs symbols is not built."""

import logging
from collections import namedtuple

from ._unbuilt import not_built, raise_not_built, unbuilt

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


def save_checkpoint(prefix, epoch, symbol, arg_params, aux_params, remove_amp_cast=True):
    """Writes parameters into <prefix>-<epoch>.params. A symbol, which would go with it, raises."""
    from .ndarray import save

    if symbol is not None:
        raise_not_built("mxnet.model.save_checkpoint with a symbol")
    named = {f"arg:{name}": array for name, array in arg_params.items()}
    named.update((f"aux:{name}", array) for name, array in aux_params.items())
    path = f"{prefix}-{epoch:04d}.params"
    save(path, named)
    logging.info('Saved checkpoint to "%s"', path)


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
