"""What writers of all languages have in common. A language is a class with

    name, suffix          "C++", ".cpp"
    actions(statement)    texts, one for each step of a statement
    attempt(number, actions)    lines that do the steps, and print an error if one fails
    open_recording(), close_recording()    lines around what is recorded
    begin_program(program), end_program()  likewise
    file(programs)        the whole file; `programs(all)` has the lines of all programs

and methods that `actions` finds by the statement's class, `call`, `get` and so on. A program prints lines
that begin with its seed and the number of the statement:

    7.12 float32 (2,3,) 3f5a...           Show: element type, shape, SHA-256 of the elements
    7.13 error value: add: shapes ...     a statement that failed
    7.14 no gradient                      GradientOf
"""

from statements import ELLIPSIS, GENERATOR, NEW, Dtype, Late, Recording, Slice, Slot, Text


class Writer:
    indentation = "    "

    def actions(self, statement):
        return getattr(self, type(statement).__name__.lower())(statement)

    def statement(self, one):
        """The lines of a statement."""
        if isinstance(one, Recording):
            inside = [line for part in one.body for line in self.statement(part)]
            return [*self.open_recording(), *map(self.indented, inside), *self.close_recording()]
        if isinstance(one, Late):
            steps = [step for part in one.body for step in self.actions(part)]
            return [*self.attempt(one.number, steps), *self.forget_temporaries()]
        return self.attempt(one.number, self.actions(one))

    def indented(self, line):
        return self.indentation + line

    def program(self, program):
        inside = [line for one in program.statements for line in self.statement(one)]
        begin, end = self.begin_program(program), self.end_program()
        return [*begin, *map(self.indented, inside), *end]

    def programs(self, programs):
        return [line for one in programs for line in [*self.program(one), ""]]

    def argument(self, value):
        """A value by its kind: `slot`, `number`, `ints`, `slots`, `dtype`, `text` or `generator`."""
        if value is GENERATOR:
            return self.generator()
        for kind, way in (
            (Slot, self.slot),
            (Dtype, self.dtype),
            (Text, self.text),
            (tuple, self.ints),
            (list, self.slots),
        ):
            if isinstance(value, kind):
                return way(value)
        return self.number(value)

    def item(self, item):
        """An item of an index."""
        if item is NEW:
            return self.new_item
        if item is ELLIPSIS:
            return self.ellipsis_item
        if isinstance(item, Slice):
            return self.slice_item(item)
        return self.array_item(item) if isinstance(item, Slot) else self.place_item(item)

    def call(self, one):
        """A call by its form."""
        return getattr(self, f"call_{one.form}")(one)


def is_view(items):
    """Whether an index without arrays."""
    return not any(isinstance(item, Slot) for item in items)


def flattened(values):
    """Nested lists as one, and their shape."""
    if not isinstance(values, list):
        return [values], ()
    parts = [flattened(one) for one in values]
    return [x for part, _ in parts for x in part], (len(values), *parts[0][1])


