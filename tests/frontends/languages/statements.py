"""What a program is made of: statements as data, without a language.

A program has eight slots, a0 to a7, which hold arrays from its first statements on. A statement that fails
leaves its slot as it was, and its error is part of what the program prints: so each language goes on with
the same arrays. Values of arguments are

    Slot             an array
    bool, int, float, complex    a number
    tuple            integers: a shape, axes
    list of Slots    arrays
    Dtype, Text      an element type; one of the texts that a row offers
    GENERATOR        the program's own generator

Items of an index are int, Slice, NEW, ELLIPSIS and Slot, which has positions or a mask.
"""

from __future__ import annotations

from dataclasses import dataclass, field

SLOTS = 8
TEMPORARIES = 5


@dataclass(frozen=True)
class Slot:
    number: int
    temporary: bool = False

    def __repr__(self):
        return f"{'t' if self.temporary else 'a'}{self.number}"


class Dtype(str):
    """The name of an element type."""


class Text(str):
    """One of the choices of an argument."""


@dataclass(frozen=True)
class Word:
    name: str

    def __repr__(self):
        return self.name


GENERATOR, NEW, ELLIPSIS = Word("generator"), Word("new"), Word("ellipsis")


@dataclass(frozen=True)
class Slice:
    start: int | None = None
    stop: int | None = None
    step: int | None = None


@dataclass
class Statement:
    """Its number in the program is what the lines that it prints begin with."""

    number: int = field(default=0, init=False, repr=False)


@dataclass
class Literal(Statement):
    """Numbers that stand in the program, as nested lists; without a type by the languages' rules. In a
    form of braces or, with a type, as memory of that type."""

    to: Slot
    values: object
    dtype: Dtype | None = None
    memory: bool = False


@dataclass
class Call(Statement):
    """A row of the table, as a function, a method, an operator, or (update) an operator that assigns to
    its first argument, or (into) with the slot's array as its output."""

    to: Slot
    row: str
    args: tuple
    options: dict = field(default_factory=dict)
    form: str = "function"


@dataclass
class Get(Statement):
    to: Slot
    of: Slot
    items: tuple


@dataclass
class Set(Statement):
    of: Slot
    items: tuple
    value: object


@dataclass
class SetUpdate(Statement):
    """of[items] += value, or with another operator: that of the row."""

    of: Slot
    items: tuple
    row: str
    value: object


@dataclass
class Alias(Statement):
    """Another name of the same array."""

    to: Slot
    of: Slot


@dataclass
class Detach(Statement):
    to: Slot
    of: Slot


@dataclass
class Attach(Statement):
    of: Slot
    add: bool = False


@dataclass
class Recording(Statement):
    body: list


@dataclass
class Backward(Statement):
    """Of one head alone by its method; gradients, if given, are one for each head."""

    heads: list
    gradients: list | None = None
    retain: bool = False


@dataclass
class GradientOf(Statement):
    """The gradient that is attached; a line says if there is none."""

    to: Slot
    of: Slot


@dataclass
class Gradients(Statement):
    """A gradient as a result; zeros where nothing flows."""

    to: Slot
    heads: list
    wanted: Slot
    create: bool = False


@dataclass
class Seed(Statement):
    seed: int


@dataclass
class Wait(Statement):
    of: Slot


@dataclass
class WaitAll(Statement):
    pass


@dataclass
class Show(Statement):
    """A line with element type, shape, and a digest of the elements."""

    of: Slot


@dataclass
class Late(Statement):
    """Statements of which one fails, at the call or at the wait that is the last: all in one attempt,
    so that it is the same in synchronous mode, where everything fails at the call."""

    body: list


@dataclass
class Program:
    seed: int
    statements: list


def walk(statements):
    """All statements, with those inside of others before the next."""
    for one in statements:
        yield one
        if isinstance(one, (Recording, Late)):
            yield from walk(one.body)


def numbered(program):
    """The program, its statements numbered from 0."""
    for number, one in enumerate(walk(program.statements)):
        one.number = number
    return program
