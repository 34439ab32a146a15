"""Leaky activations, with what training adds to them."""

from ... import _core
from .. import _composed, _dialects
from ..base import MXNetValueError

_ops = _core._ops
_elu, _gelu, _where = _ops["elu"], _ops["gelu"], _ops["where"]
_is_training = _core._grad_is_training


def leaky_relu(
    data, gamma=None, act_type="leaky", slope=0.25, lower_bound=0.125, upper_bound=0.334
):
    """The elements where they are positive, else less: leaky, elu, selu, gelu, prelu or rrelu.

    prelu has its slope from gamma, one or one for each channel; rrelu draws one for each element in
    training, and takes the middle of its bounds otherwise.
    """
    if act_type == "leaky":
        return _where(data > 0, data, data * slope)
    if act_type == "elu":
        return _elu(data, slope)
    if act_type == "gelu":
        return _gelu(data)
    if act_type == "prelu" and gamma is None:
        raise MXNetValueError("LeakyReLU: prelu needs gamma")
    values = data, gamma, act_type, lower_bound, upper_bound, _is_training()
    return _dialects.call(type(data), _composed.leaky_relu, *values)
