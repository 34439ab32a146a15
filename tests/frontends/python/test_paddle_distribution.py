"""paddle.distribution and paddle.einsum against formulas in NumPy."""

import math

import numpy
import pytest
from penstock import paddle

D = paddle.distribution


def near(made, expected):
    numpy.testing.assert_allclose(made.numpy(), expected, rtol=1e-5, atol=1e-6)


def tensor(*given):
    return paddle.to_tensor(list(given))


def test_multinomial():
    one = D.Multinomial(4, paddle.to_tensor([[0.2, 0.8], [0.5, 0.5]]))
    assert (one.batch_shape, one.event_shape) == ((2,), (2,))
    near(one.mean, [[0.8, 3.2], [2, 2]])
    near(one.variance, [[0.64, 0.64], [1, 1]])
    near(one.prob(paddle.to_tensor([[1.0, 3.0], [2.0, 2.0]])), [4 * 0.2 * 0.8**3, 6 / 16])
    binomial = [math.comb(4, k) / 16 for k in range(5)]
    entropy = -sum(p * math.log(p) for p in binomial)
    assert abs(one.entropy()[1].item() - entropy) < 1e-4
    drawn = one.sample([3])
    assert drawn.shape == [3, 2, 2] and drawn.dtype == paddle.float32
    assert drawn.sum(-1).tolist() == [[4, 4]] * 3


def test_multinomial_counts_are_by_their_probabilities():
    paddle.seed(5)
    drawn = D.Multinomial(100000, tensor(1.0, 3.0)).sample()
    assert drawn.sum().item() == 100000
    assert abs(drawn[0].item() / 100000 - 0.25) < 0.01


def test_multinomial_is_refused():
    with pytest.raises(ValueError, match="total_count"):
        D.Multinomial(0, tensor(0.5, 0.5))
    with pytest.raises(ValueError, match="dimension"):
        D.Multinomial(3, paddle.to_tensor(0.5))


def test_normal():
    one = D.Normal(tensor(0.0, 1.0), tensor(1.0, 2.0))
    near(one.log_prob(tensor(0.5, 0.5)), [-1.04393852, -1.64333570])
    near(one.probs(tensor(0.5, 0.5)), [0.35206532, 0.19333406])
    near(one.entropy(), [1.41893852, 2.11208582])
    near(one.variance, [1, 4])
    near(one.kl_divergence(D.Normal(0.0, 1.0)), [0, 1.30685282])
    assert one.sample([3, 2]).shape == [3, 2, 2]
    paddle.seed(3)
    drawn = one.sample([20000])
    assert abs(drawn[:, 1].mean().item() - 1) < 0.1 and abs(drawn[:, 1].std().item() - 2) < 0.1


def test_gradients_flow_through_rsample():
    loc = tensor(0.0, 1.0)
    loc.stop_gradient = False
    one = D.Normal(loc, 1.0)
    one.rsample([5]).sum().backward()
    assert loc.grad.tolist() == [5, 5]
    assert one.sample([5]).stop_gradient


def test_uniform():
    one = D.Uniform(tensor(0.0, 1.0), tensor(2.0, 4.0))
    near(one.log_prob(tensor(0.5, 5.0)), [-math.log(2), -math.inf])
    near(one.probs(tensor(0.5, 5.0)), [0.5, 0])
    near(one.entropy(), [math.log(2), math.log(3)])
    drawn = one.sample([1000])
    assert drawn.shape == [1000, 2] and drawn.min(0).tolist()[1] >= 1


def test_bernoulli():
    one = D.Bernoulli(tensor(0.3, 0.5))
    near(one.prob(tensor(0.0, 1.0)), [0.7, 0.5])
    near(one.entropy(), [0.61086434, 0.69314718])
    near(one.variance, [0.21, 0.25])
    assert set(one.sample([200]).numpy().ravel()) == {0.0, 1.0}


def test_categorical():
    one = D.Categorical(tensor(1.0, 2.0, 3.0))
    near(one.probs(tensor(0, 2)), [1 / 6, 0.5])
    near(one.log_prob(tensor(0, 2)), numpy.log([1 / 6, 0.5]))
    assert abs(one.entropy().item() - 0.83239555) < 1e-5
    paddle.seed(1)
    drawn = one.sample([6000])
    assert drawn.dtype == paddle.int64
    shares = numpy.bincount(drawn.numpy()) / 6000
    numpy.testing.assert_allclose(shares, [1 / 6, 1 / 3, 1 / 2], atol=0.03)


def test_rows_of_categories():
    one = D.Categorical(paddle.to_tensor([[1.0, 2.0, 3.0], [3.0, 1.0, 1.0]]))
    assert one.sample([4, 2]).shape == [4, 2, 2]
    near(one.probs(paddle.to_tensor([[0], [1]])), [[1 / 6], [0.2]])


def test_other_distributions_are_named():
    with pytest.raises(AttributeError, match="paddle.distribution.Gamma"):
        D.Gamma  # noqa: B018


# ---- Sums of products ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "equation, shapes",
    [
        ("ij,jk->ik", [(2, 3), (3, 4)]),
        ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)]),
        ("i,j->ij", [(2,), (3,)]),
        ("ij->", [(2, 3)]),
        ("ii->i", [(3, 3)]),
        ("...ij->...ji", [(2, 3, 4)]),
        ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 2)]),
        ("ij,ij->i", [(2, 3), (2, 3)]),
    ],
)
def test_einsum(equation, shapes):
    random = numpy.random.default_rng(0)
    arrays = [random.normal(size=shape).astype("float32") for shape in shapes]
    made = paddle.einsum(equation, *map(paddle.to_tensor, arrays))
    numpy.testing.assert_allclose(
        made.numpy(), numpy.einsum(equation, *arrays), rtol=1e-5, atol=1e-5
    )


@pytest.mark.parametrize(
    "error, equation, count",
    [
        (ValueError, "ij,jk->ik", 2),
        (ValueError, "ij->k", 1),
        (AssertionError, "ij,jk->ik", 1),
    ],
)
def test_wrong_equations(error, equation, count):
    with pytest.raises(error):
        paddle.einsum(equation, *[paddle.ones([2, 3])] * count)
