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


RULES = [
    Rule(
        "complex32",
        "complex numbers of half precision are not here: what would be such a number is complex64",
        lambda d: d.real.get("dtype") == "complex32"
        or "torch.complex32" in str(d.real.get("value"))
        or re.search("ComplexHalf|BComplex32", text(d.real)),
    ),
    Rule(
        "not here",
        "a name that we do not have says so when it is used",
        lambda d: d.ours.get("error") in ("AttributeError", "NotImplementedError")
        and d.real.get("error") != d.ours["error"]
        and re.search(
            r"is a part of PyTorch that Penstock does not have| is not here|neither has PyTorch"
            r"|object has no attribute",
            text(d.ours),
        ),
    ),
]


def known_difference(difference):
    """The name of the rule that explains it, or None."""
    if difference.step is None:
        return None
    return next((r.name for r in RULES if r.matches(difference)), None)
