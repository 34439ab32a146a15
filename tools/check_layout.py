#!/usr/bin/env python3
"""Checks that the functions of small calls lie side by side.

    check_layout.py [--nm NM] ROOT LIBRARY...

Functions marked PS_HOT in src, PYPS_HOT in the Python frontend, are what every call of a small
operation goes through. In each library those of them that it has must begin at a cache line, and lie
within 24 KB: code that belongs together fills the sets of a core's instruction cache, of 32 KB or more,
evenly, and one call, which needs about half of it, leaves room for the language that calls.
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

LINE, ROOM = 64, 24 << 10
MARKED = re.compile(r"^(?:PS|PYPS)_HOT\b[^(;]*?(\w+)\(", re.M)


def marked(root):
    """Names of the functions that are marked in the sources."""
    names = set()
    for folder in ("src", "frontends/python/src"):
        for path in sorted((root / folder).rglob("*.c")):
            names.update(MARKED.findall(path.read_text()))
    return names


def placed(nm, library):
    """Where functions are: name, first and last byte. A compiler's copies end in .part.0 and the like."""
    command = [nm, "--defined-only", "--print-size", library]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    for fields in map(str.split, output.splitlines()):
        if len(fields) == 4 and fields[2] in "tT" and not fields[3].endswith(".cold"):
            begin, size = int(fields[0], 16), int(fields[1], 16)
            yield fields[3].split(".")[0], begin, begin + size


def problems_of(names, functions):
    """What is wrong with the layout, as sentences, and how many functions and bytes there are."""
    found = [one for one in functions if one[0] in names]
    alone = {one[0] for one in found if sum(other[0] == one[0] for other in found) == 1}
    if not alone:
        return ["none of the marked functions is here"], 0, 0
    # A static function may share its name with others elsewhere.
    first = min(begin for name, begin, _ in found if name in alone)
    last = max(end for name, _, end in found if name in alone)
    inside = [one for one in found if first <= one[1] < last]
    problems = [f"{name} begins in the middle of a cache line"
                for name, begin, _ in inside if begin % LINE and name in alone]
    if last - first > ROOM:
        ends = sorted((begin, name) for name, begin, _ in inside if name in alone)
        problems.append(f"from {ends[0][1]} to {ends[-1][1]} there are {last - first} bytes, "
                        f"more than {ROOM}")
    return problems, len(inside), last - first


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nm", default="nm")
    parser.add_argument("root", type=Path)
    parser.add_argument("libraries", nargs="+")
    arguments = parser.parse_args()
    names = marked(arguments.root)
    if not names:
        sys.exit("no function is marked")
    failed = False
    for library in arguments.libraries:
        functions = list(placed(arguments.nm, library))
        problems, count, size = problems_of(names, functions)
        for problem in problems:
            print(f"{library}: {problem}")
        print(f"{library}: {count} functions side by side in {size} bytes, {len(problems)} problems")
        failed |= bool(problems)
    sys.exit(failed)


if __name__ == "__main__":
    main()
