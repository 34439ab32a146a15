"""Calls of the commonest forms have ways of their own: with an array, a list of some, two, an array and
integers, an array and an element type. They give what the long way gives, which keywords take."""

import re
import threading

import numpy as np
import pytest

import penstock as ps


class Own(ps.ndarray, dialect=ps.Dialect("short")):
    pass


class Derived(ps.ndarray):
    pass


def same(made, wanted):
    assert type(made) is type(wanted)
    assert made.dtype == wanted.dtype and made.shape == wanted.shape
    assert np.array_equal(np.asarray(made), np.asarray(wanted))


def functions(**signatures):
    made = [
        ps._core._ops[name].for_dialect(Own.__dialect__, signature=signature)
        for name, signature in signatures.items()
    ]
    return made if len(made) > 1 else made[0]


JOIN = {"concatenate": "tensors, axis=0", "stack": "tensors, axis=0"}


@pytest.mark.parametrize("count", [1, 2, 8, 9])
@pytest.mark.parametrize("kind", [list, tuple, iter])
def test_lists(count, kind):
    for join in functions(**JOIN):
        given = [Own([[float(i), 2.0]]) for i in range(count)]
        same(join(kind(given)), join(tensors=kind(given), axis=0))


def test_lists_that_are_not_usual():
    join = functions(**JOIN)[0]
    x, y = Own([1.0, 2.0]), Own([3, 4])
    same(join([x, y]), join(tensors=[x, y]))
    same(join([x, Own([])]), x)
    with pytest.raises(TypeError):
        join([x, "y"])
    for nothing in ([], ()):
        with pytest.raises(ValueError, match="no tensors are given"):
            join(nothing)
    with pytest.raises(ValueError, match="does not fit"):
        join([x, Own([[1.0]])])


def test_three():
    mask, x, y = Own([[True], [False]]), Own([[1.0, 2.0]]), Own([3, 4])
    where = functions(where="condition, x1, x2")
    for one, other in ((x, y), (y, x), (x[0], y), (x, Own(5.0)), (x, Own([[]]))):
        try:
            wanted = where(condition=mask, x1=one, x2=other)
        except ValueError as error:
            with pytest.raises(ValueError, match=re.escape(str(error))):
                where(mask, one, other)
        else:
            same(where(mask, one, other), wanted)
    with pytest.raises(TypeError, match="needs argument .x2."):
        where(mask, x)
    with pytest.raises(TypeError):
        where(mask, x, y, x)


def test_pairs():
    x, y, i = Own([[1.0, 2.0], [3.0, 4.0]]), Own([[5.0, 6.0], [7.0, 8.0]]), Own([[1, 2], [3, 4]])
    names = {"maximum": "x1, x2", "matmul": "x1, x2", "vecdot": "x1, x2"}
    for function in functions(**names):
        for a, b in ((x, y), (x, i), (i, i), (x, x[0]), (x, Own([[]]))):
            try:
                wanted = function(x1=a, x2=b)
            except ValueError as error:
                with pytest.raises(ValueError) as found:
                    function(a, b)
                assert str(found.value) == str(error)
            else:
                same(function(a, b), wanted)


@pytest.mark.parametrize("dtype", ["float64", ps.int32, float, bool, np.float16, np.dtype("int8")])
def test_element_types(dtype):
    x, cast = Own([1.0, 2.0]), functions(cast="x, dtype")
    same(cast(x, dtype), cast(x=x, dtype=dtype))


def test_what_is_no_element_type():
    x, cast = Own([1.0, 2.0]), functions(cast="x, dtype")
    with pytest.raises(TypeError, match="there is no element type 'float46'"):
        cast(x, "float46")
    with pytest.raises(TypeError, match="must be a name such as 'float32'"):
        cast(x, 3)


def test_derived_classes_keep_theirs():
    x, y = Derived([1.0, 2.0]), ps.array([3.0, 4.0])
    assert type(ps.maximum(x, y)) is type(ps.maximum(y, x)) is Derived
    assert type(ps.concatenate([y, x])) is Derived
    assert type(ps.concatenate([y, y])) is ps.ndarray


def test_a_list_that_changes_meanwhile():
    """Another thread empties the list again and again: what was in it when the call began counts."""
    join = functions(**JOIN)[0]
    given, stop = [], threading.Event()

    def change():
        while not stop.is_set():
            given[:] = [Own([1.0, 2.0]), Own([3.0, 4.0])]
            given.clear()

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(2000):
            try:
                made = join(given)
            except ValueError as error:
                assert "no tensors" in str(error)
            else:
                assert made.tolist() in ([1.0, 2.0, 3.0, 4.0], [1.0, 2.0])
    finally:
        stop.set()
        thread.join()
