"""Layers in files of paddle.jit: data from which layers of paddle.nn's classes are made again.

PaddlePaddle writes a program there. Here a file has the layers' descriptions, and no code.
"""

import os

from .._common.described import Descriptions
from .._common.registered import PARAMETER
from . import nn
from ._files import load as load_data
from ._files import save as save_data
from ._parameter import Parameter

_MARK = "penstock.paddle.jit"
_descriptions = Descriptions(
    nn,
    "paddle.nn",
    nn.Layer,
    own={"_kinds", "_full_name", "_hook_number", "_non_persistable_buffer_names_set"},
    hooks=("_before", "_after"),
    other="of any layer its state_dict() by paddle.save",
)


def save(layer, path):
    """Write a layer to <path>.pdmodel."""
    if not isinstance(layer, nn.Layer):
        if callable(layer):
            raise NotImplementedError("jit.save: a function is code, and code is not written")
        raise TypeError(
            "The input of paddle.jit.save should be 'Layer' or 'Function', but received input "
            f"type is {type(layer)}."
        )
    module = _descriptions.of(layer)
    _check_once(module, set())
    save_data({"format": _MARK, "version": 1, "module": module}, f"{path}.pdmodel")


def _check_once(data, seen):
    """Raises for a layer that is there twice: a file would have two of it."""
    if id(data) in seen:
        raise NotImplementedError(f"jit.save: a layer ({data['class']}) that is there twice")
    seen.add(id(data))
    for inner in data["modules"].values():
        if inner is not None:
            _check_once(inner, seen)


def load(path):
    """The layer that save wrote."""
    file = f"{path}.pdmodel"
    if not os.path.isfile(file):
        raise ValueError(f"The ``path`` ({path}) to load model not exists.")
    data = load_data(file)
    if not isinstance(data, dict) or data.get("format") != _MARK:
        raise ValueError(f"jit.load: {file} has no layer that jit.save wrote: use paddle.load")
    if data["version"] != 1:
        raise ValueError(f"jit.load: {file} is of version {data['version']}; 1 can be read")
    _parameters(data["module"], {})
    return _descriptions.made(data["module"])


def _parameters(data, seen):
    """Tensors that were parameters are so again; one that is there twice is one, by its name."""
    tensors, kinds = data["tensors"], data["kinds"]
    for name, one in tensors.items():
        if one is not None and kinds[name] == PARAMETER:
            tensors[name] = seen.setdefault(one.name, Parameter.of(one, one.name))
    for inner in data["modules"].values():
        if inner is not None:
            _parameters(inner, seen)
