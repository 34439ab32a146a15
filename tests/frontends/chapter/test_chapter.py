"""The chapter's programs, in C, C++ and Python: what they compute is the same in all languages, on one
worker, on two and synchronously, to the last bit."""

import os
import pathlib
import struct
import subprocess
import sys

import pytest
from processes import LIMIT, environment

PYTHON = pathlib.Path(__file__).parents[3] / "examples/python"
LANGUAGES = {
    "C": lambda name: [f"{os.environ['EXAMPLES_C']}/{name}"],
    "C++": lambda name: [f"{os.environ['EXAMPLES_CPP']}/{name}"],
    "Python": lambda name: [sys.executable, str(PYTHON / f"{name}.py")],
}
SETTINGS = {
    "one worker": {"PENSTOCK_WORKERS": "1"},
    "two workers": {"PENSTOCK_WORKERS": "2"},
    "synchronous": {"PENSTOCK_ENGINE": "sync"},
}
# The package of Python may bring a BLAS library along, whose sums are in another order.
SAME_PRODUCTS = {"PENSTOCK_BLAS": "none"}

# The size that a program is told to have, if it takes one, and what it says it has computed.
PROGRAMS = {
    "first": ([], ["z"]),
    "waits": (["150"], ["each", "once"]),
    "queued": (["300"], ["sum"]),
    "one_or_all": (["200"], ["second", "last"]),
    "training": (["512"], ["loss"] * 20),
}


def digests(command, **settings):
    """The lines of a program that have exact values: pairs of a name and bytes."""
    done = subprocess.run(
        command, env=environment(**settings), capture_output=True, text=True, timeout=LIMIT
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split() for line in done.stdout.splitlines() if line.startswith("digest ")]
    return [(name, bytes.fromhex(elements)) for _, name, elements in lines]


def all_digests(name):
    """What a program computes, by language and setting."""
    size, _ = PROGRAMS[name]
    return {
        (language, setting): digests([*command(name), "--digest", *size], **values, **SAME_PRODUCTS)
        for language, command in LANGUAGES.items()
        for setting, values in SETTINGS.items()
    }


@pytest.mark.parametrize("name", PROGRAMS)
def test_all_languages_compute_the_same_bits(name):
    by_place = all_digests(name)
    expected = by_place["C", "one worker"]
    assert [value for value, _ in expected] == PROGRAMS[name][1]
    different = [place for place, found in by_place.items() if found != expected]
    assert different == []


def test_values_are_what_they_should_be():
    (_, z), *_ = digests([*LANGUAGES["C++"]("first"), "--digest"])
    assert struct.unpack("<2f", z) == (3.0, 3.0)
    losses = digests([*LANGUAGES["C++"]("training"), "--digest", "512"])
    first, *_, last = (struct.unpack("<f", loss)[0] for _, loss in losses)
    assert 0 < last < 0.6 * first


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_people_are_told_something_in_each_language(language, name):
    size, _ = PROGRAMS[name]
    command = [*LANGUAGES[language](name), *size]
    printed = subprocess.check_output(command, env=environment(), text=True, timeout=LIMIT)
    assert printed.strip()
    assert "digest" not in printed
