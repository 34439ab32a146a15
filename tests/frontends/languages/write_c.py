"""Programs in C."""

import pathlib

import table
from statements import SLOTS, TEMPORARIES
from writer import Writer, flattened, is_view

ELEMENTS = {
    "bool": "bool",
    "float32": "float",
    "float64": "double",
    "complex64": "float",
    "complex128": "double",
}
HERE = pathlib.Path(__file__).parent
FUNCTIONS = {"var": "variance"}  # ps_var is a type
HALVES = ("float16", "bfloat16")


def default_dtype(elements):
    """What numbers in a program become, if no type is given."""
    kinds = {type(x) for x in elements}
    for kind, dtype in ((complex, "complex64"), (float, "float32"), (int, "int64")):
        if kind in kinds:
            return dtype
    return "bool"


def parts(x):
    return [x.real, x.imag] if isinstance(x, complex) else [x]


class C(Writer):
    name, suffix = "C", ".c"
    new_item, ellipsis_item = "{PS_INDEX_NEW, 0, 0, 0}", "{PS_INDEX_ELLIPSIS, 0, 0, 0}"

    # ---- Values ----

    def slot(self, slot):
        return f"PS_ARG({self.tensor(slot)})"

    def tensor(self, slot):
        return f"{'t' if slot.temporary else 'a'}[{slot.number}]"

    def number(self, x):
        if isinstance(x, bool):
            return f"ps_arg_bool({str(x).lower()})"
        if isinstance(x, complex):
            return f"complex_arg({x.real!r}, {x.imag!r})"
        return f"PS_ARG({x!r})"

    def dtype(self, name):
        return f"ps_arg_dtype(PS_{name.upper()})"

    def text(self, text):
        return f'ps_arg_text("{text}")'

    def ints(self, ints):
        return f"PS_INTS({', '.join(map(str, ints))})" if ints else "ps_arg_ints(NULL, 0)"

    def tensors(self, slots):
        return f"(ps_tensor *[]){{{', '.join(map(self.tensor, slots))}}}"

    def slots(self, slots):
        return f"ps_arg_tensors({self.tensors(slots)}, {len(slots)})"

    def generator(self):
        return "generator_arg(generator)"

    def slice_item(self, item):
        bounds = ["PS_INDEX_NONE" if x is None else str(x) for x in (item.start, item.stop, item.step)]
        return f"{{PS_INDEX_RANGE, {', '.join(bounds)}}}"

    def place_item(self, place):
        return f"{{PS_INDEX_AT, {place}, 0, 0}}"

    def array_item(self, slot):
        return f"item_of({self.tensor(slot)})"

    def index(self, items):
        """Items and their number, as two arguments."""
        if not items:
            return "NULL, 0"
        return f"(ps_index[]){{{', '.join(map(self.item, items))}}}, {len(items)}"

    # ---- Statements ----

    def literal(self, one):
        elements, shape = flattened(one.values)
        dtype = one.dtype or default_dtype(elements)
        stored = "float64" if dtype in HALVES else dtype
        numbers = [repr(part).lower() for x in elements for part in parts(x)]
        lengths = f"(const int64_t[]){{{', '.join(map(str, shape))}}}" if shape else "NULL"
        memory = f"(const {ELEMENTS.get(stored, stored + '_t')}[]){{{', '.join(numbers)}}}"
        make = (
            f"ok(ps_tensor_from_host(PS_{stored.upper()}, {len(shape)}, {lengths}, NULL, {memory}, "
            "NULL, fresh()))"
        )
        converted = [f"recast(PS_{dtype.upper()})"] if dtype in HALVES else []
        return [make, *converted, f"keep(&{self.tensor(one.to)})"]

    def row(self, row, args, options, result):
        function = f"ps_{FUNCTIONS.get(row, row)}"
        arguments = [self.argument(x) for x in args]
        if options:
            pairs = [f".{name} = {self.argument(x)}" for name, x in table.ordered(row, options)]
            arguments.append(f"&({function}_options){{{', '.join(pairs)}}}")
        return f"ok({function}{'_with' if options else ''}({', '.join([*arguments, result])}))"

    def call_function(self, one):
        return [
            self.row(one.row, one.args, one.options, "fresh()"),
            f"keep(&{self.tensor(one.to)})",
        ]

    call_method = call_operator = call_function

    def call_into(self, one):
        return [self.row(one.row, one.args, one.options, f"&{self.tensor(one.to)}")]

    call_update = call_into

    def get(self, one):
        call = f"ps_tensor_get({self.tensor(one.of)}, {self.index(one.items)}, PS_HERE, fresh())"
        return [f"ok({call})", f"keep(&{self.tensor(one.to)})"]

    def set(self, one):
        value = self.argument(one.value)
        return [f"ok(ps_tensor_set({self.tensor(one.of)}, {self.index(one.items)}, {value}, PS_HERE))"]

    def setupdate(self, one):
        of, index = self.tensor(one.of), self.index(one.items)
        value = self.argument(one.value)
        return [
            f"ok(ps_tensor_get({of}, {index}, PS_HERE, fresh()))",
            f"ok(ps_{one.row}(PS_ARG(made), {value}, &made))",
            *([] if is_view(one.items) else [f"ok(ps_tensor_set({of}, {index}, PS_ARG(made), PS_HERE))"]),
        ]

    def alias(self, one):
        return [f"alias(&{self.tensor(one.to)}, {self.tensor(one.of)})"]

    def detach(self, one):
        return [
            f"ok(ps_tensor_detach({self.tensor(one.of)}, fresh()))",
            f"keep(&{self.tensor(one.to)})",
        ]

    def attach(self, one):
        request = "PS_GRAD_ADD" if one.add else "PS_GRAD_WRITE"
        return [f"ok(ps_grad_attach({self.tensor(one.of)}, {request}, NULL))"]

    def walk_options(self, **members):
        given = [f".{name} = {text}" for name, text in members.items()]
        return f"&(ps_backward_options){{{', '.join(['.size = sizeof(ps_backward_options)', *given])}}}"

    def backward(self, one):
        members = {"location": "PS_HERE", "retain": str(one.retain).lower()}
        if one.gradients is not None:
            members["gradients"] = self.tensors(one.gradients)
        options = self.walk_options(**members)
        return [f"ok(ps_backward({self.tensors(one.heads)}, {len(one.heads)}, {options}))"]

    def gradientof(self, one):
        return [
            f"ok(ps_grad_get({self.tensor(one.of)}, fresh()))",
            f"keep_gradient(&{self.tensor(one.to)})",
        ]

    def gradients(self, one):
        options = self.walk_options(location="PS_HERE", create=str(one.create).lower())
        return [
            f"ok(ps_grad({self.tensors(one.heads)}, {len(one.heads)}, {self.tensors([one.wanted])}, 1, "
            f"{options}, fresh()))",
            f"zeros_if_none({self.tensor(one.wanted)})",
            f"keep(&{self.tensor(one.to)})",
        ]

    def seed(self, one):
        return [f"ok(ps_generator_seed(generator, {one.seed}u))"]

    def wait(self, one):
        return [f"ok(ps_tensor_wait({self.tensor(one.of)}, NULL))"]

    def waitall(self, one):
        return ["wait_all()"]

    def show(self, one):
        return [f"show({self.tensor(one.of)})"]

    # ---- Blocks ----

    def attempt(self, number, actions):
        *before, last = actions
        lines = [f"statement = {number};"]
        if not before:
            return [*lines, f"{last};"]
        return [*lines, f"if ({' && '.join(before)})", f"    {last};"]

    def forget_temporaries(self):
        return [f"release_all(t, {TEMPORARIES});"]

    def open_recording(self):
        return ["{", "    uint64_t before = record();"]

    def close_recording(self):
        return ["    ps_thread_set_state(before);", "}"]

    def begin_program(self, program):
        return [
            f"static void program_{program.seed}(void)",
            "{",
            f"    ps_tensor *a[{SLOTS}] = {{0}}, *t[{TEMPORARIES}] = {{0}};",
            "    ps_generator *generator = NULL;",
            f"    program_seed = {program.seed};",
            f"    ok(ps_generator_create({program.seed}, &generator));",
        ]

    def end_program(self):
        return [
            f"    release_all(a, {SLOTS});",
            f"    release_all(t, {TEMPORARIES});",
            "    ps_generator_release(generator);",
            "    fflush(stdout);",
            "}",
        ]

    def file(self, programs):
        calls = [f"    program_{one.seed}();" for one in programs]
        return "\n".join(
            [
                '#include "support.h"',
                "",
                *self.programs(programs),
                "int main(void)",
                "{",
                *calls,
                "    return 0;",
                "}",
                "",
            ]
        )

    # ---- Running ----

    def build(self, tools, source, program):
        """The command that makes the program of a file; None: there is nothing to make."""
        return [*tools.cc, "-std=c11", "-O0", f"-I{HERE}", *tools.include, str(source), *tools.link,
                "-o", str(program)]  # fmt: skip

    def run(self, tools, source, program):
        return [*tools.launcher, str(program)]
