"""Padding as layers."""

from ... import _missing
from .. import functional as F
from .module import Module

__all__ = (
    "CircularPad1d CircularPad2d ConstantPad1d ConstantPad2d ReflectionPad1d ReflectionPad2d "
    "ReplicationPad1d ReplicationPad2d ZeroPad1d ZeroPad2d"
).split()


class _Pad(Module):
    """Elements around the last dimensions."""

    _mode, _spatial = "constant", 2

    def __init__(self, padding):
        super().__init__()
        count = 2 * self._spatial
        self.padding = (padding,) * count if isinstance(padding, int) else tuple(padding)
        if len(self.padding) != count:
            raise ValueError(f"{type(self).__name__}: {count} numbers are needed, not {padding}")

    def forward(self, input):
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self):
        return f"{self.padding}"


class _ConstantPad(_Pad):
    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class _ZeroPad(_ConstantPad):
    def __init__(self, padding):
        super().__init__(padding, 0.0)

    def extra_repr(self):
        return f"{self.padding}"


def _made(name, base, spatial, mode="constant"):
    body = {"_spatial": spatial, "_mode": mode, "__module__": __name__}
    body["__doc__"] = f"Padding of the last {spatial} dimensions by the mode {mode}."
    return type(name, (base,), body)


ConstantPad1d = _made("ConstantPad1d", _ConstantPad, 1)
ConstantPad2d = _made("ConstantPad2d", _ConstantPad, 2)
ZeroPad1d, ZeroPad2d = _made("ZeroPad1d", _ZeroPad, 1), _made("ZeroPad2d", _ZeroPad, 2)
ReflectionPad1d = _made("ReflectionPad1d", _Pad, 1, "reflect")
ReflectionPad2d = _made("ReflectionPad2d", _Pad, 2, "reflect")
ReplicationPad1d = _made("ReplicationPad1d", _Pad, 1, "replicate")
ReplicationPad2d = _made("ReplicationPad2d", _Pad, 2, "replicate")
CircularPad1d = _made("CircularPad1d", _Pad, 1, "circular")
CircularPad2d = _made("CircularPad2d", _Pad, 2, "circular")

__getattr__ = _missing.missing("torch.nn.modules.padding")
