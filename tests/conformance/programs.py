"""Random programs over `nd` and `np`: a few arrays, then steps that are mostly valid.

A maker keeps the shape and type of each array as far as they are known; what is not known is used
only where any array will do. Steps come from tables in steps_*.py: functions that take the maker
and give an expression, or a whole statement, and where it is known the shape and type of the
result."""

import random

import numpy as onp

SHAPES = [
    (3,),
    (2, 3),
    (3, 2),
    (2, 3),
    (3, 3),
    (4,),
    (1,),
    (3, 1),
    (1, 3),
    (2, 3, 4),
    (2, 1, 2),
    (2, 2, 2),
    (5, 2),
    (1, 1),
    (6,),
    (2, 3, 2, 2),
]
NP_SHAPES = SHAPES + [(), ()]
DTYPES = {
    "nd": ["float32"] * 12 + ["int32", "int32", "int64", "float64", "float16", "uint8", "int8"],
    "np": ["float32"] * 12
    + ["int32", "int32", "int64", "float64", "float16", "uint8", "int8", "bool", "bool"],
}
FLOATS = [-2.5, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0]
# No zeros: MXNet divides integers by them, and that ends the process.
SIGNED = [-4, -2, -1, 1, 2, 3, 5, 7]
UNSIGNED = [1, 2, 3, 5, 7]
SPECIAL = ["nan", "inf", "-inf", "-0.0"]


class Array:
    """What is known of an array; None for what is not."""

    def __init__(self, name, shape=None, dtype=None):
        self.name, self.shape, self.dtype = name, shape, dtype

    @property
    def ndim(self):
        return len(self.shape)

    def __str__(self):
        return self.name


class Maker:
    def __init__(self, seed, dialect):
        self.random = random.Random(f"{dialect} {seed}")
        self.dialect = dialect
        self.steps, self.arrays = [], []

    # ---- Chance --------------------------------------------------------------------------------

    def chance(self, part):
        return self.random.random() < part

    def pick(self, *choices):
        return self.random.choice(choices)

    def among(self, sequence):
        return self.random.choice(list(sequence))

    def some(self, **parts):
        """Keyword arguments as text, each there half of the time: {name: list of values}."""
        return "".join(
            f", {name}={self.among(values)!r}" for name, values in parts.items() if self.chance(0.5)
        )

    # ---- Arrays --------------------------------------------------------------------------------

    def number(self, dtype, special=0.0):
        if dtype == "bool":
            return repr(self.chance(0.5))
        if dtype.startswith("float"):
            return self.among(SPECIAL) if self.chance(special) else repr(self.among(FLOATS))
        return repr(self.among(UNSIGNED if dtype.startswith("u") else SIGNED))

    def nested(self, shape, number):
        if not shape:
            return number()
        return "[" + ", ".join(self.nested(shape[1:], number) for _ in range(shape[0])) + "]"

    def literal(self, shape, dtype, number=None):
        """An expression that makes such an array."""
        if 0 in shape:
            return f"{self.dialect}.zeros({shape!r}, dtype={dtype!r})"
        special = 0.15 if self.chance(0.1) else 0.0
        data = self.nested(shape, number or (lambda: self.number(dtype, special)))
        return f"{self.dialect}.array({data}, dtype={dtype!r})"

    def shape(self):
        return self.among(SHAPES if self.dialect == "nd" else NP_SHAPES)

    def dtype(self):
        return self.among(DTYPES[self.dialect])

    def add(self, expression, shape=None, dtype=None):
        """A step that binds a new name. Empty arrays count as unknown: few steps take them."""
        if shape is not None and 0 in shape:
            shape = None
        if shape == () and self.dialect == "nd":
            shape = (1,)
        array = Array(f"a{len(self.steps)}", shape, dtype)
        self.steps.append(f"{array} = {expression}")
        self.arrays.append(array)
        return array

    def new(self, shape=None, dtype=None, number=None):
        shape = self.shape() if shape is None else shape
        dtype = dtype or self.dtype()
        return self.add(self.literal(shape, dtype, number), shape, dtype)

    def array(self, ndim=None, dtype=None, shape=None, least=0):
        """One that is there, or a new one: with so many dimensions or at least some, of a type, of
        a shape."""
        fitting = [
            a
            for a in self.arrays
            if a.shape is not None
            and a.dtype is not None
            and (ndim is None or a.ndim == ndim)
            and a.ndim >= least
            and (dtype is None or a.dtype == dtype)
            and (shape is None or a.shape == shape)
        ]
        if fitting and self.chance(0.8):
            return self.among(fitting)
        if shape is None:
            choices = [
                s
                for s in (SHAPES if self.dialect == "nd" else NP_SHAPES)
                if (ndim is None or len(s) == ndim) and len(s) >= least
            ]
            shape = self.among(choices)
        return self.new(shape, dtype)

    def any(self):
        """One whose shape may be unknown."""
        return self.among(self.arrays)

    def floats(self, **wanted):
        return self.array(
            dtype=self.pick("float32", "float32", "float32", "float64", "float16"), **wanted
        )

    def integers(self, shape, low, high, dtype=None):
        """Positions: whole numbers of a range, as an array's name."""
        dtype = dtype or self.pick("int32", "int64", "float32")
        return self.new(shape, dtype, lambda: str(self.random.randint(low, max(low, high))))

    # ---- Arguments -----------------------------------------------------------------------------

    def axis(self, ndim, wrong=0.03):
        if ndim == 0 or self.chance(wrong):
            return self.pick(ndim, ndim + 1, -ndim - 1, 0)
        return self.random.randrange(-ndim, ndim)

    def axes(self, ndim):
        """None, one, or several."""
        if self.chance(0.25) or ndim == 0:
            return None
        if self.chance(0.25) and ndim > 1:
            return tuple(sorted(self.random.sample(range(ndim), self.random.randint(1, ndim))))
        return self.axis(ndim)

    def partner_shape(self, shape):
        """One that broadcasts with it, mostly."""
        if self.chance(0.5):
            return shape
        if self.chance(0.06):
            return self.shape()
        other = [1 if self.chance(0.4) else n for n in shape]
        return tuple(other[self.random.randint(0, max(0, len(other) - 1)) :])

    def partner(self, array):
        """An operand for it: mostly of its type."""
        shape = self.partner_shape(array.shape)
        if shape == () and self.dialect == "nd":
            shape = (1,)
        return self.array(shape=shape, dtype=array.dtype if self.chance(0.85) else None)

    def scalar(self):
        if self.chance(0.06):
            return self.pick(
                "onp.float32(1.5)",
                "onp.float64(2)",
                "onp.int64(3)",
                "onp.int32(2)",
                "onp.bool_(True)",
                "onp.float16(0.5)",
            )
        return self.pick("2", "1", "3", "0", "-1", "0.5", "2.0", "-1.5", "1.0", "True", "2", "0.5")

    def factors(self, shape):
        """A shape with as many elements."""
        size = int(onp.prod(shape, dtype=int))
        choices = {(size,), (1, size), (size, 1)}
        choices |= {(n, size // n) for n in (2, 3, 4) if size % n == 0 and size}
        choices |= {(2, 2, size // 4)} if size % 4 == 0 and size else set()
        return self.among(sorted(choices))


def forms(text):
    """The lines of a table: expressions with gaps for arguments."""
    return text.strip().splitlines()


def shape_of(function, *shapes):
    """What NumPy makes of arrays of such shapes; None if it refuses."""
    try:
        return function(*(onp.zeros(s) for s in shapes)).shape
    except (ValueError, IndexError, TypeError):
        return None


def make_program(seed, dialect, steps=8):
    import steps_common
    import steps_nd
    import steps_np

    tables = steps_common.STEPS + (steps_nd.STEPS if dialect == "nd" else steps_np.STEPS)
    maker = Maker(seed, dialect)
    for _ in range(maker.random.randint(1, 2)):
        maker.new()
    weights = [weight for weight, _ in tables]
    for _ in range(maker.random.randint(3, steps)):
        maker.random.choices([f for _, f in tables], weights)[0](maker)
    return {"dialect": dialect, "seed": seed, "steps": maker.steps}
