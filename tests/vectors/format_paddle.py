"""Makes tests/tensor/format_paddle_cases.inc: tensors, and the texts that PaddlePaddle writes for them.

`make record-format-paddle` runs it; any Python with PaddlePaddle will do.

A row is element type, dimensions, shape, options (precision, threshold, edge, width; -1 for the
default), whether exponents are asked for, the prefix, no suffixes, the elements' bytes, the text.
Without bytes the elements are 0, 1, 2, ...
"""
import math
import os
import random

import numpy as np
import paddle

from literal import c_text

NAN, INF = float("nan"), float("inf")
TARGET = os.path.join(os.path.dirname(__file__), "..", "tensor", "format_paddle_cases.inc")
FLOATS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8"]
USUAL = {"precision": 8, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": False}
rows = []


def add(array, precision=-1, threshold=-1, edge=-1, width=-1, scientific=0):
    """A row for an array of NumPy's."""
    given = {"precision": precision, "threshold": threshold, "edgeitems": edge, "linewidth": width}
    options = {**USUAL, **{name: value for name, value in given.items() if value != -1}}
    paddle.set_printoptions(**{**options, "sci_mode": scientific > 0})
    text = repr(paddle.to_tensor(array))
    prefix = text[: text.index("\n") + 8]  # to the place where the elements begin
    lengths = ", ".join(map(str, array.shape)) or "0"
    numbers = f"{precision}, {threshold}, {edge}, {width}, {scientific}"
    counted = array.size > 900 and (array.reshape(-1) == np.arange(array.size)).all()
    data = "NULL" if counted else c_text(array.tobytes())
    rows.append(f"    {{PS_{array.dtype.name.upper()}, {array.ndim}, {{{lengths}}}, {{{numbers}}},\n"
                f"     {c_text(prefix.encode())}, {c_text(b'')},\n     {data},\n"
                f"     {c_text(text.encode())}}},\n")


def numbers(source, count):
    """Whole or not, of sizes that are all the same or very different, with some that are none."""
    kind, low = source.randrange(4), source.uniform(-10, 8)
    signs = source.choice([[1], [-1, 1]])
    values = [source.choice(signs) * (
        source.randrange(source.choice([3, 12, 2000])) if kind == 0
        else source.gauss(0, 1) if kind == 1
        else 10 ** source.uniform(low, low + source.choice([0.5, 3, 9]))) for _ in range(count)]
    share = source.choice([0, 0, 0, 0.1, 0.5])
    extras = source.choice([[0.0, -0.0], [NAN], [INF], [-INF], [NAN, INF, -INF, 0.0, -0.0]])
    return [source.choice(extras) if source.random() < share else v for v in values]


def elements(source, name, count):
    if name in FLOATS:
        return np.array(numbers(source, count)).astype(name)
    if name in COMPLEX:
        parts = [np.array(numbers(source, count)) for _ in range(2)]
        return (parts[0] + 1j * np.where(np.isfinite(parts[1]), parts[1], 1)).astype(name)
    if name == "bool":
        return np.array([source.random() < 0.5 for _ in range(count)])
    limits = np.iinfo(name)
    span = source.choice([2, 15, 300, 10**5])
    low, high = max(limits.min, -span * source.randrange(2)), min(limits.max, span)
    return np.array([source.randint(low, high) for _ in range(count)], dtype=name)


def shape_of(source):
    shape = [source.choice([1, 2, 3, 4, 7, 11, 30]) for _ in range(source.choice([0, 1, 1, 2, 3, 4]))]
    if source.random() < 0.05:
        shape = shape[:3] + [0]
        source.shuffle(shape)
    while math.prod(shape) > 60:
        shape[shape.index(max(shape))] //= 2
    return shape


def random_cases(source, count):
    def pick(others):
        return -1 if source.random() < 0.7 else source.choice(others)

    for _ in range(count):
        name = source.choice(FLOATS * 2 + COMPLEX + INTEGERS + ["bool"])
        shape = shape_of(source)
        array = elements(source, name, math.prod(shape)).reshape(shape)
        add(array, pick([0, 1, 2, 3, 5, 12]), pick([0, 1, 5, 20]), pick([1, 2, 5, 40]),
            pick([12, 25, 40, 60, 79, 81, 100, 200]), int(source.random() < 0.1))


def main():
    with np.errstate(all="ignore"):
        for shape in [(1000,), (1001,), (30, 40), (7, 200), (200, 7), (11, 11, 11), (2, 2, 2, 2)]:
            add(np.arange(math.prod(shape)).reshape(shape))
            add(np.arange(math.prod(shape)).reshape(shape).astype("float32"))
        for values in [1.5, NAN, [], [1.0, -0.0], [1e20, 2.5], [INF, -INF, NAN], [-1e-12, 1]]:
            add(np.array(values, "float32"))
            add(np.array(values, "float64"), scientific=1)
        random_cases(random.Random(17), 300)
    with open(TARGET, "w") as out:
        out.write("/* Made by tests/vectors/format_paddle.py with the texts of PaddlePaddle "
                  f"{paddle.__version__}; do not edit. */\n")
        out.writelines(rows)
    print(len(rows), "cases")


if __name__ == "__main__":
    main()
