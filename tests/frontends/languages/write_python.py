"""Programs in Python."""

import pathlib

import table
from rows import OPERATORS, UNARY_OPERATORS
from statements import TEMPORARIES, Slot
from writer import Writer

HERE = pathlib.Path(__file__).parent

# Where functions are that are not in the package itself; those without an entry and without a
# function of the row's name are called by their name in the table.
MODULES = {
    "nn": """relu relu6 sigmoid silu gelu gelu_tanh softplus softsign hard_sigmoid hard_swish mish leaky_relu
        elu l1_loss l2_loss logistic_loss softmax log_softmax logsumexp layer_norm rms_norm instance_norm dropout
        one_hot embedding pick""",
    "optim": "global_norm",
}
SPACES = {row: module for module, rows in MODULES.items() for row in rows.split()}
BY_NAME = """cast pad masked_put round round_to modulo norm permute put nonzero tensordot unique_counts where
    random_normal random_uniform random_integers random_bernoulli random_exponential random_gumbel random_laplace
    random_permutation random_choice""".split()

# Arguments that Python calls otherwise, and those that it takes by place only.
RENAMED = {
    ("eye", "diagonal"): "k",
    ("tri", "diagonal"): "k",
    ("tri", "columns"): "m",
    ("tril", "diagonal"): "k",
    ("triu", "diagonal"): "k",
    ("cumulative_sum", "initial"): "include_initial",
    ("cumulative_prod", "initial"): "include_initial",
}
BY_PLACE = {("eye", "columns")}


class Python(Writer):
    name, suffix = "Python", ".py"
    new_item, ellipsis_item = "None", "..."

    # ---- Values ----

    def slot(self, slot):
        return repr(slot)

    def number(self, x):
        if isinstance(x, complex):  # whose text loses the sign of a zero
            return f"complex({x.real!r}, {x.imag!r})"
        return repr(x)

    def nested(self, values):
        if isinstance(values, list):
            return f"[{', '.join(map(self.nested, values))}]"
        return self.number(values)

    def dtype(self, name):
        return f'"{name}"'

    text = dtype

    def ints(self, ints):
        return repr(ints)

    def slots(self, slots):
        return repr(slots)

    def generator(self):
        return "generator"

    def slice_item(self, item):
        text = ":".join("" if x is None else str(x) for x in (item.start, item.stop, item.step))
        return text[:-1] if item.step is None else text

    place_item = number
    array_item = slot

    def place(self, of, items):
        texts = ", ".join(map(self.item, items))
        return f"{of}[{texts or '()'}]"

    # ---- Statements ----

    def literal(self, one):
        dtype = f", dtype={self.dtype(one.dtype)}" if one.dtype else ""
        return [f"{one.to} = ps.array({self.nested(one.values)}{dtype})"]

    def arguments(self, row, args, options):
        texts = [self.argument(x) for x in args]
        for name, value in table.ordered(row, options):
            label = "" if (row, name) in BY_PLACE else f"{RENAMED.get((row, name), name)}="
            texts.append(f"{label}{self.argument(value)}")
        return ", ".join(texts)

    def row(self, row, args, options, more=""):
        arguments = self.arguments(row, args, options) + more
        if row in BY_NAME:
            return f'ps.call("{row}", {arguments})'
        return f"ps.{SPACES[row] + '.' if row in SPACES else ''}{row}({arguments})"

    def call_function(self, one):
        return [f"{one.to} = {self.row(one.row, one.args, one.options)}"]

    def call_method(self, one):
        first, *rest = one.args
        return [f"{one.to} = {first}.{one.row}({self.arguments(one.row, rest, one.options)})"]

    def call_operator(self, one):
        texts = [self.argument(x) for x in one.args]
        if len(texts) == 1:
            return [f"{one.to} = {UNARY_OPERATORS[one.row]}{texts[0]}"]
        return [f"{one.to} = {texts[0]} {OPERATORS[one.row]} {texts[1]}"]

    def call_update(self, one):
        return [f"{one.to} {OPERATORS[one.row]}= {self.argument(one.args[1])}"]

    def call_into(self, one):
        return [self.row(one.row, one.args, one.options, f", out={one.to}")]

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
        request = '"add"' if one.add else ""
        return [f"{one.of}.attach_grad({request})"]

    def backward(self, one):
        if len(one.heads) == 1 and one.gradients is None and not one.retain:
            return [f"{one.heads[0]}.backward()"]
        retain = ", retain_graph=True" if one.retain else ""
        return [f"ps.autograd.backward({one.heads!r}, {one.gradients!r}{retain})"]

    def gradientof(self, one):
        return [f"{one.to} = gradient_of({one.of}, {one.to})"]

    def gradients(self, one):
        create = ", create_graph=True" if one.create else ""
        return [f"{one.to} = ps.autograd.grad({one.heads!r}, {one.wanted!r}{create})"]

    def seed(self, one):
        return [f"generator.seed({one.seed})"]

    def wait(self, one):
        return [f"{one.of}.wait()"]

    def waitall(self, one):
        return ["ps.waitall()"]

    def show(self, one):
        return [f"show({one.of})"]

    # ---- Blocks ----

    def attempt(self, number, actions):
        return [
            f"at(seed, {number})",
            "try:",
            *(f"    {step}" for step in actions),
            "except Exception as error:",
            "    say_error(error)",
        ]

    def forget_temporaries(self):
        return [" = ".join(repr(Slot(i, True)) for i in range(TEMPORARIES)) + " = None"]

    def open_recording(self):
        return ["with ps.autograd.record():"]

    def close_recording(self):
        return []

    def begin_program(self, program):
        return [
            f"def program_{program.seed}():",
            f"    seed = {program.seed}",
            "    generator = ps.random.Generator(seed)",
        ]

    def end_program(self):
        return []

    def file(self, programs):
        return "\n".join(
            [
                "import penstock as ps",
                "from support import at, gradient_of, say_error, show",
                "",
                *self.programs(programs),
                *(f"program_{one.seed}()" for one in programs),
                "",
            ]
        )

    # ---- Running ----

    def build(self, tools, source, program):
        return None

    def run(self, tools, source, program):
        path = f"PYTHONPATH={tools.package}:{HERE}"
        return ["env", path, "PYTHONDONTWRITEBYTECODE=1", tools.python, str(source)]
