"""Records which public names the real MXNet has: run by a Python that has mxnet 1.9.1.

    record_names.py > frontends/python/penstock/mxnet/_names.py

A module's public names are its __all__; where it has none, what is in it without an underscore and
comes from mxnet, or for mx.np from NumPy. Classes are noted with the module that they come from if
that is another one, so that one class under two names stays one.
"""

import dis
import sys
import textwrap
import types

import mxnet

MODULES = """
mxnet
mxnet.np mxnet.np.linalg mxnet.np.random
mxnet.npx mxnet.npx.image mxnet.npx.random
mxnet.nd mxnet.nd.contrib mxnet.nd.image mxnet.nd.linalg mxnet.nd.random mxnet.nd.sparse
mxnet.contrib mxnet.contrib.text mxnet.contrib.text.embedding
mxnet.contrib.text.utils mxnet.contrib.text.vocab
mxnet.attribute mxnet.autograd mxnet.base mxnet.callback mxnet.context mxnet.engine mxnet.error
mxnet.executor mxnet.io mxnet.kvstore mxnet.libinfo mxnet.log mxnet.model mxnet.module
mxnet.monitor mxnet.name mxnet.operator mxnet.profiler mxnet.random mxnet.recordio mxnet.registry
mxnet.rnn mxnet.rtc mxnet.runtime mxnet.symbol mxnet.test_utils mxnet.util mxnet.visualization
mxnet.gluon mxnet.gluon.block mxnet.gluon.contrib mxnet.gluon.data mxnet.gluon.data.vision
mxnet.gluon.data.vision.transforms mxnet.gluon.loss mxnet.gluon.model_zoo
mxnet.gluon.model_zoo.vision mxnet.gluon.nn mxnet.gluon.parameter mxnet.gluon.rnn
mxnet.gluon.trainer mxnet.gluon.utils
mxnet.image mxnet.initializer mxnet.lr_scheduler mxnet.metric mxnet.optimizer
""".split()

# What modules define or import for their own use.
OWN = set(
    """
    MXCallbackList Symbol c_array c_array_buf c_handle_array c_str c_str_array check_call
    classproperty constraint_check cv2 error_types
    gen__internal gen_contrib gen_image gen_linalg gen_op gen_sparse
    get_indexing_dispatch_code get_oshape_of_gather_nd_op indexing_key_expand_implicit_axes
    integer_types np_ufunc_legal_option numeric_types op py_str set_module ss string_types
    tensor_types with_metaclass wrap_np_binary_func wrap_np_unary_func
    """.split()
)

# Modules that import functions of others for their own use.
STRICT = {"mxnet.model", "mxnet.operator", "mxnet.profiler", "mxnet.rtc", "mxnet.test_utils"}

# Of these, what modules define for others.
FOR_OTHERS = {"mxnet.symbol": {"Symbol"}}

ARRAYS = {"mxnet.np.ndarray": mxnet.np.ones(1), "mxnet.nd.NDArray": mxnet.nd.ones((1,))}

HEAD = '''\
"""The public names of MXNet 1.9.1: recorded by tests/conformance/record_names.py, never edited.

For each module its classes, functions, modules and other values. A class that comes from elsewhere
is written with a colon and where.
"""

NAMES = {
'''


def find(path):
    """The module of a name; mxnet.np is an attribute only."""
    thing = mxnet
    for part in path.split(".")[1:]:
        thing = getattr(thing, part)
    return thing


def home(thing):
    """The name of the module that a thing is from; that of a module is its own."""
    if isinstance(thing, types.ModuleType):
        return thing.__name__
    return str(getattr(thing, "__module__", None) or "")


def belongs(path, thing):
    """Whether it is MXNet's, and not something that the module imported for itself."""
    parent = find(path)
    if isinstance(thing, types.ModuleType):
        return home(thing).startswith(parent.__name__ + ".")
    if isinstance(thing, type) and not hasattr(parent, "__path__"):
        return home(thing) == parent.__name__
    if path in STRICT and home(thing) not in ("", parent.__name__):
        return False
    first = home(thing).partition(".")[0]
    if first in ("numpy", "builtins"):
        return path.startswith("mxnet.np")
    return first in ("", "mxnet", "ndarray", "symbol")


def public(path, thing):
    """Its names, in the order of the alphabet."""
    listed = getattr(thing, "__all__", None)
    names = listed if listed and path not in ("mxnet.nd", "mxnet.symbol") else dir(thing)
    own = OWN - FOR_OTHERS.get(path, set())
    names = [name for name in sorted(set(names)) if not name.startswith("_") and name not in own]
    return [name for name in names if belongs(path, getattr(thing, name))]


def kind(thing):
    if isinstance(thing, types.ModuleType):
        return "modules"
    if isinstance(thing, type):
        return "classes"
    return "functions" if callable(thing) else "values"


def written(path, name, thing):
    """A class of another module, or under another name, with where it is from."""
    if kind(thing) != "classes" or not home(thing).startswith("mxnet.gluon"):
        return name
    origin = f"{thing.__module__}.{thing.__name__}"
    return name if origin == f"{path}.{name}" else f"{name}:{origin}"


def module_text(path):
    thing = find(path)
    found = {}
    for name in public(path, thing):
        value = getattr(thing, name)
        found.setdefault(kind(value), []).append(written(path, name, value))
    return entry(path, found)


def array_text(path, array):
    """Methods and properties that work; what Python calls by itself is not noted."""
    names = [name for name in dir(array) if not name.startswith("_") and hasattr(array, name)]
    return entry(path, {"values": [name for name in names if returns(getattr(array, name))]})


def returns(method):
    """Not one that does nothing but raise: that is how MXNet hides what a class inherits."""
    code = getattr(getattr(method, "__func__", None), "__code__", None)
    steps = dis.get_instructions(code) if code is not None else ()
    return code is None or any(step.opname.startswith("RETURN_") for step in steps)


def entry(path, found):
    lines = [f'    "{path}": {{\n']
    for what, names in sorted(found.items()):
        text = textwrap.fill(" ".join(names), 98, break_long_words=False)
        lines.append(f'        "{what}": """\n{text}\n""",\n')
    return "".join(lines) + "    },\n"


def main():
    if mxnet.__version__ != "1.9.1":
        raise SystemExit(f"MXNet 1.9.1 is needed, not {mxnet.__version__}")
    sys.stdout.write(HEAD)
    for path in MODULES:
        sys.stdout.write(module_text(path))
    for path, array in ARRAYS.items():
        sys.stdout.write(array_text(path, array))
    sys.stdout.write("}\n")


if __name__ == "__main__":
    main()
