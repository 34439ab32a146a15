"""Files of arrays: each library writes them and reads those of both; the bytes must be equal."""

import os

NAMED = "{'weight': a, 'arg:bias': b, 'ünï': c}"

WRITTEN = {
    "nd": {
        "list": [
            "a = nd.array([[1.5, 2], [3, 4]])",
            "b = nd.array([1, 2, 3], dtype='int32')",
            "x = nd.save(path, [a, b])",
        ],
        "one": ["a = nd.array([1.5, -2])", "x = nd.save(path, a)"],
        "dict": [
            "a = nd.arange(6).reshape((2, 3))",
            "b = nd.ones((4,))",
            "c = nd.zeros((1, 1, 2))",
            f"x = nd.save(path, {NAMED})",
        ],
        "view": [
            "a = nd.arange(12).reshape((3, 4))",
            "x = nd.save(path, {'row': a[1], 'column': a[:, 1], 't': a.T})",
        ],
        "empty": ["x = nd.save(path, [])"],
        **{
            d: [f"a = nd.array([[1, 2, 3]], dtype='{d}')", "x = nd.save(path, {'a': a})"]
            for d in ("float32", "float64", "float16", "uint8", "int32", "int8", "int64")
        },
        "wrong": ["a = nd.ones((2,))", "x = nd.save(path, 3)"],
        "wrong keys": ["a = nd.ones((2,))", "x = nd.save(path, {1: a})"],
        "wrong values": ["a = nd.ones((2,))", "x = nd.save(path, [a, 3])"],
    },
    "np": {
        "list": [
            "a = np.array([[1.5, 2], [3, 4]])",
            "b = np.array([1, 2, 3], dtype='int32')",
            "x = npx.save(path, [a, b])",
        ],
        "one": ["a = np.array([1.5, -2])", "x = npx.save(path, a)"],
        "dict": [
            "a = np.arange(6).reshape((2, 3))",
            "b = np.ones((4,))",
            "c = np.zeros((1, 1, 2))",
            f"x = npx.save(path, {NAMED})",
        ],
        "scalar": [
            "a = np.array(2.5)",
            "b = np.zeros((0, 2))",
            "x = npx.save(path, {'a': a, 'b': b})",
        ],
        "view": ["a = np.arange(12).reshape((3, 4))", "x = npx.save(path, [a[1], a[:, 1], a.T])"],
        **{
            d: [f"a = np.array([[1, 0, 3]], dtype='{d}')", "x = npx.save(path, {'a': a})"]
            for d in ("float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool")
        },
    },
}
READ = ["x = mx.nd.load(path)", "y = npx.load(path)", "b = open(path, 'rb').read()"]
BROKEN = [
    "x = open(path, 'wb').write(bytes([18, 1, 0, 0, 0, 0, 0, 0]))",
    "x = open(path, 'wb').write(b'')",
    "x = open(path, 'wb').write(b'no such format, this is text only')",
    "x = nd.save(path, nd.ones((2,))) or open(path, 'ab').write(b'more')",
]


def path_step(writer, dialect, name):
    return f"path = folder + '/{writer} {dialect} {name}.params'"


def program(dialect, steps):
    return {"dialect": dialect, "steps": steps, "share": False}


def written(writer, dialect):
    return {
        name: program(dialect, [path_step(writer, dialect, name), *steps])
        for name, steps in WRITTEN[dialect].items()
    }


def exchange(both, folder):
    """Writes by both, compares what the calls said, then reads everything by both in both modes."""
    names = []
    for dialect in WRITTEN:
        for writer, library in (("real", both.real), ("ours", both.ours)):
            for name, steps in written(writer, dialect).items():
                library.run(steps)
                names.append(path_step(writer, dialect, name))
        for name, steps in written("same", dialect).items():
            both.add(steps)
            names.append(path_step("same", dialect, name))
    for name in names:
        both.add(program("nd", [name, *READ]))
        both.add(program("np", [name, *READ]))
    same_bytes(both, folder)
    broken(both)
    truncated(both, folder)


def contents(folder, writer, dialect, name):
    try:
        with open(os.path.join(folder, f"{writer} {dialect} {name}.params"), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def same_bytes(both, folder):
    for dialect in WRITTEN:
        for name in WRITTEN[dialect]:
            real, ours = (contents(folder, w, dialect, name) for w in ("real", "ours"))
            if real != ours:
                both.notes.append(f"the files written differ: {dialect} {name}")


def broken(both):
    for step in BROKEN:
        for dialect in WRITTEN:
            both.add(program(dialect, ["path = folder + '/broken.params'", step, *READ[:2]]))
    both.add(
        program(
            "nd",
            [
                "x = nd.load(folder + '/absent.params')",
                "y = nd.save(folder + '/no/such/folder', nd.ones((1,)))",
            ],
        )
    )


def truncated(both, folder):
    """A file that ends too early, at every eighth byte."""
    for dialect in WRITTEN:
        data = contents(folder, "real", dialect, "dict")
        for size in range(0, len(data), 8):
            step = f"x = open(path, 'wb').write(bytes.fromhex({data[:size].hex()!r}))"
            both.add(program(dialect, ["path = folder + '/cut.params'", step, READ[0]]))
