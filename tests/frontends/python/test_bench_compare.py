"""The statistics of `make bench-compare`, on made-up samples: nothing here looks at a clock.

The samples have what real ones have: each process lies differently in memory, all that is measured
within a round drifts together, and other programs make some measurements much slower."""

import math
import os
import random
import subprocess
import sys

import numpy as np
import pytest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3))
COMPARE = os.path.join(ROOT, "bench", "compare")

ROWS = 140  # about as many as the benchmark has
ROUNDS, AGAIN = 15, 20


@pytest.fixture(autouse=True, scope="module")
def modules():
    """The benchmark's modules, which import each other by plain names."""
    added = [COMPARE, os.path.dirname(COMPARE)]
    sys.path[:0] = added
    yield
    for folder in added:
        sys.path.remove(folder)


def make_triples(rng, rounds, factor=1.0, spread=0.01, disturbed=0.2):
    """(base, twin, tree) of each round; the tree takes `factor` times as long."""
    triples = []
    for _ in range(rounds):
        drift = 1 + 0.05 * rng.random()
        triple = [100 * drift * math.exp(rng.gauss(0, spread)) for _ in range(3)]
        triple = [v * (1 + rng.expovariate(2)) if rng.random() < disturbed else v for v in triple]
        triples.append((triple[0], triple[1], triple[2] * factor))
    return triples


def judged(rng, **how):
    """All stages, as run.py has them."""
    from verdict import STRICT, Verdict, confirm

    verdict = Verdict(make_triples(rng, ROUNDS, **how))
    for _ in range(2):
        if verdict.change:
            again = Verdict(make_triples(rng, AGAIN, **how), part=STRICT)
            verdict = confirm(verdict, again)
    return verdict


@pytest.mark.parametrize("spread, disturbed", [(0.003, 0.0), (0.01, 0.2), (0.03, 0.5), (0.08, 0.3)])
def test_unchanged_rows_are_not_reported(spread, disturbed):
    for seed in range(2):
        rng = random.Random(seed)
        found = [judged(rng, spread=spread, disturbed=disturbed).change for _ in range(ROWS)]
        assert found == [0] * ROWS


@pytest.mark.parametrize("factor, change", [(1.06, 1), (1.10, 1), (0.94, -1), (2.0, 1)])
def test_changed_rows_are_reported(factor, change):
    rng = random.Random(1)
    found = [judged(rng, factor=factor).change for _ in range(50)]
    assert found.count(change) >= 48
    assert found.count(-change) == 0


def test_less_than_two_per_cent_is_not_reported():
    rng = random.Random(1)
    assert [judged(rng, factor=1.01, spread=0.001).change for _ in range(50)] == [0] * 50


def test_what_a_noisy_row_hides_is_not_reported():
    from verdict import Verdict

    verdict = Verdict(make_triples(random.Random(1), ROUNDS, factor=1.05, spread=0.2))
    assert verdict.change == 0
    assert verdict.noise > 0.05


def test_noise_is_the_base_against_itself():
    from verdict import Verdict

    same = make_triples(random.Random(1), ROUNDS)
    slower = [(base, twin, 1.5 * tree) for base, twin, tree in same]
    assert Verdict(same).noise == Verdict(slower).noise
    assert Verdict([(1.0, 1.0, 1.0)] * ROUNDS).noise == 0


def test_what_lies_between_two_placements_is_no_change():
    from verdict import Verdict

    def verdict(tree):
        return Verdict([(100.0, 106.0, tree)] * ROUNDS)

    assert [verdict(tree).change for tree in (97, 99, 100, 103, 106, 108)] == [-1, 0, 0, 0, 0, 0]
    assert verdict(109).change == 1
    assert verdict(103).placement == pytest.approx(0.06)
    assert verdict(103).noise == 0


def test_a_change_needs_both_measurements():
    from verdict import Verdict, confirm

    def verdict(factor):
        return Verdict([(1.0, 1.0, factor)] * ROUNDS)

    assert confirm(verdict(1.1), verdict(1.1)).change == 1
    assert confirm(verdict(1.1), verdict(1.0)).change == 0
    assert confirm(verdict(1.1), verdict(0.9)).change == 0


def test_where_more_is_better():
    from verdict import Verdict

    verdict = Verdict([(80.0, 80.0, 72.0)] * ROUNDS, best=max)
    assert verdict.change == 1
    assert verdict.ratio == pytest.approx(80 / 72)
    assert (verdict.base, verdict.tree) == (pytest.approx(80), pytest.approx(72))


def test_quantile_is_numpys():
    from verdict import quantile

    values = [random.Random(1).random() for _ in range(17)]
    for part in (0, 0.1, 0.25, 0.5, 0.99, 1):
        assert quantile(values, part) == pytest.approx(np.quantile(values, part))


def test_rows_that_one_side_lacks():
    from measure import Samples
    from rows import Row

    old, new, both, none = rows = [Row("ops", name) for name in ("old", "new", "both", "none")]
    samples = Samples([], rows)
    samples.note(old, (1.0, 1.0, None))
    samples.note(new, (None, None, 1.0))
    samples.note(both, (1.0, 2.0, 3.0))
    samples.note(none, (None, None, None))
    assert samples.lonely == {"ops/old": "base", "ops/new": "tree"}
    assert [bool(samples.found[row.key]) for row in rows] == [False, False, True, False]


def test_names_of_rows():
    from rows import all_rows

    keys = [row.key for row in all_rows()]
    assert len(keys) == len(set(keys)) > 100
    assert {key.partition("/")[0] for key in keys} == {
        "engine", "ops", "python", "calls", "mxnet", "autograd", "import"}


def run_program(script, *arguments, text=""):
    return subprocess.run([sys.executable, os.path.join(COMPARE, script), *arguments], input=text,
                          capture_output=True, text=True, cwd=ROOT)


def test_every_statement_runs():
    """Short rows only: a statement is the same for all shapes."""
    from statements import KINDS, ROWS as names

    assert {name.split(".")[0] for name in names} == set(KINDS)
    short = [name for name in names if "000x" not in name] + [
        name.partition(".")[0] + ".10x10" for name in names if "000x" in name]
    done = run_program("python_program.py", "--seconds", "0",
                       text="".join(f"time {name}\n" for name in short))
    answers = [line.split(maxsplit=2) for line in done.stdout.splitlines()]
    assert [words[0] for words in answers] == short
    assert [words for words in answers if words[1] == "-"] == []


def test_every_row_of_gradients_runs():
    from rows import listed

    names = [name.partition(".")[0] + ".10x10" if "000x" in name else name
             for name in listed("autograd/rows.py")]
    asked = [f"{command} {name}" for name in names for command in ("check", "time")]
    done = run_program("../autograd/library.py", "penstock", "--seconds", "0",
                       text="\n".join([*asked, ""]))
    answers = [line.split(maxsplit=2) for line in done.stdout.splitlines()]
    assert [words[0] for words in answers] == [name for name in names for _ in range(2)]
    assert [words for words in answers if words[1] == "-"] == []


@pytest.mark.parametrize("arguments, message", [
    ([], "which commit"),
    (["--base", "no-such-commit"], "no commit no-such-commit"),
    (["--base", "HEAD", "--only", "no/such/row"], "no row is called no/such/row"),
])
def test_what_cannot_be_compared(arguments, message):
    done = run_program("run.py", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
