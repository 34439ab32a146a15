"""Where ours differs from PyTorch 2.15.0 on purpose. docs/torch.md lists the same.

A rule looks at a difference: its statement `step`, its words `how`, the results `real` and `ours` as
the runner gave them. The first that matches explains it."""

import re


class Rule:
    """A difference that stays: its name, the reason in a sentence, and how it is known."""

    def __init__(self, name, why, matches):
        self.name, self.why, self.matches = name, why, matches


def text(result):
    return result.get("text", "") if isinstance(result, dict) else ""


def only_ours_raises(difference, pattern):
    return (
        "error" in difference.ours
        and "error" not in difference.real
        and re.search(pattern, text(difference.ours)) is not None
    )


def elements(difference):
    """Pairs of elements that differ, if the results are tensors of one shape and type; else none."""
    real, ours = difference.real, difference.ours
    if difference.how != "values" or "data" not in real or "data" not in ours:
        return []
    return [(a, b) for a, b in zip(real["data"], ours["data"]) if a != b]


def does_not_fit(difference):
    """Integers made of floats that the type cannot hold: ours are 0 or the nearest."""
    found = re.fullmatch(r"(u?)int(\d+)", difference.real.get("dtype", ""))
    pairs = elements(difference)
    if not found or not pairs:
        return False
    bits = int(found[2])
    ends = (0, 2**bits - 1) if found[1] else (0, -(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return all(ours in ends for _, ours in pairs)


RULES = [
    Rule(
        "numbers that do not fit",
        "a float that an integer type cannot hold is the nearest integer that it can, and NaN is 0; "
        "in PyTorch it is whatever the processor gives",
        does_not_fit,
    ),
    Rule(
        "errors that depend on values",
        "an index out of range or a division by zero is found while running, and raised where the "
        "result is waited for",
        lambda d: (
            d.how.endswith("comes late")
            and re.search("out of (range|bounds)|ZeroDivision|is out of", text(d.ours))
        ),
    ),
    Rule(
        "overlapping writes",
        "what is written may share memory with what is read: all is read first; PyTorch refuses it",
        lambda d: re.search("unsupported operation: (some|more than one) element", text(d.real)),
    ),
    Rule(
        "complex32",
        "complex numbers of half precision are not here: what would be such a number is complex64",
        lambda d: re.search(
            "complex32|ComplexHalf|BComplex32",
            str(d.real.get("dtype", "")) + str(d.real.get("value", "")) + text(d.real),
        ),
    ),
    Rule(
        "nextafter of half precision",
        "is not here: the neighbours of float16 and bfloat16 are not numbers of the table",
        lambda d: "nextafter" in d.step and "no rule for" in text(d.ours),
    ),
    Rule(
        "not here",
        "a name that we do not have says so when it is used",
        lambda d: (
            d.ours.get("error") in ("AttributeError", "NotImplementedError")
            and d.real.get("error") != d.ours["error"]
            and re.search(
                r"is a part of PyTorch that Penstock does not have| is not here|neither has PyTorch"
                r"|object has no attribute",
                text(d.ours),
            )
        ),
    ),
]


def of_step(step, how="", told=""):
    """Whether a statement, the words and the real one's text have these in them."""
    return lambda d: (
        re.search(step, d.step) and re.search(how, d.how) and re.search(told, text(d.real))
    )


# What is to be done: each goes when it is.
OPEN = [
    Rule(
        "C: a number in the place of the first tensor",
        "torch.eq(2, x) is a TypeError in PyTorch; ours takes it",
        of_step(r"torch\.(eq|ne|lt|le|gt|ge|fmod|copysign|Tensor\.add|div|split)\(\w+, ", "raises"),
    ),
    Rule(
        "C: lists in lists, bytes and int16 as indices",
        "a list of lists is a tuple of indices, uint8 is a mask, int16 is no index",
        lambda d: (
            "[" in d.step
            and re.search(r"\[\[|uint8|int16|10\*\*20|\['a'\]|np.ones", d.step)
            and d.program["family"] in ("indexing", "wrong_calls")
        ),
    ),
    Rule(
        "C: numbers that are written and do not fit",
        "a negative float does not fit bytes",
        of_step(r"\[.*\] = -2\.5|\] = |-=", "raises", "without overflow|Subtraction"),
    ),
    Rule(
        "C: operators of unusual types",
        "~ of floats, floor_divide of inf, bool @ bool, x += [1], in-place comparisons",
        of_step(
            r"~|//|floor_divide| @ | @= | \+= |\w+_\(|operator\.index| & |\.__\w+__\(| \*\* np| \+ np"
        ),
    ),
    Rule(
        "C: reductions of nothing",
        "rows with an axis see tensors without elements",
        of_step(r"argmax|argmin|logsumexp|amax|amin", "raises"),
    ),
    Rule(
        "open: names of gradient functions",
        "the text of a tensor names the row that made it",
        of_step("repr", "values"),
    ),
    Rule(
        "open: random numbers",
        "parameters out of range, complex numbers",
        lambda d: d.program["family"] == "random_numbers",
    ),
    Rule(
        "open: gradients",
        "at the ends of ranges, of wrong calls",
        lambda d: d.program["family"] == "gradients",
    ),
    Rule("open: wrong calls", "", of_step(r"torch\.Size|einsum|backward")),
    Rule("open: texts of complex numbers", "", of_step("", "values", "")),
    Rule("open: types", "", of_step("median|dist|norm|as_strided")),
]


SNAPSHOTS = "exports are snapshots and imports copies"  # nothing shares memory with NumPy


def is_shared_with_numpy(difference):
    imports = r"from_numpy|as_tensor|asarray|frombuffer|\.numpy\(|Tensor\(n"
    return difference.how == "shared memory" and any(
        re.search(imports, step) for step in difference.program["steps"]
    )


def known_difference(difference):
    """The name of the rule that explains it, or None."""
    if difference.step is None:
        return SNAPSHOTS if is_shared_with_numpy(difference) else "open: same objects"
    return next((r.name for r in RULES + OPEN if r.matches(difference)), None)
