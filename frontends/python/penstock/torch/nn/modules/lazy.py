"""Layers that learn the shape of their parameters from the first call."""

from ... import _missing
from ...autograd._modes import no_grad
from ..parameter import is_lazy
from ...._common.registered import BUFFER, PARAMETER, listed
from .module import Module

__all__ = ["LazyModuleMixin"]


class LazyModuleMixin:
    """Goes before the class of a layer: the first call settles shapes, then it is that class.

    Classes define initialize_parameters, which gets the arguments of the call, and cls_to_become.
    """

    cls_to_become = None

    def __call__(self, *args, **kwargs):
        self._infer_parameters(args, kwargs)
        return Module.__call__(self, *args, **kwargs)

    def has_uninitialized_params(self):
        """Whether the first call is still to come."""
        members = (*listed(self, PARAMETER), *listed(self, BUFFER))
        return any(is_lazy(one) for _, one in members)

    def initialize_parameters(self, *args, **kwargs):
        """Give parameters their shapes; for classes to define."""
        raise NotImplementedError(
            f"initialize_parameters is not implemented for {type(self).__name__}"
        )

    def _infer_parameters(self, args, kwargs):
        with no_grad():
            self.initialize_parameters(*args, **kwargs)
        if self.has_uninitialized_params():
            raise RuntimeError(
                f"module {self._get_name()} has not been fully initialized by its first call"
            )
        if self.cls_to_become is not None:
            self.__class__ = self.cls_to_become


__getattr__ = _missing.missing("torch.nn.modules.lazy")
