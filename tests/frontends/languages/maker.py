"""Statements of most kinds. Each method draws one, or a few that belong together, adds it to the program
and notes what the slot has then."""

import math

from draw import Draw
from model import (
    CLASSES,
    FLOATS,
    INTEGERS,
    Value,
    accumulated,
    broadcast,
    promote,
    reduced,
    to_float,
    to_real,
    weak,
)
from rows import BINARY, METHODS, MIRRORED, OPERATORS, REDUCTIONS, UNARY, UNARY_OPERATORS, UPDATES
from statements import (
    ELLIPSIS,
    GENERATOR,
    NEW,
    SLOTS,
    Alias,
    Call,
    Dtype,
    Get,
    Literal,
    Seed,
    Set,
    SetUpdate,
    Slice,
    Slot,
    Text,
)

MOST = 100_000  # elements of an array


def is_small(shape):
    return shape is not None and math.prod(shape) <= MOST and len(shape) <= 6


class Maker:
    def __init__(self, seed):
        self.draw = Draw(seed)
        self.values = {}
        self.sure = set()  # slots of which that is certain: no statement on the way can have failed
        self.statements = []

    # ---- Slots ----

    def add(self, statement, value=None, sure=False):
        """Adds it; `value` is what its slot holds then, of which nothing may be known."""
        self.statements.append(statement)
        if not isinstance(getattr(statement, "to", None), Slot):
            return
        if not (isinstance(statement, Call) and statement.form in ("update", "into")):
            (self.sure.add if sure else self.sure.discard)(statement.to)
        self.values[statement.to] = value or Value("float32", None)

    def any_slot(self):
        return Slot(self.draw.randrange(SLOTS))

    def careless(self):
        return self.draw.chance(0.1)

    def of(self, wanted="all", fits=lambda value: True):
        """A slot with such types of which the shape is known; if there is none one is made."""
        found = [
            slot
            for slot, value in self.values.items()
            if not slot.temporary
            and value.shape is not None
            and value.dtype in CLASSES[wanted]
            and fits(value)
        ]
        return self.draw.choice(found) if found else None

    def one(self, wanted="all", fits=lambda value: True):
        """The same with what it has; or any that is known."""
        slot = None if self.careless() else self.of(wanted, fits)
        slot = slot or self.of() or self.literal(Slot(0), (3,), "float32")
        return slot, self.values[slot]

    def certain(self, wanted="all", least=1):
        """One that is sure, with dimensions and elements: positions in it are what they seem."""

        def fits(slot):
            value = self.values[slot]
            return value.dtype in CLASSES[wanted] and value.ndim and value.count >= least

        found = [slot for slot in sorted(self.sure, key=repr) if fits(slot)]
        if not found:
            found = [self.literal(self.any_slot(), (4, 3), "float32")]
        slot = self.draw.choice(found)
        return slot, self.values[slot]

    def literal(self, to, shape, dtype, element=None):
        draw = self.draw
        values = draw.nested(shape, element or (lambda: draw.element(dtype)))
        default = dtype in ("float32", "int64", "bool", "complex64") and draw.chance(0.5)
        memory = not default and shape != () and draw.chance(0.5)
        statement = Literal(to, values, None if default else Dtype(dtype), memory)
        self.add(statement, Value(dtype, shape), sure=True)
        return to

    # ---- New arrays ----

    def creation(self, to=None):
        to = to or self.any_slot()
        if self.draw.chance(0.5):
            shape = self.draw.shape()
            return self.literal(to, shape, self.draw.dtype())
        return self.draw.choice([self._filled, self._counted, self._diagonal])(to)

    def _filled(self, to):
        draw, shape, dtype = self.draw, self.draw.creation_shape(), self.draw.dtype()
        row = draw.choice(["zeros", "ones", "full"])
        args = (shape, draw.element(dtype)) if row == "full" else (shape,)
        self.add(Call(to, row, args, {"dtype": Dtype(dtype)}), Value(dtype, shape), sure=True)

    def _counted(self, to):
        draw = self.draw
        count = draw.choice([3, 5, 12, 24, 30000] if draw.chance(0.3) else [2, 4, 6, 10])
        if draw.chance(0.4):
            dtype = draw.choice(["float32", "float64"])
            args = (draw.float_number(), draw.float_number(), count)
            options = {"dtype": Dtype(dtype), "endpoint": draw.chance(0.5)}
            return self.add(Call(to, "linspace", args, options), Value(dtype, (count,)), sure=True)
        dtype = draw.choice(["int64", "float32", "float64", "int32"])
        step = draw.choice([1, 2, 3])
        options = {"stop": count * step, "step": step, "dtype": Dtype(dtype)}
        return self.add(Call(to, "arange", (0,), options), Value(dtype, (count,)), sure=True)

    def _diagonal(self, to):
        draw, dtype = self.draw, self.draw.dtype()
        rows, columns = draw.randint(1, 5), draw.randint(1, 5)
        options = {"columns": columns, "diagonal": draw.randint(-2, 2), "dtype": Dtype(dtype)}
        self.add(Call(to, draw.choice(["eye", "tri"]), (rows,), options), Value(dtype, (rows, columns)))

    def random_numbers(self):
        draw, shape, to = self.draw, self.draw.creation_shape(), self.any_slot()
        if draw.chance(0.1):
            return self.add(Seed(draw.randrange(2**32)))
        row, args, options = draw.choice(
            [
                ("random_normal", (shape,), {"mean": 0.5, "std": 2.0}),
                ("random_uniform", (shape,), {"low": -1.0, "high": 3.0}),
                ("random_integers", (shape, -5, 12), {}),
                ("random_bernoulli", (shape,), {"p": 0.3}),
                ("random_exponential", (shape,), {"scale": 1.5}),
                ("random_gumbel", (shape,), {"loc": 0.5}),
                ("random_laplace", (shape,), {"scale": 0.5}),
                ("random_permutation", (draw.randint(1, 9),), {}),
                ("random_normal", (shape,), {"std": -1.0}),
                ("random_choice", ((3,), 9), {"replace": False}),
            ]
        )
        dtype = {"random_bernoulli": "bool"}.get(row, "int64" if "dtype" not in options else None)
        if row in ("random_normal", "random_uniform", "random_exponential", "random_laplace"):
            dtype = draw.choice(["float32", "float64"])
            options["dtype"] = Dtype(dtype)
        elif row == "random_gumbel":
            dtype = "float32"
        if row in ("random_permutation", "random_choice"):
            shape = (args[0],) if row == "random_permutation" else args[0]
        self.add(Call(to, row, args, {**options, "generator": GENERATOR}), Value(dtype, shape))

    # ---- Elementwise ----

    def result(self, kind, dtype):
        made = {"bool": "bool", "real": to_real(dtype), "float": to_float(dtype)}
        return {**made, "int64": "int64", "sum": accumulated(dtype)}.get(kind, dtype)

    def unary(self, rows=None, to=None, source=None):
        row = self.draw.choice(list(rows or UNARY))
        takes, gives = UNARY[row]
        slot, value = (source, self.values[source]) if source else self.one(takes)
        form = "method" if row in METHODS and self.draw.chance(0.5) else "function"
        form = "operator" if row in UNARY_OPERATORS and self.draw.chance(0.7) else form
        made = Value(self.result(gives, value.dtype), value.shape)
        self.add(Call(to or self.any_slot(), row, (slot,), form=form), made)

    def partner(self, value, takes, row):
        """A second operand: a number or an array that can be broadcast beside the first."""
        if self.draw.chance(0.4):
            number = self.draw.number_beside(value.dtype)
            if "shift" in row:
                number = self.draw.randint(0, 6)
            return number, Value(weak(value.dtype, number), ())
        return self.one(takes, lambda other: is_small(broadcast(value.shape, other.shape)))

    def binary(self, rows=None, to=None, source=None):
        row = self.draw.choice(list(rows or BINARY))
        takes, gives = BINARY[row]
        slot, value = (source, self.values[source]) if source else self.one(takes)
        other, second = self.partner(value, takes, row)
        args = (slot, other) if self.draw.chance(0.7) else (other, slot)
        dtype = second.dtype if not isinstance(other, Slot) else promote(value.dtype, second.dtype)
        shape = broadcast(value.shape, second.shape)
        form = "operator" if row in OPERATORS and self.draw.chance(0.7) else "function"
        if row in MIRRORED and not isinstance(args[0], Slot):
            form = "function"
        made = Value(self.result(gives, dtype), shape) if shape is not None else None
        self.add(Call(to or self.any_slot(), row, args, form=form), made)

    def ternary(self):
        draw, (slot, value) = self.draw, self.one("bool or real")
        low, high = sorted([draw.randint(-3, 3), draw.randint(-3, 3)])
        if draw.chance(0.3):
            mask, condition = self.one(fits=lambda m: is_small(broadcast(value.shape, m.shape)))
            shape = broadcast(value.shape, condition.shape)
            args = (mask, slot, draw.number_beside(value.dtype))
            made = Value(weak(value.dtype, args[2]), shape) if shape is not None else None
            return self.add(Call(self.any_slot(), "where", args), made)
        row, options = draw.choice(
            [
                ("clip", {"min": low, "max": high}),
                ("clip", {"max": high}),
                ("round_to", {"decimals": draw.randint(-1, 2)}),
                ("nan_to_num", {"nan": 1.5, "posinf": 2.0}),
                ("leaky_relu", {"slope": 0.2}),
                ("elu", {"alpha": 0.7}),
            ]
        )
        form = "method" if row in METHODS and draw.chance(0.5) else "function"
        dtype = to_float(value.dtype) if row in ("leaky_relu", "elu") else value.dtype
        self.add(Call(self.any_slot(), row, (slot,), options, form), Value(dtype, value.shape))

    def _update_operand(self, value, takes):
        """What can be written into a value: of a type that promotes to it, broadcast to its shape."""

        def fits(other):
            together = promote(value.dtype, other.dtype)
            return together == value.dtype and broadcast(value.shape, other.shape) == value.shape

        if self.draw.chance(0.5):
            return self.draw.element(value.dtype if value.dtype not in INTEGERS else "bool")
        return self.one(takes, fits)[0]

    def _update_row(self, value):
        fitting = [row for row in UPDATES if value.dtype in CLASSES[BINARY[row][0]]]
        if value.dtype not in FLOATS:
            fitting = [row for row in fitting if row != "divide"] or fitting
        return self.draw.choice(UPDATES if self.careless() else fitting)

    def update(self, source=None):
        slot, value = (source, self.values[source]) if source else self.one()
        row = self._update_row(value)
        operand = self._update_operand(value, BINARY[row][0])
        self.add(Call(slot, row, (slot, operand), form="update"), value)

    def into(self):
        """The result goes to an array that there is."""
        row = self.draw.choice(["add", "multiply", "maximum", "sqrt", "negative", "sum", "matmul"])
        slot, value = self.one("real")
        to, target = self.one("real", lambda other: other == value)
        if row in ("add", "multiply", "maximum"):
            args = (slot, self.draw.element(value.dtype) if self.draw.chance(0.5) else self.one("real")[0])
        else:
            args = (slot, self.one("real")[0]) if row == "matmul" else (slot,)
        self.add(Call(to, row, args, form="into"), target)

    # ---- Reductions, scans, orders ----

    def _axes(self, value, several):
        """Options for axes, and the axes."""
        draw = self.draw
        if self.careless():
            wrong = draw.choice([4, -5, value.ndim])
            return {"axis": (wrong,) if several else wrong}, None
        if value.ndim == 0 or draw.chance(0.3):
            return {}, tuple(range(value.ndim))
        axes = draw.axes(value.ndim) if several else (draw.axis(value.ndim),)
        return {"axis": axes if several else axes[0]}, axes

    def reduction(self, rows=None, to=None, source=None):
        draw, row = self.draw, self.draw.choice(list(rows or REDUCTIONS))
        takes, gives, several = REDUCTIONS[row]
        slot, value = (source, self.values[source]) if source else self.one(takes)
        options, axes = self._axes(value, several)
        if draw.chance(0.4):
            options["keepdims"] = draw.chance(0.7)
        dtype = to_real(to_float(value.dtype)) if gives == "norm" else self.result(gives, value.dtype)
        if row in ("sum", "prod") and draw.chance(0.2):
            dtype = options["dtype"] = Dtype(draw.choice(["float64", "int64", "float32", "complex128"]))
        if row in ("std", "var") and draw.chance(0.4):
            options["correction"] = 1.0
        form = "method" if row in METHODS and draw.chance(0.4) else "function"
        made = None
        if axes is not None:
            made = Value(dtype, reduced(value.shape, axes, options.get("keepdims", False)))
        self.add(Call(to or self.any_slot(), row, (slot,), options, form), made)

    def scan(self):
        draw, (slot, value) = self.draw, self.one("numeric", lambda value: value.ndim > 0)
        row = draw.choice(["cumulative_sum", "cumulative_prod", "diff"])
        axis = draw.axis(value.ndim) if value.ndim and not self.careless() else draw.randint(-4, 4)
        options = {"axis": axis}
        shape = list(value.shape)
        dtype = value.dtype if row == "diff" else accumulated(value.dtype)
        dtype = "float32" if row != "diff" and dtype in ("float16", "bfloat16") else dtype
        if row != "diff" and draw.chance(0.4):
            options["initial"] = True
        known = -len(shape) <= axis < len(shape)
        if known:
            shape[axis] += 1 if "initial" in options else -1 if row == "diff" and shape[axis] else 0
        self.add(Call(self.any_slot(), row, (slot,), options), Value(dtype, tuple(shape)) if known else None)

    def order(self):
        draw, (slot, value) = self.draw, self.one("all", lambda value: value.ndim > 0)
        row = draw.choice(["sort", "argsort", "topk", "unique_values", "unique_counts", "searchsorted"])
        axis = draw.axis(value.ndim) if value.ndim and not self.careless() else draw.randint(-4, 4)
        args, options, made = (slot,), {}, None
        if row in ("sort", "argsort"):
            options = {"axis": axis, "descending": draw.chance(0.5)}
            made = Value("int64" if row == "argsort" else value.dtype, value.shape)
        elif row == "topk":
            count = draw.randint(0, 3)
            args, options = (slot, count), {"axis": axis, "largest": draw.chance(0.5)}
        elif row == "searchsorted":
            args = (slot, draw.element(value.dtype) if draw.chance(0.5) else self.one()[0])
            options = {"side": Text(draw.choice(["left", "right"]))}
        self.add(Call(self.any_slot(), row, args, options), made)

    # ---- Shapes ----

    def arrangement(self, to=None, source=None):
        slot, value = (source, self.values[source]) if source else self.one()
        kinds = [self._reshaped, self._permuted, self._lengthened, self._rolled, self._padded]
        args, row, options, shape = self.draw.choice(kinds)(slot, value)
        form = "method" if row in METHODS and self.draw.chance(0.5) else "function"
        made = Value(value.dtype, tuple(shape)) if shape is not None else None
        self.add(Call(to or self.any_slot(), row, args, options, form), made)

    def _reshaped(self, slot, value):
        draw, count = self.draw, value.count
        if self.careless():
            return (slot, (draw.randint(-2, 5), 3)), "reshape", {}, None
        first = draw.choice([n for n in range(1, 8) if count % n == 0])
        shape = draw.choice([(count,), (first, count // first), (1, count // first, first)])
        given = list(shape)
        if count and draw.chance(0.3):
            given[draw.randrange(len(given))] = -1
        return (slot, tuple(given)), "reshape", {}, shape

    def _permuted(self, slot, value):
        draw, shape = self.draw, value.shape
        if value.ndim == 0 or self.careless():
            return (slot, draw.randint(-4, 4), draw.randint(-4, 4)), "swapaxes", {}, None
        if draw.chance(0.4):
            order = draw.sample(range(value.ndim), value.ndim)
            return (slot,), "permute", {"axes": tuple(order)}, [shape[i] for i in order]
        if draw.chance(0.5):
            return (slot,), "flip", {"axis": draw.axes(value.ndim)}, shape
        a, b, made = draw.axis(value.ndim), draw.axis(value.ndim), list(shape)
        made[a], made[b] = made[b], made[a]
        return (slot, a, b), "swapaxes", {}, made

    def _lengthened(self, slot, value):
        draw, shape = self.draw, value.shape
        choice = draw.randrange(5)
        if choice == 0:
            axis = draw.randint(0, value.ndim) if not self.careless() else 7
            made = (*shape[:axis], 1, *shape[axis:]) if axis <= value.ndim else None
            return (slot, axis), "expand_dims", {}, made
        if choice == 1:
            made = (draw.randint(1, 3), *shape)
            return (slot, made if not self.careless() else (2, 9)), "broadcast_to", {}, (
                made if is_small(made) else None
            )
        if choice == 2 and value.count < 5000 and value.ndim:
            axis, times = draw.randrange(value.ndim), draw.randint(0, 3)
            made = list(shape)
            made[axis] *= times
            return (slot, times), "repeat", {"axis": axis}, made
        if choice == 3 and value.count < 5000 and value.ndim:
            times = [draw.randint(1, 2) for _ in shape]
            return (slot, tuple(times)), "tile", {}, [a * b for a, b in zip(shape, times)]
        return (slot,), "squeeze", {}, [length for length in shape if length != 1]

    def _rolled(self, slot, value):
        draw = self.draw
        if value.ndim == 2 and draw.chance(0.5):
            return (slot,), draw.choice(["tril", "triu"]), {"diagonal": draw.randint(-1, 1)}, value.shape
        if value.ndim == 2 and draw.chance(0.5):
            return (slot,), "diagonal", {"offset": draw.randint(-1, 1)}, None
        if value.ndim == 0:
            return (slot, (1,)), "roll", {}, value.shape
        return (slot, (draw.randint(-3, 3),)), "roll", {"axis": (draw.axis(value.ndim),)}, value.shape

    def _padded(self, slot, value):
        draw = self.draw
        before = tuple(draw.randint(0, 2) for _ in value.shape)
        after = tuple(draw.randint(0, 2) for _ in value.shape)
        mode = draw.choice(["constant", "edge", "reflect", "symmetric", "wrap"])
        options = {"mode": Text(mode)} if mode != "constant" else {"value": draw.randint(0, 3)}
        if self.careless():
            return (slot, (1,), (1, 1)), "pad", options, None
        made = [a + n + b for a, n, b in zip(before, value.shape, after)]
        return (slot, before, after), "pad", options, None if 0 in value.shape else made

    def joining(self):
        draw, (slot, value) = self.draw, self.one(fits=lambda value: value.count < 20000)
        row = draw.choice(["concatenate", "stack"])
        others = [self.one(fits=lambda other: other.shape == value.shape)[0] for _ in range(draw.randint(0, 2))]
        axis = draw.axis(value.ndim) if value.ndim and not self.careless() else draw.randint(-3, 3)
        dtype = value.dtype
        for other in others:
            dtype = promote(dtype, self.values[other].dtype)
        fitting = all(self.values[other].shape == value.shape for other in others)
        made = None
        if fitting and row == "concatenate" and -value.ndim <= axis < value.ndim:
            shape = list(value.shape)
            shape[axis] *= len(others) + 1
            made = Value(dtype, tuple(shape))
        self.add(Call(self.any_slot(), row, ([slot, *others],), {"axis": axis}), made)

    def product(self, to=None, source=None):
        draw = self.draw
        slot, value = (source, self.values[source]) if source else self.one("numeric", lambda v: v.ndim > 0)
        row = draw.choice(["matmul", "matmul", "dot", "inner", "outer", "tensordot", "vecdot", "kron"])
        last = value.shape[-1] if value.ndim else 1

        def fits(other):
            if row in ("outer", "kron"):
                return other.count * value.count <= 5000
            if row in ("inner", "vecdot") or other.ndim < 2:
                return other.ndim > 0 and other.shape[-1] == last
            return other.shape[-2] == last

        if not fits(value) or draw.chance(0.8):
            other, second = self.one("numeric", fits)
        else:
            other, second = slot, value
        if value.count * second.count > 2_000_000:
            other, second = slot, value
            row = "vecdot"
        args, options = (slot, other), {}
        if row == "tensordot":
            args = (slot, other, (-1,), (0,))
        elif row == "matmul" and draw.chance(0.3):
            options = {"transpose2": True}
        form = "method" if row in METHODS and draw.chance(0.5) else "function"
        dtype, shape = promote(value.dtype, second.dtype), None
        if row == "matmul" and value.ndim == second.ndim == 2 and not options:
            shape = (value.shape[0], second.shape[1])
        made = Value(dtype, shape) if is_small(shape) else None
        self.add(Call(to or self.any_slot(), row, args, options, form), made)

    def conversion(self):
        slot, value = self.one()
        dtype = self.draw.dtype()
        call = Call(self.any_slot(), "cast", (slot, Dtype(dtype)))
        self.add(call, Value(dtype, value.shape), sure=slot in self.sure)

    # ---- Indices ----

    def view(self, to=None, source=None):
        slot, value = (source, self.values[source]) if source else self.one()
        items, made = self.draw.items(value)
        if self.careless():
            wrong = self.draw.choice([(7,), (0,) * 5, (-9, 0), items + (0,)])
            items, made = wrong, None
        sure = made is not None and slot in self.sure
        self.add(Get(to or self.any_slot(), slot, items), made, sure)

    def _assigned(self, slot, part):
        """What is written to a part: a number that surely fits, since Python has exceptions of its own
        for those that do not; or an array that can be broadcast to it."""
        value = self.values[slot]
        if self.draw.chance(0.5):
            return self.draw.element(value.dtype) if slot in self.sure else self.draw.randint(0, 5)
        return self.one(
            "all" if value.dtype in ("complex64", "complex128") else "bool or real",
            lambda other: broadcast(part.shape, other.shape) == part.shape,
        )[0]

    def assignment(self, source=None):
        slot, value = (source, self.values[source]) if source else self.one()
        items, part = self.draw.items(value)
        if self.careless():
            items = self.draw.choice([(9,), (0,) * 6])
        if set(items) <= {ELLIPSIS}:
            items = (NEW, *items)  # Python knows that `...` is all of an array, which graphs show
        self.add(Set(slot, items, self._assigned(slot, part)))

    def view_update(self, source=None):
        slot, value = (source, self.values[source]) if source else self.one()
        items, part = self.draw.items(value)
        row = self._update_row(value)
        self.add(SetUpdate(slot, items, row, self._update_operand(part, BINARY[row][0])))

    def _selecting(self, slot, value):
        """Items with positions or a mask, made on the way, and the length of what they select."""
        draw = self.draw
        to = draw.choice([other for other in map(Slot, range(SLOTS)) if other != slot])
        if draw.chance(0.5) and value.dtype in CLASSES["bool or real"]:
            self.add(Call(to, "greater", (slot, draw.randint(0, 1))), Value("bool", value.shape), True)
            return (to,), None
        shape = draw.choice([(3,), (1,), (2, 2), ()])
        dtype = draw.choice(["int64", "int64", "int32", "uint8", "int8"])
        low = 0 if dtype == "uint8" else -value.shape[0]
        most = min(value.shape[0], 100)
        self.literal(to, shape, dtype, lambda: draw.randint(max(low, -100), most - 1))
        rest = draw.choice([(), (Slice(),)]) if value.ndim > 1 else ()
        return (to, *rest), shape + value.shape[1:]

    def selection(self):
        slot, value = self.certain()
        items, shape = self._selecting(slot, value)
        made = Value(value.dtype, shape) if is_small(shape) else None
        self.add(Get(self.any_slot(), slot, items), made)

    def selection_update(self):
        slot, value = self.certain()
        items, _ = self._selecting(slot, value)
        if self.draw.chance(0.5):
            return self.add(Set(slot, items, self.draw.element(value.dtype)))
        row = self._update_row(value)
        operand = self.draw.element(value.dtype if value.dtype not in INTEGERS else "bool")
        return self.add(SetUpdate(slot, items, row, operand))

    def gathering(self):
        """Rows that select by positions or masks."""
        draw, (slot, value) = self.draw, self.certain()
        to = draw.choice([other for other in map(Slot, range(SLOTS)) if other != slot])
        most = min(value.shape[0], 100)
        self.literal(to, (draw.randint(1, 4),), "int64", lambda: draw.randint(-most, most - 1))
        row, args, options = draw.choice(
            [
                ("take", (slot, to), {"axis": 0}),
                ("take", (slot, to), {}),
                ("put", (slot, to, draw.element(value.dtype)), {"axis": 0}),
                ("put", (slot, to, 1), {"accumulate": True}),
                ("one_hot", (to, 4), {}),
                ("nonzero", (slot,), {}),
                ("isin", (slot, to), {"invert": draw.chance(0.5)}),
            ]
        )
        self.add(Call(self.any_slot(), row, args, options))

    # ---- Others ----

    def network(self):
        draw, (slot, value) = self.draw, self.one("real float alone", lambda v: v.ndim > 0)
        axis = draw.axis(value.ndim) if value.ndim and not self.careless() else draw.randint(-3, 3)
        row, options = draw.choice(
            [
                ("softmax", {"axis": axis}),
                ("log_softmax", {"axis": axis}),
                ("layer_norm", {"eps": 1e-3}),
                ("rms_norm", {}),
                ("dropout", {"p": 0.4, "generator": GENERATOR}),
                ("instance_norm", {}),
                ("global_norm", {}),
            ]
        )
        args = ([slot],) if row == "global_norm" else (slot,)
        made = None if row in ("global_norm", "instance_norm") else value
        self.add(Call(self.any_slot(), row, args, options), made)

    def other_name(self):
        slot = self.any_slot()
        self.add(Alias(self.any_slot(), slot), self.values[slot])
