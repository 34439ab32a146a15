"""What a layer's state is: its parameters and buffers by name, out of it and into it."""

from ...._common.holders import saved
from ...._common.registered import MODULE, listed
from ...autograd._modes import no_grad


def collected(layer, found, inner, prefix, keep):
    """The layer's own parameters and buffers, then those of its sublayers, shared ones again."""
    for name, one in saved(layer):
        if one is not None:
            found[prefix + name] = one if keep else one.detach()
    if inner:
        for name, child in listed(layer, MODULE):
            if child is not None:
                collected(child, found, True, f"{prefix}{name}.", keep)
    return found


def loaded(layer, given, structured):
    """The names that were missing and those that were not expected; the rest is written."""
    own = layer.state_dict()
    missing, used, writes = [], set(), []
    for key, one in own.items():
        name = key if structured else one.name
        value = given.get(name)
        if value is None:
            missing.append(key)
        elif list(value.shape) != list(one.shape):
            missing.append(key)
        else:
            used.add(name)
            writes.append((one, value))
    unexpected = [name for name in given if name not in used and name != _NAMES]
    with no_grad():
        for one, value in writes:
            _write(one, value)
    return missing, unexpected


_NAMES = "StructuredToParameterName@@"


def _write(one, value):
    kind = getattr(value.dtype, "_name", str(value.dtype))
    if kind != one.dtype._name:
        raise AssertionError(
            f"Variable dtype not match, Variable [ {one.name} ] need tensor with dtype "
            f"{one.dtype} but load tensor with dtype {kind}"
        )
    if one is not value:
        one.set_value(value)


def moved(layer, device, dtype):
    """Parameters and buffers on a device, those of floats in a type, in their places."""
    from .... import _core

    with no_grad():
        for one in (*layer.parameters(), *layer.buffers()):
            kind = dtype if dtype is not None and one.dtype.is_floating_point else None
            made = _converted(one.detach(), device, kind)
            if made.dtype is not one.dtype or made.place != one.place:
                stopped = one.stop_gradient
                one.clear_gradient(False)
                one.stop_gradient = True
                _core._become(one, made)
                one.stop_gradient = stopped
    if dtype is not None:
        for part in layer.sublayers(True):
            part._dtype = dtype._name
    return layer


def _converted(tensor, device, dtype):
    if device is not None:
        tensor = tensor.to(device)
    return tensor if dtype is None or tensor.dtype is dtype else tensor.astype(dtype)


