"""Answering questions: the other end of program.py, for programs in Python."""

import argparse
import os
import sys


def claim_output():
    """Where answers go. Standard output itself becomes standard error: what a library prints, when
    it is imported or later, is no answer."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    return answers


def serve(answers, answer):
    """Answers each line of standard input, given as words, by one line."""
    for line in sys.stdin:
        print(answer(line.split()), file=answers)


def serve_library(doc, make_answer):
    """A program that takes the name of a library and how long to measure: `make_answer(name, seconds)`
    gives what answers. What the library prints is no answer."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--seconds", type=float, default=0.2)
    options = parser.parse_args()
    answers = claim_output()
    serve(answers, make_answer(options.library, options.seconds))


class Absent(Exception):
    """A library has no such row."""


def refusal(row, error):
    """The answer for a row that an exception leaves out."""
    reason = " ".join(str(error).split())[:200]
    return f"{row} - {type(error).__name__}: {reason}"


def answer(row, measure):
    """What `measure` gives; whatever it raises leaves out this row and nothing else."""
    try:
        return f"{row} {measure():.9g}"
    except Absent:
        return f"{row} -"
    except Exception as error:
        return refusal(row, error)


def answer_about(library, make, seconds, words):
    """The answer of a library to `about`, `counts`, `check ROW` or `time ROW`; `make` gives the case of
    a row."""
    if words == ["about"]:
        return "about " + library.about()
    if words == ["counts"]:
        return "counts {} {}".format(*library.counts())
    command, row = words

    def measure():
        case = make(library, row)
        return case.digest() if command == "check" else case.time(seconds)

    return answer(row, measure)
