"""Rules of libraries in which arrays without dimensions rank between arrays and numbers: each is a
setting of a Dialect by itself."""

import itertools

import numpy as np
import pytest

import penstock as ps

TYPES = ("bool", "uint8", "int8", "int32", "int64", "float16", "bfloat16", "float32", "float64",
         "complex64", "complex128")
KINDS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


def with_dialect(**settings):
    class Array(ps.ndarray, dialect=ps.Dialect("test", **settings)):
        pass

    return Array


def kind(name):
    return KINDS[getattr(ps, name).kind]


def expected(whole, bare):
    """The type of an array beside one without dimensions."""
    if kind(bare) <= kind(whole):
        return whole
    if kind(whole) == 2:
        return "complex128" if whole == "float64" else "complex64"
    return str(ps._core._promote(whole, bare))


# ---- Ranks -------------------------------------------------------------------------------------


@pytest.mark.parametrize("whole, bare", list(itertools.product(TYPES, TYPES)))
def test_arrays_without_dimensions_rank_below_others(whole, bare):
    T = with_dialect(scalar="ranks")
    x, y = T(ps.ones(3, dtype=whole)), T(ps.ones((), dtype=bare))
    for a, b in ((x, y), (y, x)):
        assert str(ps.where(x == 1, a, b).dtype) == expected(whole, bare)
        assert (a == b).dtype == "bool"


def test_of_one_rank_types_are_promoted():
    T = with_dialect(scalar="ranks")
    assert (T(ps.ones((), dtype="float32")) + T(ps.ones((), dtype="float64"))).dtype == "float64"
    assert (T(ps.ones(2, dtype="float32")) + T(ps.ones(2, dtype="float64"))).dtype == "float64"
    assert (T(ps.ones(2, dtype="int64")) + T(ps.ones(2, dtype="float16"))).dtype == "float16"


def test_values_are_those_of_the_type():
    T = with_dialect(scalar="ranks")
    x, third = T(ps.ones(2)), T(ps.array(1 / 3, dtype="float64"))
    assert (x * third).tolist() == [float(np.float32(1 / 3))] * 2
    assert (T([1, 2]) + T(ps.array(2.5))).tolist() == [3.5, 4.5]


def test_numbers_are_weak_as_ever():
    T = with_dialect(scalar="ranks")
    assert (T([1, 2]) + 1.5).dtype == "float32"
    assert (T(ps.ones(2, dtype="int8")) + 1).dtype == "int8"
    assert (T([True]) + 1).dtype == "int64"
    assert (T(ps.array(1.0, dtype="float16")) + 1.5).dtype == "float16"


def test_gradients_flow_to_what_was_converted():
    T = with_dialect(scalar="ranks")
    x, y = T(ps.ones(3)), T(ps.array(2.0, dtype="float64"))
    y.attach_grad()
    with ps.autograd.record():
        z = (x * y).sum()
    z.backward()
    assert y.grad.dtype == "float64" and y.grad.item() == 3


def test_positions_and_masks_have_no_rank():
    T = with_dialect(scalar="ranks")
    x = T(ps.arange(6, dtype="float32"))
    assert ps.take(x, T(ps.array(2))).item() == 2
    assert ps.where(T(ps.array(True)), x, x + 1).dtype == "float32"


# ---- Numbers that do not fit -------------------------------------------------------------------


def test_numbers_wrap():
    T = with_dialect(numbers="wrap")
    assert (T(ps.array([200], dtype="uint8")) + 300).tolist() == [244]
    assert (T(ps.array([1], dtype="int8")) * 200).tolist() == [-56]
    x = T(ps.zeros(3, dtype="int64"))
    x[0], x[1] = 1.7, -1.7
    assert x.tolist() == [1, -1, 0]
    assert ps.sum(T(ps.ones((2, 3), dtype="uint8")), 1).tolist() == [3, 3]  # an axis is no operand


def test_numbers_are_checked_without():
    with pytest.raises(ValueError, match="300"):
        with_dialect()(ps.array([200], dtype="uint8")) + 300


# ---- Updates -----------------------------------------------------------------------------------


class Refused(Exception):
    pass


def test_updates_stay_within_the_kind():
    T = with_dialect(scalar="ranks", updates="kind", errors={"value": Refused})
    i, x = T([1, 2]), T([1.0, 2.0])
    for update in ("i += 1.5", "i /= 2", "i += x", "i *= T(ps.array(1.5))", "x += 1j"):
        with pytest.raises(Refused, match="can't be cast"):
            exec(update, {"i": i, "x": x, "T": T, "ps": ps})
    x += T(ps.ones(2, dtype="float64"))
    x += i
    x /= 2
    i += T([True, False])
    i //= 1
    assert x.dtype == "float32" and x.tolist() == [1.5, 2.5]
    assert i.dtype == "int64" and i.tolist() == [2, 2]


# ---- Means, ranges, shapes, types --------------------------------------------------------------


def test_means_of_integers():
    T = with_dialect(means="float", errors={"type": Refused})
    for name in ("mean", "std", "var"):
        with pytest.raises(Refused, match=f"{name}.*int64"):
            getattr(T([1, 2]), name)()
    assert T([1.0, 2.0]).mean().item() == 1.5
    assert T([1, 2]).sum().item() == 3
    assert ps.sqrt(T([4])).item() == 2


def test_ranges_run_forward():
    T = with_dialect(ranges="forward")
    x = T(ps.arange(6).reshape(2, 3))
    for key in (slice(None, None, -1), (0, slice(None, None, -2)), (..., slice(3, 0, -1))):
        with pytest.raises(ValueError, match="step must be greater than zero"):
            x[key]
        with pytest.raises(ValueError, match="step must be greater than zero"):
            x[key] = 0
    assert x[:, ::2].tolist() == [[0, 2], [3, 5]]


class Size(tuple):
    def __repr__(self):
        return f"Size({list(self)})"


def test_shapes_of_a_class():
    T = with_dialect(shape=Size)
    x = T(ps.ones((2, 3)))
    assert type(x.shape) is Size and x.shape == (2, 3) and repr(x[0].shape) == "Size([3])"
    assert type(x.sum().shape) is Size and x.sum().shape == ()
    assert type(ps.ones(2).shape) is tuple
    assert T(ps.zeros(x.shape)).reshape(x.shape[::-1]).shape == (3, 2)


class Type:
    def __init__(self, name):
        self.text = name


def test_types_of_a_dialect():
    own = {getattr(ps, name): Type(name) for name in ("float32", "int64")}
    T = with_dialect(types=own)
    assert T([1.0]).dtype is own[ps.float32] and T([1]).dtype is own[ps.int64]
    assert T([True]).dtype is ps.bool
    assert T([1.0]).astype(own[ps.int64]).dtype is own[ps.int64]
    assert T([1, 2], dtype=own[ps.float32]).dtype is own[ps.float32]
    with pytest.raises(TypeError):
        ps.ones(1, dtype=own[ps.float32])


@pytest.mark.parametrize(
    "settings, error, text",
    [
        ({"numbers": "text"}, ValueError, "'check', 'wrap'.*'text'"),
        ({"ranges": "text"}, ValueError, "'any', 'forward'.*'text'"),
        ({"means": "text"}, ValueError, "'any', 'float'.*'text'"),
        ({"updates": "text"}, ValueError, "'any', 'kind', 'new'.*'text'"),
        ({"shape": dict}, TypeError, "tuple.*list.*dict"),
        ({"shape": (2, 3)}, TypeError, "tuple"),
        ({"types": [1]}, TypeError, "dict"),
        ({"types": {"text": 1}}, TypeError, "'text'"),
    ],
)
def test_bad_settings(settings, error, text):
    with pytest.raises(error, match=text):
        ps.Dialect("test", **settings)
