"""What is a dialect's own, in one place."""

from typing import Callable, NamedTuple

from .families import Families


class Dialect(NamedTuple):
    """A dialect of ours and the library that it imitates."""

    name: str  # what programs call it
    title: str  # what people call the library
    version: str
    runner: str  # the module that runs programs
    families: Families
    known_difference: Callable  # the name of the rule that explains a difference, or None
    known_end: Callable  # likewise of a program that ends the real one's process
