"""What is wrong is said in PaddlePaddle's class of exception, with sizes and names in the text.

The classes of the facts are checked by test_paddle_facts.py; here is what the texts say of them.
"""

import numpy as np
import penstock as ps
import pytest
from penstock import mxnet as mx
from penstock import paddle, torch

T = paddle.to_tensor
nn, io, optimizer = paddle.nn, paddle.io, paddle.optimizer
F = nn.functional
NAMES = {name: globals()[name] for name in ("T", "nn", "io", "optimizer", "F", "np", "paddle")}


def check(code, kind, said, **names):
    """A piece of a program raises, now or where its value is waited for."""
    with pytest.raises(kind, match=said) as caught:
        value = eval(code, {**NAMES, **names})
        getattr(value, "tolist", str)()
    assert caught.type is kind, caught.value


# ---- Sizes, types and values in texts ------------------------------------------------------------

SIZES = [
    ("T([[1, 2], [3]])", ValueError, r"inhomogeneous.*\(2,\)"),
    ("T('a')", TypeError, "class 'str'"),
    ("T([1], dtype=float)", TypeError, "class 'float'"),
    ("T([1, 'a'])", ValueError, "int, str"),
    ("paddle.zeros([-1])", ValueError, "-1"),
    ("paddle.zeros([2.0])", TypeError, "float at pos 0"),
    ("paddle.ones([2, -3])", ValueError, "2, -3"),
    ("paddle.full([2, -3], 1)", ValueError, "2, -3"),
    ("paddle.randn([2, -3])", ValueError, "2, -3"),
    ("paddle.set_default_dtype('int64')", TypeError, "int64"),
    ("T([1]).sum(axis=5)", ValueError, "1.*5|5.*1"),
    ("paddle.ones([2, 3]).mean(axis=-3)", ValueError, "-3.*2"),
    ("paddle.ones([0, 2]).max()", ValueError, r"\(0\).* 0"),
    ("paddle.norm(T([3, 4]))", RuntimeError, "p_norm.*int64"),
    ("T([True]) - T([True])", RuntimeError, "subtract.*bool"),
    ("paddle.dot(paddle.ones([2, 3]), paddle.ones([3]))", RuntimeError, r"\[2, 3\] and \[3\]"),
    ("paddle.dot(paddle.ones([1, 3]), paddle.ones([2, 3]))", RuntimeError, r"\[1, 3\].*\[2, 3\]"),
    ("paddle.mm(paddle.ones([2, 3]), paddle.ones([4, 5]))", ValueError, r"\(2, 3\) and \(4, 5\)"),
    ("paddle.ones([2, 3]) @ paddle.ones([4])", ValueError, r"\(2, 3\) and \(4,\)"),
    ("paddle.mm(paddle.ones([2, 2]), T([[1.]], 'float64'))", ValueError, "float32.*float64"),
    ("paddle.bmm(paddle.ones([3, 4]), paddle.ones([4, 3]))", ValueError, r"X's shape: \[3, 4\]"),
    ("paddle.bmm(paddle.ones([2, 3, 4]), paddle.ones([5, 4, 3]))", ValueError, r"2, 3, 4.*5, 4, 3"),
    ("paddle.ones([2, 3]) + paddle.ones([2])", ValueError, r"\(2, 3\) and \(2,\)"),
    ("paddle.ones([2, 3]).add_(paddle.ones([4, 2, 3]))", ValueError, r"\[4, 2, 3\].*\[2, 3\]"),
    ("paddle.arange(6).reshape([2, 4])", ValueError, "6.*2, 4"),
    ("paddle.arange(6).reshape([-1, 4])", ValueError, "6.*-1, 4"),
    ("paddle.arange(6).reshape('a')", ValueError, "'a'"),
    ("paddle.split(paddle.arange(5), 2)", ValueError, "5 is not divisible by 2"),
    ("paddle.split(paddle.arange(5), [2, 2])", ValueError, r"\[2, 2\] and 5"),
    ("paddle.concat([paddle.ones([1]), paddle.arange(2)])", ValueError, "float32.*1th is int64"),
    ("paddle.concat([paddle.ones([2, 2]), paddle.ones([3, 3])])", ValueError, r"3, 3.*2, 2"),
    ("paddle.concat([])", ValueError, "empty"),
    ("paddle.stack([paddle.ones([2]), paddle.ones([3])])", ValueError, "3.*2"),
    ("paddle.ones([2]).expand([3])", ValueError, r"\[2\].*\[3\]"),
    ("paddle.transpose(paddle.ones([2, 3]), [0])", ValueError, "0.*2"),
    ("paddle.squeeze(paddle.ones([2]), 5)", ValueError, "5"),
    ("paddle.topk(paddle.ones([2]), 5)", ValueError, "5.*2"),
    ("paddle.ones([2]).item()", ValueError, "2"),
    ("float(paddle.ones([2]))", AssertionError, "float, and this has 2"),
    ("bool(paddle.ones([2]))", AssertionError, "2 elements"),
    ("paddle.arange(3)[5]", IndexError, "5.*axis 0.*3"),
    ("paddle.arange(3)[0, 0]", IndexError, "1-dimensional.*2"),
    ("paddle.arange(3)[T([True, False])]", IndexError, r"3.*2"),
    ("paddle.arange(3)[T([1.])]", IndexError, "float32"),
    ("paddle.arange(3)[[0.5]]", IndexError, "float"),
    ("paddle.arange(3)['a']", ValueError, "str"),
    ("paddle.arange(3)[1.5]", ValueError, "float"),
    ("paddle.gather(paddle.ones([2]), T([5]))", IndexError, "5.*axis 0.*2"),
    ("paddle.ones([3]).__setitem__(slice(2), paddle.ones([3]))", ValueError, r"\(3,\).*\(2,\)"),
    ("paddle.ones([3]).__setitem__(slice(None), [7, 8, 9])", ValueError, "list"),
    ("paddle.ones([2]).set_value(np.zeros(3, 'float32'))", AssertionError, r"\[2\].*\[3\]"),
    ("paddle.ones([2]).set_value(np.zeros(2))", AssertionError, "float32.*float64"),
    ("paddle.randint(4, 3, [1])", ValueError, "low = 4, high = 3"),
    ("(T([1., 2.], stop_gradient=False) * 2).backward(paddle.ones([3]))", AssertionError, r"3.*2"),
    ("nn.Linear(2, 3)(paddle.ones([4, 5]))", ValueError, r"\(4, 5\) and \(2, 3\)"),
    ("nn.Linear(2, 3)(paddle.ones([4, 2], 'float64'))", ValueError, "float64.*float32"),
    ("nn.Conv2D(1, 1, 3)(paddle.ones([1, 2, 5, 5]))", ValueError, r"\[1, 2, 5, 5\].*1 channels"),
    ("F.conv2d(paddle.ones([2, 2]), paddle.ones([2, 2]))", ValueError, r"4 dim.*\[2, 2\]"),
    ("F.cross_entropy(paddle.ones([2, 3]), T([0, 3]))", IndexError, "label 3.*3 classes"),
    ("F.cross_entropy(paddle.ones([2, 3]), T([0, 1, 1]))", ValueError, r"\[2, 3\] and \[3\]"),
    ("nn.BatchNorm2D(3)(paddle.ones([2]))", ValueError, "2|1"),
    ("optimizer.SGD(0.1, parameters=[1])", AttributeError, "not 1"),
    ("io.TensorDataset([paddle.ones([2]), paddle.ones([3])])", AssertionError, r"\[2, 3\]"),
    ("paddle.load('/nonexistent')", ValueError, "/nonexistent"),
]


@pytest.mark.parametrize(("code", "kind", "said"), SIZES, ids=[one[0] for one in SIZES])
def test_texts_have_what_is_wrong(code, kind, said):
    check(code, kind, said)


# ---- Lists, texts and other objects --------------------------------------------------------------

OBJECTS = [[1, 1], (1, 2), "a", None, {}, object()]


@pytest.mark.parametrize("operator", ["+", "-", "/", "//", "%", "**", "@", "<", ">="])
@pytest.mark.parametrize("other", OBJECTS, ids=str)
def test_operators_with_other_objects(operator, other):
    check(f"paddle.ones([2]) {operator} other", TypeError, type(other).__name__, other=other)


@pytest.mark.parametrize("other", [*OBJECTS, np.ones(2), 2.0, True], ids=str)
@pytest.mark.parametrize(
    "code",
    [
        *("paddle.exp(other)", "paddle.sum(other)", "paddle.reshape(other, [1])"),
        *("paddle.argmax(other)", "paddle.matmul(other, other)", "paddle.add(other, other)"),
        *("paddle.concat([other])", "paddle.maximum(paddle.ones([2]), other)"),
        *("F.relu(other)", "F.softmax(other)", "nn.Linear(2, 1)(other)"),
        "paddle.cast(other, 'int8')",
    ],
)
def test_functions_take_tensors(code, other):
    kind = type(other).__name__.replace("NoneType", "None")
    check(code, ValueError, f"must be .*Tensor.*but got {kind}", other=other)


def test_equality_with_other_objects_is_plainly_false():
    for other in OBJECTS:
        assert (paddle.ones([2]) == other) is False and (paddle.ones([2]) != other) is True


# ---- Tensors of others ---------------------------------------------------------------------------

OTHERS = {
    "torch.Tensor": lambda: torch.ones(2),
    "mxnet.numpy.ndarray": lambda: mx.np.ones(2),
    "mxnet.ndarray.ndarray.NDArray": lambda: mx.nd.ones((2,)),
}


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize(
    "code",
    [
        *("x + other", "other + x", "x * other", "x > other", "x == other", "x @ other"),
        *("x.add_(other)", "paddle.where(x > 0, x, other)"),
    ],
)
def test_operators_do_not_mix_dialects(name, code):
    check(code, TypeError, "cannot be mixed", x=paddle.ones([2]), other=OTHERS[name]())


@pytest.mark.parametrize("name", [*OTHERS, "penstock.ndarray"])
@pytest.mark.parametrize(
    "code",
    [
        *("paddle.exp(other)", "paddle.add(x, other)", "paddle.maximum(other, x)"),
        *("paddle.concat([x, other])", "paddle.stack([other])", "paddle.matmul(x, other)"),
        *("paddle.reshape(other, [2])", "F.relu(other)", "F.mse_loss(x, other)"),
        "nn.Linear(2, 1)(other)",
    ],
)
def test_functions_do_not_take_other_tensors(name, code):
    other = OTHERS[name]() if name in OTHERS else ps.ones(2)
    check(code, ValueError, f"must be .*Tensor.*but got {name}", x=paddle.ones([2]), other=other)


@pytest.mark.parametrize("name", [*OTHERS, "penstock.ndarray", "numpy.ndarray"])
def test_tensors_are_made_of_others(name):
    other = ps.ones(2) if name == "penstock.ndarray" else np.ones(2, "float32")
    other = OTHERS[name]() if name in OTHERS else other
    made = T(other)
    made[0] = 5
    assert type(made) is paddle.Tensor and made.tolist() == [5.0, 1.0]
    assert other.tolist() == [1.0, 1.0] if hasattr(other, "tolist") else True


def test_native_arrays_are_taken_by_operators():
    made = paddle.ones([2]) + ps.ones(2)
    assert type(made) is paddle.Tensor and made.tolist() == [2.0, 2.0]


def test_a_graph_of_another_dialect_is_left_behind():
    other = torch.ones(2, requires_grad=True) * 2
    assert T(other).stop_gradient and T(other).tolist() == [2.0, 2.0]


# ---- Places --------------------------------------------------------------------------------------

PLACES = [
    ("paddle.set_device('foo')", ValueError, "'foo'"),
    ("paddle.set_device('xpu')", ValueError, "'xpu'"),
    ("paddle.set_device('gpu:99')", ValueError, "gpu:99"),
    ("paddle.CUDAPlace(99)", ValueError, "99"),
    ("paddle.CUDAPlace('a')", TypeError, "'a'"),
    ("T([1], place='foo')", ValueError, "'foo'"),
    ("T([1], place=3)", ValueError, "3"),
    ("T([1]).to('tpu')", ValueError, "'tpu'"),
    ("T([1]).to('gpu:99')", ValueError, "gpu:99"),
]


@pytest.mark.parametrize(("code", "kind", "said"), PLACES, ids=[one[0] for one in PLACES])
def test_places(code, kind, said):
    check(code, kind, said)


# ---- Names of arguments --------------------------------------------------------------------------

KEYWORDS = [
    ("paddle.sum(x, axs=0)", ValueError, "axs.*did you mean 'axis'"),
    ("x.sum(axis=0, keepdims=True)", ValueError, "keepdims.*did you mean 'keepdim'"),
    ("paddle.argmax(x, axes=0)", ValueError, "axes.*did you mean 'axis'"),
    ("paddle.matmul(x, x, transpose_z=True)", ValueError, "did you mean 'transpose_[xy]'"),
    ("paddle.exp(x, y=1)", ValueError, "y="),
    ("paddle.mean(x, axs=0)", TypeError, "'axs'.*did you mean 'axis'"),
    ("paddle.full([2], fill_valeu=1)", TypeError, "did you mean 'fill_value'"),
    ("paddle.zeros([2], dtyp='int32')", TypeError, "did you mean 'dtype'"),
    ("paddle.randn([2], dtyp='int32')", TypeError, "did you mean 'dtype'"),
    ("paddle.reshape(x, shap=[2])", TypeError, "did you mean 'shape'"),
    ("paddle.tile(x, repeat_time=[2])", TypeError, "did you mean 'repeat_times'"),
    ("paddle.topk(x, kk=1)", TypeError, "'kk'"),
    ("paddle.concat([x], axs=0)", TypeError, "'axs'"),
    ("nn.Linear(2, 3, bias=False)", TypeError, "'bias'.*did you mean 'bias_attr'"),
    ("nn.Linear(2, 3, weigth_attr=None)", TypeError, "did you mean 'weight_attr'"),
    ("paddle.save(x, '', protocl=2)", ValueError, "protocl.*did you mean 'protocol'"),
    ("paddle.load('', return_numpi=True)", ValueError, "did you mean 'return_numpy'"),
    ("paddle.exp()", ValueError, "'x'.*None"),
    ("paddle.mean()", TypeError, "'x'"),
    ("paddle.add(x)", TypeError, "'y'"),
]


@pytest.mark.parametrize(("code", "kind", "said"), KEYWORDS, ids=[one[0] for one in KEYWORDS])
def test_names_of_arguments(code, kind, said):
    check(code, kind, said, x=paddle.ones([2]))
