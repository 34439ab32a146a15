"""torch.jit: nothing is compiled ahead, as operations are fused while they are queued.

>>> from penstock import torch
>>> net = torch.nn.Linear(2, 1)
>>> torch.jit.script(net) is net
True
"""

from . import _missing


def script(obj=None, optimize=None, example_inputs=None):
    """The module or function itself; a module gets a method save."""
    if not callable(obj):
        raise TypeError(f"jit.script: a module, a class or a function is needed, not {obj!r}")
    if not isinstance(obj, type) and hasattr(obj, "_kinds"):
        vars(obj)["_scripted"] = True
    return obj


def save(m, f, _extra_files=None):
    """Write a module to a file, which is a path or has write(): for load, not for PyTorch.

    >>> import io
    >>> from penstock import torch
    >>> file = io.BytesIO()
    >>> net = torch.jit.script(torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU()))
    >>> net.save(file)
    >>> torch.jit.load(io.BytesIO(file.getvalue()))
    Sequential(
      (0): Linear(in_features=3, out_features=2, bias=True)
      (1): ReLU()
    )
    """
    from ._scripted import save as write

    if _extra_files:
        raise NotImplementedError("jit.save: _extra_files: a file has a module and nothing else")
    write(m, f)


def load(f, map_location=None, _extra_files=None, _restore_shapes=False):
    """The module that save wrote; a program that PyTorch wrote is not read."""
    from ._scripted import load as read

    if _extra_files:
        raise NotImplementedError("jit.load: _extra_files: a file has a module and nothing else")
    return read(f, map_location)


def trace(func, example_inputs=None, *args, **kwargs):
    """The module or function itself: all of its branches stay, not only those of an example."""
    return script(func)


def trace_module(mod, inputs, *args, **kwargs):
    """The module itself."""
    return script(mod)


def freeze(mod, *args, **kwargs):
    """The module itself."""
    return mod


def optimize_for_inference(mod, other_methods=None):
    """The module itself."""
    return mod


def ignore(drop=False, **kwargs):
    """A decorator that gives the function itself."""
    return drop if callable(drop) else lambda function: function


def unused(fn):
    """The function itself."""
    return fn


def export(fn):
    """The function itself."""
    return fn


def script_if_tracing(fn):
    """The function itself."""
    return fn


def annotate(the_type, the_value):
    """The value itself."""
    return the_value


def is_scripting():
    """Whether a script is being compiled: never."""
    return False


def is_tracing():
    """Whether calls are being recorded: never."""
    return False


__getattr__ = _missing.missing("torch.jit")
