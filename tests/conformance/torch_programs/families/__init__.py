"""Families of programs, a module each: `make(maker)` lets a program grow, SHARE says how many of a
thousand programs are of the family. A new family is a module here and a name below."""

from importlib import import_module

from ..maker import Maker

NAMES = (
    "conversion creation elements gradients in_place indexing joining order products promotion "
    "random_numbers reductions shapes texts views wrong_calls"
).split()
FAMILIES = {name: import_module(f"{__name__}.{name}") for name in NAMES}


def make_program(family, number):
    """The program of a family that has a number."""
    maker = Maker(family, number)
    FAMILIES[family].make(maker)
    return maker.program()


def programs(seed, count, families=None):
    """So many programs in all, numbered from seed on in each family."""
    chosen = families or NAMES
    whole = sum(FAMILIES[name].SHARE for name in chosen)
    for name in chosen:
        for number in range(max(1, count * FAMILIES[name].SHARE // whole)):
            yield make_program(name, seed + number)
