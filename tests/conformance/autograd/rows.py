"""What steps of programs can do, as text of penstock: the one place where a row is spelled.

A step is a dict: `do` names a row, `of` its operands ("a3", or a number), `to` the array that it
makes (a list for several), other keys are what the row's text has gaps for, and `mode` says whether
it is recorded. Rows are of four kinds, which tell the interpreters apart:

    MAKES   new arrays from numbers
    CALLS   new arrays from others
    VIEWS   arrays that share elements with their operand
    ACTS    write to an operand, or walk back; those that walk may make arrays too
"""

import math
import random

# Functions of one operand, with a shape like its own.
UNARY = {
    "negative": "-{0}",
    "abs": "ps.abs({0})",
    "sin": "ps.sin({0})",
    "cos": "ps.cos({0})",
    "tanh": "ps.tanh({0})",
    "atan": "ps.atan({0})",
    "asinh": "ps.asinh({0})",
    "erf": "ps.erf({0})",
    "sigmoid": "ps.nn.sigmoid({0})",
    "softplus": "ps.nn.softplus({0})",
    "silu": "ps.nn.silu({0})",
    "gelu": "ps.nn.gelu({0})",
    "relu": "ps.nn.relu({0})",
    "leaky_relu": "ps.nn.leaky_relu({0} + 0.01, 0.3)",
    "elu": "ps.nn.elu({0})",
    "softsign": "ps.nn.softsign({0})",
    "clip": "ps.clip({0}, -0.7, 0.9)",
    "exp": "ps.exp({0})",
    "square": "ps.square({0})",
    "cube": "{0} ** 3",
    "root": "ps.sqrt({0} * {0} + 1.0)",
    "logarithm": "ps.log({0} * {0} + 1.0)",
    "inverse": "1.0 / ({0} * {0} + 2.0)",
    "copy": "{0}.copy()",
}

# Of two, which are broadcast.
BINARY = {
    "add": "{0} + {1}",
    "subtract": "{0} - {1}",
    "multiply": "{0} * {1}",
    "quotient": "{0} / ({1} * {1} + 1.0)",
    "maximum": "ps.maximum({0}, {1})",
    "minimum": "ps.minimum({0}, {1})",
    "hypot": "ps.hypot({0}, {1} * {1} + 0.5)",
    "angle": "ps.atan2({0}, {1} * {1} + 0.5)",
    "logaddexp": "ps.logaddexp({0}, {1})",
    "power": "ps.pow({0} * {0} + 0.5, {1})",
}

# Over axes, or along one.
REDUCTIONS = {
    name: f"ps.{name}({{0}}, axis={{axis}}, keepdims={{keepdims}})"
    for name in ("sum", "mean", "max", "min", "prod", "var")
} | {
    "logsumexp": "ps.nn.logsumexp({0}, axis={axis}, keepdims={keepdims})",
    "norm": "ps.linalg.vector_norm({0}, axis={axis}, keepdims={keepdims})",
}
ALONG = {
    "softmax": "ps.nn.softmax({0}, axis={axis})",
    "log_softmax": "ps.nn.log_softmax({0}, axis={axis})",
    "cumulative_sum": "ps.cumulative_sum({0}, axis={axis})",
    "cumulative_prod": "ps.cumulative_prod({0}, axis={axis})",
    "sort": "ps.sort({0}, axis={axis})",
    "sort_down": "ps.sort({0}, axis={axis}, descending=True)",
    "flip": "ps.flip({0}, axis={axis}).copy()",
    "roll": "ps.roll({0}, 1, axis={axis})",
}

PRODUCTS = {
    "matmul": "{0} @ {1}",
    "matmul_left": "{0}.T @ {1}",
    "matmul_right": "{0} @ {1}.T",
    "vecdot": "ps.linalg.vecdot({0}, {1})",
    "outer": "ps.outer({0}, {1})",
    "tensordot": "ps.tensordot({0}, {1}, axes=1)",
    "linear": "ps.nn.linear({0}, {1}, {2})",
}

OTHERS = {
    "scale": "{0} * {number}",
    "shift": "{0} + {number}",
    "from": "{number} - {0}",
    "cast": "{0}.astype({dtype!r})",
    "where": "ps.where({0}, {1}, {2})",
    "choose": "ps.where({0} > 0.1, {0}, {1})",
    "take": "ps.take({0}, {1}, axis={axis})",
    "at": "{0}[{1}]",
    "at_second": "{0}[:, {1}]",
    "concatenate": "ps.concatenate([{all}], axis={axis})",
    "stack": "ps.stack([{all}], axis={axis})",
    "tile": "ps.tile({0}, {reps})",
    "repeat": "ps.repeat({0}, 2, axis={axis})",
    "pad": "ps.pad({0}, 1, constant_values=0.5)",
    "tril": "ps.tril({0})",
    "small": "ps.atan({0})",
    "grad_of": "{0}.grad.copy()",
}

CALLS = UNARY | BINARY | REDUCTIONS | ALONG | PRODUCTS | OTHERS

MAKES = {
    "array": "ps.array({values}, dtype={dtype!r})",
    "zeros": "ps.zeros({shape}, dtype={dtype!r})",
}
LONG = 100  # elements that are not written out
LONG_ARRAY = "ps.array(numbers({step}), dtype={dtype!r}).reshape({shape})"

VIEWS = {
    "index": "{0}[{key}]",
    "permute": "ps.permute_dims({0}, {axes})",
    "reshape": "{0}.reshape({shape})",
    "broadcast": "ps.broadcast_to({0}, {shape})",
    "split": "ps.split({0}, {parts}, axis={axis})",
    "detach": "{0}.detach()",
}

ACTS = {
    "attach": "{0}.attach_grad({request!r})",
    "set": "{0}[{key}] = {1}",
    "set_at": "{0}[{1}] = {2}",
    "into": "ps.{function}({1}, {2}, out={0})",
    "augment": "{0} {sign}= {1}",
    "descend": "{0} -= 0.05 * ps.tanh({0}.grad)",
    "clear_grad": "{0}.grad[...] = 0",
    "backward": "autograd.backward([{heads}], {factors}, retain_graph={retain})",
    "grad": "autograd.grad([{heads}], [{variables}], {factors}, retain_graph=True, "
    "create_graph={create})",
}

TEXTS = MAKES | CALLS | VIEWS | ACTS
SCOPES = {"record": "with autograd.record():", "pause": "with autograd.pause():"}
HEADER = "import penstock as ps\nfrom penstock import autograd\n"


# ---- Numbers ------------------------------------------------------------------------------------


def numbers(step):
    """The elements of a step that makes an array, in order: by its seed, of a kind."""
    count = math.prod(step["shape"])
    chance = random.Random(step["seed"])
    kind = step.get("kind", "real")
    if kind == "bool":
        return [chance.random() < 0.5 for _ in range(count)]
    if kind == "distinct":  # positions below a length, each once
        return chance.sample(range(step["below"]), count)
    if kind == "places":
        return [chance.randrange(-step["below"], step["below"]) for _ in range(count)]
    if kind == "whole":
        return [chance.randrange(-3, 4) for _ in range(count)]
    return [round(chance.uniform(-1.2, 1.2), 4) for _ in range(count)]


def nested(values, shape):
    if not shape:
        return values[0]
    size = len(values) // shape[0] if shape[0] else 0
    return [nested(values[i * size : (i + 1) * size], shape[1:]) for i in range(shape[0])]


# ---- Text ---------------------------------------------------------------------------------------


def names_of(step):
    """The arrays that a step needs."""
    used = [*step.get("of", []), *step.get("heads", []), *step.get("variables", [])]
    return [name for name in [*used, *step.get("factors", [])] if isinstance(name, str)]


def targets_of(step):
    """The arrays that it makes."""
    to = step.get("to", [])
    return [to] if isinstance(to, str) else to


def is_long(step):
    return step["do"] == "array" and math.prod(step["shape"]) > LONG


def gaps_of(step):
    gaps = {key: tuple(value) if isinstance(value, list) else value for key, value in step.items()}
    for key in ("heads", "variables"):
        gaps[key] = ", ".join(step.get(key, []))
    factors = step.get("factors")
    gaps["factors"] = f"[{', '.join(map(str, factors))}]" if factors else None
    gaps["all"] = ", ".join(map(str, step.get("of", [])))
    if is_long(step):
        gaps["step"] = step
    elif step["do"] == "array":
        gaps["values"] = nested(numbers(step), step["shape"])
    return gaps


def text_of(step):
    """With gaps. Lists of no elements do not tell all lengths."""
    if step["do"] == "array" and 0 in step["shape"]:
        return TEXTS["zeros"]
    return LONG_ARRAY if is_long(step) else TEXTS[step["do"]]


def statement(step):
    """The step as a line of Python."""
    text = text_of(step).format(*step.get("of", []), **gaps_of(step))
    targets = targets_of(step)
    if isinstance(step.get("to"), list) and len(targets) == 1:
        return f"[{targets[0]}] = {text}"
    return f"{', '.join(targets)} = {text}" if targets else text


def listing(program):
    """The program as one that can be run; with long arrays where this module can be found."""
    lines, mode = [HEADER], None
    if any(map(is_long, program["steps"])):
        lines.insert(0, "from autograd.rows import numbers")
    for step in program["steps"]:
        if step.get("mode", "record") != mode:
            mode = step.get("mode", "record")
            lines.append(SCOPES[mode])
        lines.append("    " + statement(step))
    lines += [f"print({name!r}, {name})" for name in program["read"]]
    return "\n".join(lines) + "\n"
