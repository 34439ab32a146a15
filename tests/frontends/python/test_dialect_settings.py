"""Settings of a Dialect about division, products, classes, assignment, indices and attributes: each
by itself."""

import gc
import sys
import weakref

import numpy as np
import penstock as ps
import pytest


def with_dialect(**settings):
    class Array(ps.ndarray, dialect=ps.Dialect("test", **settings)):
        __slots__ = ()

    return Array


# ---- Integer division by zero --------------------------------------------------------------------


@pytest.mark.parametrize("divide", [lambda x, y: x // y, lambda x, y: x % y])
def test_zero_divisors_raise_where_they_are_waited_for(divide):
    T = with_dialect(zero_division="raise")
    found = divide(T([7, 8, 9]), T([1, 0, 2]))  # queued
    with pytest.raises(RuntimeError, match="ZeroDivisionError: element 1 of the divisors is 0"):
        found.tolist()
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        divide(T([7]), 0)


def test_other_divisors_pass():
    T = with_dialect(zero_division="raise")
    assert (T([7, -7]) // T([2, 2])).tolist() == [3, -4]
    assert (T([[7, 8], [9, 10]]) // T([[2, 3], [4, 5]]).T).tolist() == [[3, 2], [3, 2]]
    assert (T([1.0]) // 0).tolist() == [float("inf")]
    assert (T([1.0]) // T([0.0])).tolist() == [float("inf")]
    assert (with_dialect()([7]) // 0).tolist() == [0]


# ---- Products and differences ----------------------------------------------------------------------


def test_products_of_two_types():
    T = with_dialect(products="same")
    a, b = T(ps.ones((2, 2))), T(ps.ones((2, 2), dtype="float64"))
    with pytest.raises(ValueError, match="float32 != float64"):
        a @ b
    assert (a @ a).dtype == "float32" and (a * b).dtype == "float64"
    N = with_dialect()
    assert (N(a) @ N(b)).dtype == "float64"


@pytest.mark.parametrize("one", ["b - b", "b - 3", "3 - b", "x - True", "True - x", "x - b"])
def test_differences_of_truth_values(one):
    T = with_dialect(differences="numbers")
    names = {"b": T([True, False]), "x": T([1.0, 2.0])}
    with pytest.raises(TypeError, match="bool"):
        eval(one, names)
    assert (names["x"] - 1).tolist() == [0.0, 1.0]
    assert (with_dialect()([1.0]) - True).tolist() == [0.0]


# ---- Classes and attributes --------------------------------------------------------------------------


def test_results_of_derived_classes():
    T = with_dialect(results="base")

    class Special(T):
        pass

    x = Special([1.0, 2.0])
    assert type(x) is Special and type(x.as_subclass(Special)) is Special
    for made in (x + 1, -x, x[0], x.sum(), x.reshape(2, 1), x.T, x.copy(), T([1.0]) * x, x * T([1.0])):
        assert type(made) is T
    same = x
    x += 1
    assert x is same

    class Kept(with_dialect()):
        pass

    assert type(Kept([1.0]) + 1) is Kept


def test_attributes():
    T = with_dialect(attributes=True)
    x = T([1.0])
    x.name, x.itself = "a", x
    assert x.name == "a" and not hasattr(x + 1, "name")
    with pytest.raises(AttributeError, match="other"):
        x.other
    seen = weakref.ref(x)
    del x
    gc.collect()
    assert seen() is None
    for _ in range(200):  # objects are used again: without what they had
        y = T([1.0])
        assert not hasattr(y, "name")
        y.name = "b"
    with pytest.raises(AttributeError):
        with_dialect()([1.0]).name = 1


def test_weak_references_die_before_attributes():
    """What a weak reference tells comes before what finalisers of attributes do, as for any object."""
    order = []

    class Last:
        def __del__(self):
            order.append("attribute")

    x = with_dialect(attributes=True)([1.0])
    x.last = Last()
    seen = weakref.ref(x, lambda _: order.append("reference"))
    del x
    assert seen() is None and order == ["reference", "attribute"]


def test_objects_of_a_class_come_and_go():
    """By a way of its own: what has a finaliser, is wanted again, or derives from it, too."""
    T = with_dialect(attributes=True)

    class Derived(T):
        pass

    kept, gone = [], []

    class Finalised(T):
        def __del__(self):
            gone.append(self.item())
            if len(gone) == 1:
                kept.append(self)

    for of in (T, Derived):
        seen = [weakref.ref(of([float(i)])) for i in range(200)]
        assert all(one() is None for one in seen)
    Finalised([1.0])
    Finalised([2.0])
    assert gone == [1.0, 2.0] and kept[0].tolist() == [1.0]
    kept.clear()
    assert gone == [1.0, 2.0]
    references = sys.getrefcount(T)
    for _ in range(100):
        T([1.0]).name = "a"
    assert sys.getrefcount(T) == references
    T.__del__ = lambda self: gone.append("late")
    T([3.0])
    assert gone[-1] == "late"


@pytest.mark.parametrize("make", [with_dialect, lambda: type("Plain", (ps.ndarray,), {})])
def test_adding_what_cannot_be_added(make):
    class Adds:
        def __radd__(self, other):
            return "added"

    x = make()([1.0, 2.0])
    with pytest.raises(TypeError, match="unsupported operand"):
        x += [1, 2]
    assert x.tolist() == [1.0, 2.0]
    x += Adds()
    assert x == "added"


# ---- Values and indices -------------------------------------------------------------------------------


def test_values_that_are_assigned():
    T = with_dialect(values="arrays")
    x = T([1.0, 2.0, 3.0])
    for wrong in ([7, 8, 9], (7, 8, 9), "abc", None):
        with pytest.raises(TypeError, match="can't assign a"):
            x[:] = wrong
    x[0], x[1:] = 5, T([6.0, 7.0])
    assert x.tolist() == [5.0, 6.0, 7.0]


def test_integers_select_before_arrays():
    T, N = with_dialect(indices="select"), with_dialect()
    assert T(ps.ones((2, 3, 4)))[0, :, [0, 1]].shape == (3, 2)
    assert N(ps.ones((2, 3, 4)))[0, :, [0, 1]].shape == (2, 3)
    x = np.arange(120.0).reshape(2, 3, 4, 5)
    y = T(ps.array(x))
    assert y[1, None, [0, 2], :, 3].tolist() == x[1][None, [0, 2]][..., 3].tolist()
    assert y[..., [1, 0], 2].tolist() == x[..., 2][..., [1, 0]].tolist()
    mask = np.array([[True, False, True], [False, True, False]])
    assert y[ps.array(mask).as_subclass(T), 1].tolist() == x[mask][:, 1].tolist()
    y[0, :, [0, 1], 2] = -1
    x[0, :, :, 2][:, [0, 1]] = -1
    x[0][:, [0, 1], 2] = -1
    assert y.tolist() == x.tolist()
    with pytest.raises(IndexError, match="5"):
        y[5, [0, 1]]


def test_integers_that_are_arrays_select():
    T = with_dialect(indices="select")
    x = T([[1.0, 2.0], [3.0, 4.0]])
    row = x[T(ps.array(1))]
    row[...] = 9
    assert x.tolist() == [[1.0, 2.0], [9.0, 9.0]]


def test_lists_of_more_than_numbers_are_keys():
    T, N = with_dialect(indices="lists"), with_dialect()
    x = np.arange(24).reshape(2, 3, 4)
    y, plain = T(ps.array(x)), N(ps.array(x))
    assert y[[[0, 1], [1, 0]]].tolist() == x[[0, 1], [1, 0]].tolist()
    assert plain[[[0, 1], [1, 0]]].tolist() == x[np.array([[0, 1], [1, 0]])].tolist()
    assert y[[0, 1]].tolist() == x[[0, 1]].tolist()
    assert y[[slice(0, 1), 0]].tolist() == x[0:1, 0].tolist()
    assert y[[None, T(ps.array(1))]].tolist() == x[None, 1].tolist()
    y[[[0], [2]]] = -1
    x[[0], [2]] = -1
    assert y.tolist() == x.tolist()
    with pytest.raises(IndexError):
        y[[[0], [0], [0], [0]]]


def test_bytes_are_masks():
    T, N = with_dialect(indices="lists"), with_dialect()
    x, key = np.arange(6).reshape(2, 3), ps.array([1, 0, 1], dtype="uint8")
    assert T(ps.array(x))[:, key.as_subclass(T)].tolist() == x[:, [0, 2]].tolist()
    assert N(ps.array(x))[:, key.as_subclass(N)].tolist() == x[:, [1, 0, 1]].tolist()
    with pytest.raises(IndexError):
        T(ps.array(x))[key.as_subclass(T)]


def test_an_ellipsis_at_the_end_is_one_too_many():
    T = with_dialect(indices="lists")
    x = np.arange(24).reshape(2, 3, 4)
    y = T(ps.array(x))
    assert y[..., ...].tolist() == x.tolist()
    assert y[..., 0, ...].tolist() == x[..., 0].tolist()
    with pytest.raises(IndexError, match="single ellipsis"):
        y[..., ..., 1]
    with pytest.raises(IndexError, match="single ellipsis"):
        with_dialect()(ps.array(x))[..., ...]


def test_a_truth_value_is_an_index():
    assert [5, 6][with_dialect(indices="lists")(ps.array(True))] == 6
    with pytest.raises(TypeError, match="only integer arrays"):
        [5, 6][with_dialect()(ps.array(True))]


def test_negative_numbers_in_unsigned_elements():
    x = with_dialect(values="arrays", numbers="wrap")(ps.array([1, 2], dtype="uint8"))
    x[0] = -2
    assert x.tolist() == [254, 2]
    with pytest.raises(ValueError, match="without overflow"):
        x[0] = -2.5


def test_values_that_are_elements():
    T = with_dialect(values="elements")
    x = T([1.0, 2.0, 3.0])
    for wrong in ([7, 8, 9], (7, 8, 9), "abc", None):
        with pytest.raises(ValueError, match="are set to arrays and numbers"):
            x[:] = wrong
    x[0], x[1:] = 5, np.array([6.0, 7.0])
    assert x.tolist() == [5.0, 6.0, 7.0]


def test_updates_that_are_new():
    x = y = with_dialect(updates="new")([1, 2])
    x += 1.5
    assert x is not y and x.tolist() == [2.5, 3.5] and y.tolist() == [1, 2]
    x **= 2
    x @= x
    assert x.tolist() == 6.25**2 + 12.25**2


def test_shapes_that_are_lists():
    class Shape(list):
        pass

    x = with_dialect(shape=Shape)([[1, 2, 3]])
    assert type(x.shape) is Shape and x.shape == [1, 3] and x.sum().shape == []
    x.shape.append(5)
    assert x.shape == [1, 3]
    with pytest.raises(TypeError, match="derived from one"):
        with_dialect(shape=dict)


def test_numbers_that_do_not_fit_beside_integers():
    """They wrap among integers, not where all become floating-point numbers."""
    x = with_dialect(scalar="ranks", numbers="wrap")(ps.array([3], dtype="uint8"))
    assert (x + 300).tolist() == [47] and (x + 300).dtype == "uint8"
    assert (x / 256).tolist() == [3 / 256] and (256 / x).item() == np.float32(256 / 3)
    minus = ps.array(-1).as_subclass(type(x))
    assert (x / minus).tolist() == [-3.0] and (x + minus).tolist() == [2]
    assert (x / -1).tolist() == [-3.0] and ps.arctan2(x, 300).item() == np.float32(np.arctan2(3, 300))


def test_comparisons_into_any_type():
    T = with_dialect(updates="kind", scalar="ranks")
    x = T([1, 2, 3])
    above = ps._core._ops["greater"].for_dialect(T.__dialect__)
    assert above(x, 1.5, out=x).tolist() == [0, 1, 1]
    with pytest.raises(ValueError, match="can't be cast"):
        x += 1.5


# ---- Errors ----------------------------------------------------------------------------------------


class Refused(Exception):
    pass


def test_errors_for_axes_and_arguments():
    T = with_dialect(errors={"axis": IndexError, "argument": Refused, "value": RuntimeError})
    x = T(ps.ones((2, 3)))
    with pytest.raises(IndexError, match="axis 5 is out of range for 2 dimensions"):
        x.sum(5)
    with pytest.raises(RuntimeError, match="cannot reshape"):
        x.reshape(4)
    take = ps._core._ops["take"].for_dialect(T.__dialect__)
    with pytest.raises(Refused):
        take(x, "abc")
    with pytest.raises(ValueError, match="axis 5"):
        ps.ones((2, 3)).sum(5)


def test_errors_for_divisions_and_truth():
    T = with_dialect(
        zero_division="raise", errors={"division": Refused, "truth": AssertionError}
    )
    with pytest.raises(Refused, match="divisors"):
        (T([1, 2]) // T([1, 0])).wait_to_read()
    with pytest.raises(AssertionError, match="ambiguous"):
        bool(T([1, 2]))
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        (with_dialect(zero_division="raise")([1]) // 0).wait_to_read()


def test_types_of_numbers_can_be_changed():
    T = with_dialect()
    T.__dialect__.set_types(float="float64", complex="complex128")
    assert T([1.0]).dtype == "float64" and T([1j]).dtype == "complex128"
    assert (T([1, 2]) / 2).dtype == "float64"
    T.__dialect__.set_types(float="float32")
    assert T([1.0]).dtype == "float32"
    with pytest.raises(ValueError, match="native"):
        ps.ndarray.__dialect__.set_types(float="float64")


# ---- Functions --------------------------------------------------------------------------------------


def test_what_is_plain():
    T = with_dialect()
    asked = []

    def unusual(*args, **kwargs):
        asked.append((args, kwargs))
        return None

    total = ps._core._ops["sum"].for_dialect(
        T.__dialect__, "sum", "x, dim:axis=None", unusual=unusual, kinds="f"
    )
    x = T([[1.0, 2.0]])
    assert total(x).item() == 3 and total(x, 1).tolist() == [3.0] and not asked
    total(T([1, 2])), total(T(ps.array(1.0)), 0), total(x, axis=1), total(x, np.int64(1))
    total(T(ps.ones((0, 2))))
    assert len(asked) == 5
    equal = ps._core._ops["equal"].for_dialect(T.__dialect__, unusual=unusual)
    assert equal(x, 2).tolist() == [[False, True]] and len(asked) == 5
    equal(2, x)
    assert len(asked) == 6
    ones = ps._core._ops["ones"].for_dialect(
        T.__dialect__, "ones", "size:shape, *, device=None", unusual=unusual, variadic=True
    )

    class Device:
        penstock_device = "cpu"

    assert ones(2, 3, device=Device()).shape == (2, 3) and ones((2,)).shape == (2,)
    with pytest.raises(TypeError, match="a device must be a str"):
        ones(2, device=3)


# ---- Names of element types ------------------------------------------------------------------------


def test_texts_and_classes_that_stand_for_element_types():
    names = {"word": "int16", "uint16": "bfloat16", float: "float64"}
    T = with_dialect(type_names=names)
    assert T([1, 2], dtype="word").dtype == "int16"
    assert T([1.0], dtype="uint16").dtype == "bfloat16"
    assert T([1.0], dtype=float).dtype == "float64" and T([1.0]).dtype == "float32"
    assert T([1.0], dtype="float16").dtype == "float16"  # the types' own names too
    assert ps.array([1], dtype="uint16").dtype == "uint16"
    with pytest.raises(TypeError, match="no element type 'words'"):
        T([1], dtype="words")


def test_other_types_are_unusual_where_a_dialect_has_its_own():
    rules = ps.Dialect("test", type_names={"word": "int16"})

    class Array(ps.ndarray, dialect=rules):
        __slots__ = ()

    seen = []

    def unusual(x, dtype):
        seen.append(dtype)
        return x

    cast = ps._core._ops["cast"].for_dialect(rules, "cast", "x, dtype", "test", unusual=unusual)
    x = Array([1.5])
    assert cast(x, "word").dtype == "int16" and not seen
    assert cast(x, "int32") is x and cast(x, np.int8) is x
    assert seen == ["int32", np.int8]


@pytest.mark.parametrize("names, said", [({1: "int8"}, "texts and classes"), ({"a": 3}, "not 3")])
def test_names_that_cannot_be(names, said):
    with pytest.raises(TypeError, match=said):
        ps.Dialect("test", type_names=names)


# ---- Buffers ---------------------------------------------------------------------------------------


def test_buffers_of_constants_alone():
    T = with_dialect(buffers="constants", gradients=("unless_paused",))
    x = T([1.0, 2.0])
    assert memoryview(x).tolist() == [1.0, 2.0]
    x.attach_grad()
    y = x * 2
    for one in (x, y):
        with pytest.raises(BufferError, match="detach it first"):
            memoryview(one)
    assert memoryview(y.detach()).tolist() == [2.0, 4.0]
    free = with_dialect(gradients=("unless_paused",))([1.0])
    free.attach_grad()
    assert memoryview(free).tolist() == [1.0]
