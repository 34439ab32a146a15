"""Programs by seed: what they do is drawn here, without any language.

    program(7)     the program of seed 7

Statements are drawn such that most fit (model.py knows types and shapes), and about a tenth of them are
drawn carelessly: wrong axes, shapes, types and positions, which fail at the call. What fails later, while
running, is in statements of its own (Late).
"""

from gradient import Gradient
from late import Lateness
from maker import Maker
from statements import SLOTS, Program, Show, Slot, WaitAll, numbered


class Author(Maker, Gradient, Lateness):
    """Draws statements of all kinds."""

    KINDS = [
        ("creation", 3),
        ("unary", 5),
        ("binary", 9),
        ("ternary", 2),
        ("update", 4),
        ("into", 2),
        ("reduction", 6),
        ("scan", 2),
        ("order", 2),
        ("arrangement", 6),
        ("joining", 2),
        ("product", 3),
        ("conversion", 2),
        ("view", 5),
        ("view_update", 2),
        ("assignment", 4),
        ("selection", 3),
        ("selection_update", 2),
        ("gathering", 2),
        ("network", 2),
        ("random_numbers", 3),
        ("other_name", 1),
        ("gradient", 3),
        ("late", 3),
        ("show", 3),
    ]

    def show(self):
        self.add(Show(self.any_slot()))

    def any_statement(self):
        names, weights = zip(*self.KINDS)
        getattr(self, self.draw.choices(names, weights)[0])()


def program(seed, length=24):
    """The program of a seed."""
    author = Author(seed)
    for slot in range(SLOTS):
        author.creation(Slot(slot))
    for _ in range(length):
        author.any_statement()
    author.add(WaitAll())
    for slot in range(SLOTS):
        author.add(Show(Slot(slot)))
    return numbered(Program(seed, author.statements))
