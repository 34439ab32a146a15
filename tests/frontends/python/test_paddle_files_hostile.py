"""Damaged and hostile files: paddle.load raises ValueError or EOFError, runs nothing, stays small.

hostile_process.py says how to look for new mutations.
"""

import io
import re
import sys

import pytest
from hostile_pickles import name, number, text, tuple_of
from hostile_process import mutations, said_of_bombs
from paddle_hostile import array, pair

from penstock import paddle


def load(data, **options):
    return paddle.load(io.BytesIO(data), **options)


def test_mutations():
    loaded, raised = mutations("paddle_hostile.py")
    assert loaded > 100 and raised > 1000


def test_what_is_no_file():
    with pytest.raises(EOFError, match="Ran out of input"):
        load(b"")
    for data in (b"garbage", b"PK\3\4" + bytes(100), b"\x80\x04", b"\x80\x09N."):
        with pytest.raises(ValueError, match="can not parse the file"):
            load(data)


# ---- Arrays --------------------------------------------------------------------------------------

ARRAYS = {
    "fewer bytes": ({"shape": (5,)}, "16 bytes for 5 elements of float32"),
    "more bytes": ({"shape": (3,)}, "16 bytes for 3 elements of float32"),
    "a claimed shape": ({"shape": (2**40,)}, "16 bytes for 1099511627776 elements"),
    "a shape below 0": ({"shape": (-4,)}, "shape of a NumPy array are no integers"),
    "dimensions": ({"shape": (1,) * 65}, "no type, or no bytes"),
    "another order": ({"order": ">"}, "bytes of another order"),
    "objects": ({"kind": "O8"}, "must have numbers or texts"),
    "structures": ({"kind": "V4"}, "must have numbers or texts"),
    "an unknown type": ({"kind": "f3"}, "an unknown type"),
    "texts": ({"kind": "S4"}, r"\|S4 is no tensor"),
    "dates": ({"kind": "M8"}, "must have numbers or texts"),
    "no order": ({"fortran": b"N"}, "neither the one nor the other order"),
}


@pytest.mark.parametrize("case", ARRAYS)
def test_arrays(case):
    given, said = ARRAYS[case]
    with pytest.raises(ValueError, match=f"can not parse the file.*{said}"):
        load(pair(array(**given)) + b".")


def test_an_array_by_hand_is_read():
    made = load(pair(array(shape=(2, 2))) + b".")
    assert made.tolist() == [[0.0, 0.0], [0.0, 0.0]] and made.name == "a"
    assert load(pair(array(), b"N") + b".").tolist() == [0.0] * 4


def test_containers_that_are_one_stay_one():
    made = load(b"]q\0(" + pair(array()) + b"q\1h\1h\0e.")
    assert made[2] is made and made[0] is made[1] and made[0].tolist() == [0.0] * 4
    again = load(b"(" + pair(array()) + b"\x85q\1h\1t.")
    assert again[0] is again[1] and isinstance(again[0][0], paddle.Tensor)


# ---- Code ----------------------------------------------------------------------------------------

CODE = {
    "os.*system": b"cos\nsystem\n" + text("true") + b"\x85R.",
    "posix.*system": text("posix") + text("system") + b"\x93" + text("true") + b"\x85R.",
    "builtins.*eval": b"cbuiltins\neval\n" + text("1") + b"\x85R.",
    "builtins.*getattr": b"cbuiltins\ngetattr\n.",
    "OrderedDict.fromkeys": b"ccollections\nOrderedDict.fromkeys\n.",
    "paddle.*load": b"cpaddle\nload\n.",
    "paddle.nn.*Linear": b"cpaddle.nn\nLinear\n)\x81.",
    "numpy.*load": b"cnumpy\nload\n" + text("x") + b"\x85R.",
    "this.*s": b"cthis\ns\n.",
    "persistent": number(3) + b"Q.",
    "calls": name("builtins", "tuple") + b")R)R.",
    "INST": b"(ios\nsystem\n.",
    "PERSID": b"Pid\n.",
    "EXT1": b"\x82\x01.",
}


@pytest.mark.parametrize("return_numpy", [True, False])
@pytest.mark.parametrize("said", CODE)
def test_code(said, return_numpy):
    with pytest.raises(ValueError, match=f"can not parse the file.*{said}"):
        load(CODE[said], return_numpy=return_numpy)
    assert "this" not in sys.modules


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (tuple_of(number(3)), "no tuple"),
        (tuple_of(number(3), number(4), number(5)), "3 values, and it takes 1"),
        (tuple_of(b"}"), "no tuple"),
    ],
)
def test_pairs_that_are_none(arguments, said):
    with pytest.raises(ValueError, match=said):
        load(name("builtins", "tuple") + arguments + b"R.")


# ---- Much of everything --------------------------------------------------------------------------

MEMORY = "ValueError.* far more memory than a file of"
BOMBS = {
    **dict.fromkeys(["bytes", "empty sets"], MEMORY),
    **dict.fromkeys(["tensors of one array", "a state of one array"], MEMORY),
    **dict.fromkeys(["cycle", "memo", "lists of lists", "tuples of tuples"], "loaded"),
    **dict.fromkeys(["branching cycle", "a cycle of tuples"], "loaded"),
    **dict.fromkeys(["lists", "tuples"], "ValueError.*(memory|nested more than 200 deep)"),
    "marks": "ValueError.*(memory|one value)",
    **dict.fromkeys(["a deep key", "a wide key"], "ValueError.* more than 1000 parts"),
    **dict.fromkeys(["keys", "complex keys"], "ValueError.* equal hashes"),
    "a claimed shape": "ValueError.*16 bytes for 1099511627776 elements",
    "a huge shape": "ValueError.*16 bytes for a huge number",
    "no elements of a huge shape": "ValueError.*lengths that no array has",
    "a claimed length": "ValueError.*cut off: 1152921504606846976 bytes are missing",
    "wide texts": "ValueError.*unknown type",
}


@pytest.fixture(scope="module")
def answers():
    return said_of_bombs("paddle_hostile.py")


@pytest.mark.parametrize("case", BOMBS)
def test_much(case, answers):
    assert re.match(BOMBS[case], answers[case])


def test_nothing_is_left_out(answers):
    assert answers.keys() == BOMBS.keys()
