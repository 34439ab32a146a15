"""Functions and methods that few programs use: they are loaded when they are first used."""

from importlib import import_module

# Each module with its functions; those of METHODS are methods of tensors too.
FUNCTIONS = {
    "_einsum": "einsum",
    "_linear": "det logdet slogdet inverse pinverse qr svd chain_matmul",
    "_arrange": (
        "atleast_3d hsplit vsplit dsplit dstack column_stack rot90 diag_embed diagflat block_diag "
        "cartesian_prod combinations"
    ),
    "_gamma": "lgamma binomial",
    "_windows": "as_strided unfold",
    "_statistics": (
        "cov corrcoef histc quantile nanquantile cummax cummin logcumsumexp cdist diff "
        "unique_consecutive trapezoid"
    ),
    "special": "sinc softmax log_softmax xlogy",
}
METHODS = (
    "det logdet slogdet inverse pinverse qr svd hsplit vsplit dsplit rot90 diag_embed "
    "diagflat as_strided unfold cov corrcoef histc quantile nanquantile cummax cummin logcumsumexp "
    "diff unique_consecutive softmax log_softmax sinc xlogy lgamma"
).split()
_ONLY_METHODS = {"unfold"}

PLACES = {name: module for module, names in FUNCTIONS.items() for name in names.split()}


def found(name):
    """The function of that name, from its module."""
    return getattr(import_module(f"{__package__}.{PLACES[name]}"), name)


class _Method:
    """A method that takes its place in the class when it is first used."""

    __slots__ = ("_name",)

    def __init__(self, name):
        self._name = name

    def __get__(self, tensor, owner=None):
        from ._checked import method_of
        from ._tensor import Tensor

        function = method_of(found(self._name))
        setattr(Tensor, self._name, function)
        return function.__get__(tensor, owner)


def add_methods(cls):
    """Those functions that are methods, for the class of tensors."""
    for name in METHODS:
        setattr(cls, name, _Method(name))


NAMES = {*PLACES} - _ONLY_METHODS
