"""Runs programs in one library and says what came out: `python -m torch_programs.runner real|ours`.

Reads a program a line from standard input and answers with a line, both JSON. A program is
{"steps": [statement, …]}, each statement one of Python's: `a3 = a1 + 1`, `a0[1:] = 2`, `a0 *= a1`,
or a block. It sees the library by its name, NumPy as `np`, `nan`, `inf`, some modules of Python's,
and `about`.

The answer is {"steps": [result, …], "shared": {name: [names, …]}, "same": [[name, name], …]}. The
result of a step is what its target holds afterwards (encode), or the class of the exception and
whether it came at the call or at the wait. A step that refers to what a failed step should have
made is skipped. "shared" says, for each tensor that is left, which others change when it is overwritten,
"same" which names are one object."""

import ast
import copy
import io
import json
import math
import operator
import os
import pickle
import sys
import warnings

import numpy as np

SKIPPED = {"skipped": True}
LARGE = 1000  # elements that are told


# ---- What a value looks like as JSON -----------------------------------------------------------


def plain(numbers):
    """Complex numbers as pairs."""
    return [[n.real, n.imag] if isinstance(n, complex) else n for n in numbers]


def encode_array(kind, array):
    flat = array.ravel()
    return {
        "kind": kind,
        "dtype": str(array.dtype),
        "shape": list(array.shape),
        "data": plain(flat[:: 1 + flat.size // LARGE].tolist()),
    }


def encode_error(error, where):
    text = " ".join(str(error).split())
    return {"error": type(error).__name__, "where": where, "text": text[:160]}


# ---- Steps -------------------------------------------------------------------------------------


def root(node):
    """The name at the beginning of a.b[c], or None."""
    while isinstance(node, (ast.Subscript, ast.Attribute, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def targets_of(statement):
    """The names that a step assigns to, also through an index or in place."""
    found = []
    for node in ast.walk(ast.parse(statement)):
        stored = isinstance(getattr(node, "ctx", None), ast.Store)
        if stored and root(node) is not None and root(node) not in found:
            found.append(root(node))
    return found


def assigned_by(statement):
    """The names that a step gives new values."""
    names = [
        target
        for node in ast.parse(statement).body
        if isinstance(node, ast.Assign)
        for target in node.targets
    ]
    return {
        one.id
        for target in names
        for one in (target.elts if isinstance(target, ast.Tuple) else [target])
        if isinstance(one, ast.Name)
    }


def written_by(statement):
    """The names of older values that a step may write into."""
    found = set()
    for node in ast.walk(ast.parse(statement)):
        if isinstance(node, ast.AugAssign):
            found.add(root(node.target))
        elif isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            found.add(root(node))
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_"):
                found.add(root(node.func))
            found |= {root(k.value) for k in node.keywords if k.arg == "out"}
    return found - assigned_by(statement) - {None}


def names_in(statement):
    return {n.id for n in ast.walk(ast.parse(statement)) if isinstance(n, ast.Name)}


# ---- Programs ----------------------------------------------------------------------------------


class Runner:
    """A library, and how programs are run in it; a dialect's own says what is not done here."""

    name = None  # what programs call it
    repeated = ()  # names of its types whose values are told as their repr

    def __init__(self, which):
        self.library = self.load(which)
        self.told_by_repr = tuple(getattr(self.library, name) for name in self.repeated)

    def load(self, which):
        """The module: `real` or `ours`."""
        raise NotImplementedError

    def about(self, tensor):
        """All of a tensor but its elements: what can be told of random or unset ones."""
        raise NotImplementedError

    def reset(self):
        """Sets what a program finds set."""
        raise NotImplementedError

    def after_step(self):
        """Undoes what a step that failed half-way may have left."""

    def encode_tensor(self, tensor):
        raise NotImplementedError

    def snapshot(self, tensor):
        """Something that changes with a tensor's elements."""
        raise NotImplementedError

    def overwrite(self, tensor, number):
        """Fills a tensor's memory, past its gradient's graph."""
        raise NotImplementedError

    def is_written(self, tensor):
        """Whether its memory is told by overwriting it."""
        raise NotImplementedError

    def names(self):
        """What a program sees."""
        return {
            self.name: self.library,
            "np": np,
            "nan": float("nan"),
            "inf": float("inf"),
            "about": self.about,
            "copy": copy,
            "io": io,
            "math": math,
            "operator": operator,
            "pickle": pickle,
        }

    def is_tensor(self, value):
        return isinstance(value, self.library.Tensor)

    def encode(self, value):
        """Waits for tensors. Everything else is what it is, by kind."""
        kind = type(value).__name__
        if self.is_tensor(value):
            return self.encode_tensor(value)
        if isinstance(value, np.ndarray):
            return encode_array("numpy", value)
        if isinstance(value, np.generic):
            return encode_array("numpy scalar", np.asarray(value))
        if isinstance(value, (list, tuple)):
            return {"kind": kind, "items": [self.encode(v) for v in value]}
        if isinstance(value, dict):
            return {"kind": kind, "items": [[str(k), self.encode(v)] for k, v in value.items()]}
        if isinstance(value, (bool, int, float, str, type(None))):
            return {"kind": kind, "value": value}
        if isinstance(value, complex):
            return {"kind": kind, "value": [value.real, value.imag]}
        if isinstance(value, self.told_by_repr):
            return {"kind": kind, "value": repr(value)}
        return {"kind": kind}

    # ---- Steps ---------------------------------------------------------------------------------

    def run_step(self, statement, names, broken):
        """The step's result. What it should have made is broken if it fails."""
        used, targets = names_in(statement), targets_of(statement)
        if used & broken:
            broken.update(targets)
            return SKIPPED
        where = "call"
        try:
            exec(compile(statement, "<program>", "exec"), names)  # noqa: S102 - that is the point
            where = "wait"
            return self.encode(names.get(targets[0]) if targets else None)
        except Exception as error:
            if where == "wait":
                broken.update(name for name in used if self.is_tensor(names.get(name)))
                broken.update(targets)
            broken.update(assigned_by(statement))
            return encode_error(error, where)
        finally:
            self.after_step()

    # ---- Shared memory -------------------------------------------------------------------------

    def shared_with(self, name, number, tensors):
        """Which tensors change when this one is overwritten with a number that is nowhere else."""
        before = {n: self.snapshot(t) for n, t in tensors.items()}
        self.overwrite(tensors[name], number)
        return [n for n, t in tensors.items() if n != name and before[n] != self.snapshot(t)]

    def find_shared(self, tensors):
        written = {n: t for n, t in tensors.items() if self.is_written(t)}
        found = {}
        for number, name in enumerate(written):
            try:
                others = self.shared_with(name, 90 + number, written)
            except Exception:
                others = ["failed"]
            if others:
                found[name] = others
        return found

    def run_program(self, program):
        """The whole answer."""
        self.reset()
        names, broken = self.names(), set()
        given = set(names)
        steps = [self.run_step(s, names, broken) for s in program["steps"]]
        tensors = {
            n: v
            for n, v in names.items()
            if n not in given and n not in broken and self.is_tensor(v)
        }
        same = find_same(tensors)
        shared = self.find_shared(tensors) if program.get("share", True) else {}
        self.reset()
        return {"steps": steps, "shared": shared, "same": same}


def find_same(tensors):
    names = list(tensors)
    pairs = ((a, b) for at, a in enumerate(names) for b in names[at + 1 :])
    return [[a, b] for a, b in pairs if tensors[a] is tensors[b]]


def main(runner):
    """Answers to all programs that come, in a dialect's class of runners."""
    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what a library prints is no answer
    running = runner(sys.argv[1])
    for line in sys.stdin:
        print(json.dumps(running.run_program(json.loads(line))), file=answers)
