"""Gradients in a program: arrays that get one, what is recorded of them, walks back."""

from model import Value
from rows import SMOOTH_BINARY, SMOOTH_REDUCTIONS, SMOOTH_UNARY
from statements import (
    SLOTS,
    Attach,
    Backward,
    Call,
    Detach,
    Dtype,
    Gradients,
    GradientOf,
    Recording,
    Show,
    Slot,
)


class Gradient:
    def gradient(self):
        """A leaf, a few statements that are recorded, and its gradient."""
        leaf = self._leaf()
        head = self._recorded(leaf)
        if self.draw.chance(0.3):
            return self._as_results(leaf, head)
        if self.draw.chance(0.3):
            self._with_factors(head)
        else:
            self.add(Backward([head], retain=self.draw.chance(0.2)))
        if self.draw.chance(0.2):
            self.add(Backward([head]))
        to = self._other(leaf)
        self.add(GradientOf(to, leaf), self.values[leaf])
        self.add(Show(to))
        return None

    def _other(self, *slots):
        return self.draw.choice([one for one in map(Slot, range(SLOTS)) if one not in slots])

    def _leaf(self):
        draw, to = self.draw, self.any_slot()
        source, value = self.one("float32 or float64", lambda value: value.count <= 50_000)
        if draw.chance(0.5):
            self.literal(to, (2, 3), draw.choice(["float32", "float64"]))
        else:
            self.add(Call(to, "copy", (source,)), value)
        self.add(Attach(to, draw.chance(0.3)))
        return to

    def _recorded(self, leaf):
        """Adds a block; gives the slot that the last of its statements writes."""
        outside, self.statements = self.statements, []
        head, self._detached = leaf, None
        for _ in range(self.draw.randint(1, 5)):
            head = self._step(head, leaf)
        body, self.statements = self.statements, outside
        self.add(Recording(body))
        return head

    def _step(self, source, leaf):
        """A statement with what was computed before; gives where its result is."""
        draw, to = self.draw, self._other(leaf)
        if self.values[source].shape is None:
            self.add(Call(to, "sum", (source,)), Value(self.values[source].dtype, ()))
            return to
        kind = draw.choices(
            ["unary", "binary", "reduction", "arrangement", "view", "product", "write", "detach"],
            [4, 6, 3, 3, 3, 2, 2, 0.5],
        )[0]
        if kind == "unary":
            self.unary(SMOOTH_UNARY, to, source)
        elif kind == "binary":
            self.binary(SMOOTH_BINARY, to, source)
        elif kind == "reduction":
            self.reduction(SMOOTH_REDUCTIONS, to, source)
        elif kind == "detach":
            self.add(Detach(to, source), self.values[source])
            self._detached = to
        elif kind == "write":
            # Python writes x[:] and x[...] as x itself: then what was detached gets a graph, and through a
            # view it does not.
            writes = [self.assignment, self.update, self.view_update]
            draw.choice([self.update] if source == self._detached else writes)(source=source)
            return source
        else:
            getattr(self, kind)(to, source)
        return to

    def _with_factors(self, head):
        """With a gradient of the head that is given."""
        value, to = self.values[head], self._other(head)
        if value.shape is None or value.count > 50_000:
            return self.add(Backward([head]))
        options = {"dtype": Dtype(value.dtype)}
        self.add(Call(to, "full", (value.shape, self.draw.float_number()), options), value)
        return self.add(Backward([head], [to]))

    def _as_results(self, leaf, head):
        to = self._other(leaf, head)
        self.add(Gradients(to, [head], leaf), self.values[leaf])
        self.add(Show(to))
