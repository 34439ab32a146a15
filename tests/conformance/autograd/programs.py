"""Random programs with gradients: arrays, what is computed of them, walks back.

A maker keeps what is known of each array: its shape and type, how large its elements can be, which
elements it shares with others, and whether something surely flows back from it. So programs are
valid in both libraries, and numbers stay small enough to be compared. What programs leave out,
since the libraries mean different things by it:

  - a leaf, or a view of one, written while operations are recorded: both refuse;
  - a view that was made while they were not, once its elements have been written: PyTorch refuses
    to go on with it, ours shows what it shares;
  - a view of a leaf, once its elements have been written while operations were not recorded: in
    PyTorch nothing flows from it to the leaf any more, in ours as before;
  - writing through a detached array while operations are recorded: in PyTorch it joins the graph;
  - a view of a leaf that shares its elements with what was written in a graph: ours is of that
    graph, PyTorch's of the leaf;
  - whether zeros flow to a leaf or nothing does, if what was computed of it has been overwritten:
    after such a write gradients are cleared before a walk;
  - the points at which a function has no derivative and libraries choose one: leaky_relu and hypot
    at 0;
  - several values written to one position: PyTorch gives each the whole gradient;
  - gradients to an array of which another name was written to: ours asks for what flows through
    that name, PyTorch for what flows to its elements;
  - a walk over what an earlier one dropped."""

import math
import random

from . import steps
from .arrays import Array
from .rows import names_of, targets_of

LENGTHS = {False: (1, 2, 2, 3, 3, 4), True: (1, 8, 33, 64)}
ELEMENTS = {False: 64, True: 40000}  # of one array, at most
MOST = {False: 40.0, True: 1e5}  # no element is larger
CLOSE = {"float64": 1e-9, "float32": 1e-4, "float16": 3e-2}  # how near answers are to each other


class Maker:
    """Makes a program step by step. `large` arrays are there to be compared with themselves."""

    def __init__(self, seed, large):
        self.random = random.Random(f"autograd {seed}")
        self.large = large
        self.steps, self.arrays, self.made = [], [], 0
        self.read = []
        self.mode = "record"
        self.overwritten = False
        self.close = CLOSE["float64"]

    # ---- Chance --------------------------------------------------------------------------------

    def chance(self, part):
        return self.random.random() < part

    def among(self, sequence):
        return self.random.choice(list(sequence))

    def length(self):
        return self.among(LENGTHS[self.large])

    def shape(self, ndim=None):
        """Of few elements."""
        if ndim is None:
            ndim = self.among((0, 1, 1, 2, 2, 2, 2, 3))
        while True:
            shape = tuple(self.length() for _ in range(ndim))
            if math.prod(shape) <= ELEMENTS[self.large]:
                return shape

    def fits(self, shape, most=0.0):
        """Whether there can be such an array."""
        return math.prod(shape) <= ELEMENTS[self.large] and most <= MOST[self.large]

    # ---- Steps ---------------------------------------------------------------------------------

    def emit(self, do, of=(), **more):
        """A step that makes nothing."""
        step = {"do": do}
        if of:
            step["of"] = [x.name if isinstance(x, Array) else x for x in of]
        step |= more
        if self.mode != "record":
            step["mode"] = self.mode
        self.steps.append(step)
        return step

    def name(self):
        self.made += 1
        return f"a{self.made - 1}"

    def add(self, array):
        self.arrays.append(array)
        self.read.append(array.name)
        self.close = max(self.close, CLOSE.get(array.dtype, 0.0))
        return array

    def call(self, do, of, shape, most, result=None, **more):
        """A step that makes an array of others; `result` is its type, if that is not theirs."""
        array = Array(self.name(), shape, result or steps.promoted(of), most)
        self.follow(array, [x for x in of if isinstance(x, Array)])
        self.emit(do, of, to=array.name, **more)
        return self.add(array)

    def follow(self, array, operands):
        """Marks what was computed of others."""
        recorded = self.mode == "record" and array.real
        array.flows = recorded and any(x.flows for x in operands)
        array.graph = recorded and any(x.graph for x in operands)

    def view_of(self, base, shape, packed=False):
        """What is known of a new view."""
        view = Array(self.name(), shape, base.dtype, base.most, base)
        view.packed = packed
        self.follow(view, [base])
        view.paused = base.paused or self.mode != "record"
        return view

    def view(self, do, base, lengths, packed=False, **more):
        view = self.view_of(base, lengths, packed)
        self.emit(do, [base], to=view.name, **more)
        return self.add(view)

    def new(self, shape=None, dtype="float64", kind="real", **more):
        """An array of numbers."""
        shape = self.shape() if shape is None else shape
        most = {"whole": 3.0}.get(kind, 1.2)
        array = Array(self.name(), shape, dtype, most)
        given = {} if kind == "real" else {"kind": kind}
        given |= {"seed": self.random.randrange(10**6), "dtype": dtype}
        self.emit("array", to=array.name, shape=list(shape), **given, **more)
        return self.add(array)

    def leaf(self, shape=None):
        array = self.new(shape)
        self.attach(array)
        return array

    def attach(self, array):
        self.emit("attach", [array], request=self.among(("write", "write", "add")))
        array.leaf = array.attached = array.flows = array.graph = True
        array.detached = array.paused = False

    # ---- Arrays that are there -----------------------------------------------------------------

    def all(self, wanted):
        return [a for a in self.arrays if wanted(a)]

    def array(self, wanted=lambda a: True, narrow=False):
        """One of floating-point numbers, late ones more often; new if there is none."""
        fitting = self.all(lambda a: a.real and (narrow or a.dtype == "float64") and wanted(a))
        flowing = [a for a in fitting if a.flows]
        choices = flowing if flowing and self.chance(0.8) else fitting
        if not choices:
            return None
        return choices[-1] if self.chance(0.3) else self.among(choices)

    def shaped(self, shape, dtype="float64"):
        """An operand of that shape."""
        found = self.array(lambda a: a.shape == tuple(shape) and a.dtype == dtype, narrow=True)
        return found if found and self.chance(0.8) else self.new(shape, dtype)

    def partner(self, array):
        """An operand that broadcasts with it to its shape."""
        shape = array.shape
        if self.chance(0.4):
            cut = tuple(1 if self.chance(0.4) else n for n in shape)
            shape = cut[self.random.randint(0, len(cut)) :]
        if self.chance(0.1) and array.dtype == "float64":
            return self.new(shape, "int64", "whole")
        return self.shaped(shape, array.dtype)

    def axis(self, array):
        return self.random.randrange(-array.ndim, array.ndim)

    # ---- What writing does ---------------------------------------------------------------------

    def can_write(self, array):
        if array.spread or not array.real:
            return False
        return self.mode != "record" or not (array.leaf or array.paused or array.detached)

    def written(self, array, flows, graph, most):
        """An array was written to, as the mode is; `flows` and `graph` are as it is then."""
        for other in array.storage.arrays:
            other.most = max(other.most, most)
        lost = [a for a in array.storage.arrays if (a.paused or a.leaf) and not a.attached]
        self.arrays = [a for a in self.arrays if a not in lost]
        if self.mode != "record":
            return
        self.overwritten = True
        for other in array.storage.arrays:
            if not other.attached:
                other.flows, other.graph = other.flows and flows, other.graph or graph
        array.flows = flows

    def forget(self):
        """A walk has dropped what was recorded: only arrays that are no part of it go on."""
        self.arrays = [a for a in self.arrays if a.attached or not a.graph]


def make_program(seed, large=False):
    """A program: its steps, and the names of the arrays to read after them."""
    maker = Maker(seed, large)
    for _ in range(maker.random.randint(1, 3)):
        maker.leaf()
    for last in [False] * maker.chance(0.4) + [True]:
        for _ in range(maker.random.randint(3, 12)):
            maker.mode = "pause" if maker.chance(0.1) else "record"
            maker.random.choices(*zip(*((f, w) for w, f in steps.STEPS)))[0](maker)
        maker.mode = "record"
        steps.finish(maker, last)
    return {"seed": seed, "close": maker.close, "steps": maker.steps, "read": maker.read}


def tidied(program):
    """Without the steps that cannot run, since others were left out, and what they would make."""
    made, kept = set(), []
    for step in program["steps"]:
        if made.issuperset(names_of(step)):
            kept.append(step)
            made |= set(targets_of(step))
    return dict(program, steps=kept, read=[name for name in program["read"] if name in made])
