"""mx.optimizer.contrib: AdaGrad by rows."""

from ... import _core
from .._missing import missing
from .._nd_array import NDArray
from ._composed import Composed
from ._optimizer import register

__all__ = ["GroupAdaGrad"]

_ops = _core._ops


@register
class GroupAdaGrad(Composed):
    """AdaGrad with one sum for each row of a matrix: that of the means of squares."""

    __module__ = "mxnet.optimizer.contrib"

    def __init__(self, eps=1e-5, **kwargs):
        super().__init__(**kwargs)
        self.float_stable_eps = eps

    def create_state(self, index, weight):
        """The sum of each row."""
        assert len(weight.shape) == 2, f"GroupAdaGrad is for matrices, not shape {weight.shape}"
        made = _ops["zeros"]((weight.shape[0], 1), "float32", device=weight.device)
        return made.as_subclass(NDArray)

    def _change(self, index, weight, grad, state, rate, decay):
        assert decay == 0, f"GroupAdaGrad has no weight decay: wd must be 0, not {decay}"
        grad = self._scaled(grad)
        state += _ops["mean"](_ops["square"](grad), axis=1, keepdims=True)
        weight -= rate * (grad / _ops["sqrt"](state + self.float_stable_eps))


__getattr__ = missing("mxnet.optimizer.contrib")
