"""Random programs with gradients (tests/conformance/autograd): what PyTorch answered to those in
vectors/autograd.json.gz is what ours answers, by one thread or by two; and their bits are the same
however they are run. `make conformance-autograd` runs new ones against PyTorch."""

import os
import subprocess
import sys

import pytest

import processes

CONFORMANCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "conformance"))
sys.path.insert(0, CONFORMANCE)

import record  # noqa: E402
from autograd import compare, ours, programs, rows  # noqa: E402

pytestmark = pytest.mark.usefixtures("nothing_recorded")

BLOCK = 50  # programs in a test
VECTORS = record.read("autograd")


# ---- PyTorch's answers ---------------------------------------------------------------------------


def told(program, difference):
    return f"seed {program['seed']}: {difference}\n\n{rows.listing(program)}"


@pytest.mark.parametrize("player", [ours.Player, ours.Hands])
@pytest.mark.parametrize("start", range(0, len(VECTORS), BLOCK))
def test_answers_of_pytorch(player, start):
    found = []
    for vector in VECTORS[start:start + BLOCK]:
        program = vector["program"]
        difference = compare.differ(program, vector["answer"], ours.run(program, player))
        found += [told(program, difference)] if difference else []
    assert not found, "\n\n".join(found[:3]) + f"\n\n{len(found)} programs differ"


def test_a_wrong_answer_is_found():
    """The comparison can fail: an answer that was changed in one number is another answer."""
    program, answer = VECTORS[0]["program"], VECTORS[0]["answer"]
    changed = dict(answer["arrays"])
    name, array = next((n, a) for n, a in changed.items() if n.startswith("a") and a["data"])
    changed[name] = dict(array, data=[array["data"][0] + 1e-6, *array["data"][1:]])
    answers = {"arrays": changed}
    assert compare.differ(program, answer, ours.run(program)) is None
    assert compare.differ(program, answers, ours.run(program)).startswith(f"{name}: element 0")


def test_programs_do_all_that_they_can():
    """No row is left out by chance."""
    done = {step["do"] for seed in range(400) for step in programs.make_program(seed)["steps"]}
    assert done == set(rows.TEXTS)


def test_listings_can_be_run():
    """What is shown of a program that fails is the program."""
    for vector in VECTORS[:10]:
        text = rows.listing(vector["program"])
        space = {"print": lambda *shown: None}
        exec(compile(text, "listing", "exec"), space)
        answer = {
            "arrays": {name: ours.encoded(space[name]) for name in vector["program"]["read"]}
        }
        assert compare.differ(vector["program"], vector["answer"], answer) is None


def test_a_program_that_differs_is_made_small():
    """Steps without which the difference is still there are left out: here all but those that
    make the first array that is a sine."""
    program = next(
        program
        for program in map(programs.make_program, range(100))
        if any(step["do"] == "sin" for step in program["steps"])
    )

    def has_a_sine(shorter):
        return "values" if any(s["do"] == "sin" for s in shorter["steps"]) else None

    small = compare.shrink(program, has_a_sine)
    assert small["steps"][-1]["do"] == "sin"
    assert sum(step["do"] == "sin" for step in small["steps"]) == 1
    assert len(small["steps"]) < len(program["steps"])


# ---- Bits ----------------------------------------------------------------------------------------

SLOW = "asan" in os.environ.get("LD_PRELOAD", "")
COUNT = 10 if SLOW else 80  # programs, half of them over large arrays
QUEUED = {"PENSTOCK_AT_ONCE": "off"}  # even what is short
SETTINGS = {
    f"{count} workers": QUEUED | {"PENSTOCK_WORKERS": str(count)} for count in (1, 2, 3, 8)
} | {
    "synchronous": {"PENSTOCK_ENGINE": "sync"},
    "not fused": QUEUED | {"PENSTOCK_FUSION": "off"},
    "at once": {},
}


def bits(*arguments, **settings):
    """A line for each program; nothing may be left of their graphs."""
    environment = processes.environment(**settings)
    environment["PYTHONPATH"] += os.pathsep + CONFORMANCE
    done = subprocess.run(
        [sys.executable, "-m", "autograd.bits", str(COUNT), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=processes.LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *lines, left = done.stdout.splitlines()
    assert left == "0 0" and len(lines) == COUNT
    return lines


@pytest.mark.parametrize("threads", [(), ("hand",)], ids=["one thread", "two threads"])
def test_the_same_bits(threads):
    wanted = bits(*threads, PENSTOCK_ENGINE="sync", PENSTOCK_FUSION="off", PENSTOCK_WORKERS="1")
    assert len({line.split()[1] for line in wanted}) == COUNT
    for name, settings in SETTINGS.items():
        found = bits(*threads, **settings)
        other = [line.split()[0] for line, same in zip(found, wanted) if line != same]
        assert not other, f"{name}: the programs of seeds {', '.join(other)} differ"
