"""Lines of programs, compared: the same in all languages and settings."""

import re

# The place that an error names is a line of the program's own language.
PLACE = re.compile(r" \(in (\w+).*\)$")


def without_place(line):
    """A line as it must be in every language."""
    return PLACE.sub(r" (in \1)", line) if " error " in line else line


def by_program(output):
    """The lines of each program of a file's output, by its seed."""
    found = {}
    for line in output.splitlines():
        seed, dot, _ = line.partition(".")
        key = int(seed) if dot and seed.isdigit() else None
        found.setdefault(key, []).append(without_place(line))
    return found


def statement_of(line):
    """The number of the statement that printed a line; none at the end of what was printed."""
    found = re.match(r"\d+\.(\d+) ", line or "")
    return int(found[1]) if found else None


def first_difference(outputs):
    """Where lists of lines, by (language, setting), differ first: the number of the statement, and what
    each has printed there. None: nowhere."""
    length = max(map(len, outputs.values()))
    for i in range(length):
        lines = {key: output[i] if i < len(output) else None for key, output in outputs.items()}
        if len(set(lines.values())) > 1:
            numbers = [statement_of(line) for line in lines.values() if line is not None]
            return min((n for n in numbers if n is not None), default=None), lines
    return None
