"""What is said of a parameter, and parameters that are made by it."""

from .._dialect import default_dtype
from .._dtypes import as_dtype
from .._parameter import Parameter
from ._names import numbered


class ParamAttr:
    """What is said of a parameter: its name, first values and part in training."""

    __module__ = "paddle"

    def __init__(
        self,
        name=None,
        initializer=None,
        learning_rate=1.0,
        regularizer=None,
        trainable=True,
        do_model_average=True,
        need_clip=True,
    ):
        self.name = name
        self.initializer = initializer
        self.learning_rate = learning_rate
        self.regularizer = regularizer
        self.trainable = trainable
        self.do_model_average = do_model_average
        self.need_clip = need_clip


def as_attr(given):
    """What stands for a ParamAttr as one; False: there is no parameter."""
    from .initializer import Initializer

    if given is None or given is True:
        return ParamAttr()
    if isinstance(given, ParamAttr) or given is False:
        return given
    if isinstance(given, str):
        return ParamAttr(name=given)
    if isinstance(given, Initializer):
        return ParamAttr(initializer=given)
    if isinstance(given, (list, tuple)):
        return [as_attr(one) for one in given]
    raise TypeError(f"{type(given)} cannot be cast to ParamAttr.")


def made(shape, dtype, attr, first, owner, is_bias):
    """A parameter of a shape, with first values by its attributes or else `first`; or None."""
    attr = as_attr(attr)
    if attr is False:
        return None
    from . import initializer

    chosen = attr.initializer or initializer._global_for(is_bias) or first
    if chosen is None:
        chosen = initializer.Constant(0.0) if is_bias else initializer.XavierUniform()
    lengths = [int(one) for one in shape] if isinstance(shape, (list, tuple)) else [int(shape)]
    one = default_dtype() if dtype is None else as_dtype(dtype)
    name = attr.name or numbered(f"{owner}.{'b' if is_bias else 'w'}")
    return Parameter.of(
        _first(chosen, lengths, one),
        name,
        attr.trainable,
        optimize_attr={"learning_rate": attr.learning_rate},
        regularizer=attr.regularizer,
        need_clip=attr.need_clip,
    )


def _first(initializer, shape, dtype):
    """First values: those of an initialiser of this library, or what another one writes."""
    from .initializer import Initializer

    if isinstance(initializer, Initializer):
        return initializer._values(shape, dtype)
    from .._create import zeros

    made = zeros(shape, dtype=dtype)
    initializer(made)
    return made
