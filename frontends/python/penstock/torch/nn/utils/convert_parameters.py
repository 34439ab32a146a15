"""Parameters as one vector, and back."""

from ... import _missing
from ..._joining import cat
from ..._tensor import Tensor

__all__ = ["parameters_to_vector", "vector_to_parameters"]


def parameters_to_vector(parameters):
    """The elements of all parameters, one behind the other."""
    return cat([one.reshape(-1) for one in parameters])


def vector_to_parameters(vec, parameters):
    """Write the parts of a vector into parameters."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec).__name__}")
    begin = 0
    for one in parameters:
        count = one.numel()
        one.data = vec[begin : begin + count].view_as(one).data
        begin += count


__getattr__ = _missing.missing("torch.nn.utils.convert_parameters")
