"""Programs with the real one's answers, in a file of vectors, and the replay of them in ours."""

import contextlib
import warnings

from libraries import CRASHED
from record import write

from . import run
from .compare import compare, differences

LONGEST = 4000  # characters of a program


def answered(real, programs):
    """Pairs of a program and its answer. Programs that end the real one's process, or to which it
    gives two answers, are left out."""
    for program in programs:
        if sum(map(len, program["steps"])) > LONGEST:
            continue
        answer, again = real.run(program), real.run(program)
        if CRASHED not in (answer, again) and not differences(program, answer, again):
            yield {"program": program, "answer": answer}


def record(dialect, python, count):
    """Writes vectors/<dialect>_programs.json.gz: so many programs of each family."""
    real = run.real_library(dialect, python)
    run.check(dialect, real)
    families = dialect.families
    chosen = (one for name in families for one in families.programs(0, count, [name]))
    write(f"{dialect.name}_programs", answered(real, chosen))
    real.stop()


def answer_of_ours(runner, program):
    """What ours answers; the errors of values that no step waited for are let go."""
    import penstock

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = runner.run_program(program)
    with contextlib.suppress(Exception):
        penstock.waitall()
    return made


def unexplained(dialect, runner, vectors):
    """The differences of ours from recorded answers that no rule explains."""
    found = []
    for vector in vectors:
        ours = answer_of_ours(runner, vector["program"])
        made = compare(vector["program"], vector["answer"], ours, dialect.known_difference)
        found += [one for one in made if not one.rule]
    return found


def told(difference):
    """A program and how the answers differ, for people."""
    steps = difference.program["steps"]
    lines = [f"{'>' if at == difference.at else ' '} {step}" for at, step in enumerate(steps)]
    answers = [f"real: {difference.real}", f"ours: {difference.ours}"]
    return "\n".join([difference.how, *lines, *answers])
