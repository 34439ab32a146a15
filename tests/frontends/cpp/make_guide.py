#!/usr/bin/env python3
"""Writes the programs of docs/cpp.md as functions for test_guide.cpp: make_guide.py PAGE FILE

A block of C++ that begins with an include is a program, any other the body of a function. What a block
without a language shows right behind it is what it prints.
"""
import re
import sys

page = open(sys.argv[1]).read()
blocks = re.findall(r"^```cpp\n(.*?)^```\n(?:```\n(.*?)^```\n)?", page, re.S | re.M)
with open(sys.argv[2], "w") as file:
    file.write("// clang-format off\n")
    for number, (code, _) in enumerate(blocks):
        if code.startswith("#include"):
            code = re.sub(r"^#include.*\n", "", code, flags=re.M).replace("int main()", "void run()")
        else:
            code = "void run()\n{\n" + code + "}\n"
        file.write(f"namespace guide_{number}\n{{\n{code}}}\n")
    file.write("const struct { void (*run)(); const char *prints; } guide[] = {\n")
    for number, (_, text) in enumerate(blocks):
        file.write(f'    {{guide_{number}::run, R"guide({text})guide"}},\n')
    file.write("};\n")
