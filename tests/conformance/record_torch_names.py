"""Records which public names the real PyTorch and torchvision have.

    record_torch_names.py > frontends/python/penstock/torch/_names.py

Run it by a Python that has torch 2.15.0 and torchvision 0.29.2. library_names.py says which names
are public.
"""

import importlib

from library_names import Library

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


def is_own(path, name, thing):
    """Whether it is for the library's own use, such as the classes of its compiler."""
    if name in KEPT:
        return False
    if name in OWN or name in FOREIGN.get(path, ()):
        return True
    inner = importlib.import_module("torch._C")
    return path == "torch" and isinstance(thing, type) and hasattr(inner, name)


if __name__ == "__main__":
    Library(WANTED, MODULES, HEAD, OPEN, is_own).write()
