"""Sources of random numbers that know their seed."""

from .. import _core

_seed = _core.Generator.seed


class Seeded(_core.Generator):
    """A generator whose class has the seed that it begins with, _FIRST."""

    _FIRST = 0

    def __new__(cls, *args):
        made = super().__new__(cls, cls._FIRST)
        made._seed = cls._FIRST
        return made

    def _begin(self, seed):
        """Numbers as from a new generator with this seed; gives the generator."""
        self._seed = seed
        _seed(self, seed)
        return self

    def initial_seed(self):
        """The seed it was last given."""
        return self._seed
