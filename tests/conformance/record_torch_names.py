"""Records which public names the real PyTorch and torchvision have.

    record_torch_names.py > frontends/python/penstock/torch/_names.py

Run it by a Python that has torch 2.15.0 and torchvision 0.29.2. A module's public names are its
__all__; where it has none, or one that leaves names out, what is in it without an underscore and
comes from the library. Modules inside of a package are found in its folder too, since many of them
are loaded by those alone who use them.
"""

import importlib
import pkgutil
import sys
import textwrap
import types
import warnings

MODULES = """
torch torch.Tensor
torch.nn torch.nn.functional torch.nn.init torch.nn.parallel torch.nn.parameter torch.nn.utils
torch.nn.utils.parametrizations torch.nn.utils.rnn
torch.optim torch.optim.lr_scheduler torch.optim.swa_utils
torch.utils torch.utils.data
torch.autograd torch.autograd.functional
torch.amp torch.backends torch.cuda torch.distributions torch.fft torch.hub torch.jit torch.linalg
torch.multiprocessing torch.profiler torch.random torch.serialization torch.sparse torch.special
torch.testing torch.version
torchvision torchvision.datasets torchvision.io torchvision.models torchvision.ops
torchvision.transforms torchvision.transforms.functional torchvision.utils
""".split()

WANTED = {"torch": "2.15.0", "torchvision": "0.29.2"}

# Modules whose __all__ leaves out names that programs use.
OPEN = {"torch", "torch.jit"}

# What modules define or import for their own use.
OWN = set(
    """
    BroadcastingList1 BroadcastingList2 BroadcastingList3 F_pil F_t LoggerBase StorageBase
    assert_int_or_pair boolean_dispatch classproperty factory_kwargs get_file_path
    handle_torch_function has_torch_function has_torch_function_unary has_torch_function_variadic
    prepare_multiprocessing_environment profiler_allow_cudagraph_cupti_lazy_reinit_cuda12 set_module
    """.split()
)

# Of the classes in torch._C those that programs use.
KEPT = set(
    """
    AcceleratorError Event Generator OutOfMemoryError Size Stream device dtype finfo iinfo layout
    memory_format qscheme
    """.split()
)

# Modules that have these from elsewhere, and are not where programs look for them.
FOREIGN = {
    "torch.fft": {"Tensor"},
    "torch.nn.functional": {"Tensor"},
    "torchvision.transforms.functional": {"Tensor"},
    "torchvision.utils": {"Tensor"},
}

HEAD = '''\
"""The public names of PyTorch 2.15.0 and torchvision 0.29.2.

Recorded by tests/conformance/record_torch_names.py, never edited. For each module its classes,
functions, modules and other values.
"""

NAMES = {
'''


def find(path):
    """The module of a name; torch.Tensor is a class."""
    if path == "torch.Tensor":
        return importlib.import_module("torch").Tensor
    return importlib.import_module(path)


def home(thing):
    """The name of the module that a thing, or the class of a value, is from."""
    return str(getattr(thing, "__module__", None) or type(thing).__module__)


def belongs(path, name, thing):
    """Whether it is the library's, and not something that the module imported for itself."""
    if isinstance(thing, types.ModuleType):
        return thing.__name__ == f"{path}.{name}"
    return home(thing).partition(".")[0] in ("torch", "torchvision")


def is_own(path, name, thing):
    """Whether it is for the library's own use, such as the classes of its compiler."""
    if name in OWN or name in FOREIGN.get(path, ()):
        return True
    inner = importlib.import_module("torch._C")
    return path == "torch" and isinstance(thing, type) and hasattr(inner, name)


def kind(thing):
    if isinstance(thing, types.ModuleType):
        return "modules"
    if isinstance(thing, type):
        return "classes"
    return "functions" if callable(thing) else "values"


def public(names):
    return [name for name in names if not name.startswith("_")]


def found_in(path):
    """The names of a module by their kinds."""
    module = find(path)
    listed = set(getattr(module, "__all__", ()))
    found = {}
    for name in public(dir(module)):
        thing = getattr(module, name)
        look = not listed or path in OPEN or isinstance(thing, types.ModuleType)
        if name in listed or look and belongs(path, name, thing):
            if name in KEPT or not is_own(path, name, thing):
                found.setdefault(kind(thing), set()).add(name)
    inner = public(one.name for one in pkgutil.iter_modules(getattr(module, "__path__", ())))
    if inner:
        found.setdefault("modules", set()).update(inner)
    return found


def methods_of(cls):
    """Methods and properties; what Python calls by itself is not noted."""
    names = public(dir(cls))
    methods = {name for name in names if callable(getattr(cls, name))}
    return {"functions": methods, "values": set(names) - methods}


def entry(path, found):
    lines = [f'    "{path}": {{\n']
    for what, names in sorted(found.items()):
        text = textwrap.fill(" ".join(sorted(names)), 98, break_long_words=False)
        lines.append(f'        "{what}": """\n{text}\n""",\n')
    return "".join(lines) + "    },\n"


def main():
    warnings.simplefilter("ignore")
    for name, version in WANTED.items():
        there = importlib.import_module(name).__version__.partition("+")[0]
        if there != version:
            raise SystemExit(f"{name} {version} is needed, not {there}")
    sys.stdout.write(HEAD)
    for path in MODULES:
        found = methods_of(find(path)) if path == "torch.Tensor" else found_in(path)
        sys.stdout.write(entry(path, found))
    sys.stdout.write("}\n")


if __name__ == "__main__":
    main()
