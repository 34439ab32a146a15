"""mx.operator and nd.Custom: operations that programs write, with gradients of their own."""

import numpy
import pytest
from penstock import mxnet as mx
from penstock.mxnet import nd

SEEN = []


class Scale(mx.operator.CustomOp):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, is_train, req, in_data, out_data, aux):
        SEEN.append(("forward", bool(is_train), req, [x.shape for x in in_data]))
        self.assign(out_data[0], req[0], in_data[0] * self.factor)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        SEEN.append(("backward", req, out_data[0].asnumpy().tolist()))
        self.assign(in_grad[0], req[0], out_grad[0] * self.factor)


@mx.operator.register("test_scale")
class ScaleProperty(mx.operator.CustomOpProp):
    def __init__(self, factor="2"):
        super().__init__(need_top_grad=True)
        SEEN.append(("factor", factor))
        self.factor = float(factor)

    def create_operator(self, ctx, shapes, dtypes):
        SEEN.append(("create", ctx, shapes, dtypes))
        return Scale(self.factor)


class Divide(mx.operator.CustomOp):
    """Quotient and remainder; counts its calls in a state."""

    def forward(self, is_train, req, in_data, out_data, aux):
        a, b = in_data
        self.assign(out_data[0], req[0], (a / b).floor())
        self.assign(out_data[1], req[1], a % b)
        aux[0] += 1

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[1])
        self.assign(in_grad[1], req[1], -out_grad[1] * out_data[0])


@mx.operator.register("test_divide")
class DivideProperty(mx.operator.CustomOpProp):
    def list_arguments(self):
        return ["a", "b"]

    def list_outputs(self):
        return ["quotient", "remainder"]

    def list_auxiliary_states(self):
        return ["calls"]

    def infer_shape(self, in_shape):
        return in_shape, [in_shape[0], in_shape[0]], [[1]]

    def create_operator(self, ctx, shapes, dtypes):
        return Divide()


@pytest.fixture(autouse=True)
def forget():
    SEEN.clear()


def test_a_call_and_its_gradient():
    x = nd.array([1, 2, 3])
    x.attach_grad()
    with mx.autograd.record():
        y = nd.Custom(x, op_type="test_scale", factor=3)
        z = (y * y).sum()
    z.backward()
    assert y.asnumpy().tolist() == [3, 6, 9]
    assert x.grad.asnumpy().tolist() == [18, 36, 54]
    assert SEEN == [
        ("factor", "3"),  # as text, whatever it was
        ("create", mx.cpu(0), [[3]], [0]),
        ("forward", True, ["write"], [(3,)]),
        ("backward", ["write"], [3, 6, 9]),
    ]


def test_outside_of_record():
    assert nd.Custom(nd.ones((2,)), op_type="test_scale").asnumpy().tolist() == [2, 2]
    assert SEEN[-1][:2] == ("forward", False)


def test_several_results_and_a_state():
    a, b, calls = nd.array([7, 8]), nd.array([2, 3]), nd.zeros((1,))
    a.attach_grad()
    b.attach_grad()
    with mx.autograd.record():
        quotient, remainder = nd.Custom(a, b, calls, op_type="test_divide")
        remainder.backward()
    assert quotient.asnumpy().tolist() == [3, 2] and remainder.asnumpy().tolist() == [1, 2]
    assert a.grad.asnumpy().tolist() == [1, 1] and b.grad.asnumpy().tolist() == [-3, -2]
    assert calls.asnumpy().tolist() == [1]


def test_arguments_by_name_and_out():
    out = [nd.zeros((1,)), nd.zeros((1,))]
    given = nd.Custom(
        b=nd.array([2]), a=nd.array([5]), calls=nd.zeros((1,)), op_type="test_divide", out=out
    )
    assert given is out and [x.asscalar() for x in out] == [2, 1]


def test_requests():
    operation, target = mx.operator.CustomOp(), nd.ones((2,))
    operation.assign(target, "null", nd.zeros((2,)))
    assert target.asnumpy().tolist() == [1, 1]
    operation.assign(target, "add", nd.ones((2,)))
    assert target.asnumpy().tolist() == [2, 2]
    operation.assign(target, "inplace", 5)
    assert target.asnumpy().tolist() == [5, 5]


def test_what_a_property_says_by_itself():
    plain = mx.operator.CustomOpProp()
    assert plain.infer_shape([[2, 3]]) == ([[2, 3]], ([2, 3],), ())
    assert plain.infer_type([numpy.float32]) == ([numpy.float32], [numpy.float32], [])
    assert (plain.list_arguments(), plain.list_outputs()) == (["data"], ["output"])
    assert plain.declare_backward_dependency([0], [1], [2]) == [0, 1, 2]
    assert mx.operator.CustomOpProp(False).declare_backward_dependency([0], [1], [2]) == [1, 2]


def test_errors():
    x = nd.ones((2,))
    with pytest.raises(mx.MXNetError, match="op_type is missing"):
        nd.Custom(x)
    with pytest.raises(mx.MXNetError, match="no custom operator 'test_none'"):
        nd.Custom(x, op_type="test_none")
    with pytest.raises(mx.MXNetError, match=r"takes 1 arrays \(data\), not 2"):
        nd.Custom(x, x, op_type="test_scale")
    with pytest.raises(mx.MXNetError, match="takes arrays, not 3"):
        nd.Custom(3, op_type="test_scale")
    with pytest.raises(AssertionError, match="subclass of CustomOpProp"):
        mx.operator.register("test_wrong")(int)


def test_what_forward_raises_arrives():
    class Failing(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            raise KeyError("inside")

    @mx.operator.register("test_failing")
    class Property(mx.operator.CustomOpProp):
        def create_operator(self, ctx, shapes, dtypes):
            return Failing()

    with mx.autograd.record(), pytest.raises(KeyError, match="inside"):
        nd.Custom(nd.ones((1,)), op_type="test_failing")
    with mx.autograd.record():
        assert mx.autograd.is_recording()
