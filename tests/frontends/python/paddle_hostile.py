"""Damaged and hostile files for paddle.load, and a process that loads many (hostile_process.py)."""

import io
import pickle

import hostile_pickles
from hostile_pickles import BIG, Chance, cut, flipped, name, number, text, tuple_of
from hostile_process import Hostile, main

# ---- Arrays by hand ------------------------------------------------------------------------------


def dtype(kind="f4", order="<"):
    state = tuple_of(number(3), text(order), b"N", b"N", b"N", number(-1), number(-1), number(0))
    return name("numpy", "dtype") + tuple_of(text(kind), b"\x89", b"\x88") + b"R" + state + b"b"


def array(shape=(4,), content=bytes(16), kind="f4", order="<", fortran=b"\x89"):
    """A NumPy array as pickles have it."""
    empty = tuple_of(name("numpy", "ndarray"), tuple_of(number(0)), b"C\1b")
    raw = b"B" + len(content).to_bytes(4, "little") + content
    state = tuple_of(number(1), tuple_of(*map(number, shape)), dtype(kind, order), fortran, raw)
    return name("numpy._core.multiarray", "_reconstruct") + empty + b"R" + state + b"b"


def pair(inner, called=None):
    """A tensor: tuple((name, array))."""
    named = text("a") if called is None else called
    return name("builtins", "tuple") + tuple_of(tuple_of(named, inner)) + b"R"


# ---- Mutations -----------------------------------------------------------------------------------

WORDS = ["", "a", "b", "f4", "<", ">", "|", "latin1", "C", "F", "StructuredToParameterName@@"]
CODE = [("paddle", "load"), ("penstock.paddle", "load"), ("paddle.nn", "Linear")]
DATA = [
    *(("collections", "OrderedDict"), ("builtins", "tuple"), ("builtins", "complex")),
    *(("_codecs", "encode"), ("numpy", "dtype"), ("numpy", "ndarray")),
    *(("numpy._core.multiarray", "_reconstruct"), ("numpy.core.multiarray", "scalar")),
    *(("numpy._core.numeric", "_frombuffer"), ("builtins", "set"), ("builtins", "frozenset")),
    *(("builtins", "bytearray"), ("paddle", "Tensor"), ("paddle.base.core", "eager")),
]
KINDS = ["f4", "f8", "i8", "u1", "u2", "b1", "c8", "S4", "U1", "O8", "V4", "f2", "M8", "x"]


def random_array(draw):
    shape = [draw.choice((0, 1, 2, 4, 2**40, 2**63, -1)) for _ in range(draw.randrange(4))]
    if draw.random() < 0.5:
        shape = draw.choice([(4,), (2, 2), (), (1, 4)])
    content = bytes(draw.choice((0, 4, 15, 16, 16, 16, 32)))
    fortran = bytes([draw.choice(b"\x88\x89N")])
    return array(shape, content, draw.choice(KINDS), draw.choice("<<<|=>"), fortran)


def random_pair(draw):
    return pair(random_array(draw), draw.choice([None, b"N", number(3)]))


CHANCE = Chance(WORDS, DATA, [random_array, random_pair], CODE)


def mutation(draw, files):
    """A file that is not as it was."""
    data = draw.choice(files)
    way = draw.randrange(10)
    if way == 0:
        return cut(draw, data)
    if way < 4:
        return flipped(draw, data)
    if way < 8:
        return CHANCE.changed(draw, data)
    return CHANCE.program(draw)


# ---- Much of everything --------------------------------------------------------------------------


def bombs():
    """Files that would like to be large, or to take long."""
    yield from hostile_pickles.bombs()
    shared = b"]q\0" + b"".join(
        b"](h" + bytes([at]) + b"h" + bytes([at]) + b"eq" + bytes([at + 1]) for at in range(100)
    )
    yield "lists of lists", b"(" + shared + b"t."
    tuples = b")q\0" + b"".join(
        b"h" + bytes([at]) + b"h" + bytes([at]) + b"\x86q" + bytes([at + 1]) for at in range(100)
    )
    yield "tuples of tuples", b"(" + tuples + b"t."
    yield "branching cycle", b"]q\0(h\0h\0h\0h\0e."
    yield "a cycle of tuples", b"]q\0(h\0\x85h\0\x85e."
    large = array((1 << 20,), bytes(4 << 20))
    yield "tensors of one array", large + b"q\x000](" + pair(b"h\0") * BIG + b"e."
    named = b"".join(text(f"a{at}") + b"h\0" for at in range(BIG))
    state = text("StructuredToParameterName@@") + b"}"
    yield "a state of one array", large + b"q\x000}(" + named + state + b"u."
    yield "a claimed shape", array((2**40,)) + b"."
    yield "a huge shape", array((2**40, 2**40, 2**40)) + b"."
    yield "no elements of a huge shape", pair(array((2**62, 2**62, 0), b"")) + b"."
    yield "a claimed length", b"\x80\x04\x8e" + (2**60).to_bytes(8, "little") + b"ab."
    yield "wide texts", array((1,), bytes(40), "U999999999") + b"."


# ---- The process ---------------------------------------------------------------------------------


def files_of(paddle):
    """A few valid files to begin with."""
    import collections

    import numpy

    layer = paddle.nn.Linear(2, 3)
    adam = paddle.optimizer.Adam(0.1, parameters=layer.parameters())
    layer(paddle.ones([1, 2])).sum().backward()
    adam.step()
    types = ("bool", "int32", "float64", "uint8", "complex64", "float16")
    values = [
        layer.state_dict(),
        adam.state_dict(),
        {"a": paddle.ones([2, 3]), "b": [1, "x", None, 2.5], "c": numpy.arange(3), "d": (1, True)},
        [paddle.ones([2]).astype(one) for one in types],
        collections.OrderedDict(a=paddle.zeros([0, 2]), b=b"ab", z=1j, n=2**70),
        [numpy.float32(2), numpy.arange(6).reshape(2, 3).T, paddle.to_tensor(1.5)],
    ]
    made = []
    for value in values:
        for protocol in (2, 4):
            file = io.BytesIO()
            paddle.save(value, file, protocol=protocol)
            made.append(file.getvalue())
    return [*made, pickle.dumps(numpy.arange(3.0), 5)]


class Paddle(Hostile):
    """paddle.load."""

    def __init__(self):
        from penstock import paddle

        self.paddle = paddle

    def files(self):
        return files_of(self.paddle)

    def load(self, data, whole=False):
        return self.paddle.load(io.BytesIO(data), return_numpy=whole)

    def tensors(self):
        return self.paddle.Tensor

    def bad(self):
        yield from (b"", b"x", b"PK\3\4", b"cos\nsystem\n.", b"Va\n.", b"S'a'\n.", b"I1\n.")
        yield from (b"L1L\n.", b"F1\n.", b"]" * 300 + b"a" * 299 + b".")
        for kind in KINDS:
            yield pair(array(kind=kind)) + b"."

    def mutation(self, draw, files):
        return mutation(draw, files)

    def bombs(self):
        return bombs()


if __name__ == "__main__":
    main(Paddle())
