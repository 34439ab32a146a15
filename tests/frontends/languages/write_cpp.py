"""Programs in C++: penstock.hpp's own ways, operators, methods, subscripts, structs of options."""

import functools
import pathlib
import re

import table
from rows import OPERATORS, UNARY_OPERATORS
from statements import SLOTS, TEMPORARIES, Slot
from writer import Writer, flattened

ELEMENTS = {
    "bool": "bool",
    "float32": "float",
    "float64": "double",
    "complex64": "std::complex<float>",
    "complex128": "std::complex<double>",
}
HERE = pathlib.Path(__file__).parent
CHOICES = {("pad", "mode"): "pad_mode", ("pick", "mode"): "pick_mode"}


@functools.cache
def functions():
    """The function of each row, as penstock/ops.hpp has it: "ps::nn::relu"."""
    found, space, row = {}, "", None
    for line in (table.ROOT / "frontends/cpp/include/penstock/ops.hpp").read_text().splitlines():
        if match := re.match(r"namespace (nn|linalg|random|optim)$", line):
            space = f"{match[1]}::"
        elif line.startswith("} // namespace"):
            space = ""
        elif row is None and (match := re.match(r"// (\w+)\(", line)):
            row = match[1]
        elif row and (match := re.match(r"inline (?:\w|:|<|>|, )+ (\w+)\(", line)):
            found.setdefault(row, f"ps::{space}{match[1]}")
            row = None
    return found


class Cpp(Writer):
    name, suffix = "C++", ".cpp"
    new_item, ellipsis_item = "ps::newaxis", "ps::ellipsis"

    # ---- Values ----

    def slot(self, slot):
        return repr(slot)

    def number(self, x):
        if isinstance(x, complex):
            return f"std::complex<double>({x.real!r}, {x.imag!r})"
        return repr(x).lower()

    def dtype(self, name):
        return f"ps::{'bool_' if name == 'bool' else name}"

    def text(self, text):
        return f'"{text}"'

    def ints(self, ints):
        return f"{{{', '.join(map(str, ints))}}}"

    def slots(self, slots):
        return f"{{{', '.join(map(repr, slots))}}}"

    def generator(self):
        return "generator"

    def slice_item(self, item):
        bounds = ["ps::none" if x is None else str(x) for x in (item.start, item.stop, item.step)]
        return f"ps::slice({', '.join(bounds)})"

    def place_item(self, place):
        return str(place)

    array_item = slot

    def place(self, of, items):
        return f"{of}({', '.join(map(self.item, items))})"

    # ---- Statements ----

    def braces(self, values):
        if isinstance(values, list):
            return f"{{{', '.join(map(self.braces, values))}}}"
        return self.number(values)

    def literal(self, one):
        elements, shape = flattened(one.values)
        if one.memory and one.dtype not in ("float16", "bfloat16"):
            kind = ELEMENTS.get(one.dtype, f"std::{one.dtype}_t")
            numbers = ", ".join(map(self.number, elements))
            numbers = re.sub("std::complex<double>", kind, numbers) if "complex" in kind else numbers
            return [f"{one.to} = ps::array(std::vector<{kind}>{{{numbers}}}, {self.ints(shape)})"]
        if shape == ():
            number = self.number(one.values)
            if one.dtype is None:
                return [f"{one.to} = ps::array({number})"]
            return [f"{one.to} = ps::full({{}}, {number}, {{.dtype = {self.dtype(one.dtype)}}})"]
        if one.dtype is None:
            return [f"{one.to} = ps::array{self.braces(one.values)}"]
        return [f"{one.to} = ps::array({self.braces(one.values)}, {self.dtype(one.dtype)})"]

    def option(self, row, name, value):
        kind = table.options(row)[name]
        if kind.startswith("choice"):
            return f"ps::{CHOICES.get((row, name), name)}::{value}"
        return self.argument(value)

    def arguments(self, row, args, options):
        texts = [self.argument(x) for x in args]
        if options:
            pairs = [f".{name} = {self.option(row, name, x)}" for name, x in table.ordered(row, options)]
            texts.append(f"{{{', '.join(pairs)}}}")
        return f"({', '.join(texts)})"

    def call_function(self, one):
        return [f"{one.to} = {functions()[one.row]}{self.arguments(one.row, one.args, one.options)}"]

    def call_method(self, one):
        first, *rest = one.args
        return [f"{one.to} = {first}.{one.row}{self.arguments(one.row, rest, one.options)}"]

    def call_operator(self, one):
        texts = [self.argument(x) for x in one.args]
        if len(texts) == 1:
            return [f"{one.to} = {UNARY_OPERATORS[one.row]}{texts[0]}"]
        return [f"{one.to} = {texts[0]} {OPERATORS[one.row]} {texts[1]}"]

    def call_update(self, one):
        return [f"{one.to} {OPERATORS[one.row]}= {self.argument(one.args[1])}"]

    def call_into(self, one):
        args = "".join(f", {self.argument(x)}" for x in one.args)
        return [f'ps::call_into({{{one.to}}}, "{one.row}"{args})']

    def get(self, one):
        return [f"{one.to} = {self.place(one.of, one.items)}"]

    def set(self, one):
        return [f"{self.place(one.of, one.items)} = {self.argument(one.value)}"]

    def setupdate(self, one):
        place = self.place(one.of, one.items)
        return [f"{place} {OPERATORS[one.row]}= {self.argument(one.value)}"]

    def alias(self, one):
        return [f"{one.to} = {one.of}"]

    def detach(self, one):
        return [f"{one.to} = {one.of}.detach()"]

    def attach(self, one):
        return [f"{one.of}.attach_grad({'true' if one.add else ''})"]

    def backward(self, one):
        if len(one.heads) == 1 and one.gradients is None and not one.retain:
            return [f"{one.heads[0]}.backward()"]
        options = [f".gradients = {self.slots(one.gradients)}"] if one.gradients else []
        options += [".retain = true"] if one.retain else []
        more = f", {{{', '.join(options)}}}" if options else ""
        return [f"ps::backward({self.slots(one.heads)}{more})"]

    def gradientof(self, one):
        return [f"keep_gradient({one.to}, {one.of}.grad())"]

    def gradients(self, one):
        create = ", {.create = true}" if one.create else ""
        found = f"ps::grad({self.slots(one.heads)}, {{{one.wanted}}}{create})[0]"
        return [f"{one.to} = zeros_if_none({found}, {one.wanted})"]

    def seed(self, one):
        return [f"generator.seed({one.seed}u)"]

    def wait(self, one):
        return [f"{one.of}.wait()"]

    def waitall(self, one):
        return ["ps::wait_all()"]

    def show(self, one):
        return [f"show({one.of})"]

    # ---- Blocks ----

    def attempt(self, number, actions):
        return [
            f"statement = {number};",
            "try {",
            *(f"    {step};" for step in actions),
            "} catch (const ps::error &error) {",
            "    say_error(error);",
            "}",
        ]

    def names(self, temporary):
        count = TEMPORARIES if temporary else SLOTS
        return ", ".join(repr(Slot(i, temporary)) for i in range(count))

    def forget_temporaries(self):
        return [" = ".join(self.names(True).split(", ")) + " = ps::array();"]

    def open_recording(self):
        return ["{", "    ps::recording on;"]

    def close_recording(self):
        return ["}"]

    def begin_program(self, program):
        return [
            f"static void program_{program.seed}()",
            "{",
            f"    ps::array {self.names(False)};",
            f"    [[maybe_unused]] ps::array {self.names(True)};",
            f"    ps::generator generator({program.seed});",
            f"    program_seed = {program.seed};",
        ]

    def end_program(self):
        return ["    std::fflush(stdout);", "}"]

    def file(self, programs):
        calls = [f"    program_{one.seed}();" for one in programs]
        return "\n".join(
            ['#include "support.hpp"', "", *self.programs(programs), "int main()", "{", *calls, "}", ""]
        )

    # ---- Running ----

    def build(self, tools, source, program):
        return [*tools.cxx, "-std=c++20", "-O0", f"-I{HERE}", *tools.include, str(source), *tools.link,
                "-o", str(program)]  # fmt: skip

    def run(self, tools, source, program):
        return [*tools.launcher, str(program)]
