"""Random programs in all languages: the same bits, and the same errors.

    python3 run.py --build <build folder> --programs 100 --seed 1

Programs are drawn by program.py, as data; write_c.py, write_cpp.py and write_python.py write them down
in their languages. Each runs on one worker, on two, and synchronously: what it prints (element types,
shapes and digests of results, kinds and texts of errors) must be the same everywhere, but for the place
that an error names. If it is not, the program is run once more with a line after every statement, and the
first statement that differs is shown with what each language has for it. The sources stay in the folder
that is named.

Another language is one more file write_<language>.py with a class like those (writer.py says what it has)
and an entry in LANGUAGES.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import types

from compare import by_program, first_difference
from program import program
from statements import Late, Program, Recording, Show, Slot, walk
from write_c import C
from write_cpp import Cpp
from write_python import Python

LANGUAGES = {"c": C, "cpp": Cpp, "python": Python}
SETTINGS = {
    "one worker": {"PENSTOCK_WORKERS": "1"},
    "two workers": {"PENSTOCK_WORKERS": "2"},
    "synchronous": {"PENSTOCK_ENGINE": "sync"},
}
# The package of Python may bring a BLAS library along, whose sums are in another order.
SAME_PRODUCTS = {"PENSTOCK_BLAS": "none"}
LIMIT = 600  # seconds, after which a program is taken for hung
ROOT = pathlib.Path(__file__).resolve().parents[3]


class Trial:
    """Some programs, written, built and run in a folder of their own."""

    def __init__(self, programs, folder, tools, writers):
        self.programs, self.folder, self.tools, self.writers = programs, folder, tools, writers

    def write(self, writer):
        """Writes the programs in one language; the paths of source and program."""
        source = self.folder / f"programs_{type(writer).__name__.lower()}{writer.suffix}"
        source.write_text(writer.file(self.programs))
        return source, source.with_suffix("")

    def outputs(self):
        """What each program has printed, by seed and then by (language, setting)."""
        self.folder.mkdir(parents=True, exist_ok=True)
        found = collections.defaultdict(dict)
        for writer in self.writers:
            source, target = self.write(writer)
            command = writer.build(self.tools, source, target)
            if command is not None:
                subprocess.run(command, check=True)
            for setting, values in SETTINGS.items():
                lines = by_program(self.run(writer.run(self.tools, source, target), values))
                for one in self.programs:
                    ended = lines.get(None, [])  # what is no line of a program
                    found[one.seed][writer.name, setting] = lines.get(one.seed, []) + ended
        return found

    def run(self, command, values):
        """Standard output, and how the process ended if not well."""
        done = subprocess.run(
            command,
            env={**os.environ, **SAME_PRODUCTS, **values},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT,
        )
        return done.stdout + (f"exit status {done.returncode}\n" if done.returncode else "")


# ---- Differences ---------------------------------------------------------------------------------


def shown_slots(one):
    """The slots that a statement may have changed."""
    return [x for x in (getattr(one, "to", None), getattr(one, "of", None)) if isinstance(x, Slot)]


def watched(original):
    """The same program with a line about each slot that a statement has to do with, under its number."""

    def numbered(made, number):
        made.number = number
        return made

    def after(statements):
        for one in statements:
            if isinstance(one, Recording):
                yield numbered(Recording(list(after(one.body))), one.number)
                continue
            yield one
            for slot in () if isinstance(one, (Late, Show)) else shown_slots(one):
                yield numbered(Show(slot), one.number)

    return Program(original.seed, list(after(original.statements)))


def texts(one, writers):
    """A statement in each language."""
    lines = [f"  as data: {one!r}"]
    for writer in writers:
        lines += [f"  {writer.name}:", *(f"    {line}" for line in writer.statement(one))]
    return lines


def report(seed, difference, writers, folder):
    number, lines = difference
    statements = {one.number: one for one in walk(program(seed).statements)}
    told = [f"program {seed}, statement {number}: languages or settings differ"]
    told += [f"  {language}, {setting}: {line}" for (language, setting), line in lines.items()]
    if number in statements:
        told += texts(statements[number], writers)
    return "\n".join([*told, f"  sources: {folder}", ""])


def explain(seed, difference, trial):
    """The report about a program that differs: of its run with all lines, if that differs too."""
    folder = trial.folder / f"watched_{seed}"
    again = Trial([watched(program(seed))], folder, trial.tools, trial.writers)
    closer = first_difference(again.outputs()[seed])
    return report(seed, closer or difference, trial.writers, folder if closer else trial.folder)


# ---- All ------------------------------------------------------------------------------------------


def run_batch(seeds, arguments, tools, writers):
    """The reports about programs that differ, and how many lines and errors there were."""
    trial = Trial([program(seed) for seed in seeds], arguments.output / f"{seeds[0]}", tools, writers)
    outputs = trial.outputs()
    if arguments.spoil:
        spoil(outputs, seeds)
    reports, counts = [], collections.Counter()
    for seed, by_place in outputs.items():
        difference = first_difference(by_place)
        if difference is not None:
            reports.append(explain(seed, difference, trial))
        lines = next(iter(by_place.values()))
        counts["lines"] += len(lines)
        counts["errors"] += sum(" error " in line for line in lines)
        counts["statements"] += sum(1 for _ in walk(program(seed).statements))
    if not reports and not arguments.keep:
        shutil.rmtree(trial.folder)
    return reports, counts


def spoil(outputs, seeds):
    """Changes the last line of one program in the last language."""
    by_place = outputs[seeds[0]]
    place = list(by_place)[-1]
    by_place[place][-1] = by_place[place][-1][:-1] + "?"


def arguments_of(argv):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the build folder")
    parser.add_argument("--library", type=pathlib.Path, help="where the library is; that folder")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="of the first program; the others follow")
    parser.add_argument("--batch", type=int, default=25, help="programs in one file")
    parser.add_argument("--jobs", type=int, default=1, help="files at a time")
    parser.add_argument("--languages", default=",".join(LANGUAGES))
    parser.add_argument("--output", type=pathlib.Path, help="a folder for sources")
    parser.add_argument("--keep", action="store_true", help="keep the sources even if all is the same")
    parser.add_argument("--spoil", action="store_true", help="change one line: it must be reported")
    parser.add_argument("--cc", default="cc", help="the C compiler, with options")
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--python", default=sys.executable, help="an interpreter for the package")
    parser.add_argument("--launcher", default="", help="what runs programs that were compiled")
    given = parser.parse_args(argv)
    given.output = given.output or given.build / "languages"
    return given


def tools_of(given):
    library = (given.library or given.build).resolve()
    return types.SimpleNamespace(
        cc=given.cc.split(),
        cxx=given.cxx.split(),
        launcher=given.launcher.split(),
        python=given.python,
        package=given.build.resolve() / "python",
        include=[f"-I{ROOT}/include", f"-I{ROOT}/frontends/cpp/include"],
        link=[f"-L{library}", f"-Wl,-rpath,{library}", "-lpenstock", "-lpthread"],
    )


def main(argv=None):
    given = arguments_of(argv)
    writers = [LANGUAGES[name]() for name in given.languages.split(",")]
    seeds = list(range(given.seed, given.seed + given.programs))
    batches = [seeds[i : i + given.batch] for i in range(0, len(seeds), given.batch)]
    tools, different, counts = tools_of(given), 0, collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for reports, more in pool.map(lambda some: run_batch(some, given, tools, writers), batches):
            different += len(reports)
            counts.update(more)
            for text in reports:
                print(text, flush=True)
    names = ", ".join(writer.name for writer in writers)
    print(
        f"{len(seeds)} programs in {names}, on {', '.join(SETTINGS)}: {counts['statements']} statements, "
        f"{counts['lines']} lines, {counts['errors']} of them errors; {different} programs differ"
    )
    return different != 0


if __name__ == "__main__":
    sys.exit(main())
