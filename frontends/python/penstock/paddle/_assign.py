"""Other elements in the place of a tensor's: set_value."""

from .. import _core
from ._tensor import Tensor


def set_value(tensor, value):
    """Write a tensor or NumPy array of the same shape and type; gradients do not see it."""
    if not isinstance(value, Tensor):
        import numpy

        if not isinstance(value, (numpy.ndarray, numpy.generic)):
            raise AssertionError(
                "Variable set_value function, arguments type only support Variable, numpy, Tensor, "
                f"dict, string, not {type(value).__name__}"
            )
        from ._create import to_tensor

        value = to_tensor(value)
    if value.shape != tensor.shape:
        raise AssertionError(
            f"Variable Shape not match, Variable [ {tensor.name} ] need tensor with shape "
            f"{tensor.shape} but received {value.shape}"
        )
    if value.dtype is not tensor.dtype:
        raise AssertionError(
            f"Variable dtype not match, Variable [ {tensor.name} ] need tensor with dtype "
            f"{tensor.dtype}  but received {value.dtype}"
        )
    write(tensor, value)


def write(tensor, value):
    """Elements of the same shape into a tensor, which gradients do not see."""
    before = _core._grad_set_state(None, None, True)
    try:
        _core._grad_alias(tensor)[...] = value
    finally:
        _core._grad_set_state(*before)


# ---- Methods that end in _ -----------------------------------------------------------------------


def update(tensor, made):
    """What an operation gave of a tensor, into the tensor itself, counted as a write."""
    if made.shape != tensor.shape:
        raise ValueError(
            f"The shape of broadcast output {list(made.shape)} is different from that of inplace "
            f"tensor {tensor.shape} in the Inplace operation."
        )
    if made.dtype is not tensor.dtype:
        raise TypeError(
            f"(InvalidType) a tensor of {tensor.dtype._name} cannot take elements of "
            f"{made.dtype._name}"
        )
    check_leaf(tensor)
    tensor[...] = made
    return tensor


def check_leaf(tensor):
    """A leaf that asks for a gradient cannot be written while that is recorded."""
    flows, leaf, _ = _core._grad_info(tensor)
    if flows and leaf and not _core._grad_is_paused():
        raise ValueError(
            f"(InvalidArgument) Leaf Tensor ({tensor.name}) that doesn't stop gradient can't use "
            "inplace strategy."
        )


def _flows(*values):
    """Whether a gradient flows through any of them."""
    return any(isinstance(one, Tensor) and _core._grad_info(one)[0] for one in values)


def updated(name, function, names, namespace):
    """The method and function name_ that write what a function gives into the tensor itself."""

    def method(x, *args, **kwargs):
        if not _core._grad_is_paused() and _flows(x, *args):
            old = x.clone()  # what a gradient needs is not what is written
            args = tuple(old if one is x else one for one in args)
            return update(x, function(old, *args, **kwargs))
        return update(x, function(x, *args, **kwargs))

    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__ = f"As {name}, into the tensor itself."
    setattr(Tensor, f"{name}_", method)
    namespace[f"{name}_"] = method
    names.append(f"{name}_")


def zero_(self):
    """All elements 0."""
    return fill_(self, 0)


def fill_(self, value):
    """All elements one number."""
    if isinstance(value, Tensor):
        raise TypeError(f"The type of 'value' must be int or float, but received {type(value)}.")
    check_leaf(self)
    self[...] = value
    return self


def copy_(self, other, non_blocking=False):
    """The elements of another tensor, which may be broadcast."""
    check_leaf(self)
    self[...] = other
    return self


Tensor.zero_, Tensor.fill_, Tensor.copy_, Tensor.set_value = zero_, fill_, copy_, set_value
