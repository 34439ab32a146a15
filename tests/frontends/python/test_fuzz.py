"""Everything public, called with junk: only familiar exceptions come, with a text.

An example is a handful of recipes for arguments. Every callable is called with what they make, anew
for each, because many of the objects are hostile: they raise, lie or change under the caller's
hands. Results are waited for, since errors may come that late. What changes settings is undone at
once. A limit on memory turns absurd shapes into MemoryError; the integers among the junk are small
or absurd, never large and possible.
"""

import array as stdlib_array
import contextvars
import copy
import decimal
import fractions
import functools
import gc
import inspect
import operator
import pickle
import types
import weakref

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import penstock as ps
from penstock import _core

LIMIT = 64 << 20


class Refused(Exception):
    """What hostile objects raise. It may come through as it is."""


FAMILIAR = (
    TypeError,
    ValueError,
    IndexError,
    OverflowError,
    AttributeError,
    MemoryError,
    BufferError,
    RuntimeError,
    Refused,
)

# Texts of the library's statuses: as a whole message they say nothing about the argument.
BARE = {"", "invalid argument", "wrong element type", "position out of range", "out of memory"}

# ---- Hostile objects -----------------------------------------------------------------------------


def refuse(*args, **kwargs):
    raise Refused("no")


def hostile(name, base=object, /, **methods):
    """An object of a class with the methods; values that are no functions are what they return."""
    members = {
        key: value if callable(value) else (lambda self, *args, v=value, **kwargs: v)
        for key, value in methods.items()
    }
    return type(name, (base,), members)


def clears_its_list(method, result):
    """A list whose second item, when it is looked at, empties the list and forgets itself."""
    items = [1]

    def look(self, *args):
        items.clear()
        gc.collect(0)
        return result

    items.append(hostile("Clearing", **{method: look})())
    items.extend([2, 3])
    return items


def contains_itself():
    items = [1.0]
    items.append(items)
    return items


def array_in_itself():
    items = [ps.ones(2)]
    items.append(items)
    return items


def nested(depth):
    value = 1
    for _ in range(depth):
        value = [value]
    return value


def released_memoryview():
    view = memoryview(b"abcd")
    view.release()
    return view


def failed_array():
    return ps.take(ps.ones(3), ps.array([7]))


class Sub(ps.ndarray):
    """A subclass whose own methods are of no help."""

    __len__ = __eq__ = __bool__ = __iter__ = __float__ = refuse
    __hash__ = None


class Resurrected(ps.ndarray):
    kept = []

    def __del__(self):
        if len(self.kept) < 8:
            self.kept.append(self)


class Doubled(ps.ndarray, dialect=ps.Dialect("doubled", float="float64", mixed="refuse")):
    pass


class Copied(
    ps.ndarray,
    dialect=ps.Dialect(
        "copied",
        scalar="keep",
        compare="operands",
        divide_integers=True,
        one_dimension=True,
        check_late=True,
        copies=["block", "strided", "newaxis", "permute", "reshape", "flatten", "broadcast"],
    ),
):
    pass


class ClassChanger:
    """Changes the class of an array while it is an operand beside it."""

    def __init__(self):
        first, second = (type(name, (ps.ndarray,), {}) for name in ("First", "Second"))
        self.array = ps.ones(3).as_subclass(first)
        self.second = second

    def __index__(self):
        self.array.__class__ = self.second
        gc.collect(0)
        return 0

    def __array__(self, *args, **kwargs):
        self.array.__class__ = self.second
        gc.collect(0)
        return np.ones(3)


HOSTILE = {
    "index raises": hostile("IndexRaises", __index__=refuse),
    "index is a str": hostile("IndexStr", __index__="1"),
    "index is huge": hostile("IndexHuge", __index__=2**70),
    "index and length raise": hostile("IndexLen", __index__=refuse, __len__=refuse),
    "float raises": hostile("FloatRaises", __float__=refuse),
    "float is a str": hostile("FloatStr", __float__="1"),
    "repr raises": hostile("ReprRaises", __repr__=refuse),
    "repr is huge": hostile("ReprHuge", __repr__="x" * 100_000),
    "equality raises": hostile("EqRaises", __eq__=refuse, __hash__=refuse, __bool__=refuse),
    "truth raises": hostile("BoolRaises", __bool__=refuse, __len__=refuse),
    "attributes raise": hostile("AttrRaises", __getattr__=refuse),
    "array raises": hostile("ArrayRaises", __array__=refuse),
    "array is a str": hostile("ArrayStr", __array__="abc"),
    "array is objects": lambda: hostile("ArrayO", __array__=np.array([None], object))(),
    "array interface": hostile("Interface", __array_interface__=3, __array_struct__=4),
    "dlpack raises": hostile("DlpackRaises", __dlpack__=refuse, __dlpack_device__=(1, 0)),
    "dlpack is a str": hostile("DlpackStr", __dlpack__="x", __dlpack_device__=(1, 0)),
    "dlpack is elsewhere": hostile("DlpackFar", __dlpack__=refuse, __dlpack_device__=(2, 0)),
    "dlpack device is a str": hostile("DlpackBad", __dlpack__=refuse, __dlpack_device__="xy"),
    "dlpack only": hostile("DlpackOnly", __dlpack__=refuse),
    "buffer raises": hostile("BufferRaises", __buffer__=refuse),
    "item raises": hostile("ItemRaises", item=refuse),
    "item is a str": hostile("ItemStr", item="x"),
    "length lies": hostile("Lies", __len__=3, __getitem__=lambda self, i: [1][i]),
    "length is negative": hostile("Negative", __len__=-1, __getitem__=refuse),
    "items raise": hostile("ItemsRaise", __len__=2, __getitem__=refuse, __iter__=refuse),
    "iterator is a str": hostile("IterStr", list, __iter__="abc"),
    "list raises": hostile("ListRaises", list, __iter__=refuse, __len__=refuse),
    "name is no name": hostile("Named", name=3, dtype="float99"),
    "integer that raises": lambda: hostile("Int", int, __index__=refuse, __float__=refuse)(3),
    "float that raises": lambda: hostile("Float", float, __float__=refuse, __eq__=refuse)(3),
    "text that raises": lambda: hostile("Text", str, __eq__=refuse, __hash__=refuse)("float32"),
    "class change": lambda: (changer := ClassChanger(), changer.array)[0],
    "array whose class changes": lambda: (lambda c: [c.array, c])(ClassChanger()),
    "cleared by index": lambda: clears_its_list("__index__", 1),
    "cleared by huge index": lambda: clears_its_list("__index__", 2**70),
    "cleared by float": lambda: clears_its_list("__float__", 1.0),
    "cleared by array": lambda: clears_its_list("__array__", np.ones(2)),
    "list in itself": contains_itself,
    "array in itself": array_in_itself,
    "nested 33 deep": lambda: nested(33),
    "nested 500 deep": lambda: nested(500),
    "ragged": lambda: [[1, 2], [3]],
    "ragged depth": lambda: [[1], 2],
}

PLAIN = {
    "None": lambda: None,
    "...": lambda: ...,
    "NotImplemented": lambda: NotImplemented,
    "slice": lambda: slice(None, None, -1),
    "slice of junk": lambda: slice("a", 2.5, 0),
    "slice of hostile": lambda: slice(HOSTILE["index raises"](), None, None),
    "surrogate": lambda: "\ud800",
    "zero letter": lambda: "float32\0",
    "empty text": lambda: "",
    "unknown text": lambda: "nonsense",
    "long text": lambda: "x" * 10_000,
    "float32": lambda: "float32",
    "int8": lambda: "int8",
    "bytes": lambda: b"abcd",
    "bytearray": lambda: bytearray(b"abcd"),
    "released": released_memoryview,
    "memoryview 2d": lambda: memoryview(bytes(12)).cast("i", (3, 1)),
    "memoryview of characters": lambda: memoryview(b"abcd").cast("c"),
    "array.array": lambda: stdlib_array.array("d", [1, 2]),
    "empty list": lambda: [],
    "empty tuple": lambda: (),
    "tuple": lambda: (2, 3),
    "axes": lambda: (0, 0),
    "too many": lambda: [1] * 40,
    "dict": lambda: {"a": 1},
    "set": lambda: {1, 2},
    "generator": lambda: (i for i in range(3)),
    "iterator": lambda: iter([ps.ones(2), 3]),
    "range": lambda: range(3),
    "class": lambda: ps.ndarray,
    "float": lambda: float,
    "function": lambda: ps.exp,
    "dtype": lambda: ps.complex64,
    "dialect": lambda: ps.Dialect("junk"),
    "generator of numbers": lambda: ps.random.Generator(1),
    "Fraction": lambda: fractions.Fraction(1, 3),
    "Decimal": lambda: decimal.Decimal("NaN"),
    "complex": lambda: complex("nan+infj"),
    "numpy scalar": lambda: np.float64(1.5),
    "numpy int8": lambda: np.int8(-3),
    "numpy bool": lambda: np.True_,
    "numpy array": lambda: np.arange(6.0).reshape(2, 3),
    "numpy 0-d": lambda: np.array(3),
    "numpy big-endian": lambda: np.arange(3, dtype=">i4"),
    "numpy dates": lambda: np.array(["2020-01-01"], "datetime64[D]"),
    "numpy objects": lambda: np.array([None, 1], object),
    "numpy texts": lambda: np.array(["a", "b"]),
    "numpy records": lambda: np.zeros(2, "i4,f8"),
    "numpy unaligned": lambda: np.frombuffer(b"\0" * 9, np.uint8)[1:].view(np.float32),
    "numpy backwards": lambda: np.arange(6)[::-2],
    "numpy spread": lambda: np.broadcast_to(np.float32(2), (2, 3)),
    "numpy mask": lambda: np.array([True, False, True]),
    "list of arrays": lambda: [ps.ones(2), ps.zeros(2)],
    "list of unlike arrays": lambda: [ps.ones(2), ps.zeros((2, 3)), 1],
    "capsule": lambda: ps.ones(3).__dlpack__(),
    "array that failed": failed_array,
}

INTEGERS = [-(2**70), -(2**63), -(2**31), -4, -3, -2, -1, 0, 1, 2, 3, 5, 32, 33]
INTEGERS += [2**31, 2**32 + 1, 2**40, 2**62, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**5000]
FLOATS = [0.0, -0.0, 0.5, 1.0, -2.5, 1e300, 5e-324, float("inf"), -float("inf"), float("nan")]

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
DTYPES += ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"]
SHAPES = [(), (0,), (1,), (3,), (2, 3), (3, 3), (0, 3), (2, 1, 3), (1,) * 32]
CLASSES = [ps.ndarray, ps.ndarray, Sub, Resurrected, Doubled, Copied]


def array_of(dtype, shape, layout, cls):
    x = (ps.arange(ps.zeros(shape).size) - 1).astype(dtype).reshape(shape)
    if layout == "flipped" and shape:
        x = ps.flip(x, 0)
    elif layout == "transposed":
        x = x.T
    elif layout == "spread" and len(shape) < 32:
        x = ps.broadcast_to(x, (2, *shape))
    elif layout == "not finite" and dtype.startswith(("float", "bfloat", "complex")):
        x = x / 0
    return x.as_subclass(cls)


# ---- Recipes -------------------------------------------------------------------------------------


class Recipe:
    """Makes the same kind of object anew each time."""

    def __init__(self, text, make):
        self.text, self.make = text, make

    def __repr__(self):
        return self.text


def constant(value):
    return Recipe("10**5000" if value == 10**5000 else repr(value), lambda: value)


def array_recipe(*parts):
    text = f"array{parts[:3]}" + ("" if parts[3] is ps.ndarray else f" of {parts[3].__name__}")
    return Recipe(text, lambda: array_of(*parts))


def sequence_recipe(cls, items):
    return Recipe(f"{cls.__name__}{items}", lambda: cls([item.make() for item in items]))


ARRAYS = st.builds(
    array_recipe,
    st.sampled_from(DTYPES),
    st.sampled_from(SHAPES),
    st.sampled_from(["plain", "flipped", "transposed", "spread", "not finite"]),
    st.sampled_from(CLASSES),
)

SMALL = [-1, 0, 1, 2]
NUMBERS = st.sampled_from([constant(value) for value in [*SMALL, *INTEGERS, *FLOATS, True, False]])
OBJECTS = st.sampled_from([Recipe(f"<{name}>", make) for name, make in (PLAIN | HOSTILE).items()])
ATOMS = ARRAYS | NUMBERS | OBJECTS
SEQUENCES = st.builds(
    sequence_recipe, st.sampled_from([list, tuple]), st.lists(ATOMS, min_size=1, max_size=4)
)
JUNK = ATOMS | SEQUENCES | NUMBERS

WRONG_NAMES = ["Axis", "nonsense", "self", "\ud800"]
# Which of the names that a callable has, and what is given for it.
KEYWORDS = st.lists(st.tuples(st.integers(0, 20), JUNK), max_size=2)

# ---- What is called ------------------------------------------------------------------------------


def public(module):
    return {
        f"{module.__name__}.{name}": getattr(module, name)
        for name in dir(module)
        if not name.startswith("_") and callable(getattr(module, name))
    }


def methods(cls):
    """Also those of operators; not those that every object has."""
    found = {}
    for name in dir(cls):
        method = getattr(cls, name)
        inherited = getattr(object, name, None)
        if callable(method) and name not in ("__class__", "__new__", "__init__"):
            if inherited is None or not (method is inherited or method == inherited):
                found[f"{cls.__name__}.{name}"] = method
    return found


def write_attribute(name):
    return lambda x, value=None, *rest: setattr(x, name, value)


def attributes(cls):
    found = {}
    for name in dir(cls):
        if inspect.isgetsetdescriptor(inspect.getattr_static(cls, name)) and name != "__dict__":
            found[f"{cls.__name__}.{name}"] = lambda x, *rest, name=name: getattr(x, name)
            found[f"{cls.__name__}.{name}="] = write_attribute(name)
    return found


def through_pickle(x, protocol=5, *rest):
    return pickle.loads(pickle.dumps(x, protocol)) if isinstance(x, ps.ndarray) else None


def next_of(x, *rest):
    return next(iter(x), None)


# With an array among the operands, or they would be Python's own affair.
SYNTAX = {
    "pow": pow,
    "divmod": divmod,
    "round": round,
    "format": format,
    "complex": complex,
    "bytes": lambda x, *rest: bytes(memoryview(x)),
    "memoryview": memoryview,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": through_pickle,
    "next": next_of,
    "numpy.asarray": np.asarray,
    "numpy.from_dlpack": np.from_dlpack,
    "numpy.add": np.add,
    "int": int,
    "float": float,
    "bool": bool,
    "str": lambda x, *rest: str(x),
    "repr": repr,
    "hash": hash,
    "len": len,
}
SYNTAX |= {
    f"operator.{name}": getattr(operator, name)
    for name in "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift neg pos "
    "abs invert lt le eq ne gt ge iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior "
    "ixor ilshift irshift getitem setitem delitem contains index concat".split()
}
SYNTAX |= methods(ps.ndarray) | attributes(ps.ndarray)

CALLABLES = {"_rebuild": _core._rebuild}
OPTIM = (ps.optim, ps.optim.schedules, ps.optim.updates)
for _module in (ps, ps.autograd, ps.nn, ps.linalg, ps.random, ps.engine, ps.memory, *OPTIM):
    CALLABLES |= public(_module)
CALLABLES |= {f"_ops.{name}": function for name, function in _core._ops.items()}


def of_generator(name):
    """A method of a generator that is made for the call."""
    method = getattr(ps.random.Generator, name)

    @functools.wraps(method)
    def bound(*args, **kwargs):
        return method(ps.random.Generator(1), *args, **kwargs)

    bound.__signature__ = inspect.signature(getattr(ps.random.Generator(1), name))
    return bound


CALLABLES |= {
    f"Generator.{name}": of_generator(name)
    for name in dir(ps.random.Generator)
    if not name.startswith("_") and callable(getattr(ps.random.Generator, name))
}
CALLABLES |= attributes(ps.random.Generator)

SETTERS = ("penstock.engine.set", "penstock.memory.set", "penstock.random.s")


def test_walks_over_everything():
    """The lists above are made by looking: see that they found what there is."""
    assert len(CALLABLES) > 400
    assert len(SYNTAX) > 200
    assert "penstock.nn.softmax" in CALLABLES
    assert "penstock.random.Generator" in CALLABLES
    assert "ndarray.__radd__" in SYNTAX
    assert "ndarray.shape=" in SYNTAX


# ---- Calling -------------------------------------------------------------------------------------


def settle(value, depth=0):
    """Waits for the arrays in a result and ends what it has begun."""
    if isinstance(value, ps.ndarray):
        ps.ndarray.wait_to_read(value)
    elif isinstance(value, (list, tuple)) and depth < 3:
        for item in value[:50]:
            settle(item, depth + 1)
    elif isinstance(value, types.GeneratorType):
        value.close()
    elif type(value).__name__ in ("ready", "ndarray_iterator"):
        try:
            settle(next(value), depth + 1)
        except StopIteration:
            pass


def examine(error, name, args, kwargs):
    said = f"{name}({args}, {kwargs}): {type(error).__name__}: {str(error)[:300]}"
    late = isinstance(error, TimeoutError) and "wait" in name
    path = isinstance(error, OSError) and name == "penstock.load"  # of a file that is not there
    if not isinstance(error, FAMILIAR) and not late and not path:
        raise AssertionError(f"not a familiar exception: {said}") from error
    if str(error).strip() in BARE and not isinstance(error, MemoryError):
        raise AssertionError(f"says nothing about the argument: {said}") from error


def drain(name, args, kwargs):
    """Errors that nobody waited for are looked at, too."""
    while True:
        try:
            return ps.waitall()
        except Exception as error:
            examine(error, name, args, kwargs)


def undo_settings():
    ps.memory.set_limit(LIMIT)
    ps.engine.set_workers(None)
    ps.engine.set_fusion(True)
    ps.engine.set_bound(
        soft_bytes=48 << 20, soft_ops_per_worker=8, hard_bytes=256 << 20, ops=4096
    )
    ps.random.seed(1)


class Form:
    """How many positional arguments a callable takes, and the names of its others."""

    def __init__(self, function):
        self.least, self.most, self.names, self.positional = 0, 8, [], []
        try:
            parameters = inspect.signature(function).parameters.values()
        except (ValueError, TypeError):
            return
        positional = [p for p in parameters if p.kind <= p.POSITIONAL_OR_KEYWORD]
        self.least = sum(p.default is p.empty for p in positional)
        if not any(p.kind == p.VAR_POSITIONAL for p in parameters):
            self.most = len(positional)
        self.names = [p.name for p in parameters if p.kind == p.KEYWORD_ONLY]
        self.positional = [
            None if p.kind == p.POSITIONAL_ONLY or p.default is p.empty else p.name
            for p in positional
        ]

    def fit(self, args, keywords):
        """The arguments, repeated or cut to a number that it takes; keywords that it has."""
        if args:
            args = (list(args) * 8)[: min(max(len(args), self.least), self.most)]
        names = self.names + [name for name in self.positional[len(args) :] if name is not None]
        return args, {names[i % len(names)]: recipe for i, recipe in keywords if names}


FORMS = {name: Form(function) for name, function in (CALLABLES | SYNTAX).items()}


def call(name, function, args, kwargs):
    try:
        values = [recipe.make() for recipe in args]
        named = {key: recipe.make() for key, recipe in kwargs.items()}
        settle(function(*values, **named))
    except Exception as error:
        examine(error, name, args, kwargs)
    finally:
        if name.startswith(SETTERS):
            undo_settings()


def call_all(callables, args, keywords, sync, fit):
    ps.engine.set_sync(sync)
    for name, function in callables.items():
        if fit:
            call(name, function, *FORMS[name].fit(args, keywords))
        else:
            call(name, function, args, {WRONG_NAMES[i % 4]: junk for i, junk in keywords})
    drain("one of them", args, keywords)


@pytest.fixture(autouse=True, scope="module")
def limited():
    bound = ps.engine.bound()
    undo_settings()
    yield
    Resurrected.kept.clear()
    ps.engine.set_bound(**{field: getattr(bound, field) for field in bound.__match_args__})
    ps.memory.set_limit(None)


def many(times):
    return settings(
        max_examples=times * settings.default.max_examples,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


FIT = st.sampled_from([True, True, True, True, False])


@pytest.mark.filterwarnings("ignore")
@many(8)
@given(st.lists(JUNK, max_size=4), KEYWORDS, st.booleans(), FIT)
def test_functions(args, keywords, sync, fit):
    contextvars.copy_context().run(call_all, CALLABLES, args, keywords, sync, fit)


@pytest.mark.filterwarnings("ignore")
@many(8)
@given(ARRAYS, st.lists(JUNK, max_size=3), KEYWORDS, st.booleans(), FIT)
def test_functions_of_arrays(array, others, keywords, sync, fit):
    args = [array, *others]
    contextvars.copy_context().run(call_all, CALLABLES, args, keywords, sync, fit)


@pytest.mark.filterwarnings("ignore")
@many(8)
@given(ARRAYS, st.lists(JUNK, max_size=2), KEYWORDS, st.booleans(), st.booleans(), FIT)
def test_operators_and_methods(array, others, keywords, reflected, sync, fit):
    args = [*others[:1], array, *others[1:]] if reflected else [array, *others]
    contextvars.copy_context().run(call_all, SYNTAX, args, keywords, sync, fit)


@pytest.mark.filterwarnings("ignore")
@many(8)
@given(ARRAYS, st.lists(JUNK, min_size=1, max_size=6).map(tuple), JUNK, st.booleans())
def test_keys(array, key, value, sync):
    """Keys of several items are rare among the others."""
    items = sequence_recipe(tuple, list(key))

    def read_and_write():
        ps.engine.set_sync(sync)
        call("getitem", operator.getitem, [array, items], {})
        call("setitem", operator.setitem, [array, items, value], {})
        drain("setitem", [array, items, value], {})

    contextvars.copy_context().run(read_and_write)


# ---- What once went wrong ------------------------------------------------------------------------


def test_write_that_fails_at_the_call():
    """Positions that were made before the failing ones are released once."""
    x = ps.zeros((3, 4, 5))
    with ps.engine.sync():
        for _ in range(10):
            with pytest.raises(IndexError, match="99"):
                x[:, [0, 99], [0, 1]] = 1
    assert (x == 0).all()


@pytest.mark.parametrize("result", [1, 2**70])
def test_sequence_that_shrinks(result):
    for use in (ps.zeros, ps.ones((2, 3)).reshape, lambda axes: ps.sum(ps.ones((2, 3)), axis=axes)):
        try:
            use(clears_its_list("__index__", result))
        except (TypeError, ValueError, OverflowError) as error:
            assert str(error)
    items = clears_its_list("__array__", np.ones(()))
    assert ps.stack(items).shape == (4,)
    assert items == []


def test_sequence_in_itself():
    """Each level needs stack of the thread: it must not end before the recursion does."""
    with pytest.raises(ValueError, match="nested more than 32 deep"):
        ps.array(array_in_itself())
    items = []
    items.append(items)
    with pytest.raises(ValueError, match="nested more than 32 deep"):
        ps.array(items)


def test_long_range_as_a_shape():
    with pytest.raises(ValueError, match=r"has 1099511627776 integers; at most 32"):
        ps.zeros(range(2**40))


def test_dialect_outlives_its_class():
    class Mine(ps.ndarray):
        __dialect__ = ps.Dialect("mine", float="float64")

    x = Mine([1.0])
    del Mine.__dialect__
    del Mine
    others = [ps.Dialect("other", float="float16") for _ in range(100)]
    assert (x + 1.5).dtype == "float64"
    assert len(others) == 100


def test_class_that_goes_while_it_is_used():
    for use in (
        lambda c: c.array + c,
        lambda c: c + c.array,
        lambda c: ps.add(c.array, c),
        lambda c: ps.sum(c.array, axis=c),
        lambda c: ps.stack([c.array, c]),
    ):
        assert type(use(ClassChanger())).__name__ in ("First", "Second")


def test_call_without_a_frame():
    """A callback at the end of a function's locals: the interpreter's own frame is the current."""
    x, references = ps.ones(3), []

    def function(unused):
        dies = ClassChanger()
        references.append(weakref.ref(dies, x.__deepcopy__))

    assert list(map(function, range(3))) == [None] * 3
    assert all(reference() is None for reference in references)


def test_exception_class_that_gives_none():
    class Strange(ValueError):
        def __new__(cls, *args):
            return 5

    class Mine(ps.ndarray, dialect=ps.Dialect("strange", errors={"value": Strange})):
        pass

    with pytest.raises(TypeError, match="gave 5, no exception"):
        Mine([1.0, 2.0]).reshape(7)


@pytest.mark.parametrize("text", ["repr raises", "repr is huge"])
def test_objects_that_cannot_be_shown(text):
    junk = HOSTILE[text]()
    for use in (ps.zeros, ps.exp, ps.array, ps.stack, lambda junk: ps.sum(ps.ones(3), axis=junk)):
        with pytest.raises(TypeError) as caught:
            use(junk)
        assert 10 < len(str(caught.value)) < 1000


def test_integer_that_cannot_be_shown():
    """Python refuses to write out integers of so many digits."""
    huge = 10**5000
    for use in (ps.zeros, ps.ones(3).__add__, ps.ones(3).__getitem__, ps.array):
        with pytest.raises((OverflowError, IndexError), match="fit|out of bounds"):
            use(huge)
