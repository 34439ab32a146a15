"""What families make programs of: names, tensors as text, numbers, dimensions, arguments."""

import random

INTEGERS = ["uint8", "int8", "int16", "int32", "int64"]
FLOATS = ["float16", "bfloat16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
TYPES = ["bool", *INTEGERS, *FLOATS, *COMPLEX]
COMMON = ["float32"] * 6 + ["int64"] * 3 + ["float64", "bool", "int32"]


class Maker:
    """A program that grows; all that is random in it comes from one seed.

    A dialect's own makers have the name of its library, and what it spells in its own way."""

    library = None
    wrong_values = ()

    def __init__(self, family, seed):
        self.family, self.seed = family, seed
        self.random = random.Random(f"{family} {seed}")
        self.steps, self.made = [], 0

    def program(self):
        """What has grown."""
        return {"family": self.family, "seed": self.seed, "steps": self.steps}

    # ---- Choice --------------------------------------------------------------------------------

    def chance(self, part):
        return self.random.random() < part

    def pick(self, *choices):
        """One of several, or of a sequence."""
        return self.random.choice(choices[0] if len(choices) == 1 else choices)

    def integer(self, low, high):
        """From low to high, both among them."""
        return self.random.randint(low, high)

    def some(self, choices, most):
        """A few of a sequence, none twice, in some order."""
        return self.random.sample(
            sorted(choices) if isinstance(choices, set) else list(choices),
            self.random.randint(0, min(most, len(choices))),
        )

    # ---- Statements ----------------------------------------------------------------------------

    def add(self, statement):
        self.steps.append(statement)

    def let(self, expression):
        """A new name for a value."""
        name = f"a{self.made}"
        self.made += 1
        self.steps.append(f"{name} = {expression}")
        return name

    # ---- Numbers -------------------------------------------------------------------------------

    def dtype(self):
        return self.pick(COMMON) if self.chance(0.7) else self.pick(TYPES)

    def number(self, dtype, special=0.0):
        """A number that the type has, as text."""
        if dtype == "bool":
            return self.pick("True", "False")
        if dtype in INTEGERS:
            low = 0 if dtype == "uint8" else -5
            return str(self.integer(low, 6))
        if dtype in COMPLEX:
            return f"complex({self.number('float32')}, {self.number('float32')})"
        if self.chance(special):
            return self.pick("nan", "inf", "-inf", "-0.0", "0.0", "1e-20", "1e10")
        return self.pick(
            str(self.integer(-4, 4) / 2), str(round(self.random.uniform(-3, 3), 3)), "1.0", "0.0"
        )

    def shape(self, ndim=None, longest=4, empty=0.04):
        ndim = self.pick(0, 1, 1, 2, 2, 2, 3, 3, 4) if ndim is None else ndim
        lengths = [self.pick(1, 2, 3, 3, longest) for _ in range(ndim)]
        if lengths and self.chance(empty):
            lengths[self.random.randrange(ndim)] = 0
        return tuple(lengths)

    def elements(self, shape, dtype, special=0.0):
        """Nested lists as text."""
        if not shape:
            return self.number(dtype, special)
        inner = [self.elements(shape[1:], dtype, special) for _ in range(shape[0])]
        return f"[{', '.join(inner)}]"

    def broadcastable(self, shape):
        """A shape that can be broadcast with another."""
        cut = self.integer(0, len(shape)) if self.chance(0.4) else 0
        return tuple(1 if self.chance(0.25) else length for length in shape[cut:])

    # ---- Arguments -----------------------------------------------------------------------------

    def dim(self, ndim, wrong=0.04):
        """A dimension, from either end, seldom one that is not there."""
        if self.chance(wrong):
            return self.pick(ndim, -ndim - 1, ndim + 3)
        return self.integer(-max(ndim, 1), max(ndim, 1) - 1)

    def dims(self, ndim, wrong=0.04):
        """A tuple or list of dimensions."""
        chosen = [d - ndim if self.chance(0.3) else d for d in self.some(range(ndim), ndim)]
        if self.chance(wrong):
            chosen.append(self.pick(ndim, -ndim - 1, 0, *chosen))
        return str(tuple(chosen) if self.chance(0.7) else chosen)

    def wrong(self):
        """Something that is seldom right."""
        return self.pick(self.wrong_values)

    def called(self, name, subject, arguments):
        """library.name(subject, …) or subject.name(…)."""
        given = ", ".join(str(a) for a in arguments if a not in (None, ""))
        if self.chance(0.5):
            return f"{subject}.{name}({given})"
        return f"{self.library}.{name}({', '.join(filter(None, (subject, given)))})"
