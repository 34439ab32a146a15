"""Damaged and hostile files: torch.load raises a familiar error, runs nothing and stays small.

hostile_process.py says how to look for new mutations.
"""

import io
import pickle
import re
import struct
import sys

import pytest
from hostile_pickles import name, number, text, tuple_of
from hostile_process import mutations, said_of_bombs
from torch_hostile import FAMILIAR, archive_of, records, storage, tensor, with_pickle

from penstock import torch

ELEMENTS = struct.pack("<4f", 0, 1, 2, 3)


def load(data, **options):
    return torch.load(io.BytesIO(data), **options)


def valid():
    """A file of one tensor, [0., 1., 2., 3.]."""
    file = io.BytesIO()
    torch.save([torch.arange(4.0)], file)
    return file.getvalue()


# ---- Mutations -----------------------------------------------------------------------------------


def test_mutations():
    loaded, raised = mutations("torch_hostile.py")
    assert loaded > 100 and raised > 1000


# ---- Archives ------------------------------------------------------------------------------------


def test_what_is_no_file():
    with pytest.raises(EOFError, match="empty"):
        load(b"")
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
        load(b"garbage")
    with pytest.raises(RuntimeError, match="no list of its records"):
        load(b"PK\3\4")


def test_every_cut():
    data = valid()
    for end in range(0, len(data), 7):
        with pytest.raises(FAMILIAR):
            load(data[:end])
    assert load(data + b"tail")[0].tolist() == [0, 1, 2, 3]


def test_a_changed_element_is_noticed():
    data = bytearray(valid())
    data[data.index(ELEMENTS)] ^= 1
    with pytest.raises(RuntimeError, match="'archive/data/0' does not have its checksum"):
        load(bytes(data))


@pytest.mark.parametrize("record", ["data.pkl", "data/0", "version"])
def test_missing_records(record):
    kept = [entry for entry in records(valid()) if entry[0] != f"archive/{record}"]
    with pytest.raises(RuntimeError, match=f"no record '{record}'"):
        load(archive_of(kept))


def test_records_that_may_be_missing():
    kept = [
        entry
        for entry in records(valid())
        if entry[0].partition("/")[2] in ("data.pkl", "data/0", "version")
    ]
    assert load(archive_of(kept))[0].tolist() == [0, 1, 2, 3]


ARCHIVES = {
    "two records": (lambda e: [*e, e[0]], {}, "two records 'archive/data.pkl'"),
    "two folders": (lambda e: [*e, ("other/data.pkl", b"N.")], {}, "not in the folder 'archive'"),
    "no folder": (lambda e: [("data.pkl", b"N.")], {}, "not in the folder"),
    "encrypted": (None, {"flags": 1}, "encrypted"),
    "a method": (None, {"method": 12}, "unknown method, 12"),
    "no deflate": (None, {"method": 8, "content": b"\xff\xff"}, "cannot be unpacked"),
    "too much": (None, {"method": 8, "size": 3}, "does not unpack to the 3 bytes|has 3 bytes"),
    "larger": (None, {"method": 8, "size": 3 << 20}, "3145728 bytes"),
    "no size": (None, {"size": 2}, "bytes for 2"),
    "beyond": (None, {"packed": 10**6, "size": 10**6}, "overlaps what comes after"),
    "far beyond": (None, {"packed": 2**60, "size": 2**60}, "overlaps what comes after"),
    "another place": (None, {"at": 0}, "overlaps|another name|no record at"),
    "no place": (None, {"at": 2**31}, "overlaps|not within|no record at"),
}


@pytest.mark.parametrize("case", ARCHIVES)
def test_archives(case):
    change, fields, said = ARCHIVES[case]
    entries = records(valid())
    for wrong in ("archive/data.pkl", "archive/data/0"):
        if change is None and case == "another place" and wrong == "archive/data.pkl":
            continue
        made = archive_of(entries if change is None else change(entries), **{wrong: fields})
        with pytest.raises(RuntimeError, match=said):
            load(made)


def test_deflated_records_are_read():
    entries = records(valid())
    packed = archive_of(entries, **{entry[0]: {"method": 8} for entry in entries})
    assert load(packed)[0].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("content", "error"), [(b"99\n", RuntimeError), (b"x", RuntimeError), (b"", RuntimeError)]
)
def test_versions(content, error):
    with pytest.raises(error, match="version"):
        load(with_pickle(b"N.", version=content))


def test_orders_of_bytes():
    entries = dict(records(valid()))
    entries["archive/byteorder"] = b"middle"
    with pytest.raises(ValueError, match="Unknown endianness type: middle"):
        load(archive_of(list(entries.items())))
    entries["archive/byteorder"] = b"big"
    entries["archive/data/0"] = struct.pack(">4f", 0, 1, 2, 3)
    assert load(archive_of(list(entries.items())))[0].tolist() == [0, 1, 2, 3]


# ---- Tensors -------------------------------------------------------------------------------------

TENSORS = {
    "sizes": ((4, 0, [5], [1]), "not within a storage of 4 elements"),
    "offset": ((4, 1, [4], [1]), "not within a storage of 4 elements"),
    "strides": ((4, 0, [2, 2], [3, 1]), "not within a storage of 4 elements"),
    "huge strides": ((4, 0, [2], [2**62]), "not within"),
    "huge sizes": ((4, 0, [2**40, 2**40], [0, 0]), "no tensor has sizes"),
    "huge numbers": ((4, 0, [2**200], [1]), "no tensor has sizes"),
    "negative offset": ((4, -1, [1], [1]), "invalid storage offset -1"),
    "negative sizes": ((4, 0, [-1], [1]), "no tensor has sizes"),
    "negative strides": ((4, 3, [4], [-1]), "no tensor has sizes"),
    "unequal": ((4, 0, [4], [1, 1]), "unequal size length"),
    "a shorter storage": ((3, 0, [3], [1]), "has 16 bytes, and a storage of 3 elements 12"),
    "a longer storage": ((5, 0, [5], [1]), "has 16 bytes"),
    "a negative storage": ((-1, 0, [1], [1]), "a length below 0"),
    "a huge storage": ((2**62, 0, [1], [1]), "has 16 bytes"),
    "dimensions": ((4, 0, [1] * 70, [1] * 70), "70 dimensions"),
}


@pytest.mark.parametrize("case", TENSORS)
def test_tensors(case):
    given, said = TENSORS[case]
    with pytest.raises(RuntimeError, match=said):
        load(with_pickle(tensor(*given) + b".", [("0", ELEMENTS)]))


def test_tensors_that_are_not():
    def refused(program, said, storages=(("0", ELEMENTS),)):
        with pytest.raises((pickle.UnpicklingError, RuntimeError), match=said):
            load(with_pickle(program + b".", storages))

    gradient = tensor(4, 0, [4], [1], b"\x88", kind="IntStorage")
    refused(gradient, "floating point")
    refused(tensor(4, 0, [4], [1], kind="FooStorage"), "torch.FooStorage")
    refused(tensor(4, 0, [4], [1], key="../data.pkl"), "no record 'data/../data.pkl'")
    refused(tensor(4, 0, [4], [1], location="cuda:0"), "CUDA device")
    refused(tensor(4, 0, [4], [1], location="elsewhere"), "tagged with elsewhere")
    two = tuple_of(storage(4), storage(4, kind="IntStorage"))
    refused(two, "described in two ways")
    refused(number(3) + b"Q", "no storage")
    refused(tuple_of(text("module"), text("x")) + b"Q", "no storage")
    refused(name("torch._utils", "_rebuild_tensor_v2") + tuple_of(number(1)) + b"R", "1 values")
    hooks = name("torch._utils", "_rebuild_parameter")
    hooks += tuple_of(tensor(4, 0, [4], [1]), b"\x88", b"}" + text("a") + number(1) + b"s") + b"R"
    refused(hooks, "hooks")


def test_truth_values_are_0_and_1():
    data = with_pickle(tensor(4, 0, [4], [1], kind="BoolStorage") + b".", [("0", b"\0\1\2\xff")])
    made = load(data)
    assert made.tolist() == [False, True, True, True] and made.sum().item() == 3


def test_attributes_never_replace_what_a_tensor_has():
    inner = tensor(4, 0, [4], [1])
    rebuild, args = inner[: inner.index(b"((")], inner[inner.index(b"((") : -1]

    def with_attribute(key):
        state = b"}" + text(key) + number(1) + b"s"
        parts = rebuild, name("torch", "Tensor"), args, state
        program = name("torch._tensor", "_rebuild_from_type_v2") + tuple_of(*parts) + b"R."
        return load(with_pickle(program, [("0", ELEMENTS)]))

    assert with_attribute("note").note == 1
    for key in ("data", "grad", "_grad", "__class__", "__dict__", "sum", "requires_grad"):
        with pytest.raises(pickle.UnpicklingError, match="cannot have an attribute"):
            with_attribute(key)


def test_an_ordered_dict_keeps_its_methods():
    program = name("collections", "OrderedDict") + b")R}" + text("{}") + number(1) + b"sb."
    made = load(with_pickle(program.replace(text("{}"), text("_metadata"))))
    assert made._metadata == 1
    with pytest.raises(pickle.UnpicklingError, match="cannot have an attribute 'items'"):
        load(with_pickle(program.replace(text("{}"), text("items"))))


# ---- Code ----------------------------------------------------------------------------------------


class Canary:
    sung = False

    def __reduce__(self):
        return sing, ()


def sing():
    Canary.sung = True


CODE = {
    "os.system": b"cos\nsystem\n" + text("true") + b"\x85R.",
    "posix.system": text("posix") + text("system") + b"\x93" + text("true") + b"\x85R.",
    "builtins.eval": b"cbuiltins\neval\n" + text("1") + b"\x85R.",
    "builtins.getattr": b"c__builtin__\ngetattr\n.",
    "collections.OrderedDict.fromkeys": b"ccollections\nOrderedDict.fromkeys\n.",
    "torch.load": b"ctorch\nload\n.",
    "torch.nn.modules.linear.Linear": b"ctorch.nn.modules.linear\nLinear\n)\x81.",
    "this.s": b"cthis\ns\n.",
}


@pytest.mark.parametrize("weights_only", [True, False, None])
@pytest.mark.parametrize("code", CODE)
def test_names_of_code(code, weights_only):
    with pytest.raises(pickle.UnpicklingError, match=f"Weights only load failed.*{code}"):
        load(with_pickle(CODE[code]), weights_only=weights_only)
    assert "this" not in sys.modules


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("zipped", [True, False])
def test_objects_of_programs(protocol, zipped):
    file = io.BytesIO()
    options = {"pickle_protocol": protocol, "_use_new_zipfile_serialization": zipped}
    torch.save({"a": Canary()}, file, **options)
    for weights_only in (True, False):
        with pytest.raises(pickle.UnpicklingError, match="test_torch_files_hostile.sing"):
            load(file.getvalue(), weights_only=weights_only)
    assert not Canary.sung


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (b"(cos\nsystem\no.", "os.system"),
        (b"(ios\nsystem\n.", "INST"),
        (b"(" + text("x") + b"o.", "OBJ"),
        (b"\x82\x01.", "EXT1"),
        (b"Pid\n.", "PERSID"),
        (b"\x97.", "NEXT_BUFFER"),
        (b"ccollections\nOrderedDict\n)}\x92.", "NEWOBJ_EX"),
        (b"\xff.", "no pickle instruction at byte 0"),
        (b"\x80\x09N.", "protocol 9"),
        (b"]}b.", "state of a value of class list"),
        (number(1) + b")R.", "calls 1"),
        (b"])R.", "calls a value of class list"),
        (b"ccollections\nOrderedDict\n" + number(1) + b"R.", "no tuple"),
        (b"ctorch\nTensor\n)\x81.", "makes an object of Tensor"),
        (b"ctorch\nTensor\n)R.", "calls Tensor"),
        (number(3) + b"a.", "has not made"),
        (number(3) + number(4) + b"a.", "appends to a value of class int"),
        (b"]" + number(3) + number(4) + b"s.", "sets items of a value of class list"),
        (b"}(" + number(1) + b"u.", "a key without a value"),
        (b"}]Ns.", "class list cannot be a key"),
        (b"N(", "cut off"),
        (b"NN.", "one value"),
        (b"(N.", "one value"),
        (b".", "one value"),
        (b"0.", "no mark"),
        (b"h\x07.", "value 7, which it has not made"),
        (b"g-1\n.", "number of a value"),
        (b"X\xff\xff\xff\xffab.", "cut off"),
        (b"\x8d" + b"\xff" * 8 + b".", "cut off"),
        (b"\x8b\xff\xff\xff\xff.", "below 0"),
        (b"X\x01\x00\x00\x00\xff.", "not UTF-8"),
        (b"I" + b"9" * 10000 + b"\n.", "where a value should be"),
        (b"Fx\n.", "where a value should be"),
        (b"c__builtin__\nbytearray\n" + number(2**40) + b"\x85R.", "not made of bytes"),
        (b"ctorch\nSize\n" + tuple_of(b"N") + b"\x85R.", "not made of integers"),
        (b"c__builtin__\ncomplex\n" + text("1") + text("2") + b"\x86R.", "two numbers"),
        (b"c_codecs\nencode\n" + text("a") + text("rot13") + b"\x86R.", "latin1"),
    ],
)
def test_programs(program, said):
    with pytest.raises(pickle.UnpicklingError, match=said):
        load(with_pickle(program))


# ---- Much of everything --------------------------------------------------------------------------

MEMORY = "UnpicklingError.* far more memory than a file of"
BOMBS = {
    **dict.fromkeys(["bytes", "sets", "empty sets", "tensors", "windows"], MEMORY),
    **dict.fromkeys(["a packed pickle", "a packed storage"], MEMORY),
    **dict.fromkeys(["lists", "tuples", "views", "cycle", "memo"], "loaded"),
    **dict.fromkeys(["a chain", "attributes"], "loaded"),
    "marks": "UnpicklingError.*(memory|one value)",
    "a deep key": "UnpicklingError.* more than 1000 parts",
    "a wide key": "UnpicklingError.* more than 1000 parts",
    "keys": "UnpicklingError.* equal hashes",
    "complex keys": "UnpicklingError.* equal hashes",
    "a deep version": "UnpicklingError.* version a value of class tuple",
    "a deep offset": "RuntimeError.* offset a value of class tuple",
}


@pytest.fixture(scope="module")
def answers():
    return said_of_bombs("torch_hostile.py")


@pytest.mark.parametrize("case", BOMBS)
def test_much(case, answers):
    assert re.match(BOMBS[case], answers[case])


def test_nothing_is_left_out(answers):
    assert answers.keys() == BOMBS.keys()
