"""Array classes of others: what they return, and what each setting of a Dialect changes."""

import copy
import gc
import pickle
import sys
import weakref

import numpy as np
import pytest

import penstock as ps
from penstock import _core


class Mine(ps.ndarray):
    """A class with the native rules."""


class Other(ps.ndarray):
    """Another one, which has nothing to do with the first."""


def with_dialect(**settings):
    class Array(ps.ndarray, dialect=ps.Dialect("test", **settings)):
        pass

    return Array


def mine(*shape):
    return ps.ones(shape).as_subclass(Mine)


# ---- Subclasses --------------------------------------------------------------------------------


def test_made_of_others():
    assert type(Mine([1.0, 2.0])) is Mine
    assert type(Mine(ps.ones(2))) is Mine
    assert Mine([1, 2], dtype="int8").dtype == "int8"
    x = ps.zeros(2)
    y = x.as_subclass(Mine)
    y[0] = 5
    assert float(x[0]) == 5
    assert type(y.as_subclass(ps.ndarray)) is ps.ndarray
    with pytest.raises(TypeError, match="ndarray"):
        x.as_subclass(int)
    with pytest.raises(TypeError, match="'abc'"):
        Mine("abc")


RESULTS = {
    "x + 1": lambda x: x + 1,
    "1 - x": lambda x: 1 - x,
    "x * x": lambda x: x * x,
    "native + x": lambda x: ps.ones(3) + x,
    "x + native": lambda x: x + ps.ones(3),
    "numpy + x": lambda x: np.ones(3, "float32") + x,
    "x + numpy": lambda x: x + np.ones(3),
    "numpy number": lambda x: np.float32(2) * x,
    "x @ x": lambda x: x @ x.T,
    "-x": lambda x: -x,
    "abs": abs,
    "divmod": lambda x: divmod(x, 2)[1],
    "round": round,
    "x == 1": lambda x: x == 1,
    "1 < x": lambda x: 1 < x,
    "x[0]": lambda x: x[0],
    "x[0, 0]": lambda x: x[0, 0],
    "x[:, ::2]": lambda x: x[:, ::2],
    "x[None]": lambda x: x[None],
    "x[list]": lambda x: x[[0, 1]],
    "x[mask]": lambda x: x[x > 0],
    "x[native mask]": lambda x: x[ps.ones((2, 3), dtype="bool")],
    "iteration": lambda x: next(iter(x)),
    "T": lambda x: x.T,
    "mT": lambda x: x.mT,
    "real": lambda x: x.real,
    "imag": lambda x: x.imag,
    "sum": lambda x: x.sum(),
    "ps.sum": ps.sum,
    "ps.sin": ps.sin,
    "ps.nn.relu": lambda x: ps.nn.relu(x),
    "ps.nn.softmax": lambda x: ps.nn.softmax(x),
    "ps.linalg.norm": lambda x: ps.linalg.norm(x),
    "ps.where": lambda x: ps.where(x > 0, x, 0),
    "ps.concat": lambda x: ps.concat([ps.ones((1, 3)), x]),
    "ps.take": lambda x: ps.take(x, [0], axis=0),
    "ps.zeros_like": ps.zeros_like,
    "ps.full_like": lambda x: ps.full_like(x, 2),
    "ps.moveaxis": lambda x: ps.moveaxis(x, 0, 1),
    "ps.split": lambda x: ps.split(x, 2)[0],
    "ps.pad": lambda x: ps.pad(x, 1),
    "ps.isclose": lambda x: ps.isclose(x, x),
    "ps.nonzero": lambda x: ps.nonzero(x)[0],
    "reshape": lambda x: x.reshape(3, 2),
    "ravel": lambda x: x.ravel(),
    "flatten": lambda x: x.flatten(),
    "astype": lambda x: x.astype("int32"),
    "copy": lambda x: x.copy(),
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "to_device": lambda x: x.to_device("cpu:0"),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_of_the_class(name):
    assert type(RESULTS[name](mine(2, 3))) is Mine
    assert type(RESULTS[name](ps.ones((2, 3)))) is ps.ndarray


def test_in_place_keeps_the_object():
    x = mine(3)
    kept = x
    x += 1
    x[1:] *= 2
    assert x is kept and type(x) is Mine
    assert ps.add(x, 1, out=x) is x


def test_functions_take_the_most_derived_class():
    class Derived(Mine):
        pass

    x, y = mine(3), ps.ones(3).as_subclass(Derived)
    assert type(x + y) is Derived
    assert type(y + x) is Derived
    assert type(ps.add(x, y)) is Derived
    assert type(ps.stack([ps.ones(3), x, y])) is Derived


def test_unrelated_classes_do_not_mix():
    other = ps.ones(3).as_subclass(Other)
    for call in (
        lambda: mine(3) + other,
        lambda: ps.add(mine(3), other),
        lambda: ps.concat([mine(3), other]),
    ):
        with pytest.raises(TypeError, match="Mine and .*Other"):
            call()


def test_subclasses_may_have_attributes():
    class Named(ps.ndarray):
        def __init__(self, object, name):
            self.name = name

        def __new__(cls, object, name):
            return super().__new__(cls, object)

    x = Named([1.0], "x")
    assert x.name == "x"
    assert type(x + 1) is Named and not hasattr(x + 1, "name")


# ---- Settings of a dialect ---------------------------------------------------------------------


def test_default_types():
    T = with_dialect(float="float64", int="int32", complex="complex128")
    for value, dtype in ((1.5, "float64"), (1, "int32"), (1j, "complex128"), (True, "bool")):
        assert T([value]).dtype == dtype
        assert T(value).dtype == dtype
    x = T([1])
    assert (x + 1).dtype == "int32"
    assert (x + 1.5).dtype == "float64"
    assert (1.5 + x).dtype == "float64"
    assert (x / 2).dtype == "float64"
    assert (x + 1j).dtype == "complex128"
    assert (T([True]) + 1).dtype == "int32"
    assert ps.sin(x).dtype == "float64"
    assert ps.add(x, 0.5).dtype == "float64"
    assert x.mean().dtype == x.std().dtype == "float64"
    assert x.astype(float).dtype == "float64"
    assert float((T([1]) / 3)[0]) == 1 / 3
    assert (T([1.5], dtype="float32") + 1.5).dtype == "float32"
    assert T([1])[x > 0].dtype == "int32"


def test_bool_type():
    T = with_dialect(bool="float32")
    assert T([True, False]).dtype == "float32"


def test_functions_for_a_dialect():
    T = with_dialect(float="float64", int="int32", complex="complex128")
    dialect = T.__dialect__

    def call(name, *args, **options):
        result = _core._functions[name].for_dialect(dialect)(*args, **options)
        assert type(result) is T
        return result.dtype

    assert call("zeros", 2) == "float64"
    assert call("ones", (2, 3)) == "float64"
    assert call("eye", 2) == "float64"
    assert call("linspace", 0, 1, 3) == "float64"
    assert call("arange", 3) == "int32"
    assert call("arange", 0.0, 3) == "float64"
    assert call("full", 2, 1) == "int32"
    assert call("full", 2, 1.5) == "float64"
    assert call("full", 2, 1j) == "complex128"
    assert call("full", 2, True) == "bool"
    assert call("zeros", 2, dtype="int8") == "int8"
    assert call("add", [1, 2], 3) == "int32"
    with pytest.raises(TypeError, match="Dialect"):
        ps.zeros.for_dialect(3)
    with pytest.raises(TypeError, match="array class"):
        ps.zeros.for_dialect(ps.Dialect("without a class"))


def test_scalar_keep():
    T = with_dialect(scalar="keep")
    x = T([2, 4])
    for result in (x * 2.9, 2.9 * x, ps.multiply(x, 2.9)):
        assert result.dtype == "int64"
        assert result.tolist() == [4, 8]
    assert (x + 1).dtype == "int64"
    assert (x == 2.5).tolist() == [True, False]
    assert (x**0.5).tolist() == [1, 1]
    assert (T([True, False]) * 2.5).tolist() == [2, 0]
    assert (x / 2).dtype == "float32"
    assert (x > 2.5).dtype == "bool"
    assert (T([1.0]) * 2).dtype == "float32"
    assert (T([2, 4]) * T([1.5, 1.5])).dtype == "float32"


def test_mixed_refuse():
    T = with_dialect(mixed="refuse")
    a, b = T([1.0, 2.0]), T([1, 2])
    for call in (
        lambda: a + b,
        lambda: ps.maximum(a, b),
        lambda: ps.where(a > 0, a, b),
        lambda: ps.concat([a, b]),
        lambda: a @ b,
    ):
        with pytest.raises(TypeError, match="float32 and int64"):
            call()
    assert (a + 1).tolist() == [2, 3]
    assert (a + a).tolist() == [2, 4]
    assert ps.where(a > 1, a, a).tolist() == [1, 2]
    assert ps.take(a, b - 1).tolist() == [1, 2]
    assert a[b - 1].tolist() == [1, 2]
    assert ps.masked_fill(a, a > 1, 0).tolist() == [1, 0]
    assert (a + b.astype("float32")).tolist() == [2, 4]


def test_scalar_keep_wraps():
    T = with_dialect(scalar="keep")
    x = T([1, 255], dtype="uint8")
    assert (x + 300).tolist() == [45, 43]
    assert (x == -1).tolist() == [False, True]
    assert (x * -1.5).tolist() == [255, 1]
    assert ps.expand_dims(x, -1).shape == (2, 1)
    x[0] = -1
    assert x.tolist() == [255, 255]
    x += 1.9
    assert x.tolist() == [0, 0]
    mask = T([True, False])
    assert (mask + True).tolist() == [2, 1] and (mask + True).dtype == "int64"
    assert (-mask).tolist() == [-1, 0] and (-mask).dtype == "int64"
    assert (mask & 1).dtype == "bool" and (mask < 3).tolist() == [False, True]
    mask[1] = 0.5
    assert mask.tolist() == [True, True]


def test_modulo_zero():
    T = with_dialect(modulo_zero=True)
    x = T([1.0, -1.0])
    assert (x % 0).tolist() == [0, 0] and (x % T([0.0, 3.0])).tolist() == [0, 2]
    x %= 0
    assert x.tolist() == [0, 0]
    assert ps.remainder.for_dialect(T.__dialect__)(T([1.0]), 0).tolist() == [0]
    assert np.isnan((ps.array([1.0]) % 0).item())


def test_out_must_have_the_type_of_the_result():
    T = with_dialect(mixed="arithmetic")
    d = T.__dialect__
    x, i = T([1.0, 4.0]), T([1, 4])
    add, sqrt, total = (f.for_dialect(d) for f in (ps.add, ps.sqrt, ps.sum))
    with pytest.raises(TypeError, match="float64.*float32"):
        x += T([1.0, 2.0], dtype="float64")
    x += i
    assert x.tolist() == [2, 8]
    with pytest.raises(TypeError, match="float32.*int64"):
        add(x, i, out=i)
    with pytest.raises(TypeError, match="int64.*float32"):
        add(i, i, out=x)
    out = T([0.0, 0.0])
    assert sqrt(T([4.0, 9.0]), out=out) is out and out.tolist() == [2, 3]
    with pytest.raises(ValueError, match="shape"):
        total(x, out=out)


def test_mixed_arithmetic():
    T = with_dialect(mixed="arithmetic")
    a, b = T([1.0, 2.0]), T([1, 2])
    for call in (lambda: a + b, lambda: b - a, lambda: a * b, lambda: b / a, lambda: b**a):
        assert call().dtype == "float32"
    for call in (lambda: a > b, lambda: ps.maximum(a, b), lambda: ps.concat([a, b])):
        with pytest.raises(TypeError, match="float32 and int64"):
            call()
    with pytest.raises(TypeError, match="float32 cannot be written into an array of int64"):
        b += a
    a += b
    assert a.tolist() == [2, 4]
    assert b.tolist() == [1, 2]
    b += b
    assert b.tolist() == [2, 4]


def test_integers_keep():
    T = with_dialect(integers="keep")
    x = T([1, 4], dtype="int32")
    for result in (ps.sqrt(x), x.sum(), x.prod(), x.std(), ps.abs(x)):
        assert result.dtype == "int32"
    assert ps.sqrt(x).tolist() == [1, 2]
    assert T([100, 100], dtype="int8").sum().item() == -56
    assert x.mean().dtype == "float32" and x.argmax().dtype == "int64"
    assert x.sum(dtype="float64").dtype == "float64"
    assert T([True, True]).sum().dtype == "int64"
    assert ps.sqrt(T([4.0])).dtype == "float32"


def test_integers_always():
    T = with_dialect(integers="always")
    x = T([1, 4], dtype="int32")
    for result in (ps.exp(x), x.mean(), x.argmax(), x.max(), x + 1):
        assert result.dtype == "int32"
    assert T([1.0, 4.0]).argmax().dtype == "float32"
    assert x.sum(dtype="float64").dtype == "float64"
    assert ps.where(T([1.0]) > 0, x, x).dtype == "int32"


def test_foreign_refuse():
    T = with_dialect(foreign="refuse")
    x = T([1.0, 2.0])
    theirs = np.ones(2, "float32")
    for call in (
        lambda: x + theirs,
        lambda: x == None,  # noqa: E711
        lambda: x == [1, 2],
        lambda: x != "a",
        lambda: x + [1, 2],
        lambda: ps.add.for_dialect(T.__dialect__)(x, theirs),
        lambda: ps.exp.for_dialect(T.__dialect__)([1.0]),
    ):
        with pytest.raises(TypeError, match="not supported"):
            call()
    with pytest.raises(TypeError, match="not supported"):
        x += theirs
    assert (x + np.float32(1)).tolist() == [2, 3]
    assert (x * np.int64(2)).tolist() == [2, 4]
    assert ps.add.for_dialect(T.__dialect__)(x, np.float32(1)).tolist() == [2, 3]


def test_errors_of_functions_are_the_dialects():
    class Wrong(TypeError):
        pass

    class NoArray(TypeError):
        pass

    class T(
        ps.ndarray,
        dialect=ps.Dialect(
            "test", foreign="refuse", errors={"type": Wrong, "operand": NoArray, "value": KeyError}
        ),
    ):
        pass

    zeros, exp = (f.for_dialect(T.__dialect__) for f in (ps.zeros, ps.exp))
    with pytest.raises(Wrong, match="shape"):
        zeros("abc")
    with pytest.raises(Wrong, match="takes 2 positional"):
        zeros(1, 2, 3)
    with pytest.raises(KeyError, match="negative"):
        zeros(-1)
    with pytest.raises(NoArray, match="not supported"):
        exp([1.0])


def test_two_dialects_do_not_mix():
    A, B = with_dialect(mixed="refuse"), with_dialect(integers="keep")
    a, b = A([1.0]), B([1.0])
    for call in (
        lambda: a + b,
        lambda: ps.add(a, b),
        lambda: ps.exp.for_dialect(A.__dialect__)(b),
        lambda: ps.concat([a, b]),
    ):
        with pytest.raises(TypeError, match="mixed"):
            call()

    class Derived(A, dialect=ps.Dialect("derived", mixed="refuse")):
        pass

    with pytest.raises(TypeError, match="mixed"):
        a + Derived([1.0])
    with pytest.raises(TypeError, match="mixed"):
        a[0] = b[0]
    assert type(a + ps.ones(1)) is A


def test_function_with_a_signature():
    T = with_dialect()
    called = []

    def numbers(*args, **kwargs):
        called.append(args)
        return "numbers"

    total = ps.sum.for_dialect(
        T.__dialect__, "total", "a:x, axis=None, keepdims=False, out=None, name:_=None", "here"
    )
    assert total.__name__ == "total" and total.__module__ == "here"
    assert total.__text_signature__ == "(a, axis=None, keepdims=False, out=None, name=None)"
    x = T([[1.0, 2.0], [3.0, 4.0]])
    assert total(a=x, name="ignored").item() == 10
    out = T([0.0, 0.0])
    assert total(x, 0, False, out) is out and out.tolist() == [4, 6]
    with pytest.raises(TypeError, match="total"):
        total(x, axes=1)
    exp = ps.exp.for_dialect(T.__dialect__, numbers=numbers)
    assert exp(1.0) == "numbers" and called == [(1.0,)]
    assert type(exp(x)) is T
    dot = ps.dot.for_dialect(T.__dialect__, arrays=True)
    assert dot(x, x).shape == (2, 2)
    with pytest.raises(TypeError, match="must be an array, not 3"):
        dot(x, 3)
    dot = ps.dot.for_dialect(T.__dialect__, ndim=2)
    assert dot(x, x).shape == (2, 2)
    with pytest.raises(ValueError, match="must have 2 dimensions, not 1"):
        dot(x, x[0])
    with pytest.raises(ValueError, match="no argument 'b'"):
        ps.exp.for_dialect(T.__dialect__, "exp", "a:b")
    with pytest.raises(TypeError, match="str"):
        ps.exp.for_dialect(T.__dialect__, 3)


def test_what_is_called_for_arguments_that_are_not_plain():
    T = with_dialect()
    calls = []

    def unusual(*args, **kwargs):
        calls.append((args, kwargs))
        return "unusual"

    x = T([[1.0, 2.0], [3.0, 4.0]])
    total = ps.sum.for_dialect(
        T.__dialect__, "total", "x, axis=None, keepdims=False, out=None", unusual=unusual
    )
    assert total(x).item() == 10 and total(x, None).item() == 10
    assert total(x, axis=(0, -1), keepdims=True).shape == (1, 1)
    assert total(x, [0]).tolist() == [4, 6] and total(x, out=T(0.0)).item() == 10
    with pytest.raises(ValueError, match="axis 9"):  # plain, and wrong
        total(x, axis=9)
    assert calls == []
    others = ((x, ()), (x, True), (x, (0, 1.0)), (x, 0, 1), (x, 0, None), (ps.ones(2),), (3.0,))
    for args in (*others, ([1.0],), (), (x, 0, False, None, 1), (x, 1 << 70), (x, 0, False, 3)):
        assert total(*args) == "unusual" and calls.pop() == (args, {})
    assert total(x, a=3) == "unusual" and calls.pop() == ((x,), {"a": 3})
    assert total(x, x=x) == "unusual" and calls.pop() == ((x,), {"x": x})

    shaped = ps.reshape.for_dialect(T.__dialect__, "shaped", "x, shape", unusual=unusual)
    for shape in (4, (4,), [2, -1], (1, 2, 2)):
        assert shaped(x, shape).size == 4
    assert shaped(x, 2, 1, 2).shape == (2, 1, 2) and shaped(x, shape=(4, 1)).shape == (4, 1)
    for shape in (0, (2, 0), (-2,), (), (2, 2.0)):
        assert shaped(x, shape) == "unusual"
    assert shaped(x, 2, 0) == shaped(x, 4, None) == shaped(x) == "unusual"

    product = ps.matmul.for_dialect(T.__dialect__, "product", "x1, x2", ndim=2, unusual=unusual)
    assert product(x, x).shape == (2, 2) and product(x, x[0]) == "unusual"
    alike = ps.matmul.for_dialect(T.__dialect__, "alike", "x1, x2", alike=True, unusual=unusual)
    assert alike(x, x).shape == (2, 2) and alike(x, x[0]) == alike(x, x[None]) == "unusual"

    concatenate = ps._core._ops["concatenate"]
    joined = concatenate.for_dialect(T.__dialect__, "joined", "tensors, axis=0", unusual=unusual)
    assert joined([x, x]).shape == joined((x, x), 0).shape == (4, 2)
    i = ps._core._ops["cast"].for_dialect(T.__dialect__)(x, "int32")
    for tensors in ([], [x, i], [x, 2], [x, ps.ones((2, 2))], x, iter([x]), None):
        assert joined(tensors) == "unusual"
    assert joined([i, i]).dtype == "int32" and joined([x, x], True) == joined([x, x], [0]) == "unusual"
    with pytest.raises(TypeError, match="unusual"):
        ps.sum.for_dialect(T.__dialect__, unusual=3)


def test_arrays_of_a_class_on_a_device():
    T = with_dialect()
    x = T([1.0], device="cpu:1")
    assert x.device == "cpu:1" and (x + 1).device == "cpu:1"
    assert (x + T([1.0])).device == "cpu:1" and (T([1.0]) + x).device == "cpu:0"
    with pytest.raises(ValueError, match="cpu:64"):
        T([1.0], device="cpu:64")


@pytest.mark.parametrize("dtype", ["float32", "int32", "uint8"])
def test_compare_type(dtype):
    T = with_dialect(compare=dtype)
    for result in (T([1, 2]) > 1, 1 < T([1, 2]), T([1, 2]) == T([3, 2]), ps.greater(T([1, 2]), 1)):
        assert type(result) is T
        assert result.dtype == dtype
        assert result.tolist() == [0, 1]
    assert ps.where(T([1, 2]) > 1, 5, 6).tolist() == [6, 5]
    assert (T([True, False]) & T([True, True])).dtype == "bool"


def test_compare_operands():
    T = with_dialect(compare="operands")
    assert T([5.0, 6.0, 7.0])[[True, False, True]].tolist() == [6, 5, 6]
    assert with_dialect()([5.0, 6.0, 7.0])[[True, False, True]].tolist() == [5, 7]
    assert (T([1.0, 2.0]) > 1).dtype == "float32"
    assert (T([1, 2]) == T([1, 3])).dtype == "int64"
    assert (1 < T([1.0, 2.0], dtype="float64")).dtype == "float64"


def test_divide_integers():
    T = with_dialect(divide_integers=True)
    x, y = T([7, -7]), T([2, 2])
    for result in (x / y, x / 2, ps.divide(x, 2)):
        assert result.dtype == "int64"
        assert result.tolist() == [3, -3]
    assert (7 / T([2, -2])).tolist() == [3, -3]
    assert (x / 2.0).tolist() == [3.5, -3.5]
    assert (T([7.0]) / 2).tolist() == [3.5]
    assert (x // 2).tolist() == [3, -4]
    x /= 2
    assert x.tolist() == [3, -3]
    assert (T([7, -7], dtype="int8") / 2).dtype == "int8"


def test_one_dimension():
    T = with_dialect(one_dimension=True)
    x = T([1.0, 2.0])
    for result in (x.sum(), ps.max(x), x @ x, x[0], x.mean() + 1, ps.reshape(x[:1], ())):
        assert type(result) is T
        assert result.shape == (1,)
    assert x.sum(keepdims=True).shape == (1,)
    assert float(x.sum()) == 3
    assert T([[1.0, 2.0]]).sum(axis=1).shape == (1,)


# ---- Views and copies --------------------------------------------------------------------------

FORMS = {
    "block": [lambda x: x[1:2], lambda x: x[0], lambda x: x[0, 1:3]],
    "strided": [lambda x: x[:, 1:3], lambda x: x[::2], lambda x: x[:, 0], ps.flip],
    "newaxis": [lambda x: ps.expand_dims(x, 0), lambda x: ps.squeeze(x)],
    "permute": [
        lambda x: x.T,
        lambda x: x.mT,
        lambda x: x.transpose(1, 0),
        lambda x: x.swapaxes(0, 1),
        lambda x: ps.moveaxis(x, 0, 1),
    ],
    "reshape": [lambda x: x.reshape(4, 3), lambda x: ps.reshape(x, (2, 6))],
    "flatten": [lambda x: x.ravel(), lambda x: ps.ravel(x)],
    "broadcast": [lambda x: ps.broadcast_to(x, (2, 3, 4))],
}


def follows(array_class, take):
    """Whether a write into the array is seen in what was taken of it, and the other way round."""
    x = array_class(np.zeros((3, 4), "float32"))
    part = take(x)
    assert type(part) is array_class
    x[...] = 1
    seen = float(part.sum()) > 0
    if part.size <= x.size:
        x[...] = 0
        part[...] = 1
        assert (float(x.sum()) > 0) == seen
    return seen


@pytest.mark.parametrize("form", FORMS)
def test_forms(form):
    copying = with_dialect(copies=[form])
    for other, takes in FORMS.items():
        for take in takes:
            assert follows(ps.ndarray, take)
            assert follows(copying, take) == (other != form), (form, other)


def test_all_forms_copied():
    T = with_dialect(copies=list(FORMS))
    for takes in FORMS.values():
        for take in takes:
            assert not follows(T, take)


def test_assignment_reaches_the_array_all_the_same():
    T = with_dialect(copies=list(FORMS))
    x = T([[1.0, 2.0], [3.0, 4.0]])
    x[0] = 9
    x[:, 1] += 1
    assert x.tolist() == [[9, 10], [3, 5]]


# ---- Errors ------------------------------------------------------------------------------------


class Bad(Exception):
    pass


def test_error_classes():
    kinds = {}
    for name in ("value", "type", "index", "memory", "timeout", "runtime"):
        kinds[name] = type(name.title(), (Bad,), {})
    T = with_dialect(errors=kinds)
    x = T([1.0, 2.0])
    with pytest.raises(kinds["value"], match=r"\(2,\) and \(3,\)"):
        x + T([1.0, 2.0, 3.0])
    with pytest.raises(kinds["value"], match="axis 4"):
        x.sum(axis=4)
    with pytest.raises(kinds["type"], match="float32"):
        x & 1
    with pytest.raises(kinds["index"], match="5"):
        x[5]
    with pytest.raises(kinds["index"], match="7"):
        ps.take(x, [7]).wait_to_read()
    with pytest.raises(ValueError):
        ps.ones(2) + ps.ones(3)


def test_error_classes_partly_given():
    T = with_dialect(errors={"value": Bad})
    with pytest.raises(Bad):
        T([1.0]) + T([[1.0, 2.0]]).reshape(3)
    with pytest.raises(TypeError):
        T([1.0]) & 1


# ---- Dialects themselves -----------------------------------------------------------------------


def test_dialect_objects():
    dialect = ps.Dialect("name")
    assert dialect.name == "name"
    assert "name" in repr(dialect)


def test_dialect_is_inherited():
    Base = with_dialect(compare="int32")

    class Derived(Base):
        pass

    assert (Derived([1]) > 0).dtype == "int32"
    assert type(Derived([1]) > 0) is Derived


@pytest.mark.parametrize(
    "settings, error, text",
    [
        ({"copies": ["text"]}, ValueError, "'block'.*'text'"),
        ({"copies": 3}, TypeError, "sequence"),
        ({"scalar": "text"}, ValueError, "'weak', 'keep'.*'text'"),
        ({"mixed": "text"}, ValueError, "'promote', 'arithmetic', 'refuse'.*'text'"),
        ({"compare": "text"}, TypeError, "'text'"),
        ({"float": "text"}, TypeError, "'text'"),
        ({"errors": {"value": 3}}, TypeError, "3"),
        ({"errors": {"text": ValueError}}, ValueError, "'text'"),
        ({"unknown": 1}, TypeError, "unknown"),
    ],
)
def test_bad_settings(settings, error, text):
    with pytest.raises(error, match=text):
        ps.Dialect("test", **settings)


def test_class_keyword():
    with pytest.raises(TypeError):

        class Array(ps.ndarray, dialect=3):
            pass


def test_objects_of_slotted_classes_are_used_again_in_good_order():
    """Freed objects serve the next; references, weak ones and finalisers stay each object's own."""

    class One(ps.ndarray):
        __slots__ = ()

    class Other(ps.ndarray):
        __slots__ = ()

    gone = []

    class Final(ps.ndarray):
        __slots__ = ()

        def __del__(self):
            gone.append(1)

    x = ps.ones(2)
    for cls in (One, Other, Final, One):
        for _ in range(200):
            y = x.as_subclass(cls) + 1
            reference = weakref.ref(y)
            assert type(y) is cls and reference() is y and gc.is_tracked(y)
            del y
            assert reference() is None
    assert len(gone) == 400
    before = sys.getrefcount(One)
    for _ in range(100):
        x.as_subclass(One) * 2
    assert sys.getrefcount(One) == before
