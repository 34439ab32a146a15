#!/usr/bin/env python3
"""Runs programs in one library and says what came out: `runner.py real|ours`.

Reads a program a line from standard input and answers with a line, both JSON. A program is
{"dialect": "nd" | "np", "steps": [statement, …]}, each statement one of Python's: `a3 = a1 + 1`,
`a0[1:] = 2`, `a0 *= a1`. It sees `mx`, `nd`, `np`, `npx`, NumPy as `onp`, `nan`, `inf`, and
`folder`. With "np" it runs under set_np.

The answer is {"steps": [result, …], "shared": {name: [names, …]}}. The result of a step is the
array, number or text that its target holds afterwards (encode), or the classes of the exception
and whether it came at the call or at the wait. A step that refers to what a failed step should
have made is skipped. "shared" says, for each array that is left, which others change when it is
overwritten."""

import ast
import json
import os
import sys

import numpy as onp

SKIPPED = {"skipped": True}
LARGE = 1000  # elements that are told


def library(which):
    if which == "real":
        import mxnet as mx
    else:
        import penstock.mxnet as mx
    return mx


def names_for(mx, folder="."):
    return {
        "mx": mx,
        "nd": mx.nd,
        "np": mx.np,
        "npx": mx.npx,
        "onp": onp,
        "nan": float("nan"),
        "inf": float("inf"),
        "folder": folder,
    }


# ---- What a value looks like as JSON -----------------------------------------------------------


def is_array(value):
    return hasattr(value, "asnumpy")


def encode_elements(kind, values):
    """All of them, or of large arrays every so many."""
    data = values.ravel()
    data = data[:: 1 + data.size // LARGE]
    if values.dtype.kind == "f":
        data = data.astype("float64")
    return {
        "kind": kind,
        "dtype": str(values.dtype),
        "shape": list(values.shape),
        "data": data.tolist(),
    }


def encode(value):
    """Waits for arrays. Everything else is what it is, by kind."""
    if is_array(value):
        return encode_elements(type(value).__name__, value.asnumpy())
    if isinstance(value, onp.ndarray):
        return encode_elements("numpy", value)
    if isinstance(value, onp.generic):
        return encode_elements("numpy scalar", onp.asarray(value))
    if isinstance(value, (list, tuple)):
        return {"kind": type(value).__name__, "items": [encode(v) for v in value]}
    if isinstance(value, dict):
        return {"kind": "dict", "items": [[str(k), encode(v)] for k, v in value.items()]}
    if isinstance(value, (bool, int, float, str, type(None))):
        return {"kind": type(value).__name__, "value": value}
    if isinstance(value, bytes):
        return {"kind": "bytes", "value": value.hex()}
    return {"kind": "object", "value": str(value)}


def encode_error(error, where):
    classes = [c.__name__ for c in type(error).__mro__ if c not in (object, BaseException)]
    text = " ".join(str(error).split()).rpartition("Error: ")[2]  # without the trace of the backend
    return {"error": classes, "where": where, "text": text[:120]}


# ---- Steps -------------------------------------------------------------------------------------


def target_of(statement):
    """The name that a step assigns to, also through an index or in place; None if it has none."""
    node = ast.parse(statement).body[0]
    if isinstance(node, ast.Assign):
        node = node.targets[0]
    elif isinstance(node, ast.AugAssign):
        node = node.target
    while isinstance(node, (ast.Subscript, ast.Attribute, ast.Expr)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def names_in(statement):
    return {n.id for n in ast.walk(ast.parse(statement)) if isinstance(n, ast.Name)}


def run_step(statement, names, broken):
    """The step's result. What it should have made is broken if it fails."""
    if names_in(statement) & broken:
        broken.add(target_of(statement))
        return SKIPPED
    target = target_of(statement)
    where = "call"
    try:
        exec(compile(statement, "<program>", "exec"), names)  # noqa: S102 - that is the point
        where = "wait"
        return encode(names.get(target))
    except Exception as error:
        names.pop(target, None)
        broken.add(target)
        return encode_error(error, where)


# ---- Shared memory -----------------------------------------------------------------------------


def writable(value):
    return is_array(value) and value.size > 0 and str(onp.dtype(value.dtype)) != "bool"


def overwrite(mx, array, number):
    if isinstance(array, mx.np.ndarray) and array.ndim == 0:
        array[()] = number
    else:
        array[:] = number


def shared_with(mx, name, number, arrays):
    """Which arrays change when this one is overwritten with a number that is nowhere else."""
    before = {n: a.asnumpy().copy() for n, a in arrays.items()}
    overwrite(mx, arrays[name], number)
    return [
        n
        for n, a in arrays.items()
        if n != name and not onp.array_equal(before[n], a.asnumpy(), equal_nan=True)
    ]


def find_shared(mx, names, made):
    arrays = {n: names[n] for n in made if n in names and writable(names[n])}
    found = {}
    for number, name in enumerate(arrays):
        try:
            others = shared_with(mx, name, 90 + number, arrays)
        except Exception:
            others = ["failed"]
        if others:
            found[name] = others
    return found


# ---- Programs ----------------------------------------------------------------------------------


def set_dialect(mx, dialect):
    if dialect == "np":
        mx.npx.set_np()
    else:
        mx.npx.reset_np()


def run_program(mx, program, folder="."):
    set_dialect(mx, program["dialect"])
    names, broken = names_for(mx, folder), set()
    given = set(names)
    steps = [run_step(s, names, broken) for s in program["steps"]]
    made = [n for n in names if n not in given and n != "__builtins__"]
    shared = find_shared(mx, names, made) if program.get("share", True) else {}
    try:
        mx.nd.waitall()
    except Exception:
        pass  # the error of a step, which has been told
    set_dialect(mx, "nd")
    return {"steps": steps, "shared": shared}


def main():
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what a library prints is no answer
    mx = library(sys.argv[1])
    folder = sys.argv[2] if len(sys.argv) > 2 else "."
    for line in sys.stdin:
        print(json.dumps(run_program(mx, json.loads(line), folder)), file=answers)


if __name__ == "__main__":
    main()
