"""mx.operator: operations that programs write in Python, with gradients of their own.

A property names arguments and results and infers shapes; an operation computes. `mx.nd.Custom`
calls them by the name under which the property was registered. They run at the call, on the thread
that calls: what is in them is queued like all else.
"""

from .. import _function
from . import autograd
from ._unbuilt import unbuilt
from .base import MXNetTypeError, MXNetValueError

__all__ = ["CustomOp", "CustomOpProp", "get_all_registered_operators", "register"]

_properties = {}


class CustomOp:
    """The computation: forward and backward write into the arrays that they are given."""

    __module__ = "mxnet.operator"

    def __init__(self):
        """Nothing is kept."""

    def forward(self, is_train, req, in_data, out_data, aux):
        """Writes the results into out_data."""

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        """Writes the gradients of the arguments into in_grad."""

    def assign(self, dst, req, src):
        """Writes as the request says: not at all, in the place of what is there, or in addition."""
        if req in ("write", "inplace"):
            dst[:] = src
        elif req == "add":
            dst[:] = dst + src


class CustomOpProp:
    """What an operation takes and gives; programs derive from it."""

    __module__ = "mxnet.operator"

    def __init__(self, need_top_grad=True):
        self.need_top_grad_ = need_top_grad

    def infer_shape(self, in_shape):
        """Shapes of arguments, results and states: all results are as the first argument."""
        return in_shape, (in_shape[0],) * len(self.list_outputs()), ()

    def infer_type(self, in_type):
        """Element types of arguments, results and states."""
        outputs, states = self.list_outputs(), self.list_auxiliary_states()
        return in_type, [in_type[0]] * len(outputs), [in_type[0]] * len(states)

    def infer_storage_type(self, in_stype):
        """Kinds of arrays: there is one."""
        outputs, states = self.list_outputs(), self.list_auxiliary_states()
        return in_stype, ["default"] * len(outputs), ["default"] * len(states)

    def list_arguments(self):
        """Names of the arguments."""
        return ["data"]

    def list_outputs(self):
        """Names of the results."""
        return ["output"]

    def list_auxiliary_states(self):
        """Names of the states: arrays after the arguments, which forward may change."""
        return []

    def declare_backward_dependency(self, out_grad, in_data, out_data):
        """What backward reads, by number: it is given all of it here."""
        return [*(out_grad if self.need_top_grad_ else ()), *in_data, *out_data]

    def create_operator(self, ctx, in_shapes, in_dtypes):
        """The operation for arguments like these."""
        return CustomOp()


def register(reg_name):
    """A decorator: registers a property for `mx.nd.Custom(..., op_type=reg_name)`."""

    def registered(prop_cls):
        if not (isinstance(prop_cls, type) and issubclass(prop_cls, CustomOpProp)):
            raise AssertionError("what is registered must be a subclass of CustomOpProp")
        _properties[reg_name] = prop_cls
        return prop_cls

    return registered


def get_all_registered_operators():
    """Names of the operations of programs."""
    return list(_properties)


# ---- Calls ---------------------------------------------------------------------------------------

_TYPE_NUMBERS = ("float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool")


def _property(op_type, options):
    if not op_type:
        raise MXNetValueError("Custom: the argument op_type is missing")
    if op_type not in _properties:
        raise MXNetValueError(f"Custom: there is no custom operator {op_type!r}")
    return _properties[op_type](**{name: str(value) for name, value in options.items()})


def _divided(prop, op_type, inputs, named):
    """The arguments and the states, of those that are given in order and by name."""
    arguments, states = list(prop.list_arguments()), list(prop.list_auxiliary_states())
    wanted = arguments + states
    left = iter(inputs)
    arrays = [named.pop(name) if name in named else next(left, None) for name in wanted]
    if any(one is None for one in arrays) or next(left, None) is not None or named:
        given = len(inputs) + len(named)
        raise MXNetTypeError(
            f"Custom: {op_type} takes {len(wanted)} arrays ({', '.join(wanted)}), not {given}"
        )
    return arrays[: len(arguments)], arrays[len(arguments) :]


class _Call:
    """One call of an operation."""

    def __init__(self, op_type, prop, arguments, states):
        self.name, self.arguments, self.states = op_type, arguments, states
        first = arguments[0]
        self.kind, self.context = type(first), first.context
        shapes = prop.infer_shape([list(one.shape) for one in arguments])
        types = prop.infer_type([one.dtype for one in arguments])
        self.results = [tuple(shape) for shape in shapes[1]], list(types[1])
        numbers = [_TYPE_NUMBERS.index(str(_name_of(one))) for one in types[0]]
        self.operation = prop.create_operator(self.context, [list(s) for s in shapes[0]], numbers)

    def _zeros(self, shape, dtype):
        from . import ndarray, numpy

        make = ndarray.zeros if self.kind is ndarray.NDArray else numpy.zeros
        return make(shape, dtype=dtype, ctx=self.context)

    def forward(self):
        """The results, recorded if gradients may be asked for."""
        outputs = [self._zeros(*like) for like in zip(*self.results)]
        recording = autograd.set_recording(False)
        try:
            with _noted(self.name):
                self.operation.forward(
                    is_train=autograd.is_training(),
                    req=["write"] * len(outputs),
                    in_data=list(self.arguments),
                    out_data=outputs,
                    aux=list(self.states),
                )
        finally:
            autograd.set_recording(recording)
        if recording:
            self._record(outputs)
        return outputs

    def _record(self, outputs):
        count, inputs = len(self.arguments), self.arguments
        saved = [*self.arguments, *outputs]
        # The graph keeps the arrays: an object that it keeps must not.
        self.arguments = None

        def call(gradients, arrays, wanted):
            return self._backward(gradients, arrays[:count], arrays[count:], wanted)

        _function.record_node(self.name, inputs, outputs, [one.detach() for one in saved], call)

    def _backward(self, gradients, inputs, outputs, wanted):
        made = [self._zeros(one.shape, one.dtype) for one in inputs]
        with _noted(f"_backward_{self.name}"):
            self.operation.backward(
                req=["write" if one else "null" for one in wanted],
                out_grad=list(gradients),
                in_data=list(inputs),
                out_data=list(outputs),
                in_grad=made,
                aux=list(self.states),
            )
        return [one if is_wanted else None for one, is_wanted in zip(made, wanted)]


def _name_of(dtype):
    import numpy

    return numpy.dtype(dtype).name


def _noted(name):
    """A scope that a running profiler hears of."""
    from . import _profile

    return _profile.custom_operator(name)


def custom(*inputs, op_type=None, name=None, out=None, **options):
    """mx.nd.Custom: calls an operation of the program's own, by its registered name."""
    from ._nd_array import NDArray

    named = {key: value for key, value in options.items() if isinstance(value, NDArray)}
    options = {key: value for key, value in options.items() if key not in named}
    prop = _property(op_type, options)
    arguments, states = _divided(prop, op_type, inputs, named)
    for one in (*arguments, *states):
        if not isinstance(one, NDArray):
            raise MXNetTypeError(f"Custom: {op_type} takes arrays, not {one!r}")
    outputs = _Call(op_type, prop, arguments, states).forward()
    if out is not None:
        for one, made in zip(out if isinstance(out, (list, tuple)) else [out], outputs):
            one[:] = made
        return out
    return outputs[0] if len(outputs) == 1 else outputs


__getattr__ = unbuilt("mxnet.operator")
