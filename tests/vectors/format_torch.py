"""Makes tests/tensor/format_torch_cases.inc: tensors, and the texts that PyTorch writes for them.

`make record-format` runs it; any Python with PyTorch will do.

A row is element type, dimensions, shape, options (precision, threshold, edge, width, scientific; -1
for the default of the first four), the prefix, the suffixes, the elements' bytes, the text. Without
bytes the elements are 0, 1, 2, ...
"""
import itertools
import os
import random

import torch

from literal import c_text

NAN, INF = float("nan"), float("inf")
TARGET = os.path.join(os.path.dirname(__file__), "..", "tensor", "format_torch_cases.inc")
FLOATS = ["float16", "bfloat16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
BITS = {"float16": torch.int16, "bfloat16": torch.int16, "float32": torch.int32,
        "float64": torch.int64}
DEFAULTS = (-1, -1, -1, -1, 0)


class TensorOfALongerName(torch.Tensor):
    pass


def torch_text(tensor, options):
    precision, threshold, edge, width, scientific = options
    with torch._tensor_str.printoptions(
            precision=4 if precision == -1 else precision,
            threshold=1000 if threshold == -1 else threshold,
            edgeitems=3 if edge == -1 else edge, linewidth=80 if width == -1 else width,
            sci_mode=None if scientific == 0 else scientific > 0):
        return repr(tensor)


def prefix_of(tensor):
    return "tensor(" if type(tensor) is torch.Tensor else type(tensor).__name__ + "("


def suffixes_of(tensor, options):
    """What PyTorch adds to the elements, in the order of its text."""
    parts, dtype = [], tensor.dtype
    if (tensor.numel() == 0 and tensor.dim() != 1) or (tensor.numel() != 0 and options[2] == 0):
        parts.append(f"size={tuple(tensor.shape)}")
    told = (torch.float32,) if tensor.numel() == 0 else (
        torch.float32, torch.complex64, torch.int64, torch.bool)
    if dtype not in told:
        parts.append(f"dtype={dtype}")
    if tensor.grad_fn is not None:
        parts.append(f"grad_fn=<{type(tensor.grad_fn).__name__}>")
    elif tensor.requires_grad:
        parts.append("requires_grad=True")
    return "\n".join(parts)


def bytes_of(tensor):
    flat = tensor.detach().as_subclass(torch.Tensor).contiguous().reshape(-1)
    return flat.view(torch.uint8).numpy().tobytes()


# ---- random tensors -----------------------------------------------------------------------


def sprinkle(source, values):
    """Some zeros, infinities and NaN among them."""
    share = source.choice([0, 0, 0, 0.1, 0.4, 1])
    extras = source.choice([[0.0], [0.0, -0.0], [NAN], [INF], [-INF], [NAN, INF, -INF, 0.0, -0.0]])
    return [source.choice(extras) if source.random() < share else v for v in values]


def random_numbers(source, count):
    """Whole numbers or not, of sizes that are all the same or very different."""
    kind = source.randrange(5)
    low = source.uniform(-12, 12)
    high = low + source.choice([0.3, 1, 2.9, 3.1, 6, 12])
    signs = source.choice([[1], [-1, 1]])
    if kind == 0:
        values = [source.choice(signs) * source.randrange(source.choice([3, 12, 2000, 10 ** 9]))
                  for _ in range(count)]
    elif kind == 1:
        values = [source.choice(signs) * float(round(10 ** source.uniform(0, abs(high))))
                  for _ in range(count)]
    elif kind == 2:
        values = [source.gauss(0, 1) for _ in range(count)]
    else:
        values = [source.choice(signs) * 10 ** source.uniform(low, high) for _ in range(count)]
    return sprinkle(source, values)


def random_floats(source, name, count):
    if source.random() < 0.1:  # any bits: subnormals, NaN of all kinds
        bits = BITS[name]
        half = 1 << torch.iinfo(bits).bits - 1
        words = [source.randrange(-half, half) for _ in range(count)]
        return torch.tensor(words, dtype=bits).view(getattr(torch, name))
    values = torch.tensor(random_numbers(source, count), dtype=torch.float64)
    return values.to(getattr(torch, name))


def random_integers(source, name, count):
    limits = torch.iinfo(getattr(torch, name))
    span = source.choice([2, 15, 300, 10 ** 5, 1 << 64])
    low, high = max(limits.min, -span * source.randrange(2)), min(limits.max, span)
    values = [source.randint(low, high) for _ in range(count)]
    return torch.tensor(values, dtype=getattr(torch, name))


def random_elements(source, name, count):
    if name in FLOATS:
        return random_floats(source, name, count)
    if name in COMPLEX:
        part = "float32" if name == "complex64" else "float64"
        return torch.complex(random_floats(source, part, count), random_floats(source, part, count))
    if name == "bool":
        share = source.choice([0.5, 0.5, 0, 1])
        return torch.tensor([source.random() < share for _ in range(count)], dtype=torch.bool)
    return random_integers(source, name, count)


def random_shape(source, most):
    shape = [source.choice([1, 2, 3, 4, 7, 11, 30]) for _ in range(source.choice([0, 1, 1, 2, 3, 4]))]
    if source.random() < 0.05:
        shape = shape[:3] + [0]
        source.shuffle(shape)
    while torch.Size(shape).numel() > most:
        shape[shape.index(max(shape))] //= 2
    return shape


def random_options(source):
    def pick(usual, others):
        return usual if source.random() < 0.7 else source.choice(others)

    return (pick(-1, [0, 1, 2, 3, 5, 6, 8, 20]), pick(-1, [0, 1, 5, 20]),
            pick(-1, [0, 1, 2, 5, 40]), pick(-1, [0, 1, 12, 25, 40, 60, 79, 81, 100, 200]),
            pick(0, [-1, 1]))


def random_case(source, most):
    """A tensor and options."""
    name = source.choice(FLOATS * 2 + COMPLEX + INTEGERS + ["bool"])
    shape = random_shape(source, most)
    tensor = random_elements(source, name, torch.Size(shape).numel()).reshape(shape)
    if source.random() < 0.1:
        tensor = tensor.as_subclass(TensorOfALongerName)
    if name in FLOATS + COMPLEX and source.random() < 0.3:
        tensor.requires_grad_()
        tensor = source.choice([tensor, tensor, tensor * 1])
    return tensor, random_options(source)


# ---- the cases ----------------------------------------------------------------------------

rows = []


def add_row(tensor, options, data):
    lengths = ", ".join(str(n) for n in tensor.shape) or "0"
    numbers = ", ".join(str(n) for n in options)
    texts = (prefix_of(tensor), suffixes_of(tensor, options), torch_text(tensor, options))
    prefix, suffixes, text = (c_text(t.encode()) for t in texts)
    elements = "NULL" if data is None else c_text(data)
    name = str(tensor.dtype).rpartition(".")[2].upper()
    rows.append(f"    {{PS_{name}, {tensor.dim()}, {{{lengths}}}, {{{numbers}}},\n"
                f"     {prefix}, {suffixes},\n     {elements},\n     {text}}},\n")


def case(name, values, options=DEFAULTS):
    tensor = torch.tensor(values, dtype=getattr(torch, name))
    add_row(tensor, options, bytes_of(tensor))


def counted(name, shape, options=DEFAULTS):
    count = torch.Size(shape).numel()
    add_row(torch.arange(count).reshape(shape).to(getattr(torch, name)), options, None)


def number_cases():
    for name, values in itertools.product(FLOATS, [
            3.0, -0.0, NAN, 1.5, 1e-5, [], [1, 2.5], [1.5, -200.25], [0.1, 1000], [1e-5, 1],
            [1, 0, 2000], [999.5, 1], [NAN, INF, -1], [NAN, -INF], [0.0, -0.0], [1, -0.0],
            [0.5, -0.0, NAN], [1, 1000], [1, 1001], [1, 1001.5], [0.00011, 0.0001], [2, INF]]):
        case(name, values)
    for values in [[1e8], [100000001.0], [123456789.0], [1e-300, 1e300], [-1e-5, 1e100], [5e-324],
                   [1e-4, 0.1], [0.00009999999999], [1e8 + 0.5], [0.5, 1.5, 2.5], [1 / 3, 2e10]]:
        case("float64", values)
        for scientific in [-1, 1]:
            case("float64", values, (-1, -1, -1, -1, scientific))
    for precision, values in itertools.product(
            [0, 1, 12, 60, 100], [[0.5, 1.5, 2.5, 100.125], [1e-5, 1], [1, 2], [-0.04, 3], [1e9, NAN]]):
        case("float64", values, (precision, -1, -1, -1, 0))
        case("float32", values, (precision, -1, -1, -1, 0))
    for name, values in itertools.product(COMPLEX, [
            1 + 2j, -0j, complex(NAN, -INF), [1 + 2j], [1.5 - 2.25j, 100], [1e10 + 1j, 1e-10j],
            [complex(-0.0, -0.0)], [complex(NAN, NAN), 1], [complex(INF, -INF), 0.5j], [[1, 2j], [-5, 0]],
            [1e-5 + 1j, 0.5 - 1e9j]]):
        case(name, values)
    for name in INTEGERS:
        limits = torch.iinfo(getattr(torch, name))
        case(name, [limits.min, 0, limits.max])
        case(name, limits.max)
    for values in [[True, False], [True, True], [False], True, False, [[True], [False]]]:
        case("bool", values)


def layout_cases():
    for shape in [(0,), (0, 3), (3, 0), (2, 0, 2)]:
        counted("float32", shape)
        counted("int64", shape)
        counted("complex128", shape)
    for shape in [(1000,), (1001,), (30, 40), (7, 200), (200, 7), (11, 11, 11), (2, 3, 400), (2, 2, 2, 2),
                  (1, 1, 1200), (1300, 1), (1, 1, 1), (6, 6, 6, 6)]:
        counted("int64", shape)
        counted("float64", shape)
        counted("complex64", shape)
    for shape, threshold, edge in itertools.product([(5,), (4, 6), (3, 7, 3)], [0, 5, 30], [0, 1, 2, 5]):
        counted("int16", shape, (-1, threshold, edge, -1, 0))
    for shape, width in itertools.product([(40,), (3, 15), (2, 2, 9)], [0, 10, 20, 33, 200]):
        counted("float32", shape, (-1, -1, -1, width, 0))
        counted("uint8", shape, (-1, -1, -1, width, 0))
    case("float32", [0.0] * 60)


def main():
    number_cases()
    layout_cases()
    source = random.Random(30)
    for _ in range(300):
        tensor, options = random_case(source, 60)
        add_row(tensor, options, bytes_of(tensor))
    with open(TARGET, "w") as out:
        out.write("/* Made by tests/vectors/format_torch.py with the texts of PyTorch "
                  f"{torch.__version__.partition('+')[0]}; do not edit. */\n")
        out.writelines(rows)
    print(len(rows), "cases")


if __name__ == "__main__":
    main()
