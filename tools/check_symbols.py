#!/usr/bin/env python3
"""Checks what the libraries export.

    check_symbols.py [--nm NM] penstock.h libpenstock.so libpenstock.a

The shared library exports exactly the functions that penstock.h declares with PS_API. Everything
global in the static one begins with ps_, so that it cannot clash with names of a program.
"""
import argparse
import re
import subprocess
import sys


def declared(header):
    """Names of the functions marked PS_API."""
    with open(header) as file:
        text = file.read()
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//.*", " ", text)
    text = re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", "", text, flags=re.M)
    names = set()
    for declaration in re.findall(r"\bPS_API\b([^;{]*)", text):
        name = re.search(r"(\w+)\s*\(", declaration)
        if not name:
            sys.exit(f"{header}: cannot read the declaration: {declaration.strip()}")
        names.add(name.group(1))
    return names


def defined(nm, library, *options):
    """Names of the symbols that the library defines, without their versions."""
    command = [nm, "--defined-only", "--format=posix", *options, library]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    symbols = (line.split() for line in output.splitlines() if not line.rstrip().endswith(":"))
    # An absolute symbol in a shared library is the name of a version.
    return {fields[0].split("@")[0] for fields in symbols if len(fields) > 1 and fields[1] != "A"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nm", default="nm")
    parser.add_argument("header")
    parser.add_argument("shared")
    parser.add_argument("static")
    arguments = parser.parse_args()

    public = declared(arguments.header)
    exported = defined(arguments.nm, arguments.shared, "--dynamic")
    linkable = defined(arguments.nm, arguments.static, "--extern-only")

    problems = [f"{name}: declared in the header, not exported" for name in public - exported]
    problems += [f"{name}: exported, not declared in the header" for name in exported - public]
    problems += [f"{name}: global in the static library without the prefix ps_"
                 for name in linkable if not name.startswith("ps_")]
    for problem in sorted(problems):
        print(problem)
    if not public:
        sys.exit("the header declares nothing")
    print(f"{len(public)} functions declared, {len(exported)} exported, {len(problems)} problems")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
