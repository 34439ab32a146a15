#!/usr/bin/env python3
"""Writes the type stubs of the Python package: the .pyi files beside its modules.

    python_stubs.py FOLDER          with the package to be described on PYTHONPATH

Names and signatures are those of the objects themselves. The types of an operation's parameters
follow from the table of operations (src/ops/ops.def) and the Python names of its arguments
(frontends/python/src/names.def), so a new operation needs no line here. Functions that are written
in Python, and methods in C, get the types that the tables below have for the names of their
parameters; a name that is in none of them is an error.

autograd.py, _function.py, engine.py, files.py, memory.py, metric.py, the layers in nn, the classes of
optim and all of data say their types themselves and have no .pyi file.
"""

import ast
import inspect
import math
import pathlib
import re
import sys

import penstock as ps
from penstock import _core

ROOT = pathlib.Path(__file__).parents[1]

# ---- Types --------------------------------------------------------------------------------------

# By the kind of an argument in the table of operations.
KINDS = {
    "tensor": "_ArrayLike",
    "tensor or number": "_ArrayLike",
    "mask": "_ArrayLike",
    "positions": "_ArrayLike",
    "positions or number": "_ArrayLike",
    "tensors": "Sequence[_ArrayLike]",
    "ints": "_Ints",
    "axes": "_Ints",
    "int": "SupportsIndex",
    "axis": "SupportsIndex",
    "float": "float",
    "scalar": "complex",
    "bool": "_bool",
    "dtype": "_DTypeLike",
    "text": "str",
    "generator": "Generator",
}

# By the name of a parameter. A default of None adds None.
PARAMETERS = {
    "_ArrayLike": "x x1 x2 condition indices weights weight bias a low high loc scale mean sigma p "
    "prepend append sorter out_grad",
    "Sequence[_ArrayLike]": "arrays",
    "_DTypeLike": "dtype from_ to",
    "_Operand": "value",
    "SupportsIndex": "axis axis1 axis2 offset k n m decimals num_classes count protocol start "
    "ndigits",
    "_Ints": "shape source destination indices_or_sections size",
    "int": "seed",
    "float": "rtol atol nan posinf neginf timeout",
    "_bool": "keepdims equal_nan copy endpoint replace include_initial invert return_index "
    "return_inverse return_counts retain_graph accumulated",
    "str": "device indexing mode activation format_spec side grad_req",
    "complex": "fill_value constant_values",
    "ndarray": "out",
    "_Function": "function",
    "Any": "object obj buffer key memo stream max_version dl_device kwargs ufunc method inputs "
    "index mod pad_width state arrays_and_dtypes kind cls api_version axes ord dialect",
}

# Where the same name means something else.
SPECIAL = {
    **{f"set_types.{kind}": "_DTypeLike | None" for kind in ("float", "int", "bool", "complex")},
    "average.axis": "_Ints | None",
    "batch_norm.out": "tuple[ndarray | None, ndarray | None, ndarray | None] | None",
    "broadcast_shapes.shapes": "_Ints",
    "call.args": "Any",
    "call.name": "str",
    "can_cast.from_": "_DTypeLike | ndarray",
    "count_nonzero.axis": "_Ints | None",
    "dtypes.kind": "str | tuple[str, ...] | None",
    "fill.value": "complex",
    "finfo.dtype": "_DTypeLike | ndarray",
    "iinfo.dtype": "_DTypeLike | ndarray",
    "install_as.name": "str",
    "isdtype.kind": "_DTypeLike | tuple[_DTypeLike, ...]",
    "logsumexp.axis": "_Ints | None",
    "matrix_norm.ord": "float | str",
    "norm.axis": "_Ints | None",
    "norm.ord": "float | str | None",
    "ptp.axis": "_Ints | None",
    "rand.shape": "SupportsIndex",
    "randn.shape": "SupportsIndex",
    "seed.seed": "int | None",
    "default_rng.seed": "int | Generator | None",
    "lstm_gates.out": "tuple[ndarray | None, ndarray | None] | None",
    "rnn.out": "tuple[ndarray | None, ...] | None",
    "shuffle.x": "ndarray",
    "tensordot.axes": "SupportsIndex | Sequence[_Ints]",
    "vector_norm.axis": "_Ints | None",
    "vector_norm.ord": "float",
    "as_subclass.cls": "type[_Array]",
    "__contains__.key": "_Operand",
    "__eq__.value": "object",
    "__ne__.value": "object",
    "__pow__.mod": "None",
    "__rpow__.mod": "None",
    "__setitem__.value": "_ArrayLike",
    "set_state.state": "tuple[int, int, int]",
}

# What functions and methods give that give no array.
RETURNS = {
    "array_split": "list[ndarray]",
    "atleast_1d": "Any",
    "atleast_2d": "Any",
    "atleast_3d": "Any",
    "batch_norm": "tuple[ndarray, ndarray, ndarray]",
    "broadcast_arrays": "tuple[ndarray, ...]",
    "broadcast_shapes": "tuple[int, ...]",
    "call": "Any",  # of several outputs a tuple
    "can_cast": "_bool",
    "default_rng": "Generator",
    "dsplit": "list[ndarray]",
    "finfo": "_FloatInfo",
    "get_state": "tuple[int, int, int]",
    "hsplit": "list[ndarray]",
    "iinfo": "_IntegerInfo",
    "install_as": "ModuleType",
    "isdtype": "_bool",
    "lstm_gates": "tuple[ndarray, ndarray]",
    "meshgrid": "tuple[ndarray, ...]",
    "nonzero": "tuple[ndarray, ...]",
    "result_type": "dtype",
    "seed": "None",
    "set_state": "None",
    "shuffle": "None",
    "rnn": "tuple[ndarray, ndarray, ndarray, ndarray]",
    "split": "list[ndarray]",
    "unique": "Any",  # with nothing else asked for, an array
    "unique_all": "_UniqueAll",
    "unique_counts": "_UniqueCounts",
    "unique_inverse": "_UniqueInverse",
    "unstack": "tuple[ndarray, ...]",
    "vsplit": "list[ndarray]",
    "waitall": "None",
    "where": "Any",  # the condition alone gives a tuple
    # methods
    "as_subclass": "_Array",
    "asnumpy": "np.ndarray[Any, Any]",
    "attach_grad": "None",
    "backward": "None",
    "capabilities": "dict[str, Any]",
    "default_device": "str",
    "default_dtypes": "dict[str, dtype]",
    "devices": "list[str]",
    "dtypes": "dict[str, dtype]",
    "fill": "None",
    "is_ready": "_bool",
    "item": "Any",
    "numpy": "np.ndarray[Any, Any]",
    "register_hook": "_GradHook",
    "tobytes": "bytes",
    "tolist": "Any",
    "wait": "_bool",
    "wait_to_read": "None",
    "__array__": "np.ndarray[Any, Any]",
    "__array_namespace__": "ModuleType",
    "__array_ufunc__": "Any",
    "__await__": "Generator_[Any, None, Self]",
    "__bool__": "_bool",
    "__ceil__": "int",
    "__complex__": "complex",
    "__contains__": "_bool",
    "__deepcopy__": "Self",
    "__delitem__": "NoReturn",
    "__divmod__": "tuple[Self, Self]",
    "__dlpack__": "Any",
    "__dlpack_device__": "tuple[int, int]",
    "__float__": "float",
    "__floor__": "int",
    "__format__": "str",
    "__index__": "int",
    "__init_subclass__": "None",
    "__int__": "int",
    "__iter__": "Iterator[Self]",
    "__len__": "int",
    "__rdivmod__": "tuple[Self, Self]",
    "__reduce__": "tuple[Any, ...]",
    "__reduce_ex__": "tuple[Any, ...]",
    "__repr__": "str",
    "__round__": "Any",
    "__setitem__": "None",
    "__str__": "str",
    "__trunc__": "int",
}

# Signatures that the interpreter does not know, or that are told in more than one way.
OVERLOADED = {
    "reshape": [
        "shape: _Ints, *, copy: _bool | None = None",
        "*shape: SupportsIndex, copy: _bool | None = None",
    ],
    "permute_dims": ["axes: _Ints | None = None", "*axes: SupportsIndex"],
    "transpose": ["axes: _Ints | None = None", "*axes: SupportsIndex"],
}

PROPERTIES = {
    "shape": "tuple[int, ...]",
    "strides": "tuple[int, ...]",
    "dtype": "_DType",
    "device": "str",
    "grad": "Self | Any",  # None without attach_grad: nobody wants to check that each time
    "name": "str",
    "kind": "str",
    "ndim": "int",
    "size": "int",
    "itemsize": "int",
    "nbytes": "int",
    "__array_priority__": "float",
}

# Not told, or not the same in all versions of Python.
UNTOLD = re.compile(
    r"__(new|doc|module|hash|repr|str|slots|weakref|dict|getattribute|buffer|release_buffer"
    r"|static_attributes|firstlineno)__$"
)

HEAD = '"""{doc}"""\n\n# Made by tools/python_stubs.py (make generate); do not edit.\n\n'

CORE = '''\
from builtins import bool as _bool
from collections.abc import Callable, Generator as Generator_, Iterator, Sequence
from types import ModuleType
from typing import Any, ClassVar, Final, NoReturn, Protocol, SupportsIndex, TypeAlias, TypeVar
from typing import final, overload

import numpy as np
from typing_extensions import Buffer, Self, disjoint_base

class _SupportsArray(Protocol):
    def __array__(self, *args: Any, **kwargs: Any) -> Any: ...

class _SupportsDLPack(Protocol):
    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __dlpack_device__(self) -> tuple[Any, Any]: ...

_Operand: TypeAlias = ndarray | complex | _SupportsArray
_ArrayLike: TypeAlias = _Operand | _SupportsDLPack | Buffer | Sequence[_ArrayLike]
_DTypeLike: TypeAlias = dtype | str | type[Any] | np.dtype[Any]
_DType: TypeAlias = dtype
_Ints: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
_Function: TypeAlias = Callable[[Any], Any]
_Array = TypeVar("_Array", bound=ndarray)

__version__: str
'''

IMPORTS = '''\
from builtins import bool as _bool
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

'''

ALIASES = "_ArrayLike as _ArrayLike, _DTypeLike as _DTypeLike, _Ints as _Ints"

INFOS = '''\
class _FloatInfo:
    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    tiny: float
    dtype: _DType

class _IntegerInfo:
    bits: int
    max: int
    min: int
    dtype: _DType

class _UniqueAll(NamedTuple):
    values: ndarray
    indices: ndarray
    inverse_indices: ndarray
    counts: ndarray

class _UniqueCounts(NamedTuple):
    values: ndarray
    counts: ndarray

class _UniqueInverse(NamedTuple):
    values: ndarray
    inverse_indices: ndarray

'''

TYPES_BY_NAME = {name: kind for kind, names in PARAMETERS.items() for name in names.split()}


# ---- The tables of C ----------------------------------------------------------------------------


def read_operations():
    """The kinds of each operation's arguments: {"sum": {"x": "tensor", "axis": "ints", ...}}."""
    text = (ROOT / "src/ops/ops.def").read_text()
    row = re.compile(r'^(ROW|OTHER_ROW|ELEMENTWISE|UPDATE)\((\w+),(?: "\w+",)? "([^"]*)"', re.M)
    pulled = re.search(r'^#define PULLED "([^"]*)"', text, re.M)[1]  # ends the signature of updates
    operations = {}
    for kind, name, signature in row.findall(text):
        signature += pulled if kind == "UPDATE" else ""
        arguments = [part.partition("=")[0].partition(":") for part in signature.split(",")]
        operations[name] = {a.strip(): kind.strip() or "tensor" for a, _, kind in arguments}
    return operations


def read_names():
    """For each Python name the operation, and its arguments by parameter where they differ."""
    text = (ROOT / "frontends/python/src/names.def").read_text()
    row = re.compile(r'^NAMES\((\w+), "([^"]*)", "[^"]*", (NULL|"[^"]*")\)', re.M)
    names = {}
    for operation, spellings, signature in row.findall(text):
        renamed = dict(re.findall(r"(\w+):(\w+)", signature))
        for name in spellings.split():
            names[name] = (operation, renamed)
    return names


OPERATIONS = read_operations()
NAMES = read_names()

# Updates with several results.
for _name in OPERATIONS:
    if _name.endswith("_update") and _name != "sgd_update":
        RETURNS[_name] = "tuple[ndarray, ...]"
        SPECIAL[f"{_name}.out"] = "tuple[ndarray | None, ...] | None"


def kind_in_table(function, parameter):
    """The type of a parameter of an operation's function; None if it is no argument there."""
    operation, renamed = NAMES.get(function, (function, {}))
    kind = OPERATIONS.get(operation, {}).get(renamed.get(parameter, parameter))
    if kind is not None and kind.startswith("choice("):
        return "str"
    return KINDS[kind] if kind is not None else None


# ---- Signatures ---------------------------------------------------------------------------------


def is_operation(thing):
    return type(thing) is type(ps.add)


def type_of(function, name, parameter, of_operation):
    found = parameter.annotation
    if found is not inspect.Parameter.empty:
        return str(found)
    special = SPECIAL.get(f"{function}.{name}")
    if special is not None:
        return special
    found = kind_in_table(function, name) if of_operation else None
    found = found or TYPES_BY_NAME.get(name)
    if found is None:
        raise SystemExit(f"{function}: no type is known for parameter '{name}': see {__file__}")
    return f"{found} | None" if parameter.default is None and found != "Any" else found


def shown_default(value):
    return "..." if isinstance(value, float) and not math.isfinite(value) else repr(value)


def parameters_of(function, thing, method):
    """The text between the parentheses; the first parameter of a method is `self`."""
    signature = inspect.signature(thing)
    parts, before = [], None
    for number, (name, parameter) in enumerate(signature.parameters.items()):
        kind = parameter.kind
        if before == parameter.POSITIONAL_ONLY and kind != before:
            parts.append("/")
        if kind == parameter.KEYWORD_ONLY and before not in (kind, parameter.VAR_POSITIONAL):
            parts.append("*")
        before = kind
        if method and number == 0:
            parts.append("self")
            continue
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(kind, "")
        text = f"{stars}{name}: {type_of(function, name, parameter, is_operation(thing))}"
        if parameter.default is not parameter.empty:
            text += f" = {shown_default(parameter.default)}"
        parts.append(text)
    if before == inspect.Parameter.POSITIONAL_ONLY:
        parts.append("/")
    return ", ".join(parts)


def short_doc(thing):
    return inspect.getdoc(thing).splitlines()[0].replace("\\", "\\\\")


def definition(name, parameters, result, doc, indent, overload=False):
    """A function on one line, or with its parameters on lines of their own."""
    mark = f"{indent}@overload\n" if overload else ""
    head = f"{indent}def {name}({parameters}) -> {result}:"
    if len(head) > 96:
        inner = ",\n".join(f"{indent}    {part}" for part in split_parameters(parameters))
        head = f"{indent}def {name}(\n{inner},\n{indent}) -> {result}:"
    return mark + head + (f'\n{indent}    """{doc}"""\n' if doc else " ...\n")


def split_parameters(text):
    """At the commas outside of brackets."""
    return re.findall(r"(?:[^,\[\]()]|\[[^\]]*(?:\[[^\]]*\])*[^\]]*\])+", text.replace(", ", ","))


def function_text(name, thing, indent="", self_type=None):
    method = self_type is not None
    result = RETURNS.get(name, self_type or "ndarray")
    if method:
        result = result.replace("ndarray, ...", "Self, ...")
    doc = None if name.startswith("__") else short_doc(thing)
    if name in OVERLOADED:
        first = "self, " if method else "x: _ArrayLike, /, "
        texts = [
            definition(name, first + ("/, " if method else "") + way, result, doc, indent, True)
            for way in OVERLOADED[name]
        ]
        return "".join(texts)
    return definition(name, parameters_of(name, thing, method), result, doc, indent)


# ---- Classes ------------------------------------------------------------------------------------

# Methods of arrays with which a type checker does not agree.
IGNORED = {"__eq__": "override", "__ne__": "override", "__ipow__": "misc"}


def member_text(cls, name, thing):
    if name in IGNORED and cls is ps.ndarray:
        text = function_text(name, thing, "    ", "Self").rstrip()
        return f"{text}  # type: ignore[{IGNORED[name]}]\n"
    if isinstance(thing, ps.Dialect):
        return f"    {name}: ClassVar[Dialect]\n"
    if inspect.isgetsetdescriptor(thing):
        result = PROPERTIES.get(name, "Self")
        return f"    @property\n    def {name}(self) -> {result}: ...\n"
    if name == "__array_namespace__":
        return f"    def {name}(self, /, *, api_version: str | None = None) -> ModuleType: ...\n"
    if name == "__init_subclass__":
        return f"    def {name}(cls, *, dialect: Dialect | None = None) -> None: ...\n"
    try:
        return function_text(name, thing, "    ", "Self")
    except ValueError:  # without a signature
        return f"    def {name}(self, *args: Any) -> {RETURNS.get(name, 'Any')}: ...\n"


def class_text(cls, head, extra="", mark=""):
    """A class with all its own members, in the order of their names; dunders first."""
    text = f'{mark}class {head}:\n    """{short_doc(cls)}"""\n{extra}'
    for name in sorted(vars(cls), key=lambda name: (not name.startswith("__"), name)):
        if UNTOLD.match(name) or re.match(r"_[^_]", name):
            continue
        text += member_text(cls, name, vars(cls)[name])
    return text + "\n"


ARRAY_EXTRA = """\
    def __new__(
        cls,
        object: Any,
        /,
        dtype: _DTypeLike | None = None,
        *,
        copy: _bool = True,
        device: str | None = None,
    ) -> Self: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
"""

# Parameters of Dialect that are neither words nor switches.
OF_DIALECT = {
    **dict.fromkeys(("float", "int", "bool", "complex", "compare"), "_DTypeLike = ..."),
    "copies": "Sequence[str] = ...",
    "gradients": "Sequence[str] = ...",
    "errors": "dict[str, type[BaseException]] = ...",
    "shape": "type[tuple[Any, ...]] | None = None",
    "types": "dict[Any, Any] = ...",
    "type_names": "dict[Any, Any] = ...",
}


def dialect_new():
    """The signature of Dialect(...): a switch has a default of False, a word one of text."""
    text = "    def __new__(\n        cls,\n        name: str,\n        *,\n"
    for name, parameter in list(inspect.signature(ps.Dialect).parameters.items())[1:]:
        kind = "_bool" if parameter.default is False else "str"
        told = OF_DIALECT.get(name, f"{kind} = {quoted(parameter.default)}")
        text += f"        {name}: {told},\n"
    return text + "    ) -> Self: ...\n"


def quoted(value):
    return f'"{value}"' if isinstance(value, str) else repr(value)


DTYPE = '''\
@final
class dtype:
    """The type of an array's elements."""
    def __call__(self, value: _ArrayLike = ..., /) -> ndarray: ...
    def __eq__(self, value: object, /) -> _bool: ...
    def __ne__(self, value: object, /) -> _bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> str: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> str: ...

'''

GENERATOR = '''\
@disjoint_base
class Generator:
    """A source of random numbers."""
    def __new__(cls, seed: int) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any, /) -> None: ...
    @property
    def state(self) -> tuple[int, int, int]: ...
    @state.setter
    def state(self, value: tuple[int, int, int], /) -> None: ...
    def seed(self, seed: int, /) -> None:
        """From here on as if it had been made with this seed."""

'''

COMPLETIONS = '''\
@final
class _Completions:
    def __new__(cls) -> Self: ...
    def fileno(self) -> int: ...
    def watch(self, array: ndarray, tag: int, /) -> None: ...
    def pop(self) -> tuple[int, _bool] | None: ...

'''

HOOK = '''\
@final
class _GradHook:
    """What register_hook gives: takes the hook away, also as a context manager."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *error: object) -> None: ...
    def remove(self, /) -> None:
        """Take the hook away; once more does nothing."""

'''


# Types of the fields of named tuples that are not integers.
RECORD_FIELDS = {
    "limit": "int | None",
    "name": "str",
    "file": "str | None",
    "config": "str | None",
    "core": "str | None",
    "threads": "int | None",
    "reason": "str",
}


def record_text(name, cls):
    """A tuple with named fields."""
    fields = [field for field, thing in vars(cls).items() if inspect.ismemberdescriptor(thing)]
    text = f"@final\nclass {name}(tuple[Any, ...]):\n"
    text += f'    """{short_doc(cls)}"""\n'
    quoted = ", ".join(f'"{field}"' for field in fields)
    text += f"    __match_args__: Final = ({quoted})\n"
    for count in ("n_fields", "n_sequence_fields", "n_unnamed_fields"):
        text += f"    {count}: Final[int]\n"
    for field in fields:
        kind = RECORD_FIELDS.get(field, "int")
        text += f"    @property\n    def {field}(self) -> {kind}:\n"
        text += f'        """{getattr(cls, field).__doc__}"""\n'
    return text + "\n"


# ---- Modules ------------------------------------------------------------------------------------


def names_text(names):
    return "__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(names)) + "]\n\n"


def value_text(name, value):
    if value is None:
        return f"{name}: None\n"
    return f"{name}: {type(value).__name__}\n"


def core_text():
    """Everything that is written in C; of the package's own functions only the names."""
    text = HEAD.format(doc=_core.__doc__) + CORE
    values = {name: value for name, value in vars(_core).items() if isinstance(value, ps.dtype)}
    text += "".join(value_text(name, value) for name, value in sorted(values.items())) + "\n"
    text += DTYPE
    text += class_text(ps.Dialect, "Dialect", dialect_new(), "@final\n")
    text += class_text(ps.ndarray, "ndarray", ARRAY_EXTRA, "@disjoint_base\n")
    text += GENERATOR + COMPLETIONS + HOOK
    for name, thing in vars(_core).items():
        if inspect.isclass(thing) and issubclass(thing, tuple):
            text += record_text(name, thing)
    for name, thing in sorted(vars(_core).items()):
        if inspect.isbuiltin(thing):
            private = name.startswith("_")
            text += f"{name}: Any\n" if private else function_text(name, thing)
        elif isinstance(thing, dict) and not name.startswith("__"):
            text += f"{name}: dict[str, Any]\n"
    return text


def functions_text(module, skip=()):
    text = ""
    for name in sorted(module.__all__):
        thing = getattr(module, name)
        if name in skip or inspect.isclass(thing) or inspect.ismodule(thing):
            continue
        is_value = isinstance(thing, ps.dtype) or not callable(thing)
        text += value_text(name, thing) if is_value else function_text(name, thing)
    return text


def package_text():
    """penstock itself."""
    of_core = [name for name in ps.__all__ if name in vars(_core)]
    modules = [name for name in ps.__all__ if inspect.ismodule(getattr(ps, name))]
    text = HEAD.format(doc=short_doc(ps)) + "from types import ModuleType\n"
    text += IMPORTS.replace("Any,", "Any, NamedTuple,")
    text += f"from . import {', '.join(f'{name} as {name}' for name in sorted(modules))}\n"
    exported = ", ".join(f"{name} as {name}" for name in sorted(of_core))
    own = "_DType as _DType, __version__ as __version__"
    text += import_lines("._core", f"{ALIASES}, {own}, {exported}")
    of_files = [name for name in ps.__all__ if name in ps.files.__all__]
    text += import_lines(".files", ", ".join(f"{name} as {name}" for name in of_files))
    text += names_text(ps.__all__) + INFOS
    text += "__array_api_version__: str\n\n"
    text += class_text(ps.__array_namespace_info__, "__array_namespace_info__")
    return text + functions_text(ps, of_core + of_files)


def import_lines(module, names):
    parts = "".join(f"    {name},\n" for name in names.split(", "))
    return f"from {module} import (\n{parts})\n\n"


def module_text(module, core="._core"):
    functions = functions_text(module)
    generator = "Generator as Generator, " if re.search(r"\bGenerator\b", functions) else ""
    text = HEAD.format(doc=short_doc(module)) + IMPORTS
    text += import_lines(core, f"{generator}{ALIASES}, ndarray as ndarray")
    return text + names_text(module.__all__) + functions


def reexports(module):
    """The classes and modules that a package takes from its own files, as lines of its .pyi file."""
    text = ""
    for line in ast.parse(inspect.getsource(module)).body:
        if isinstance(line, ast.ImportFrom) and line.level == 1:
            names = ", ".join(f"{alias.name} as {alias.name}" for alias in line.names)
            text += import_lines(f".{line.module or ''}", names).rstrip() + "\n"
    return text + "\n"


def nn_text():
    text = HEAD.format(doc=short_doc(ps.nn)) + IMPORTS
    text += import_lines(".._core", f"{ALIASES}, ndarray as ndarray").rstrip() + "\n"
    text += reexports(ps.nn) + names_text(ps.nn.__all__)
    return text + functions_text(ps.nn)


def random_text():
    module = ps.random
    text = HEAD.format(doc=short_doc(module)) + IMPORTS + "from . import _core\n"
    text += import_lines("._core", f"{ALIASES}, ndarray as ndarray")
    text += names_text(module.__all__)
    methods = class_text(module.Generator, "Generator(_core.Generator)")
    return text + methods.replace("-> Self", "-> ndarray") + functions_text(module)


def stubs():
    """The text of each file by its name."""
    return {
        "__init__.pyi": package_text(),
        "_core.pyi": core_text(),
        "linalg.pyi": module_text(ps.linalg),
        "nn/__init__.pyi": nn_text(),
        "optim/updates.pyi": module_text(ps.optim.updates, ".._core"),
        "random.pyi": random_text(),
    }


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    for name, text in stubs().items():
        (pathlib.Path(sys.argv[1]) / name).write_text(text)


if __name__ == "__main__":
    main()
