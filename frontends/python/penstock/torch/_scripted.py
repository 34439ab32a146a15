"""Modules in files of torch.jit: data from which modules of torch.nn's classes are made again.

PyTorch writes a program there. Here a file has the modules' descriptions, and no code.
"""

from .._common.described import Descriptions
from .._common.registered import MODULE
from . import nn
from .serialization import load as load_data
from .serialization import save as save_data

_MARK = "penstock.torch.jit"
_descriptions = Descriptions(
    nn,
    "torch.nn",
    nn.Module,
    own={"_kinds", "_scripted"},
    hooks=("_forward_hooks", "_forward_pre_hooks"),
    other="of any module its state_dict() by torch.save",
)


def save(module, file):
    """Write a module to a file, which is a path or has write()."""
    save_data({"format": _MARK, "version": 1, "module": _descriptions.of(module)}, file)


def load(file, map_location=None):
    """The module that save wrote."""
    data = load_data(file, map_location=map_location)
    if not isinstance(data, dict) or data.get("format") != _MARK:
        raise RuntimeError("jit.load: the file has no module that jit.save wrote: use torch.load")
    if data["version"] != 1:
        raise RuntimeError(f"jit.load: the file is of version {data['version']}; 1 can be read")
    module = _descriptions.made(data["module"])
    _mark(module, set())
    return module


def _mark(module, seen):
    """Gives a module, and those in it, the method save."""
    if id(module) in seen:
        return
    seen.add(id(module))
    vars(module)["_scripted"] = True
    for name, what in module._kinds.items():
        if what == MODULE and vars(module)[name] is not None:
            _mark(vars(module)[name], seen)
