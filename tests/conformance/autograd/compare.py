"""Holds what two libraries made of one program against each other.

Types and shapes must be equal, and numbers as near to each other as the narrowest type of the
program allows: as part of the larger of both, or of the largest in the array or 1, since sums
cancel."""

import math

from .programs import tidied


def close(a, b, part, scale):
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    if math.isinf(a) or math.isinf(b):
        return a == b
    return abs(a - b) <= part * max(abs(a), abs(b), scale)


def arrays_differ(wanted, found, part):
    """In words how two arrays differ, or None."""
    for what in ("dtype", "shape"):
        if wanted[what] != found[what]:
            return f"{what}: {wanted[what]}, ours {found[what]}"
    scale = max((abs(v) for v in wanted["data"] if math.isfinite(v)), default=0.0)
    for place, (a, b) in enumerate(zip(wanted["data"], found["data"])):
        if not close(a, b, part, max(scale, 1.0)):
            return f"element {place}: {a!r}, ours {b!r}"
    return None


def differ(program, wanted, found):
    """The first difference in words, or None. Answers that are errors tell which step failed."""
    for whose, answer in (("PyTorch", wanted), ("ours", found)):
        if "error" in answer:
            return f"{whose} failed at step {answer['at']}: {answer['error']}"
    for name in program["read"]:
        if name in wanted["arrays"]:
            arrays = (answer["arrays"][name] for answer in (wanted, found))
            if how := arrays_differ(*arrays, program["close"]):
                return f"{name}: {how}"
    return None


def kind_of(difference):
    """What two differences have in common: how they came about, without numbers."""
    if " failed at step " not in difference:
        return "values"
    whose, what = difference.split(" failed at step ")
    return whose, what.split(": ", 1)[1][:40]


def shrink(program, differ_again):
    """The smallest program found whose answers differ in the same way: steps are left out, one by
    one from the last on, as long as that helps. `differ_again` gives the difference, or None."""
    wanted = kind_of(differ_again(program))
    smaller = True
    while smaller:
        smaller = False
        for at in reversed(range(len(program["steps"]))):
            steps = program["steps"][:at] + program["steps"][at + 1 :]
            shorter = tidied(dict(program, steps=steps))
            found = differ_again(shorter)
            if found and kind_of(found) == wanted:
                program, smaller = shorter, True
                break
    return program
