"""Runs programs in one library and says what came out: `python -m torch_programs.runner real|ours`.

Reads a program a line from standard input and answers with a line, both JSON. A program is
{"steps": [statement, …]}, each statement one of Python's: `a3 = a1 + 1`, `a0[1:] = 2`, `a0 *= a1`,
or a block. It sees `torch`, NumPy as `np`, `nan`, `inf`, some modules of Python's, and `about`.

The answer is {"steps": [result, …], "shared": {name: [names, …]}, "same": [[name, name], …]}. The
result of a step is what its target holds afterwards (encode), or the class of the exception and
whether it came at the call or at the wait. A step that refers to what a failed step should have made
is skipped. "shared" says, for each tensor that is left, which others change when it is overwritten,
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


def library(which):
    if which == "real":
        import torch

        torch.set_num_threads(1)
    else:
        import penstock.torch as torch
    return torch


def names_for(torch):
    return {
        "torch": torch,
        "np": np,
        "nan": float("nan"),
        "inf": float("inf"),
        "about": lambda tensor: about(torch, tensor),
        "copy": copy,
        "io": io,
        "math": math,
        "operator": operator,
        "pickle": pickle,
    }


def about(torch, tensor):
    """All of a tensor but its elements: what can be told of random or unset ones."""
    if not isinstance(tensor, torch.Tensor):
        return type(tensor).__name__
    flags = (tensor.requires_grad, tensor.is_leaf)
    return (type(tensor).__name__, str(tensor.dtype), tensor.shape, str(tensor.device), flags)


def reset(torch):
    """What a program finds set."""
    torch.set_default_dtype(torch.float32)
    torch.set_printoptions(profile="default")
    torch.set_grad_enabled(True)
    torch.manual_seed(0)


# ---- What a value looks like as JSON -----------------------------------------------------------


def plain(numbers):
    """Complex numbers as pairs."""
    return [[n.real, n.imag] if isinstance(n, complex) else n for n in numbers]


def encode_tensor(tensor):
    flat = tensor.detach().reshape(-1)
    return {
        "kind": type(tensor).__name__,
        "dtype": str(tensor.dtype).removeprefix("torch."),
        "shape": list(tensor.shape),
        "device": str(tensor.device),
        "flows": [tensor.requires_grad, tensor.is_leaf, tensor.grad_fn is not None],
        "data": plain(flat[:: 1 + flat.numel() // LARGE].tolist()),
    }


def encode_array(kind, array):
    flat = array.ravel()
    return {
        "kind": kind,
        "dtype": str(array.dtype),
        "shape": list(array.shape),
        "data": plain(flat[:: 1 + flat.size // LARGE].tolist()),
    }


def encode(torch, value):
    """Waits for tensors. Everything else is what it is, by kind."""
    kind = type(value).__name__
    if isinstance(value, torch.Tensor):
        return encode_tensor(value)
    if isinstance(value, np.ndarray):
        return encode_array("numpy", value)
    if isinstance(value, np.generic):
        return encode_array("numpy scalar", np.asarray(value))
    if isinstance(value, (list, tuple)):
        return {"kind": kind, "items": [encode(torch, v) for v in value]}
    if isinstance(value, dict):
        return {"kind": kind, "items": [[str(k), encode(torch, v)] for k, v in value.items()]}
    if isinstance(value, (bool, int, float, str, type(None))):
        return {"kind": kind, "value": value}
    if isinstance(value, complex):
        return {"kind": kind, "value": [value.real, value.imag]}
    if isinstance(value, (torch.dtype, torch.device)):
        return {"kind": kind, "value": repr(value)}
    return {"kind": kind}


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


def run_step(torch, statement, names, broken):
    """The step's result. What it should have made is broken if it fails."""
    used, targets = names_in(statement), targets_of(statement)
    if used & broken:
        broken.update(targets)
        return SKIPPED
    where = "call"
    try:
        exec(compile(statement, "<program>", "exec"), names)  # noqa: S102 - that is the point
        where = "wait"
        return encode(torch, names.get(targets[0]) if targets else None)
    except Exception as error:
        if where == "wait":
            broken.update(name for name in used if isinstance(names.get(name), torch.Tensor))
            broken.update(targets)
        broken.update(assigned_by(statement))
        return encode_error(error, where)
    finally:
        torch.set_grad_enabled(True)


# ---- Shared memory -----------------------------------------------------------------------------


def snapshot(tensor):
    return json.dumps(plain(tensor.detach().reshape(-1).tolist()))


def shared_with(torch, name, number, tensors):
    """Which tensors change when this one is overwritten with a number that is nowhere else."""
    before = {n: snapshot(t) for n, t in tensors.items()}
    with torch.no_grad():
        tensors[name].detach().fill_(number)
    return [n for n, t in tensors.items() if n != name and before[n] != snapshot(t)]


def find_shared(torch, tensors):
    written = {n: t for n, t in tensors.items() if t.numel() > 0 and t.dtype is not torch.bool}
    found = {}
    for number, name in enumerate(written):
        try:
            others = shared_with(torch, name, 90 + number, written)
        except Exception:
            others = ["failed"]
        if others:
            found[name] = others
    return found


def find_same(tensors):
    names = list(tensors)
    pairs = ((a, b) for at, a in enumerate(names) for b in names[at + 1 :])
    return [[a, b] for a, b in pairs if tensors[a] is tensors[b]]


# ---- Programs ----------------------------------------------------------------------------------


def run_program(torch, program):
    reset(torch)
    names, broken = names_for(torch), set()
    given = set(names)
    steps = [run_step(torch, s, names, broken) for s in program["steps"]]
    tensors = {
        n: v
        for n, v in names.items()
        if n not in given and n not in broken and isinstance(v, torch.Tensor)
    }
    same = find_same(tensors)
    shared = find_shared(torch, tensors) if program.get("share", True) else {}
    reset(torch)
    return {"steps": steps, "shared": shared, "same": same}


def main():
    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what a library prints is no answer
    torch = library(sys.argv[1])
    for line in sys.stdin:
        print(json.dumps(run_program(torch, json.loads(line))), file=answers)


if __name__ == "__main__":
    main()
