"""paddle.framework: names that are in the package itself, too."""

from . import _missing
from ._dialect import get_default_dtype, set_default_dtype
from ._files import load, save
from ._parameter import EagerParamBase
from ._place import CPUPlace, CUDAPinnedPlace, CUDAPlace
from ._random import seed
from .autograd._modes import no_grad
from .nn._attribute import ParamAttr

__all__ = (
    "CPUPlace CUDAPinnedPlace CUDAPlace EagerParamBase ParamAttr get_default_dtype load no_grad "
    "save seed set_default_dtype"
).split()

__getattr__ = _missing.missing("paddle.framework")
