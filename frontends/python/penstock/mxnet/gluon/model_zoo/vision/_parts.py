"""What the networks have in common."""

from ..... import _core
from ...block import HybridBlock

relu = _core._ops["relu"]
clip = _core._ops["clip"]


class Classifier(HybridBlock):
    """Features of pictures, and what tells their classes by them: two children."""

    def hybrid_forward(self, F, x):
        return self.output(self.features(x))


def named(name, get, *args):
    """The function of one network of a family: get(*args, **kwargs)."""

    def function(**kwargs):
        return get(*args, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__module__ = get.__module__
    function.__doc__ = f"The network {name}; arguments are those of the network."
    return function
