#!/usr/bin/env python3
"""Makes tests/ops/data/keys.vec: random indices, and what NumPy reads and writes with them.

    python3 tests/vectors/index.py                             the file of the tests
    python3 tests/vectors/index.py --count 100000 --to FILE    more of them: PENSTOCK_KEYS=FILE
                                                               makes ops/keys replay that file

Needs NumPy. The file is "PSKEYS1\\n" and then records without gaps. Everything is one byte; lengths
and elements are below 256, and -128 is a bound of a slice that was left out.

    shape      ndim, lengths
    items      their number; each its kind (ps_index_kind) and: start, stop, step of a slice; a
               position; element type, shape and elements of an array; shape and elements of a mask
    reading    outcome; if it is OK the shape of the result and its elements
    writing    the value's shape, or NUMBER; outcome; if it is OK the elements of x afterwards

x has the elements 0, 1, 2, ...; the value 128, 129, ... or the number 77. Of equal positions the last
one counts, which NumPy does not promise: elements are written one by one here, where NumPy reads
them.
"""
import argparse
import pathlib
import random

import numpy as np

TARGET = pathlib.Path(__file__).resolve().parent.parent / "ops" / "data" / "keys.vec"
SLICE, AT, NEW, ELLIPSIS, ARRAY, MASK = range(6)
OK, BAD_INDEX, BAD_POSITION, BAD_VALUE = range(4)
NUMBER, LEFT_OUT, MOST = 255, -128, 96
DTYPES = {"int8": 1, "int16": 2, "int32": 3, "int64": 4, "uint8": 5, "uint64": 8}


class Case:
    """A shape and a list of items, chosen together."""

    def __init__(self, chance):
        self.chance = chance
        self.shape = self.pick_shape()
        self.common = [chance.randint(0, 3) for _ in range(chance.choice([0, 1, 1, 2]))]
        self.out_of_range = False
        self.items = self.pick_items()

    def pick_shape(self):
        while True:
            shape = [self.chance.choice([1, 2, 3, 3, 4, 5]) for _ in range(self.chance.randint(0, 4))]
            if shape and self.chance.random() < 0.06:
                shape[self.chance.randrange(len(shape))] = 0
            if np.prod(shape, dtype=int) <= MOST:
                return tuple(shape)

    def rarely(self, p=0.01):
        return self.chance.random() < p

    def pick_slice(self, length):
        def end():
            return self.chance.choice([None, self.chance.randint(-length - 2, length + 2)])
        return slice(end(), end(), self.chance.choice([None, 1, 1, 2, -1, -2, 3, -7]))

    def pick_position(self, length):
        if length == 0 or self.rarely(0.005):
            return length + self.chance.randint(0, 2)
        return self.chance.randint(-length, length - 1)

    def pick_array(self, length):
        shape = self.common[self.chance.randint(0, len(self.common)):]
        shape = [1 if self.rarely(0.2) else n for n in shape]
        if self.rarely():
            shape = [*shape, 2]
        if length == 0:
            shape = [*shape[:-1], 0]
        dtype = self.chance.choice(list(DTYPES))
        low = 0 if dtype.startswith("u") else -length
        count = int(np.prod(shape, dtype=int))
        values = [self.chance.randint(low, length - 1) for _ in range(count)] if count else []
        if values and self.rarely(0.02):
            values[self.chance.randrange(count)] = length + self.chance.randint(0, 3)
            self.out_of_range = True
        return np.array(values, dtype=dtype).reshape(shape)

    def pick_mask(self, lengths):
        lengths = [n + self.rarely(0.005) for n in lengths]
        share = self.chance.choice([0.5, 0.5, 0.2, 0, 1])
        count = int(np.prod(lengths, dtype=int))
        bits = [self.chance.random() < share for _ in range(count)]
        return np.array(bits, dtype=bool).reshape(lengths)

    def pick_items(self):
        items, axis, masks = [], 0, 0
        while axis < len(self.shape):
            kind = self.chance.choice("aaammisss.")
            span = 1
            if kind == ".":
                break
            if kind == "a" or (kind == "m" and masks):
                items.append(self.pick_array(self.shape[axis]))
            elif kind == "m":
                span = self.chance.randint(1, len(self.shape) - axis)
                items.append(self.pick_mask(self.shape[axis:axis + span]))
                masks += 1
            elif kind == "i":
                items.append(self.pick_position(self.shape[axis]))
            else:
                items.append(self.pick_slice(self.shape[axis]))
            axis += span
        return self.add_others(items, axis)

    def add_others(self, items, axis):
        def insert(item):
            items.insert(self.chance.randint(0, len(items)), item)
        if axis == len(self.shape) and self.rarely(0.3) or self.rarely(0.02):
            insert(...)
        if self.rarely(0.2):
            insert(None)
        if self.rarely(0.04):
            insert(np.array(self.chance.random() < 0.7))
        if self.rarely(0.005):
            insert(self.chance.choice([..., 0, slice(None)]))
        return items


def lengths_bytes(shape):
    return bytes([len(shape), *shape])


def byte(number):
    return bytes([(LEFT_OUT if number is None else number) & 255])


def item_bytes(item):
    if isinstance(item, slice):
        return bytes([SLICE]) + byte(item.start) + byte(item.stop) + byte(item.step)
    if item is None or item is ...:
        return bytes([NEW if item is None else ELLIPSIS])
    if isinstance(item, int):
        return bytes([AT]) + byte(item)
    kind = bytes([MASK]) if item.dtype == bool else bytes([ARRAY, DTYPES[item.dtype.name]])
    return kind + lengths_bytes(item.shape) + item.astype(np.int8).tobytes()


def in_range(key):
    """The key with positions of arrays brought into range, to see what it would select."""
    return tuple(item % 1 if isinstance(item, np.ndarray) and item.dtype != bool else item
                 for item in key)


def read(x, key):
    """Outcome and positions."""
    try:
        return OK, np.asarray(x[key])
    except IndexError:
        pass
    try:
        x[in_range(key)]
    except IndexError:
        return BAD_INDEX, None
    return BAD_POSITION, None


def selects_nothing(x, key):
    """Whether there is nothing to read: NumPy then looks at some positions only."""
    try:
        return x[in_range(key)].size == 0
    except IndexError:
        return False


def pick_value_shape(chance, shape):
    own = list(shape[chance.randint(0, len(shape)):])
    own = [1 if chance.random() < 0.25 else n for n in own]
    if chance.random() < 0.1:
        own = [1] * (len(shape) - len(own) + 1) + own
    if own and chance.random() < 0.03:
        own[chance.randrange(len(own))] += 2
    return tuple(own)


def write(x, positions, value):
    """Outcome and elements afterwards."""
    while value.ndim > positions.ndim and value.shape[0] == 1:
        value = value[0]
    try:
        values = np.broadcast_to(value, positions.shape)
    except ValueError:
        return BAD_VALUE, b""
    after = x.copy().reshape(-1)
    for at, element in zip(positions.reshape(-1), values.reshape(-1)):
        after[at] = element
    return OK, after.astype(np.uint8).tobytes()


def record(case):
    """The bytes of a case, or None."""
    key = tuple(case.items)
    x = np.arange(int(np.prod(case.shape, dtype=int))).reshape(case.shape)
    outcome, positions = read(x, key)
    large = outcome == OK and positions.size > 2 * MOST
    nothing = case.out_of_range and selects_nothing(x, key)
    hollow = outcome == BAD_INDEX and x.size == 0  # of an axis without elements no position is right
    if large or nothing or hollow:
        return None
    data = lengths_bytes(case.shape) + bytes([len(key)]) + b"".join(map(item_bytes, key))
    data += bytes([outcome])
    shape, number = (), case.rarely(0.2)
    if outcome == OK:
        data += lengths_bytes(positions.shape) + positions.astype(np.uint8).tobytes()
        shape = pick_value_shape(case.chance, positions.shape)
    count = int(np.prod(shape, dtype=int))
    if count > 127:
        return None
    value = np.array(77) if number else np.arange(128, 128 + count).reshape(shape)
    data += bytes([NUMBER]) if number else lengths_bytes(shape)
    outcome, after = write(x, positions, value) if outcome == OK else (outcome, b"")
    return data + bytes([outcome]) + after


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", type=pathlib.Path, default=TARGET)
    options = parser.parse_args()
    chance, records = random.Random(options.seed), []
    while len(records) < options.count:
        data = record(Case(chance))
        if data is not None:
            records.append(data)
    options.to.write_bytes(b"PSKEYS1\n" + b"".join(records))


if __name__ == "__main__":
    main()
