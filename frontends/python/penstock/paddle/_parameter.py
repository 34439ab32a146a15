"""Parameters: tensors that layers train."""

from .. import _core
from ._dtypes import as_dtype
from ._tensor import Tensor

_counts = {}


class Parameter(Tensor):
    """A leaf whose gradient is asked for; layers find it among their attributes."""

    __module__ = "paddle.base.framework"
    __slots__ = ()
    persistable = True

    def __new__(cls, shape, dtype="float32", name=None, trainable=True, **options):
        from ._create import zeros

        made = _core.ndarray.as_subclass(zeros(list(shape), as_dtype(dtype)), cls)
        return made._begin(name, trainable, options)

    @classmethod
    def of(cls, tensor, name=None, trainable=True, **options):
        """A parameter that has a tensor's elements."""
        made = _core.ndarray.as_subclass(tensor.detach(), cls)
        return made._begin(name, trainable, options)

    def _begin(self, name, trainable, options):
        extra = _core._extra(self, True)
        extra["_name"] = new_name("create_parameter", "w") if name is None else name
        extra["optimize_attr"] = options.get("optimize_attr", {"learning_rate": 1.0})
        extra["regularizer"] = options.get("regularizer")
        extra["need_clip"] = options.get("need_clip", True)
        self.stop_gradient = not trainable
        return self

    @property
    def trainable(self):
        """Whether its gradient is asked for."""
        return not self.stop_gradient

    @trainable.setter
    def trainable(self, wanted):
        self.stop_gradient = not wanted

    def __repr__(self):
        return f"Parameter containing:\n{super().__repr__()}"

    __str__ = __repr__


EagerParamBase = Parameter
Parameter.__name__ = Parameter.__qualname__ = "EagerParamBase"


def new_name(prefix, kind):
    """A name that no other parameter has: 'create_parameter_0.w_0'."""
    number = _counts.get(prefix, 0)
    _counts[prefix] = number + 1
    return f"{prefix}_{number}.{kind}_0"


def create_parameter(
    shape, dtype, name=None, attr=None, is_bias=False, default_initializer=None
):
    """A parameter with first values: those of an initialiser, else Xavier's, of a bias 0."""
    if attr is False:
        return None
    initializer, options = default_initializer, {}
    if attr is not None and callable(attr):
        initializer = attr
    elif isinstance(attr, str):
        name = attr
    elif attr is not None:
        initializer = attr.initializer or default_initializer
        name = attr.name if name is None else name
        options = {
            "trainable": attr.trainable,
            "optimize_attr": {"learning_rate": attr.learning_rate},
            "regularizer": attr.regularizer,
            "need_clip": attr.need_clip,
        }
    if name is None:
        name = new_name("create_parameter", "b" if is_bias else "w")
    made = Parameter(shape, dtype, name, **options)
    if initializer is not None:
        initializer(made)
    elif not is_bias:
        _first_values(made)
    return made


def _first_values(parameter):
    """Xavier's uniform numbers: within the root of 6 over the lengths that go in and out."""
    from ._assign import write
    from ._random import uniform

    shape = parameter.shape
    if len(shape) < 2:
        ends = 2 * (shape[0] if shape else 1)
    else:
        window = 1
        for length in shape[2:]:
            window *= length
        ends = (shape[0] + shape[1]) * window
    bound = (6.0 / ends) ** 0.5 if ends else 0.0
    write(parameter, uniform(shape, parameter.dtype, -bound, bound))
