"""Runs the book's sections on a dialect and on what it is of, and writes how far each of them got.

    PYTHONPATH=tests/conformance build/venv/bin/python -m book.run --book FOLDER --real PYTHON

Each section is a process of its own, in a fresh folder beside the stand-in files; one runs at a
time. The answers go to a JSON file, from which `--docs` writes the tables of a page. The exit
status is 1 if a section that the real one finishes is not finished here."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

from . import changes, dialects, sections

HERE = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- book: written by tests/conformance/book/run.py -->", "<!-- end of book -->"


# ---- One section in one library ----------------------------------------------------------------


class Library:
    """A Python with one of the libraries."""

    def __init__(self, which, python, folders):
        self.which, self.python = which, os.path.abspath(python)
        places = [str(HERE), *(os.path.abspath(folder) for folder in folders)]
        self.env = dict(os.environ, MPLBACKEND="agg", PYTHONDONTWRITEBYTECODE="1")
        self.env["PYTHONPATH"] = os.pathsep.join(places)

    def run(self, module, *arguments, folder=".", limit=None, **environment):
        """What a module printed, and its exit status; None if it took too long."""
        command = [self.python, "-m", module, *map(str, arguments)]
        try:
            return subprocess.run(
                command,
                cwd=folder,
                env={**self.env, **environment},
                capture_output=True,
                text=True,
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None


def fresh_folder(place, stand_ins):
    """A folder to run a section in: work, with data and img beside it."""
    shutil.rmtree(place, ignore_errors=True)
    (place / "data").mkdir(parents=True)
    (place / "work").mkdir()
    for path in (stand_ins / "data").iterdir():
        (place / "data" / path.name).symlink_to(path)
    (place / "img").symlink_to(stand_ins / "img")
    (place / "work" / "temp").symlink_to(stand_ins / "data")
    return place / "work"


def ended(section, text):
    """The answer of a section whose process did not give one."""
    error = {"type": "the process ended", "text": text, "line": "", "where": ""}
    return {"section": section, "finished": False, "error": error}


def run_section(library, section, options, stand_ins):
    """How far a section got."""
    folder = fresh_folder(stand_ins / "run", stand_ins)
    book = os.path.abspath(options.book)
    given = (library.which, options.dialect, book, section, options.cell_seconds)
    limit = 5 * options.cell_seconds
    home = {"HOME": str(stand_ins / "home")} if (stand_ins / "home").is_dir() else {}
    done = library.run("book.run_section", *given, folder=folder, limit=limit, **home)
    if done is None:
        return ended(section, f"more than {limit} s")
    lines = done.stdout.splitlines()
    if not lines or not lines[-1].startswith("{"):
        return ended(section, f"status {done.returncode}: {done.stderr[-500:]}")
    return json.loads(lines[-1])


# ---- The tables --------------------------------------------------------------------------------


def reason(answer):
    """Why a section did not get to its end, in a few words."""
    if answer["finished"]:
        return "finishes"
    error = answer["error"]
    if error["type"] == "ModuleNotFoundError":
        return error["text"]
    text = " ".join(error["text"].split())
    text = text if len(text) <= 90 else text[:90].rsplit(" ", 1)[0] + " …"
    text = f"{error['type']}: {text}".replace("|", "\\|")
    return f"{text}, at `{error['line'][:60]}`" if error["line"] else text


def counts(report, book):
    """The numbers of sections and cells that each library got to the end of."""
    rows = ["| | sections | finished | cells | run |", "| --- | ---: | ---: | ---: | ---: |"]
    for which, name in (("real", book.real), ("ours", f"penstock.{book.name}")):
        answers = report[which]
        done = sum(answer.get("done", 0) for answer in answers)
        cells = sum(answer.get("cells", 0) for answer in answers)
        finished = sum(answer["finished"] for answer in answers)
        rows.append(f"| {name} | {len(answers)} | {finished} | {cells} | {done} |")
    return rows


def left_over(report, book):
    """A row for each section that one of them did not finish."""
    rows = [f"| section | {book.real.split()[0]} | here |", "| --- | --- | --- |"]
    for real, ours in zip(report["real"], report["ours"]):
        if not (real["finished"] and ours["finished"]):
            name = real["section"].partition("/")[2]
            rows.append(f"| `{name}` | {reason(real)} | {reason(ours)} |")
    return rows


def tables(report):
    """The two tables, as Markdown."""
    book = dialects.BOOKS[report["dialect"]]
    return "\n".join([*counts(report, book), "", *left_over(report, book)])


def write_docs(path, report):
    """Puts the tables between their marks in a page."""
    path = pathlib.Path(path)
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    if not after:
        sys.exit(f"{path}: there is no {BEGIN} … {END}")
    path.write_text(f"{before}{BEGIN}\n\n{tables(report)}\n\n{END}{after}", encoding="utf-8")


# ---- All of it ---------------------------------------------------------------------------------


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dialect", choices=[*dialects.BOOKS], default="torch")
    parser.add_argument("--book", metavar="FOLDER", help="the book's sources, with its chapters")
    parser.add_argument("--real", metavar="PYTHON")
    parser.add_argument("--real-path", action="append", default=[], metavar="FOLDER")
    parser.add_argument("--path", action="append", default=[], metavar="FOLDER", help="for both")
    parser.add_argument("--package", default="build/release/python", metavar="FOLDER")
    parser.add_argument("--folder", help="for stand-in files")
    parser.add_argument("--output", help="a JSON file for the answers")
    parser.add_argument("--docs", metavar="FILE", help="a page to write the tables into")
    parser.add_argument("--cell-seconds", type=int, default=240, help="the most that a cell takes")
    parser.add_argument("--only", action="append", help="a section, by a part of its name")
    parser.add_argument("--library", choices=["ours", "real"], help="one of the two")
    options = parser.parse_args()
    book = dialects.BOOKS[options.dialect]
    options.real = options.real or f"build/conformance/{book.name}/bin/python"
    options.folder = options.folder or f"build/conformance/{book.folder}"
    options.output = options.output or f"{options.folder}.json"
    return options


def chosen(options):
    """The sections to run; ends the run if the book is not there."""
    book = dialects.BOOKS[options.dialect]
    where = f"give its sources ({book.edition}) as BOOK=<folder>"
    if not options.book:
        sys.exit(f"the book is not part of the project: {where}")
    names = sections.sections(options.book, book)
    if not names:
        sys.exit(f"{options.book}: no chapter_*/*.md with programs for {book.name} there: {where}")
    wanted = options.only or [""]
    return [name for name in names if any(part in name for part in wanted)]


def commit():
    """The commit that is run, marked if there are changes."""
    command = ["git", "-C", str(HERE), "describe", "--always", "--dirty"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def run_library(library, names, options, stand_ins):
    """The answers of one library."""
    answers = []
    for name in names:
        answer = run_section(library, name, options, stand_ins)
        took = f"{answer.get('seconds', 0)} s"
        print(f"{library.which} {name}: {reason(answer)} ({took})", flush=True)
        answers.append(answer)
    return answers


def main():
    options = parse_options()
    names = chosen(options)
    stand_ins = pathlib.Path(options.folder).resolve()
    real = Library("real", options.real, [*options.path, *options.real_path])
    made = real.run(dialects.BOOKS[options.dialect].stand_ins, stand_ins)
    if made.returncode:
        sys.exit(f"{options.real}: stand-in files cannot be made: {made.stderr[-500:]}")
    libraries = [Library("ours", sys.executable, [options.package, *options.path]), real]
    report = {"dialect": options.dialect, "commit": commit(), "epochs": changes.EPOCHS}
    report["cell_seconds"] = options.cell_seconds
    for library in libraries:
        if options.library in (None, library.which):
            report[library.which] = run_library(library, names, options, stand_ins)
    pathlib.Path(options.output).write_text(json.dumps(report, indent=1), encoding="utf-8")
    if options.library:
        return 0
    print(tables(report))
    if options.docs:
        write_docs(options.docs, report)
    both = zip(report["real"], report["ours"])
    return int(any(real["finished"] and not ours["finished"] for real, ours in both))


if __name__ == "__main__":
    sys.exit(main())
