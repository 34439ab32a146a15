"""Families of programs, a module each: `make(maker)` lets a program grow, SHARE says how many of a
thousand programs are of the family. A new family is a module here and a name below."""

from dialect_programs.families import Families

from ..maker import Maker

NAMES = (
    "conversion creation elements gradients in_place indexing joining layers losses optimisers order "
    "products promotion random_numbers reductions shapes texts views wrong_calls"
).split()
FAMILIES = Families(__name__, NAMES, Maker)
