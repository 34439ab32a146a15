"""Modules in files of torch.jit: data from which modules of torch.nn's classes are made again.

PyTorch writes a program there. Here a file has, for each module, the name of its class, its plain
attributes, its tensors and its modules. No code of a file is run, so that only modules of the
classes in torch.nn can be written and read.
"""

from . import nn
from .._common.registered import MODULE
from .serialization import load as load_data
from .serialization import save as save_data

_MARK = "penstock.torch.jit"
_OWN = {"_kinds", "_forward_hooks", "_forward_pre_hooks", "_scripted"}
_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_NESTED = (tuple, list, set, frozenset)


def save(module, file):
    """Write a module to a file, which is a path or has write()."""
    save_data({"format": _MARK, "version": 1, "module": _described(module, "", {})}, file)


def load(file, map_location=None):
    """The module that save wrote."""
    data = load_data(file, map_location=map_location)
    if not isinstance(data, dict) or data.get("format") != _MARK:
        raise RuntimeError("jit.load: the file has no module that jit.save wrote: use torch.load")
    if data["version"] != 1:
        raise RuntimeError(f"jit.load: the file is of version {data['version']}; 1 can be read")
    return _made(data["module"], {})


# ---- Writing -------------------------------------------------------------------------------------


def _described(module, path, seen):
    """The data of a module; of one that is there twice, the same object."""
    if id(module) in seen:
        return seen[id(module)]
    kind = type(module)
    if getattr(nn, kind.__name__, None) is not kind:
        _refuse(path, f"is a {kind.__qualname__}, and code is not written")
    if module._forward_hooks or module._forward_pre_hooks:
        _refuse(path, "has hooks, and code is not written")
    attributes, kinds = {}, module._kinds
    for name, value in vars(module).items():
        if name in kinds or name in _OWN:
            continue
        if not _is_plain(value):
            _refuse(f"{path}.{name}".lstrip("."), f"is {value!r}, which is no plain value")
        attributes[name] = value
    tensors = {name: vars(module)[name] for name, what in kinds.items() if what != MODULE}
    data = {"class": kind.__name__, "attributes": attributes, "kinds": dict(kinds)}
    seen[id(module)] = {**data, "tensors": tensors, "modules": {}}
    for name in (name for name, what in kinds.items() if what == MODULE):
        inner = vars(module)[name]
        inside = None if inner is None else _described(inner, f"{path}.{name}".lstrip("."), seen)
        seen[id(module)]["modules"][name] = inside
    return seen[id(module)]


def _is_plain(value):
    if type(value) in _NESTED:
        return all(map(_is_plain, value))
    if type(value) is dict:
        return all(_is_plain(key) and _is_plain(item) for key, item in value.items())
    return type(value) in _PLAIN


def _refuse(path, why):
    what = path or "the module"
    raise NotImplementedError(
        f"jit.save: {what} {why}; modules of the classes in torch.nn can be written, and of any "
        "module its state_dict() by torch.save"
    )


# ---- Reading -------------------------------------------------------------------------------------


def _made(data, seen):
    """The module of some data; of data that is there twice, the same module."""
    if id(data) in seen:
        return seen[id(data)]
    kind = getattr(nn, data["class"], None)
    if not (isinstance(kind, type) and issubclass(kind, nn.Module)):
        raise RuntimeError(f"jit.load: torch.nn has no class {data['class']!r} of modules")
    module = seen[id(data)] = kind.__new__(kind)
    nn.Module.__init__(module)
    vars(module).update(data["attributes"])
    inner = {name: one and _made(one, seen) for name, one in data["modules"].items()}
    for name, what in data["kinds"].items():
        module._kinds[name] = what
        vars(module)[name] = inner[name] if what == MODULE else data["tensors"][name]
    vars(module)["_scripted"] = True
    return module
