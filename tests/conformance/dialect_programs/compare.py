"""Compares what two libraries made of one program.

Kinds, types, shapes, integers, truth values, texts and classes of exceptions must be equal;
floating-point numbers close, as their type allows. A step that uses what differed already is not
looked at again."""

import math

from .runner import names_in, targets_of, written_by

# How far apart two numbers may be: as part of the larger of both, and of the largest in the tensor
# or 1, since sums cancel.
CLOSE = {
    "float16": 2e-3,
    "bfloat16": 1.6e-2,
    "float32": 1e-5,
    "float64": 1e-8,
    "complex64": 1e-5,
    "complex128": 1e-8,
}
CANCELLED = {
    "float16": 1e-3,
    "bfloat16": 8e-3,
    "float32": 2e-6,
    "float64": 1e-9,
    "complex64": 2e-6,
    "complex128": 1e-9,
}


# Families where errors of early steps show later.
CHAINS = {"gradients", "in_place", "layers", "losses", "optimisers"}


class Difference:
    """Where and how the answers differ; `inputs` are the real one's values that the step uses.
    `failed` the statements before it that raised in both; `rule` names the known difference that it
    is, if any."""

    def __init__(self, program, at, how, real, ours, inputs=(), failed=()):
        self.program, self.at, self.how, self.real, self.ours = program, at, how, real, ours
        self.inputs, self.failed = inputs, failed
        self.rule = None

    @property
    def step(self):
        """The statement; None where what is shared differs."""
        return None if self.at is None else self.program["steps"][self.at]


# ---- Values ------------------------------------------------------------------------------------


def close(a, b, dtype, scale):
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    if math.isinf(a) or math.isinf(b):
        return a == b
    return abs(a - b) <= CLOSE[dtype] * max(abs(a), abs(b)) + CANCELLED[dtype] * scale


def flat(numbers):
    """Pairs of parts as numbers."""
    return [part for n in numbers for part in (n if isinstance(n, list) else [n])]


def endless(a, b):
    """Whether both are complex and not finite: which part is NaN then is nobody's business."""
    return isinstance(a, list) and not any(all(map(math.isfinite, one)) for one in (a, b))


def largest(values):
    """The largest of the finite numbers of tensors, at most 1e6: sums of them may cancel."""
    numbers = (abs(v) for value in values for v in flat(value.get("data", ())))
    return min(max((v for v in numbers if math.isfinite(v)), default=0.0), 1e6)


def elements_differ(real, ours, inputs=()):
    if real["dtype"] not in CLOSE:
        return real["data"] != ours["data"]
    pairs = [(a, b) for a, b in zip(real["data"], ours["data"]) if not endless(a, b)]
    wanted, found = flat(a for a, _ in pairs), flat(b for _, b in pairs)
    scale = max(largest([real]), largest(inputs))
    return not all(close(a, b, real["dtype"], scale) for a, b in zip(wanted, found))


def arrays_differ(real, ours, inputs):
    for part in ("dtype", "shape", "device", "flows"):
        if real.get(part) != ours.get(part):
            return f"{part}: {real[part]}, ours {ours[part]}"
    return "values" if elements_differ(real, ours, inputs) else None


def items_differ(real, ours, inputs):
    if len(real) != len(ours):
        return f"{len(real)} items, ours {len(ours)}"
    return next(filter(None, (values_differ(a, b, inputs) for a, b in zip(real, ours))), None)


def plain_differ(real, ours):
    if isinstance(real, list):
        return None if all(close(a, b, "float32", 0.0) for a, b in zip(real, ours)) else "values"
    if isinstance(real, float):
        return None if close(real, ours, "float32", 1e-2 * abs(real)) else "values"
    return None if real == ours else "values"


def values_differ(real, ours, inputs=()):
    """In words how two encoded values differ, or None."""
    if isinstance(real, str):  # a key
        return None if real == ours else "keys"
    if isinstance(real, list):
        return items_differ(real, ours, inputs)
    if real["kind"] != ours["kind"]:
        return f"kind: {real['kind']}, ours {ours['kind']}"
    if "data" in real:
        return arrays_differ(real, ours, inputs)
    if "items" in real:
        return items_differ(real["items"], ours["items"], inputs)
    return plain_differ(real["value"], ours["value"]) if "value" in real else None


def results_differ(real, ours, inputs):
    if "skipped" in real or "skipped" in ours:
        return None
    if "error" in real and "error" in ours:
        if real["error"] != ours["error"]:
            return f"raises {real['error']}, ours {ours['error']}"
        return f"{ours['error']} comes late" if ours["where"] != real["where"] else None
    if "error" in real:
        return f"raises {real['error']}, ours does not"
    if "error" in ours:
        return f"ours raises {ours['error']}"
    return values_differ(real, ours, inputs)


# ---- Programs ----------------------------------------------------------------------------------


def shared_differ(program, real, ours):
    """Tensors that one of them cannot overwrite tell nothing."""
    if real["same"] != ours["same"]:
        return [Difference(program, None, "same objects", real["same"], ours["same"])]
    failed = {
        n for shared in (real["shared"], ours["shared"]) for n in shared if shared[n] == ["failed"]
    }
    real, ours = (
        {n: others for n, others in answer["shared"].items() if n not in failed}
        for answer in (real, ours)
    )
    if real == ours:
        return []
    return [Difference(program, None, "shared memory", real, ours)]


def differences(program, real, ours):
    """All of them, without the names of rules."""
    found, spoilt, held, failed = [], set(), {}, []
    for at, (statement, a, b) in enumerate(zip(program["steps"], real["steps"], ours["steps"])):
        targets = targets_of(statement)
        if names_in(statement) & spoilt:
            spoilt.update(targets)
            if written_by(statement):
                return found
            continue
        inputs = [held[name] for name in sorted(names_in(statement)) if name in held]
        if program["family"] in CHAINS:
            inputs += held.values()
        how = results_differ(a, b, inputs)
        if how:
            found.append(Difference(program, at, how, a, b, inputs, list(failed)))
            spoilt.update(targets)
            if written_by(statement) or ".backward(" in statement:
                return found
        if "error" in a and "error" in b:
            failed.append(statement)
        for name in targets:
            held[name] = a
    skipped = any("skipped" in a or "skipped" in b for a, b in zip(real["steps"], ours["steps"]))
    return found if found or skipped else shared_differ(program, real, ours)


def compare(program, real, ours, known):
    """All differences; known(difference) names the rule of those that are known."""
    found = differences(program, real, ours)
    for difference in found:
        difference.rule = known(difference)
    return found
