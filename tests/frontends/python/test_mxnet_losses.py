"""mx.gluon.loss, of both kinds of arrays, as MXNet 1.9.1 gives it."""

import numpy
import pytest

from penstock.mxnet import autograd, nd, np, npx
from penstock.mxnet.base import MXNetError
from penstock.mxnet.gluon import loss as losses

pytestmark = pytest.mark.usefixtures("nothing_recorded")


@pytest.fixture(params=[nd, np], ids=["nd", "np"])
def kind(request):
    """Functions that make arrays; of mx.np in NumPy mode."""
    if request.param is nd:
        yield nd
        return
    npx.set_np()
    yield np
    npx.reset_np()


def drawn(*shape, seed=0):
    return numpy.random.RandomState(seed).standard_normal(shape).astype("float32")


def close(array, expected):
    found = array.asnumpy()
    assert found.shape == numpy.shape(expected)
    numpy.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-6)


def graded(loss, *arrays):
    """The losses of samples and the gradients to the arguments."""
    for array in arrays:
        array.attach_grad()
    with autograd.record():
        result = loss(*arrays)
    result.backward()
    return result, [array.grad for array in arrays]


# ---- Samples, labels and weights -----------------------------------------------------------------


def test_one_number_for_each_sample(kind):
    pred, label = kind.array([[1, 2], [3, 4]]), kind.array([[1, 0], [0, 0]])
    close(losses.L2Loss()(pred, label), [1, 6.25])
    close(losses.L1Loss()(pred, label), [1, 3.5])
    close(losses.L2Loss()(pred[0], label[0]), [0, 2])


def test_labels_have_the_shape_of_predictions_in_both_orders(kind):
    y, label = kind.array([1.0, 2.0, 4.0]), kind.array([[0.0], [0.0], [1.0]])
    result, (to_y, to_label) = graded(losses.L2Loss(), y, label)
    close(result, [0.5, 2, 4.5])
    close(to_y, [1, 2, 3])
    close(to_label, [[-1], [-2], [-3]])
    result, (to_label, to_y) = graded(losses.L2Loss(), label, y)
    close(result, [0.5, 2, 4.5])
    close(to_y, [1, 2, 3])
    close(to_label, [[-1], [-2], [-3]])


def test_a_label_of_another_size_is_refused(kind):
    with pytest.raises(MXNetError):
        losses.L2Loss()(kind.ones((3, 1)), kind.ones((2,)))
    with pytest.raises(MXNetError):
        losses.SoftmaxCELoss()(kind.ones((3, 2)), kind.ones((2,)))


def test_weights(kind):
    pred, label = kind.array([[1, 2], [3, 4]]), kind.zeros((2, 2))
    close(losses.L1Loss(weight=0.5)(pred, label), [0.75, 1.75])
    close(losses.L1Loss()(pred, label, kind.array([[2], [0]])), [3, 0])
    close(losses.L2Loss(weight=3)(pred, label, kind.array([[1], [0.5]])), [3.75, 9.375])
    with pytest.raises(AssertionError):
        losses.L1Loss(weight="heavy")(pred, label)


def test_batch_axis():
    pred = nd.array([[1, 2], [3, 4]])
    close(losses.L1Loss(batch_axis=1)(pred, nd.zeros((2, 2))), [2, 3])
    with pytest.raises(ValueError):
        losses.L1Loss(batch_axis=2)(pred, nd.zeros((2, 2)))
    npx.set_np()  # there it is always the first one
    close(losses.L1Loss(batch_axis=1)(np.array([[1, 2], [3, 4]]), np.zeros((2, 2))), [1.5, 3.5])
    npx.reset_np()


def test_types():
    with pytest.raises(MXNetError):
        losses.L2Loss()(nd.ones((2,)), nd.ones((2,), dtype="int32"))
    npx.set_np()
    close(losses.L2Loss()(np.ones((2,)), np.zeros((2,), dtype="int32")), [0.5, 0.5])
    npx.reset_np()
    assert losses.L2Loss()(nd.ones((2,), dtype="float64"), nd.ones(2, dtype="float64")).dtype == (
        numpy.float64
    )


def test_text_and_names():
    assert repr(losses.L2Loss()) == "L2Loss(batch_axis=0, w=1.0)"
    assert repr(losses.SoftmaxCELoss(weight=2)) == "SoftmaxCrossEntropyLoss(batch_axis=0, w=2)"
    assert losses.SigmoidBCELoss is losses.SigmoidBinaryCrossEntropyLoss
    assert losses.SoftmaxCELoss.__module__ == "mxnet.gluon.loss"
    assert losses.HuberLoss(prefix="here_").prefix == "here_"


# ---- Distances and two classes -------------------------------------------------------------------


def test_huber(kind):
    result, (to_pred, to_label) = graded(
        losses.HuberLoss(rho=0.5), kind.array([0.0, 0.5, -0.5, 1, 2]), kind.zeros((5,))
    )
    close(result, [0, 0.25, 0.25, 0.75, 1.75])
    close(to_pred, [0, 1, -1, 1, 1])
    close(to_label, [0, -1, 1, -1, -1])


def test_hinges(kind):
    pred, label = kind.array([0.0, 1, -1, 3]), kind.array([1.0, 1, 1, -1])
    result, (to_pred, _) = graded(losses.HingeLoss(), pred, label)
    close(result, [1, 0, 2, 4])
    close(to_pred, [-1, 0, -1, 1])
    close(losses.SquaredHingeLoss(margin=2)(pred, label), [4, 1, 9, 25])


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x.astype("float64")))


def test_logistic(kind):
    x, label = drawn(6), numpy.array([1, -1, 1, 1, -1, -1])
    expected = numpy.log1p(numpy.exp(-x.astype("float64") * label))
    close(losses.LogisticLoss()(kind.array(x), kind.array(label)), expected)
    binary = losses.LogisticLoss(label_format="binary")
    close(binary(kind.array(x), kind.array(label > 0)), expected)
    with pytest.raises(ValueError):
        losses.LogisticLoss(label_format="other")


def test_binary_cross_entropy(kind):
    x, label, factor = drawn(4, 3), drawn(4, 3, seed=1) > 0, numpy.array([1, 2, 0.5])
    p = sigmoid(x)
    hits, misses = label * numpy.log(p), (1 - label) * numpy.log(1 - p)
    arrays = kind.array(x), kind.array(label.astype("float32"), dtype="float32")
    result, (to_x, _) = graded(losses.SigmoidBCELoss(), *arrays)
    close(result, -(hits + misses).mean(1))
    close(to_x, (p - label) / 3)
    factors = kind.array(factor.astype("float32"), dtype="float32")
    weighted = losses.SigmoidBCELoss()(*arrays, None, factors)
    close(weighted, -(factor * hits + misses).mean(1))
    given = kind.array(p.astype("float32"), dtype="float32")
    probable = losses.SigmoidBCELoss(from_sigmoid=True)
    close(probable(given, arrays[1]), -(hits + misses).mean(1))
    close(probable(given, arrays[1], None, factors), -(factor * hits + misses).mean(1))


def test_binary_cross_entropy_at_its_ends(kind):
    pred, label = kind.array([0.0, 100, -100, -100]), kind.array([0.0, 1, 1, 0])
    result, (to_pred, _) = graded(losses.SigmoidBCELoss(), pred, label)
    close(result, [numpy.log(2), 0, 100, 0])
    close(to_pred, [0, 0, -1, 0])  # at 0 that of MXNet's terms, not 1/2
    probable = losses.SigmoidBCELoss(from_sigmoid=True)
    result = probable(kind.array([0.0, 1, 0]), kind.array([0, 1, 1]))
    close(result, [0, 0, -numpy.log(1e-12)])


# ---- Classes -------------------------------------------------------------------------------------


def log_softmax(x, axis=-1):
    x = x.astype("float64")
    return x - numpy.log(numpy.exp(x).sum(axis, keepdims=True))


@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize("column", [False, True])
def test_cross_entropy(kind, dtype, column):
    x, label = drawn(3, 4), numpy.array([1, 0, 3])
    given = kind.array(label[:, None] if column else label, dtype=dtype)
    pred = kind.array(x)
    pred.attach_grad()
    with autograd.record():
        result = losses.SoftmaxCELoss()(pred, given)
    result.backward()
    logs = log_softmax(x)
    close(result, -logs[numpy.arange(3), label])
    close(pred.grad, numpy.exp(logs) - numpy.eye(4)[label])


def test_cross_entropy_takes_the_nearest_class(kind):
    x = drawn(3, 4)
    result = losses.SoftmaxCELoss()(kind.array(x), kind.array([-1, 4, 9]))
    close(result, -log_softmax(x)[[0, 1, 2], [0, 3, 3]])


def test_cross_entropy_along_other_axes(kind):
    x, label = drawn(2, 4, 3), numpy.array([[1, 0, 3], [2, 2, 0]])
    picked = numpy.take_along_axis(log_softmax(x, 1), label[:, None], 1)
    pred, given = kind.array(x), kind.array(label)
    close(losses.SoftmaxCELoss(axis=1)(pred, given), -picked.mean((1, 2)))
    weights = drawn(2, 1, 3, seed=2)
    result = losses.SoftmaxCELoss(axis=1, weight=2)(pred, given, kind.array(weights))
    close(result, -(2 * weights * picked).mean((1, 2)))


def test_cross_entropy_of_sequences(kind):
    x, label = drawn(2, 3, 4), numpy.array([[1, 0, 3], [2, 2, 0]])
    picked = numpy.take_along_axis(log_softmax(x), label[..., None], 2)
    weights = numpy.array([[1, 1, 0], [1, 0, 0]], dtype="float32")[..., None]
    pred, given = kind.array(x), kind.array(label)
    close(losses.SoftmaxCELoss()(pred, given), -picked.mean((1, 2)))
    result, (to_pred, _, to_weights) = graded(
        losses.SoftmaxCELoss(), pred, given, kind.array(weights)
    )
    close(result, -(weights * picked).mean((1, 2)))
    close(to_weights, -picked / 3)
    assert to_pred.asnumpy()[1, 1:].tolist() == [[0] * 4] * 2


def test_cross_entropy_of_probabilities_and_logarithms(kind):
    x, label = drawn(3, 4), abs(drawn(3, 4, seed=1))
    pred, given = kind.array(x), kind.array(label)
    close(losses.SoftmaxCELoss(sparse_label=False)(pred, given), -(label * log_softmax(x)).sum(1))
    both = losses.SoftmaxCELoss(sparse_label=False, from_logits=True)
    close(both(pred, given), -(label * x).sum(1))
    logarithms = losses.SoftmaxCELoss(from_logits=True)
    close(logarithms(pred, kind.array([1, 2, 3])), -x[[0, 1, 2], [1, 2, 3]])


def test_cross_entropy_of_one_row_and_of_axes_that_there_are_not(kind):
    close(losses.SoftmaxCELoss()(kind.zeros((4,)), kind.ones((1,))), [numpy.log(4)])
    with pytest.raises(MXNetError):
        losses.SoftmaxCELoss(axis=3)(kind.zeros((2, 4)), kind.ones((2,)))


def test_cross_entropy_of_halves():
    x = drawn(3, 4)
    result = losses.SoftmaxCELoss()(nd.array(x, dtype="float16"), nd.array([1, 2, 3]))
    assert result.dtype == numpy.float16
    numpy.testing.assert_allclose(
        result.asnumpy(), -log_softmax(x)[[0, 1, 2], [1, 2, 3]], rtol=4e-3
    )


def test_a_loss_of_a_program(kind):
    """Programs change what samples count and call the loss that they are derived from."""

    class Masked(losses.SoftmaxCELoss):
        def forward(self, pred, label, lengths):
            weights = kind.expand_dims(kind.ones_like(label), axis=-1)
            weights = (npx.sequence_mask if kind is np else nd.SequenceMask)(
                weights, lengths, True, axis=1
            )
            return super().forward(pred, label, weights)

    result = Masked()(kind.ones((3, 4, 10)), kind.ones((3, 4)), kind.array([4, 2, 0]))
    close(result, [2.302585, 1.1512926, 0])


def test_divergence(kind):
    x, label = drawn(3, 4), abs(drawn(3, 4, seed=1))
    pred, given = kind.array(x), kind.array(label)
    close(losses.KLDivLoss()(pred, given), (label * (numpy.log(label) - x)).sum(1))
    close(
        losses.KLDivLoss(from_logits=False)(pred, given),
        (label * (numpy.log(label) - log_softmax(x))).sum(1),
    )
    close(losses.KLDivLoss()(kind.zeros((1, 2)), kind.array([[0, 1]])), [0])


# ---- Sequences of labels -------------------------------------------------------------------------


def test_ctc(kind):
    expected = [18.82820702, 16.50581741]
    pred, label = kind.ones((2, 20, 4)), kind.array([[1, 0, -1, -1], [2, 1, 1, -1]])
    close(losses.CTCLoss()(pred, label), expected)
    turned = losses.CTCLoss(layout="TNC", label_layout="TN", weight=2)
    result = turned(kind.ones((20, 2, 4)), label.T)
    close(result, [2 * one for one in expected])
    longer = kind.ones((2, 25, 4)), kind.array([[2, 1, 3, 3], [3, 2, 2, 3]])
    lengths = kind.array([20, 20]), kind.array([2, 3])
    close(losses.CTCLoss()(*longer, *lengths), expected)


def paths(logs, label, blank):
    """The probability of a label: the sum over all paths that give it."""
    import itertools

    total = 0.0
    for path in itertools.product(range(logs.shape[1]), repeat=len(logs)):
        read = [one for one, _ in itertools.groupby(path) if one != blank]
        if read == label:
            total += numpy.exp(sum(logs[step, one] for step, one in enumerate(path)))
    return total


def test_ctc_is_the_sum_over_paths():
    x = drawn(2, 4, 3)
    logs = log_softmax(x)
    expected = [-numpy.log(paths(logs[0], [0, 1], 2)), -numpy.log(paths(logs[1], [0, 0], 2))]
    result, (to_x, _) = graded(losses.CTCLoss(), nd.array(x), nd.array([[0, 1], [0, 0]]))
    close(result, expected)
    step = 1e-3
    changed = x.copy()
    changed[1, 2, 0] += step
    near = -numpy.log(paths(log_softmax(changed)[1], [0, 0], 2))
    assert abs(float(to_x[1, 2, 0].asscalar()) - (near - expected[1]) / step) < 1e-3


def test_ctc_of_too_few_steps_is_0():
    result, (to_x, _) = graded(
        losses.CTCLoss(), nd.array(drawn(1, 4, 3)), nd.array([[1, 1, 1]])
    )
    assert result.asnumpy().tolist() == [0]
    assert abs(to_x).sum().asscalar() == 0


def test_ctc_of_unknown_layouts():
    with pytest.raises(AssertionError):
        losses.CTCLoss(layout="CNT")
    with pytest.raises(AssertionError):
        losses.CTCLoss(label_layout="N")


# ---- Others --------------------------------------------------------------------------------------


def test_poisson(kind):
    x, target = abs(drawn(3, 4)), 3 * abs(drawn(3, 4, seed=1))
    pred, given = kind.array(x), kind.array(target)
    mean = (lambda values: values.mean()) if kind is np else (lambda values: [values.mean()])
    close(losses.PoissonNLLLoss()(pred, given), mean(numpy.exp(x) - target * x))
    plain = x - target * numpy.log(x + 1e-8)
    close(losses.PoissonNLLLoss(from_logits=False)(pred, given), mean(plain))
    stirling = target * numpy.log(target) - target + 0.5 * numpy.log(2 * numpy.pi * target)
    full = losses.PoissonNLLLoss(from_logits=False, compute_full=True)
    close(full(pred, given), mean(plain + stirling * (target > 1)))


def test_triplet(kind):
    pred, positive, negative = (drawn(3, 4, seed=seed) for seed in range(3))
    distance = ((positive - pred) ** 2 - (negative - pred) ** 2).sum(1)
    result, (to_pred, *_) = graded(
        losses.TripletLoss(margin=2), *map(kind.array, (pred, positive, negative))
    )
    close(result, numpy.maximum(distance + 2, 0))
    close(to_pred, 2 * (negative - positive) * (distance[:, None] > -2))


def test_cosine(kind):
    one, other, label = drawn(3, 4), drawn(3, 4, seed=1), numpy.array([1, -1, -1])
    cosine = (one * other).sum(1) / numpy.sqrt((one**2).sum(1) * (other**2).sum(1))
    expected = numpy.where(label == 1, 1 - cosine, numpy.maximum(cosine - 0.1, 0))[:, None]
    result = losses.CosineEmbeddingLoss(margin=0.1)(*map(kind.array, (one, other, label)))
    close(result, expected)


def test_sdml(kind):
    one, other = drawn(3, 4), drawn(3, 4, seed=1)
    distance = ((one[:, None] - other[None]) ** 2).sum(2)
    target = numpy.eye(3) * 0.9 + (1 - numpy.eye(3)) * 0.05
    expected = (target * (numpy.log(target) - log_softmax(-distance, 1))).sum(1)
    result, (to_one, to_other) = graded(
        losses.SDMLLoss(smoothing_parameter=0.1), kind.array(one), kind.array(other)
    )
    close(result, expected)
    close(to_one.sum(axis=0) + to_other.sum(axis=0), numpy.zeros(4))


def test_a_loss_that_is_not_defined():
    with pytest.raises(NotImplementedError):
        losses.Loss(None, 0)(nd.ones(1))
