"""Families of programs: modules in which `make(maker)` lets a program grow, and SHARE says how many
of a thousand programs are of the family."""

from importlib import import_module


class Families(dict):
    """The modules of a package by their names; their programs grow in a class of makers."""

    def __init__(self, package, names, maker):
        super().__init__({name: import_module(f"{package}.{name}") for name in names})
        self.maker = maker

    def make_program(self, family, number):
        """The program of a family that has a number."""
        maker = self.maker(family, number)
        self[family].make(maker)
        return maker.program()

    def programs(self, seed, count, families=None):
        """So many programs in all, numbered from seed on in each family."""
        chosen = families or list(self)
        whole = sum(self[name].SHARE for name in chosen)
        for name in chosen:
            for number in range(max(1, count * self[name].SHARE // whole)):
                yield self.make_program(name, seed + number)
