"""Compares what two libraries made of one program.

Types, shapes, integers, truth values and texts must be equal; floating-point numbers close, as
their type allows; an exception must be an instance of the class that the real library raised,
whenever it comes. A step that uses what differed already is not looked at again."""

import math
import re

from differences import known_difference
from runner import names_in, target_of

# How far apart two numbers may be: as part of the larger of both, and of the largest in the array
# or 1, since sums cancel.
CLOSE = {"float16": 4e-3, "float32": 1e-5, "float64": 1e-6}
CANCELLED = {"float16": 2e-3, "float32": 5e-6, "float64": 1e-7}


NUMBER = re.compile(r"-?\d+\.\d*(?:e[-+]?\d+)?")


class Difference:
    """Where and how the answers differ; `inputs` are the real one's arrays that the step uses.
    `rule` names the known difference that it is, if any."""

    def __init__(self, program, at, how, real, ours, inputs=()):
        self.program, self.at, self.how, self.real, self.ours = program, at, how, real, ours
        self.inputs = inputs
        self.rule = known_difference(self)

    @property
    def step(self):
        """The statement; None where the arrays that share memory differ."""
        return None if self.at is None else self.program["steps"][self.at]


# ---- Values ------------------------------------------------------------------------------------


def close(a, b, dtype, scale):
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    if math.isinf(a) or math.isinf(b):
        return a == b
    return abs(a - b) <= CLOSE[dtype] * max(abs(a), abs(b)) + CANCELLED[dtype] * scale


def elements_differ(real, ours):
    if real["dtype"] not in CLOSE:
        return real["data"] != ours["data"]
    scale = max((abs(v) for v in real["data"] if math.isfinite(v)), default=0.0)
    scale = max(scale, 1.0)
    return not all(close(a, b, real["dtype"], scale) for a, b in zip(real["data"], ours["data"]))


def arrays_differ(real, ours):
    for part in ("dtype", "shape"):
        if real[part] != ours[part]:
            return f"{part}: {real[part]}, ours {ours[part]}"
    return "values" if elements_differ(real, ours) else None


def items_differ(real, ours):
    if len(real) != len(ours):
        return f"{len(real)} items, ours {len(ours)}"
    pairs = ((a, b) for a, b in zip(real, ours))
    return next(filter(None, (values_differ(a, b) for a, b in pairs)), None)


def same_text(real, ours):
    """Whether two texts are equal but for the last digits of numbers, and the room these take."""
    if NUMBER.sub("", real).split() != NUMBER.sub("", ours).split():
        return False
    pairs = list(zip(NUMBER.findall(real), NUMBER.findall(ours)))
    return any(a != b for a, b in pairs) and all(
        close(float(a), float(b), "float32" if len(a) > 7 else "float16", 1.0) for a, b in pairs
    )


def plain_differ(real, ours):
    if isinstance(real, str) and real != ours:
        return None if same_text(real, ours) else "values"
    if isinstance(real, float):
        return None if close(real, ours, "float32", abs(real)) else "values"
    return None if real == ours else "values"


def values_differ(real, ours):
    """In words how two encoded values differ, or None."""
    if isinstance(real, str):  # a key
        return None if real == ours else "keys"
    if isinstance(real, list):
        return items_differ(real, ours)
    if real["kind"] != ours["kind"]:
        return f"kind: {real['kind']}, ours {ours['kind']}"
    if "data" in real:
        return arrays_differ(real, ours)
    if "items" in real:
        return items_differ(real["items"], ours["items"])
    return plain_differ(real["value"], ours["value"])


def results_differ(real, ours):
    if "skipped" in real or "skipped" in ours:
        return None
    if "error" in real and "error" in ours:
        lacking = [c for c in real["error"] if c not in ours["error"]]
        return f"raises {real['error'][0]}, ours {ours['error'][0]}" if lacking else None
    if "error" in real:
        return f"raises {real['error'][0]}, ours does not"
    if "error" in ours:
        return f"ours raises {ours['error'][0]}"
    return values_differ(real, ours)


# ---- Programs ----------------------------------------------------------------------------------


def shared_differ(program, real, ours):
    """Arrays that one of them cannot overwrite tell nothing."""
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


def compare(program, real, ours):
    """All differences, those that are known too."""
    found, spoilt, held = [], set(), {}
    for at, (statement, a, b) in enumerate(zip(program["steps"], real["steps"], ours["steps"])):
        target = target_of(statement)
        touched = {target}
        if "out=" in statement or "copyto(" in statement:
            touched |= names_in(statement) & set(held)
        if names_in(statement) & spoilt:
            spoilt |= touched
            continue
        how = results_differ(a, b)
        if how:
            spoilt |= touched
            inputs = [held[name] for name in sorted(names_in(statement)) if name in held]
            found.append(Difference(program, at, how, a, b, inputs))
        held[target] = a
    return found or shared_differ(program, real, ours)
