"""Pickles by hand, and pickles that are not as they were: what tests of files have in common."""

import pickletools
import struct

# ---- By hand -------------------------------------------------------------------------------------


def text(value):
    raw = value.encode("utf-8", "surrogatepass")
    return b"X" + struct.pack("<I", len(raw)) + raw


def number(value):
    if 0 <= value < 256:
        return b"K" + bytes([value])
    size = value.bit_length() // 8 + 1
    return b"\x8a" + bytes([size]) + value.to_bytes(size, "little", signed=True)


def name(module, attribute):
    return f"c{module}\n{attribute}\n".encode()


def tuple_of(*parts):
    return b"(" + b"".join(parts) + b"t"


# ---- By chance -----------------------------------------------------------------------------------

NUMBERS = (0, 1, 2, 3, 4, 255, 256, 65535, 2**31 - 1, 2**31, 2**32, 2**62, 2**63 - 1, 2**63, 2**64)
NUMBERS += tuple(-one for one in NUMBERS) + (2**200,)
CODES = bytes(ord(opcode.code) for opcode in pickletools.opcodes)
DEEP = b")" + b"q\0h\0\x86" * 100  # a tuple of two that are one, and so on

# Names of code, which no file may name.
CODE = [
    *(("os", "system"), ("posix", "system"), ("builtins", "eval"), ("__builtin__", "exec")),
    *(("subprocess", "Popen"), ("canary", "sing"), ("this", "s"), ("builtins", "getattr")),
]


def flipped(draw, data, most=8):
    made = bytearray(data)
    for _ in range(draw.randint(1, most)):
        if made:
            made[draw.randrange(len(made))] = draw.randrange(256)
    return bytes(made)


def cut(draw, data):
    at = draw.randrange(len(data) + 1)
    way = draw.randrange(4)
    if way == 0:
        return data[:at]
    if way == 1:
        return data[at:]
    end = at + draw.randrange(1, 200)
    return data[:at] + data[end:] if way == 2 else data[:end] + data[at:]


def instructions(program):
    """The pickle cut into its instructions."""
    places = [at for _, _, at in pickletools.genops(program)]
    return [program[at:end] for at, end in zip(places, [*places[1:], len(program)])]


class Chance:
    """Pickles by chance for a dialect.

    `words` are texts that its files have, `data` names that they may have, `others` the functions of
    its own kinds of values, and `code` names of its code.
    """

    def __init__(self, words, data, others, code=()):
        self.words, self.data, self.others = words, data, others
        self.names = [*CODE, *code, *data]

    def value(self, draw):
        way = draw.randrange(7 + len(self.others))
        if way == 0:
            return number(draw.choice(NUMBERS))
        if way == 1:
            return text(draw.choice(self.words))
        if way == 2:
            return name(*draw.choice(self.names))
        if way == 3:
            return bytes([draw.choice(b"N)]}\x88\x89\x8f(")])
        if way == 4:
            return b"h" + bytes([draw.randrange(40)])
        if way == 5:
            return b"C\x04abcd"
        if way == 6:
            return b"G" + struct.pack(">d", draw.choice((0.0, 1.5, float("nan"), 1e300)))
        return self.others[way - 7](draw)

    def call(self, draw):
        """A function that data may name, with anything as its arguments."""
        inner = self.call if draw.random() < 0.2 else self.value
        parts = [inner(draw) for _ in range(draw.randrange(8))]
        end = draw.choice([b"R", b"R", b"R", b"\x81", b"R}b"])
        return name(*draw.choice(self.data)) + tuple_of(*parts) + end

    def program(self, draw):
        """Values, and instructions that take some; or one call."""
        if draw.random() < 0.5:
            return self.call(draw) + b"."
        parts = [b"\x80\x02"]
        for _ in range(draw.randrange(1, 40)):
            if draw.random() < 0.1:
                parts.append(self.call(draw))
            elif draw.random() < 0.6:
                parts.append(self.value(draw))
            elif draw.random() < 0.9:
                parts.append(bytes([draw.choice(b"Rbtlesuda012\x81\x85\x86\x87\x90\x91Q\x93\x94")]))
            else:
                parts.append(bytes([draw.choice(CODES)]) + draw.randbytes(draw.randrange(5)))
        return b"".join(parts) + b"."

    def changed(self, draw, program):
        """A pickle with other instructions in it."""
        parts = instructions(program)
        for _ in range(draw.randint(1, 4)):
            at = draw.randrange(len(parts))
            way = draw.randrange(5)
            if way == 0:
                del parts[at]
            elif way == 1:
                parts.insert(at, draw.choice(parts))
            elif way == 2:
                parts.insert(at, self.value(draw))
            elif way == 3:
                parts[at] = self.call(draw) if draw.random() < 0.2 else self.value(draw)
            else:
                other = draw.randrange(len(parts))
                parts[at], parts[other] = parts[other], parts[at]
            if not parts:
                break
        return b"".join(parts)


# ---- Much of everything --------------------------------------------------------------------------

BIG = 60_000


def bombs():
    """Pickles that would like to be large, in any dialect."""
    words = text("x" * 100_000) + b"q\0" + text("latin1") + b"q\1"
    again = b"h\2h\0h\1\x86R"
    yield "bytes", words + name("_codecs", "encode") + b"q\2(" + again * BIG + b"t."
    yield "empty sets", b"(" + b"\x8f" * BIG * 8 + b"t."
    yield "marks", b"(" * BIG * 5 + b"."
    yield "lists", b"]" * BIG * 5 + b"a" * (BIG * 5 - 1) + b"."
    yield "tuples", b")" + b"\x85" * BIG * 5 + b"."
    yield "a deep key", b"})" + b"\x85" * BIG * 5 + b"Ns."
    yield "a wide key", b"}" + DEEP + b"Ns."
    alike = b"".join(number(k * (2**61 - 1)) + b"N" for k in range(BIG))
    yield "keys", b"}(" + alike + b"u."
    pairs = b"".join(
        b"h\0" + b"G" + struct.pack(">d", -1000003.0 * k) + b"G" + struct.pack(">d", k) + b"\x86R"
        for k in range(BIG // 10)
    )
    made = name("__builtin__", "complex") + b"q\0" + b"0\x8f(" + pairs + b"\x90."
    yield "complex keys", made
    yield "cycle", b"]q\0h\0a."
    yield "memo", b"".join(b"Nr" + struct.pack("<I", k) + b"0" for k in range(BIG)) + b"N."
