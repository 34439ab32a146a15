#!/usr/bin/env python3
"""Writes functions with a thousand operations on as many lines, for test_lines.cpp: make_lines.py FILE

Each takes the number of the operation that is to fail, by a position that is out of range, and a place
for its line. They queue everything and wait only at the end.
"""
import sys

COUNT = 1000
# How one operation is written: by functions, operators, in lambdas and templates.
FORMS = (
    "y = ps::take(x, places({0})); note({0});",
    "y = x(places({0})) + 1; note({0});",
    "y = [&] {{ return ps::take(x, places({0})); }}(); note({0});",
    "y = taken<float>(x, places({0})); note({0});",
    "y = -x(places({0})); note({0});",
)

with open(sys.argv[1], "w") as file:
    file.write("// clang-format off\n")
    file.write("template <class Places, class Note> void many(const ps::array &x, Places places, Note note)\n{\n")
    file.write("    std::vector<ps::array> all;\n    ps::array y;\n")
    for i in range(COUNT):
        file.write("    " + FORMS[i % len(FORMS)].format(i) + " all.push_back(y);\n")
    file.write("    for (const ps::array &one : all) one.wait();\n}\n")
