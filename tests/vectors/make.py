#!/usr/bin/env python3
"""Makes the reference vectors that the kernels are tested against.

    make.py          writes *.vec beside itself
    make.py --check  fails if they would change

Needs NumPy and mpmath from PyPI. The primitives come from src/kernels/prims.def: one that has no
rule here stops it. formats.py describes the files, values.py chooses the inputs, exact.py, true.py,
cast.py and reduce.py compute what is expected.
"""
import pathlib
import re
import sys

import cast
import exact
import reduce
import true
import values
from formats import COMPLEX, FLOATS, INTEGERS, PARTS, File

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE.parent.parent / "src" / "kernels" / "prims.def"
LETTERS = {"B": ["bool"], "I": INTEGERS, "F": FLOATS, "Z": COMPLEX}
# Rounded functions that the table calls exact, because every instruction set rounds them alike.
ROUNDED_COMPLEX = ["abs", "sign", "sqrt"]


def primitives():
    """(name, arity, dtypes, result, exact) of every row of the table."""
    pattern = r"^PRIM\((\w+), (\d), ([BIFZ| ]+), (\w+), (true|false)\)"
    rows = re.findall(pattern, TABLE.read_text(), re.MULTILINE)
    if len(rows) != TABLE.read_text().count("\nPRIM("):
        sys.exit(f"{TABLE}: rows that this script cannot read")
    return [(name, int(arity), [d for letter in dtypes.split(" | ") for d in LETTERS[letter]],
             result, is_exact == "true") for name, arity, dtypes, result, is_exact in rows]


def group(name, arity, result, is_exact):
    if name.startswith(("bitwise", "shift")):
        return "bits"
    if name == "where":
        return "choice"
    if arity == 2:
        return "comparison" if result == "BOOL" else "arithmetic"
    return "unary" if is_exact else "functions"


def result_type(result, dtype):
    return {"SAME": dtype, "BOOL": "bool", "REAL": PARTS.get(dtype, dtype)}[result]


def compute(name, dtype, is_exact, operands):
    rounding = not is_exact and dtype not in INTEGERS
    if rounding or (name in ROUNDED_COMPLEX and dtype in COMPLEX):
        return true.compute(name, dtype, operands)
    return exact.compute(name, dtype, operands)


def choices(dtype):
    x = values.singles(dtype)
    y = x[1:] + x[:1]
    return [i % 3 == 0 for i in range(len(x))], x, y


def complex_powers(dtype):
    """Finite and not far out of range: no standard says what the rest of cpow gives."""
    z, w = (values.complex_random(dtype, 160, f"pow {i}", 0) for i in (0, 1))
    fit = [(a, b) for a, b in zip(z, w) if abs(b * values.math.log(abs(a))) < 60][:100]
    fit += [(a, complex(0, 0)) for a in z[:5]] + [(complex(0, 0), complex(2, 1))]
    fit += [(complex(a, 0.0), complex(b, 0)) for a in (2.0, -2.0, 0.5) for b in (1, 2, 3, 0.5, -1)]
    return list(zip(*fit))


def real_powers(dtype):
    """Bases near 1 with large exponents, negative ones with whole exponents."""
    x = values.float_random(dtype, 40, "pow", 0)
    y = values.float_random(dtype, 40, "power", 0)
    near = [1 + values.rounded(dtype, v / 65536) for v in x]
    large = [values.rounded(dtype, v * 1000) for v in y]
    whole = [float(int(v)) for v in y]
    return ([abs(v) for v in x] + [values.rounded(dtype, v) for v in near] + x,
            [4 * v for v in y] + large + whole)


def extra_inputs(name, dtype):
    """Inputs of one primitive's own."""
    if name == "pow" and dtype in FLOATS:
        return real_powers(dtype)
    if dtype in FLOATS:
        own = values.thresholds(dtype, name)
        return [own] if own else None
    return None


class Group:
    """A file and the sets that its rows share."""

    def __init__(self):
        self.file = File()
        self.shared = {}

    def inputs(self, name, arity, dtype):
        """(set number, operands)."""
        if name == "pow" and dtype in COMPLEX:
            operands = complex_powers(dtype)
            return self.file.add_set(dtype, operands), operands
        if (arity, dtype) not in self.shared:
            operands = {1: lambda d: (values.singles(d),), 2: values.pairs, 3: choices}[arity](dtype)
            number = self.file.add_set(dtype, operands, condition=arity == 3)
            self.shared[arity, dtype] = number, operands
        return self.shared[arity, dtype]

    def add(self, name, arity, dtype, result, is_exact):
        sets = [self.inputs(name, arity, dtype)]
        own = extra_inputs(name, dtype)
        if own:
            sets.append((self.file.add_set(dtype, own), own))
        for number, operands in sets:
            results, free = compute(name, dtype, is_exact, operands)
            self.file.add_row(name, dtype, number, result_type(result, dtype), results, free)


def make():
    """Name to bytes."""
    groups = {}
    for name, arity, dtypes, result, is_exact in primitives():
        at = groups.setdefault(group(name, arity, result, is_exact), Group())
        for dtype in dtypes:
            at.add(name, arity, dtype, result, is_exact)
    files = {name: at.file for name, at in groups.items()}
    for name, module in (("cast", cast), ("reduce", reduce)):
        files[name] = File()
        module.add_rows(files[name])
    return {f"{name}.vec": file.bytes() for name, file in sorted(files.items())}


def check(files):
    stale = [name for name, data in files.items()
             if not (HERE / name).exists() or (HERE / name).read_bytes() != data]
    stale += [path.name for path in HERE.glob("*.vec") if path.name not in files]
    if stale:
        sys.exit("differ from what make.py makes: " + ", ".join(stale))


def main():
    files = make()
    if sys.argv[1:] == ["--check"]:
        return check(files)
    for name, data in files.items():
        (HERE / name).write_bytes(data)
        print(f"{name:16} {len(data):8,} bytes")
    print(f"{'total':16} {sum(map(len, files.values())):8,} bytes")


if __name__ == "__main__":
    main()
