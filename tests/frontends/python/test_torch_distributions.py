"""torch.distributions: probabilities by formulas, draws by their means, shapes, what waits."""

import math

import gate
import numpy as np
import penstock as ps
import pytest
from penstock import torch

D = torch.distributions


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(7)


def near(ours, expected):
    np.testing.assert_allclose(ours.detach().numpy(), expected, rtol=1e-5, atol=1e-6)


MANY = {
    "normal": lambda: D.Normal(torch.tensor([1.0, -2.0]), torch.tensor([0.5, 3.0])),
    "uniform": lambda: D.Uniform(torch.tensor([0.0, -2.0]), 4.0),
    "exponential": lambda: D.Exponential(torch.tensor([0.5, 3.0])),
    "bernoulli": lambda: D.Bernoulli(torch.tensor([0.1, 0.7])),
    "bernoulli of logits": lambda: D.Bernoulli(logits=torch.tensor([-1.0, 2.0])),
    "multinomial": lambda: D.Multinomial(7, torch.tensor([1.0, 2.0, 5.0])),
    "multinomials": lambda: D.Multinomial(7, logits=torch.tensor([[1.0, 2.0], [3.0, -1.0]])),
    "binomial": lambda: D.Binomial(9, torch.tensor([0.2, 0.9])),
    "binomial on the host": lambda: D.Binomial(torch.tensor([9, 4]), torch.tensor([0.2, 0.9])),
    "poisson": lambda: D.Poisson(torch.tensor([0.5, 12.0])),
}


@pytest.mark.parametrize("name", MANY)
def test_draws_have_the_mean_and_the_variance(name):
    """Within six standard deviations of what 20,000 draws give."""
    made = MANY[name]()
    count = 20_000
    drawn = made.sample((count,))
    assert drawn.shape == (count, *made.batch_shape, *made.event_shape)
    assert not drawn.requires_grad and drawn.dtype is torch.float32
    values = drawn.double().numpy()
    error = 6 * np.sqrt(made.variance.numpy() / count)
    assert (abs(values.mean(0) - made.mean.numpy()) < error).all()
    fourth = ((values - values.mean(0)) ** 4).mean(0)
    error = 6 * np.sqrt(fourth / count)
    assert (abs(values.var(0) - made.variance.numpy()) < error).all()
    near(made.stddev, np.sqrt(made.variance.numpy()))


@pytest.mark.parametrize("batched", [False, True])
def test_places_are_drawn_by_their_probabilities(batched):
    weights = np.array([1.0, 0.0, 3.0, 6.0], "f")
    probs = torch.tensor(np.stack([weights, weights[::-1]]) if batched else weights)
    drawn = D.Categorical(probs).sample((10_000,)).numpy().reshape(10_000, -1)
    for column in range(drawn.shape[1]):
        found = np.bincount(drawn[:, column], minlength=4) / 10_000
        expected = (weights[::-1] if column else weights) / 10
        assert abs(found - expected).max() < 0.03
        assert found[expected == 0] == 0


def test_equal_seeds_give_equal_draws():
    made = D.Normal(0.0, 1.0)
    first = made.sample((3,))
    torch.manual_seed(7)
    assert torch.equal(made.sample((3,)), first)


# ---- Probabilities -------------------------------------------------------------------------------


def test_normal():
    made = D.Normal(torch.tensor(1.0), 2.0)
    x = np.array([-1.0, 0.5, 4.0])
    density = np.exp(-((x - 1) ** 2) / 8) / (2 * math.sqrt(2 * math.pi))
    near(made.log_prob(torch.tensor(x)), np.log(density))
    near(made.cdf(torch.tensor(x)), [0.5 * (1 + math.erf((one - 1) / 2**1.5)) for one in x])
    near(made.entropy(), 0.5 * math.log(2 * math.pi * math.e * 4))
    assert made.batch_shape == () and made.event_shape == () and made.variance.item() == 4.0
    assert repr(made) == "Normal(loc: 1.0, scale: 2.0)"
    assert repr(D.Normal(torch.zeros(3), 1.0)) == (
        "Normal(loc: torch.Size([3]), scale: torch.Size([3]))"
    )


def test_uniform_and_exponential():
    made = D.Uniform(0.0, 4.0)
    near(made.log_prob(torch.tensor([1.0, 5.0])), [math.log(0.25), -math.inf])
    near(made.cdf(torch.tensor([1.0, 5.0])), [0.25, 1.0])
    near(made.icdf(torch.tensor(0.25)), 1.0)
    near(made.entropy(), math.log(4))
    waiting = D.Exponential(2.0)
    near(waiting.log_prob(torch.tensor(1.5)), math.log(2) - 3)
    near(waiting.cdf(waiting.icdf(torch.tensor(0.3))), 0.3)
    near(waiting.entropy(), 1 - math.log(2))


def test_bernoulli_and_categorical():
    made = D.Bernoulli(torch.tensor([0.3, 0.5]))
    near(made.log_prob(torch.tensor([1.0, 0.0])), [math.log(0.3), math.log(0.5)])
    near(made.logits, [math.log(3 / 7), 0.0])
    near(made.entropy(), [-(0.3 * math.log(0.3) + 0.7 * math.log(0.7)), math.log(2)])
    places = D.Categorical(torch.tensor([2.0, 3.0, 5.0]))
    near(places.log_prob(torch.tensor([0, 2])), np.log([0.2, 0.5]))
    near(places.entropy(), -(np.array([0.2, 0.3, 0.5]) * np.log([0.2, 0.3, 0.5])).sum())
    assert places.mode.item() == 2 and places.enumerate_support().tolist() == [0, 1, 2]
    table = D.Categorical(logits=torch.zeros(2, 4))
    assert table.batch_shape == (2,) and table.sample((5,)).shape == (5, 2)
    near(table.log_prob(torch.tensor([[0, 1], [2, 3]])), np.full((2, 2), math.log(0.25)))


def test_counts():
    made = D.Multinomial(4, torch.tensor([0.2, 0.3, 0.5]))
    near(made.log_prob(torch.tensor([1.0, 2.0, 1.0])), math.log(12 * 0.2 * 0.09 * 0.5))
    assert made.sample((6, 2)).sum(-1).tolist() == [[4.0, 4.0]] * 6
    assert made.event_shape == (3,) and made.sample().shape == (3,)
    binomial = D.Binomial(5, torch.tensor([0.3, 0.6]))
    near(binomial.log_prob(torch.tensor(2.0)), np.log([10 * 0.09 * 0.343, 10 * 0.36 * 0.064]))
    assert D.Binomial(5, torch.tensor([0.0, 1.0])).sample().tolist() == [0.0, 5.0]
    near(D.Poisson(3.0).log_prob(torch.tensor(2.0)), math.log(9 / 2) - 3)
    near(torch.lgamma(torch.tensor([0.5, 4.0])), [math.log(math.pi) / 2, math.log(6)])


def test_modules_by_name():
    from penstock.torch.distributions.binomial import Binomial
    from penstock.torch.distributions.multinomial import Multinomial
    from penstock.torch.distributions.poisson import Poisson

    assert (Binomial, Multinomial, Poisson) == (D.Binomial, D.Multinomial, D.Poisson)


def test_repeated():
    made = D.Normal(torch.zeros(3), 1.0).expand((2, 3))
    assert made.batch_shape == (2, 3) and made.sample((4,)).shape == (4, 2, 3)
    counts = D.Multinomial(2, torch.ones(5)).expand((3,))
    assert counts.sample().shape == (3, 5) and counts.batch_shape == (3,)


# ---- Gradients -----------------------------------------------------------------------------------


def test_gradients_of_draws_and_of_probabilities():
    loc, scale = torch.tensor(1.0, requires_grad=True), torch.tensor(2.0, requires_grad=True)
    made = D.Normal(loc, scale)
    drawn = made.rsample((5,))
    drawn.sum().backward()
    near(loc.grad, 5.0)
    near(scale.grad, ((drawn - 1) / 2).sum().detach().numpy())
    loc.grad = None
    made.log_prob(torch.tensor(4.0)).backward()
    near(loc.grad, 0.75)
    assert not made.sample().requires_grad
    logits = torch.zeros(3, requires_grad=True)
    D.Categorical(logits=logits).log_prob(torch.tensor(1)).backward()
    near(logits.grad, [-1 / 3, 2 / 3, -1 / 3])


# ---- What is refused, and what waits -------------------------------------------------------------


@pytest.mark.parametrize(
    "run, error",
    [
        (lambda: D.Normal(0.0, -1.0), ValueError),
        (lambda: D.Normal(0.0, torch.tensor(-1.0), validate_args=True), ValueError),
        (lambda: D.Normal("a", 1.0), ValueError),
        (lambda: D.Normal(torch.ones(2), torch.ones(3)), RuntimeError),
        (lambda: D.Uniform(2.0, 1.0), ValueError),
        (lambda: D.Exponential(0.0), ValueError),
        (lambda: D.Bernoulli(), ValueError),
        (lambda: D.Bernoulli(0.5, 0.0), ValueError),
        (lambda: D.Bernoulli(1.5), ValueError),
        (lambda: D.Bernoulli(0.5, validate_args=True).log_prob(torch.tensor(0.5)), ValueError),
        (lambda: D.Categorical(torch.tensor(1.0)), ValueError),
        (lambda: D.Multinomial(2.0, torch.ones(2)), NotImplementedError),
        (lambda: D.Multinomial(2, torch.ones(2)).rsample(), NotImplementedError),
        (lambda: D.Poisson(-1.0), ValueError),
        (lambda: D.Normal(0.0, 1.0).log_prob(1.0), ValueError),
        (lambda: D.Gamma, AttributeError),
    ],
)
def test_errors(run, error):
    with pytest.raises(error):
        run()


def test_what_is_not_asked_for_is_not_checked():
    assert D.Normal(0.0, -1.0, validate_args=False).scale.item() == -1.0


@pytest.mark.timeout(120)
def test_what_does_not_wait():
    before = ps.engine.workers()
    ps.engine.set_workers(max(before, 2))
    try:
        with gate.product() as product:
            y = product.as_subclass(torch.Tensor)
            made = [
                D.Normal(y, y).rsample(),
                D.Normal(y, y).log_prob(y),
                D.Uniform(y, y + 1).sample(),
                D.Exponential(y).sample(),
                D.Bernoulli(y / 300).sample(),
                D.Categorical(y[0]).sample((3,)),
                D.Categorical(y).sample(),
                D.Categorical(logits=y).entropy(),
                D.Multinomial(5, y[0]).sample(),
                D.Binomial(3, y[0] / 300).sample(),
            ]
            assert not any(map(ps.ndarray.is_ready, made))
    finally:
        ps.engine.set_workers(before)
    assert made[-1].tolist() == [3.0] * 300 and made[-2].sum().item() == 5.0
