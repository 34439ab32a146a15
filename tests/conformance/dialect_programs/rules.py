"""Rules: differences that stay, each with its reason and how it is known.

A rule looks at a difference: its statement `step`, its words `how`, the results `real` and `ours`
as the runner gave them. The first that matches explains it."""

import cmath
import re


class Rule:
    """A difference that stays: its name, the reason in a sentence, and how it is known."""

    def __init__(self, name, why, matches):
        self.name, self.why, self.matches = name, why, matches


def first_match(rules, thing):
    """The name of the first rule that matches, or None."""
    return next((rule.name for rule in rules if rule.matches(thing)), None)


def text(result):
    """The text of an exception; nothing if there was none."""
    return result.get("text", "") if isinstance(result, dict) else ""


def only_ours_raises(difference, pattern):
    """Whether ours alone raises, with such a text."""
    return (
        "error" in difference.ours
        and "error" not in difference.real
        and re.search(pattern, text(difference.ours)) is not None
    )


def only_real_raises(told):
    """Whether the real one alone raises, with such a text."""
    return lambda d: (
        "error" in d.real and "error" not in d.ours and re.search(told, text(d.real))
    )


def of_step(step, how="", told=""):
    """Whether a statement, the words and the real one's text have these in them."""
    return lambda d: (
        re.search(step, d.step) and re.search(how, d.how) and re.search(told, text(d.real))
    )


def elements(difference):
    """Pairs of elements that differ, if both are tensors of one shape and type; else none."""
    real, ours = difference.real, difference.ours
    if difference.how != "values" or "data" not in real or "data" not in ours:
        return []
    return [(a, b) for a, b in zip(real["data"], ours["data"]) if a != b and (a == a or b == b)]


def number(element):
    """An encoded element; complex ones are lists of two."""
    return complex(*element) if isinstance(element, list) else element


def is_nan(element):
    return cmath.isnan(number(element))


def is_inf(element):
    return cmath.isinf(number(element))


def numbers(value):
    """The numbers of an encoded tensor; parts of complex ones."""
    return [part for n in value.get("data", ()) for part in (n if isinstance(n, list) else [n])]
