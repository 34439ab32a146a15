"""Pickles as data: an interpreter of the instructions that values are made of.

It imports nothing and calls nothing that a file names. A name is looked up in a table that the
caller has; what may be called is in that table with the function that is run in its place. The
instructions for other objects are refused. Work and memory are in proportion to the file: what an
instruction makes is counted before it is made.
"""

from collections import Counter, OrderedDict
from pickle import UnpicklingError
from struct import unpack_from

# About how many bytes of memory things take.
_LIST, _DICT, _SET, _TUPLE, _MARK, _NOTE, _POINTER = 88, 240, 216, 56, 96, 100, 8
_MULTIPLE = 64  # of a file's size, that reading it may take
_KEY_PARTS = 1000  # of a tuple that is a key, with the tuples in it
_ALIKE_KEYS = 64  # of one container, with equal hashes
_PLAIN_KEYS = (str, bytes, bool, type(None))
_LARGE = 2**61 - 1  # integers below are their own hashes


PREFIX = "Weights only load failed. "


def refusal(text):
    """The error for what is no data."""
    return UnpicklingError(PREFIX + text)


def shown(value):
    """A value of a file for a text: short, however long or deep it is."""
    if type(value) is int:
        return str(value) if abs(value) < 2**64 else "a huge number"
    if type(value) is str:
        return ascii(value[:60])
    return f"a value of class {type(value).__name__}"


class Allowance:
    """How much memory a file may take beside that of its bytes: a multiple of them, and some."""

    def __init__(self, size, spare):
        self._size, self._left = size, spare + _MULTIPLE * size

    def __call__(self, count):
        self._left -= count
        if self._left < 0:
            raise refusal(f"It would take far more memory than a file of {self._size} bytes.")


class Interpreter:
    """Makes the value that the pickle at a place of some bytes describes.

    `table.named(module, name)` gives what a global stands for; `table.call`, `table.new` and
    `table.fill` make objects of such. `stored` gives the storage of a persistent id. `allowance` is
    told of memory before it is taken. All of them raise for what they do not know.
    """

    def __init__(self, data, table, stored, allowance, encoding="utf-8", at=0):
        self.data, self.at = data, at
        self.table, self.stored, self.allowance = table, stored, allowance
        self.encoding = encoding
        self.stack, self.marks, self.memo = [], [], {}
        self.hashes = {}  # how many keys of a container have a hash

    def run(self):
        """The value; `at` is then behind the pickle."""
        data, operations = self.data, _OPERATIONS
        if self.at >= len(data):
            raise EOFError("there is no pickle where one should begin")
        while True:
            at = self.at
            if at >= len(data):
                raise refusal(f"The pickle is cut off at byte {at}.")
            code = data[at]
            self.at = at + 1
            if code == _STOP:
                return self._result()
            operation = operations.get(code)
            if operation is None:
                raise self._unknown(code)
            operation(self)

    def _result(self):
        if self.marks or len(self.stack) != 1:
            raise refusal("The pickle does not end with one value.")
        return self.stack.pop()

    def _unknown(self, code):
        name = _REFUSED.get(code)
        if name is None:
            return refusal(f"There is no pickle instruction at byte {self.at - 1}: {code:#04x}.")
        return refusal(
            f"The file has the pickle instruction {name}, which makes objects that are no data."
        )

    # ---- Reading

    def take(self, count):
        """The next bytes."""
        at = self.at
        end = at + count
        if end > len(self.data):
            raise refusal(f"The pickle is cut off: {count} bytes are missing at byte {at}.")
        self.at = end
        return self.data[at:end]

    def number(self, form, count):
        """The next integer."""
        return unpack_from(form, self.take(count))[0]

    def line(self):
        """The bytes up to the end of a line."""
        end = self.data.find(b"\n", self.at)
        if end < 0:
            raise refusal(f"The pickle is cut off in a line at byte {self.at}.")
        found = self.data[self.at : end]
        self.at = end + 1
        return found

    # ---- The stack

    def push(self, value):
        self.stack.append(value)

    def pop(self):
        if not self.stack:
            raise refusal(f"The pickle takes a value that it has not made, at byte {self.at - 1}.")
        return self.stack.pop()

    def top(self):
        if not self.stack:
            raise refusal(f"The pickle needs a value that it has not made, at byte {self.at - 1}.")
        return self.stack[-1]

    def since_mark(self):
        """The values after the last mark, which goes."""
        if not self.marks:
            raise refusal(f"The pickle has no mark where it needs one, at byte {self.at - 1}.")
        found = self.stack
        self.stack = self.marks.pop()
        return found

    def note(self, place, value):
        """Remember a value under a number."""
        if place not in self.memo:
            self.allowance(_NOTE)
        self.memo[place] = value

    # ---- Containers

    def check_key(self, container, key):
        """Keys must have hashes that are found quickly, and differ."""
        kind = type(key)
        if kind in _PLAIN_KEYS or kind is int and -_LARGE < key < _LARGE:
            return
        _check_parts(key)
        place = (id(container), _hash(key))
        count = self.hashes.get(place, 0) + 1
        if count > _ALIKE_KEYS:
            raise refusal("A dict or set has too many keys with equal hashes.")
        self.allowance(_NOTE)
        self.hashes[place] = count

    def set_items(self, target, items):
        """Keys and values, in turn, into a dict."""
        if type(target) not in (dict, OrderedDict, Counter):
            raise refusal(f"The pickle sets items of a value of class {type(target).__name__}.")
        if len(items) % 2:
            raise refusal("The pickle has a key without a value.")
        for place in range(0, len(items), 2):
            key = items[place]
            if type(key) is not str:
                self.check_key(target, key)
            target[key] = items[place + 1]

    def add_items(self, target, items):
        """Values into a set."""
        for item in items:
            self.check_key(target, item)
            target.add(item)

    def append(self, items):
        target = self.top()
        if type(target) is not list:
            raise refusal(f"The pickle appends to a value of class {type(target).__name__}.")
        target.extend(items)


def _check_parts(key):
    """A tuple's hash is that of all that is in it, however often a part is there."""
    if not isinstance(key, (tuple, frozenset)):
        return
    waiting, count = [key], 0
    while waiting:
        for part in waiting.pop():
            count += 1
            if count > _KEY_PARTS:
                raise refusal(f"A key of a dict or set has more than {_KEY_PARTS} parts.")
            if isinstance(part, (tuple, frozenset)):
                waiting.append(part)


def _hash(key):
    try:
        return hash(key)
    except TypeError:
        raise refusal(f"A value of class {type(key).__name__} cannot be a key.") from None


# ---- Instructions --------------------------------------------------------------------------------

_STOP = ord(".")
_OPERATIONS = {}


def _on(code):
    def keep(function):
        _OPERATIONS[code if isinstance(code, int) else ord(code)] = function
        return function

    return keep


def _constant(code, value):
    _on(code)(lambda machine: machine.push(value))


for _code, _value in (("N", None), (0x88, True), (0x89, False), (")", ())):
    _constant(_code, _value)


def _integer(code, form, count):
    _on(code)(lambda machine: machine.push(machine.number(form, count)))


for _code, _form, _count in (
    ("K", "<B", 1),
    ("M", "<H", 2),
    ("J", "<i", 4),
    ("G", ">d", 8),
):
    _integer(_code, _form, _count)


def _text(machine, content):
    try:
        return str(content, "utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise refusal(f"A text of the pickle is not UTF-8: {error}.") from None


def _bytes(machine, content):
    return bytes(content)


def _byte_array(machine, content):
    return bytearray(content)


def _old_text(machine, content):
    """A str of Python 2."""
    if machine.encoding == "bytes":
        return bytes(content)
    try:
        return str(content, machine.encoding)
    except (UnicodeDecodeError, LookupError) as error:
        raise refusal(f"A text of the pickle is not {machine.encoding}: {error}.") from None


def _counted(code, form, size, made):
    def operation(machine):
        count = machine.number(form, size)
        if count < 0:
            raise refusal("The pickle has a text of a length below 0.")
        machine.push(made(machine, machine.take(count)))

    _on(code)(operation)


for _code, _form, _count, _made in (
    (0x8C, "<B", 1, _text),
    ("X", "<I", 4, _text),
    (0x8D, "<Q", 8, _text),
    ("C", "<B", 1, _bytes),
    ("B", "<I", 4, _bytes),
    (0x8E, "<Q", 8, _bytes),
    (0x96, "<Q", 8, _byte_array),
    ("U", "<B", 1, _old_text),
    ("T", "<i", 4, _old_text),
    (0x8A, "<B", 1, lambda machine, content: int.from_bytes(content, "little", signed=True)),
    (0x8B, "<i", 4, lambda machine, content: int.from_bytes(content, "little", signed=True)),
):
    _counted(_code, _form, _count, _made)


def _of_line(code, made):
    def operation(machine):
        line = machine.line()
        try:
            machine.push(made(line))
        except ValueError:
            raise refusal(f"The pickle has {line[:40]!r} where a value should be.") from None

    _on(code)(operation)


def _integer_or_bool(line):
    """Protocols without instructions for them wrote truth values as integers of two digits."""
    return int(line) if line not in (b"00", b"01") else line == b"01"


_of_line("I", _integer_or_bool)
_of_line("L", lambda line: int(line.removesuffix(b"L")))
_of_line("F", float)
_of_line("V", lambda line: str(line, "raw-unicode-escape"))


@_on("S")
def _quoted(machine):
    import codecs

    line = machine.line().strip()
    if len(line) < 2 or line[0] != line[-1] or line[:1] not in (b"'", b'"'):
        raise refusal("The pickle has a text without quotes.")
    try:
        content = codecs.escape_decode(line[1:-1])[0]
    except ValueError as error:
        raise refusal(f"A text of the pickle is wrong: {error}.") from None
    machine.push(_old_text(machine, content))


# ---- Instructions for containers


def _empty(code, kind, cost):
    def operation(machine):
        machine.allowance(cost)
        machine.push(kind())

    _on(code)(operation)


for _code, _kind, _cost in (("]", list, _LIST), ("}", dict, _DICT), (0x8F, set, _SET)):
    _empty(_code, _kind, _cost)


@_on("(")
def _mark(machine):
    machine.allowance(_MARK)
    machine.marks.append(machine.stack)
    machine.stack = []


@_on("l")
def _list(machine):
    machine.allowance(_LIST)
    machine.push(machine.since_mark())


@_on("t")
def _tuple(machine):
    items = machine.since_mark()
    machine.allowance(_TUPLE + _POINTER * len(items))
    machine.push(tuple(items))


def _short_tuple(code, count):
    def operation(machine):
        machine.allowance(_TUPLE + _POINTER * count)
        items = [machine.pop() for _ in range(count)]
        machine.push(tuple(reversed(items)))

    _on(code)(operation)


for _count in (1, 2, 3):
    _short_tuple(0x84 + _count, _count)


@_on("d")
def _dict(machine):
    machine.allowance(_DICT)
    made, items = {}, machine.since_mark()
    machine.set_items(made, items)
    machine.push(made)


@_on("a")
def _append(machine):
    item = machine.pop()
    machine.append((item,))


@_on("e")
def _appends(machine):
    items = machine.since_mark()
    machine.append(items)


@_on("s")
def _set_item(machine):
    value, key = machine.pop(), machine.pop()
    machine.set_items(machine.top(), (key, value))


@_on("u")
def _set_items(machine):
    items = machine.since_mark()
    machine.set_items(machine.top(), items)


@_on(0x90)
def _add_items(machine):
    items = machine.since_mark()
    target = machine.top()
    if type(target) is not set:
        raise refusal(f"The pickle adds to a value of class {type(target).__name__}.")
    machine.add_items(target, items)


@_on(0x91)
def _frozen_set(machine):
    items, made = machine.since_mark(), set()
    machine.allowance(2 * _SET)
    machine.add_items(made, items)
    machine.push(frozenset(made))


# ---- Instructions for the stack and the memo


@_on("0")
def _drop(machine):
    if machine.stack:
        machine.stack.pop()
    else:
        machine.since_mark()


@_on("1")
def _drop_to_mark(machine):
    machine.since_mark()


@_on("2")
def _twice(machine):
    machine.push(machine.top())


def _noted(code, place):
    _on(code)(lambda machine: machine.note(place(machine), machine.top()))


def _recalled(code, place):
    def operation(machine):
        number = place(machine)
        if number not in machine.memo:
            raise refusal(f"The pickle refers to value {number}, which it has not made.")
        machine.push(machine.memo[number])

    _on(code)(operation)


def _line_number(machine):
    line = machine.line()
    if not line.isdigit() or len(line) > 20:
        raise refusal(f"The pickle has {line[:40]!r} for the number of a value.")
    return int(line)


for _code, _place in (
    ("q", lambda machine: machine.number("<B", 1)),
    ("r", lambda machine: machine.number("<I", 4)),
    ("p", _line_number),
    (0x94, lambda machine: len(machine.memo)),
):
    _noted(_code, _place)
for _code, _place in (
    ("h", lambda machine: machine.number("<B", 1)),
    ("j", lambda machine: machine.number("<I", 4)),
    ("g", _line_number),
):
    _recalled(_code, _place)


@_on(0x80)
def _protocol(machine):
    found = machine.take(1)[0]
    if found > 5:
        raise refusal(f"The pickle is of protocol {found}, and 5 is the last that is known.")


@_on(0x95)
def _frame(machine):
    machine.take(8)


# ---- Instructions for objects


@_on("c")
def _global(machine):
    module, name = machine.line(), machine.line()
    machine.push(machine.table.named(_text(machine, module), _text(machine, name)))


@_on(0x93)
def _stack_global(machine):
    name, module = machine.pop(), machine.pop()
    if type(name) is not str or type(module) is not str:
        raise refusal("The pickle has a global whose name is no text.")
    machine.push(machine.table.named(module, name))


@_on("R")
def _call(machine):
    arguments, function = machine.pop(), machine.pop()
    if type(arguments) is not tuple:
        raise refusal("The pickle calls with arguments that are no tuple.")
    machine.push(machine.table.call(machine, function, arguments))


@_on(0x81)
def _new(machine):
    arguments, kind = machine.pop(), machine.pop()
    if type(arguments) is not tuple:
        raise refusal("The pickle makes an object of arguments that are no tuple.")
    machine.push(machine.table.new(machine, kind, arguments))


@_on("b")
def _build(machine):
    state = machine.pop()
    machine.table.fill(machine, machine.top(), state)


@_on("Q")
def _persistent(machine):
    machine.push(machine.stored(machine.pop()))


_REFUSED = {
    ord("P"): "PERSID",
    ord("i"): "INST",
    ord("o"): "OBJ",
    0x82: "EXT1",
    0x83: "EXT2",
    0x84: "EXT4",
    0x92: "NEWOBJ_EX",
    0x97: "NEXT_BUFFER",
    0x98: "READONLY_BUFFER",
}
del _code, _value, _form, _count, _made, _kind, _cost, _place
