#!/usr/bin/env python3
"""Writes functions with a thousand operations on as many lines, for lines.hpp: make_lines.py FILE

`many` takes a function that gives the positions for operation number i, of which one is to fail by being
out of range; it queues everything. `awaited` is a coroutine that does the same, and awaits it.
many_lines and awaited_lines are the lines of the operations.
"""
import sys

COUNT = 1000
PART = 50  # lines in one function: with more of them compilers take long
# How one operation is written: by functions, operators, in lambdas and templates.
FORMS = (
    "y = ps::take(x, places({0}));",
    "y = x(places({0})) + 1;",
    "y = [&] {{ return ps::take(x, places({0})); }}();",
    "y = taken<float>(x, places({0}));",
    "y = -x(places({0}));",
    "y = x.take(places({0}));",
    "y = x + 0; y += x(places({0})).sum();",
)
AWAIT = "y = co_await ps::take(x, places({0}));"  # the last of each part


class Writer:
    def __init__(self, file):
        self.file, self.line = file, 1

    def write(self, text):
        self.file.write(text + "\n")
        self.line += 1

    def part(self, name, begin, result, last):
        """A function with PART operations; their lines."""
        self.write("template <class Places>")
        self.write(f"{result} {name}_{begin}(const ps::array &x, Places places, arrays &all)")
        self.write("{")
        self.write("    ps::array y;")
        first = self.line
        for i in range(begin, begin + PART):
            form = last if i == begin + PART - 1 else FORMS[i % len(FORMS)]
            self.write("    " + form.format(i) + " all.push_back(y);")
        self.write("}")
        return range(first, first + PART)

    def function(self, name, result, part_result, last, wait, end):
        lines = []
        for begin in range(0, COUNT, PART):
            lines += self.part(name, begin, part_result, last)
        self.write("template <class Places>")
        self.write(f"{result} {name}(const ps::array &x, Places places)")
        self.write("{")
        self.write("    arrays all;")
        for begin in range(0, COUNT, PART):
            self.write(f"    {wait}{name}_{begin}(x, places, all);")
        self.write(f"    {end}")
        self.write("}")
        self.write(f"const unsigned {name}_lines[] = {{{', '.join(map(str, lines))}}};")


with open(sys.argv[1], "w") as opened:
    to = Writer(opened)
    to.write("// clang-format off")
    to.write("using arrays = std::vector<ps::array>;")
    to.function("many", "arrays", "void", FORMS[0], "", "return all;")
    each = "for (const ps::array &one : all) co_await one;"
    to.function("awaited", "ps::task<>", "ps::task<>", AWAIT, "co_await ", each)
