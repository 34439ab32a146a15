"""Names that code puts into modules.

A name that a program writes is interned: a dictionary finds it by its address. One that code has
put together, or has split from a text, is not, and a dictionary that has it as a key compares
letters each time: a tenth of what a call of a small operation costs.
"""

from sys import intern


def bring(namespace, *modules):
    """What modules have in __all__ becomes another module's own: gives the names."""
    names = [intern(name) for module in modules for name in module.__all__]
    namespace.update(zip(names, (getattr(one, name) for one in modules for name in one.__all__)))
    return names


def put(namespace, values):
    """Values by their names, a dictionary or pairs."""
    namespace.update((intern(name), value) for name, value in dict(values).items())
