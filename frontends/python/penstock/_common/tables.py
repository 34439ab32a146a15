"""What pickles may name: Python's containers and numbers, and what is run in the place of calls.

A dialect adds what its files have. Functions get the interpreter first, which counts memory, and
check all that they are given: a file may have anything in its place.
"""

from collections import Counter, OrderedDict
from types import FunctionType

from .unpickle import refusal, shown

# ---- Values --------------------------------------------------------------------------------------


def _ordered(machine, items=()):
    made = OrderedDict()
    if type(items) not in (list, tuple):
        raise refusal("An OrderedDict is not made of pairs.")
    machine.allowance(400 + 200 * len(items))
    for pair in items:
        if type(pair) not in (list, tuple) or len(pair) != 2:
            raise refusal("An OrderedDict is not made of pairs.")
        machine.set_items(made, pair)
    return made


def fill_ordered(machine, made, state):
    """The attributes that a program gave a dict: state_dict keeps versions of layers so."""
    if type(state) is not dict:
        raise refusal(f"The state of an OrderedDict is {shown(state)}.")
    for name, value in state.items():
        if not is_free(OrderedDict, name):
            raise refusal(f"An OrderedDict cannot have an attribute {shown(name)} from a file.")
        vars(made)[name] = value


def is_free(kind, name):
    """Whether an object of a class may have an attribute of that name from a file."""
    return type(name) is str and not name.startswith("__") and not hasattr(kind, name)


def _counter(machine, items=None):
    items = {} if items is None else items
    if type(items) is not dict:
        raise refusal("A Counter is not made of a dict.")
    machine.allowance(300 + 100 * len(items))
    return Counter(items)


def _set(machine, items=()):
    if type(items) not in (list, tuple):
        raise refusal("A set is not made of a list.")
    machine.allowance(216 + 100 * len(items))
    made = set()
    machine.add_items(made, items)
    return made


def _frozen_set(machine, items=()):
    return frozenset(_set(machine, items))


def _no_bytes(machine):
    """How protocols without instructions for them write no bytes at all."""
    return b""


def _byte_array(machine, content=b"", encoding=None):
    if encoding is not None:
        content = _encoded(machine, content, encoding)
    if type(content) is not bytes:
        raise refusal("A bytearray is not made of bytes.")
    machine.allowance(64 + len(content))
    return bytearray(content)


def _encoded(machine, text, encoding="latin1"):
    """How protocols without instructions for them write bytes."""
    if type(text) is not str or type(encoding) is not str or encoding not in ("latin1", "latin-1"):
        raise refusal("Bytes are not written as a text of latin1.")
    machine.allowance(64 + len(text))
    try:
        return text.encode("latin1")
    except UnicodeEncodeError as error:
        raise refusal(f"Bytes are not written as a text of latin1: {error}.") from None


def _complex(machine, real, imaginary):
    if type(real) not in (int, float) or type(imaginary) not in (int, float):
        raise refusal("A complex number is not made of two numbers.")
    return complex(real, imaginary)


VALUES = {
    ("collections", "OrderedDict"): OrderedDict,
    ("collections", "Counter"): Counter,
    ("builtins", "set"): set,
    ("builtins", "bytes"): bytes,
    ("builtins", "bytearray"): bytearray,
    ("builtins", "complex"): complex,
    ("_codecs", "encode"): _encoded,
}
# What is called is found by identity: a file may put anything in its place.
CALLED = {
    id(OrderedDict): _ordered,
    id(Counter): _counter,
    id(set): _set,
    id(frozenset): _frozen_set,
    id(bytes): _no_bytes,
    id(bytearray): _byte_array,
    id(complex): _complex,
    id(_encoded): _encoded,
}

# ---- The table -----------------------------------------------------------------------------------


def run(machine, function, arguments):
    """What a function makes of arguments from a file, which has as many as it should."""
    most = function.__code__.co_argcount - 1
    least = most - len(function.__defaults__ or ())
    if not least <= len(arguments) <= most:
        name = function.__name__.lstrip("_")
        raise refusal(f"The file gives {name} {len(arguments)} values, and it takes {most}.")
    return function(machine, *arguments)


def called(value):
    """What a text calls a value of a file that is taken for a class or a function."""
    return value.__qualname__ if isinstance(value, (type, FunctionType)) else shown(value)


class Table:
    """What names of a file stand for: `values` by module and name, `calls` by identity.

    `filled` has, by the class of an object, what gives it its state.
    """

    def __init__(self, values, calls, filled):
        self._values, self._called, self._filled = values, calls, filled

    def named(self, module, name):
        """The value, the class or the function of a name."""
        if module == "__builtin__":
            module = "builtins"
        found = self._values.get((module, name))
        if found is None:
            raise self._unknown(module, name)
        return found

    def _unknown(self, module, name):
        return refusal(f"The file names {shown(module)}.{shown(name)}, which is no data.")

    def call(self, machine, function, arguments):
        """What a call that the file asks for makes."""
        made = self._called.get(id(function))
        if made is None:
            raise refusal(f"The file calls {called(function)}.")
        return run(machine, made, arguments)

    def new(self, machine, kind, arguments):
        """A new object of a class, which is then filled."""
        if kind is not OrderedDict or arguments:
            raise refusal(f"The file makes an object of {called(kind)}.")
        return _ordered(machine)

    def fill(self, machine, made, state):
        """Give an object the attributes that the file has for it."""
        fill = self._filled.get(type(made))
        if fill is None:
            raise refusal(f"The file sets the state of {shown(made)}.")
        fill(machine, made, state)
