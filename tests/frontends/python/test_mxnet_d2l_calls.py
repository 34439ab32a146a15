"""The small helpers of the book's library; and each of its functions is called by some test."""

import ast
import inspect
import math
import pathlib

import numpy
import pytest

FOLDER = pathlib.Path(__file__).parent
FILES = [*FOLDER.glob("test_mxnet_d2l*.py"), FOLDER.parents[1] / "conformance/d2l_cases.py"]


def called(path):
    """Names that a file calls as d2l.name(...)."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "d2l":
                yield node.func.attr


def test_every_function_is_called(d2l):
    """Functions, classes and the aliases written as functions: none is left out. What is read from
    files comes from the cache of downloads, where the tests put it."""
    own = {
        name
        for name, value in vars(d2l).items()
        if (inspect.isfunction(value) or inspect.isclass(value))
        and value.__module__ == d2l.__name__
    }
    assert len(own) == 176
    assert own - {name for path in FILES for name in called(path)} == set()


def test_aliases(d2l):
    x = d2l.np.arange(6).reshape(2, 3)
    assert d2l.size(x) == 6 and d2l.transpose(x).tolist() == [[0, 3], [1, 4], [2, 5]]
    assert isinstance(d2l.numpy(x), numpy.ndarray) and d2l.numpy(x).tolist() == x.tolist()
    assert d2l.reshape(x, (3, -1)).tolist() == [[0, 1], [2, 3], [4, 5]]
    assert d2l.to(x, d2l.cpu()).tolist() == x.tolist()
    assert d2l.reduce_sum(x, axis=0).tolist() == [3, 5, 7] and d2l.reduce_mean(x).item() == 2.5
    assert d2l.argmax(-x, axis=1).tolist() == [0, 0]
    assert d2l.astype(x + 0.75, "int32").tolist() == x.tolist()
    assert d2l.swapaxes(x, 0, 1).shape == (3, 2)
    assert d2l.repeat(x, 2, axis=1).tolist() == [[0, 0, 1, 1, 2, 2], [3, 3, 4, 4, 5, 5]]


def test_devices(d2l):
    """The number of graphics processors decides what is taken."""
    count = d2l.num_gpus()
    assert d2l.cpu() == d2l.npx.cpu() and d2l.gpu(1) == d2l.npx.gpu(1)
    assert d2l.try_gpu(count) == d2l.cpu()
    assert d2l.try_all_gpus() == [d2l.gpu(i) for i in range(count)]


def test_arguments_become_attributes(d2l):
    class Kept(d2l.HyperParameters):
        def __init__(self, a, b, c=3):
            self.save_hyperparameters(ignore=["b"])

    kept = Kept(1, 2)
    assert (kept.a, kept.c, hasattr(kept, "b")) == (1, 3, False)

    @d2l.add_to_class(Kept)
    def doubled(self):
        return 2 * self.a

    assert kept.doubled() == 2
    assert not hasattr(d2l.HyperParameters(), "hparams")


def test_checks(d2l):
    d2l.check_len([1, 2], 2)
    d2l.check_shape(d2l.np.zeros((2, 3)), (2, 3))
    with pytest.raises(AssertionError, match="length 2 != expected length 3"):
        d2l.check_len([1, 2], 3)
    with pytest.raises(AssertionError, match=r"\(2,\) != expected shape \(3,\)"):
        d2l.check_shape(d2l.np.zeros(2), (3,))


def test_times(d2l, capsys):
    timer = d2l.Timer()
    timer.times = [1.0, 3.0]
    assert (timer.sum(), timer.avg(), timer.cumsum()) == (4, 2, [1, 4])
    timer.start()
    assert timer.stop() == timer.times[2] >= 0
    with d2l.Benchmark("a while"):
        pass
    assert capsys.readouterr().out.startswith("a while: 0.0")


def test_sums(d2l):
    sums = d2l.Accumulator(2)
    sums.add(1, d2l.np.array(2.5))
    sums.add(d2l.np.array([3.0]).sum(), 4)
    assert (sums[0], sums[1]) == (4, 6.5)
    sums.reset()
    assert sums.data == [0, 0]


def test_bleu(d2l):
    """Four of five words are right, and three of four pairs."""
    found = d2l.bleu("a b b c d", "a b c d e f", k=2)
    assert found == pytest.approx(math.exp(1 - 6 / 5) * 0.8**0.5 * 0.75**0.25)
    assert d2l.bleu("a b c", "a b c", k=3) == 1


def test_a_step_down_the_gradient(d2l):
    w, b = d2l.np.array([1.0, 2.0]), d2l.np.array([3.0])
    w.attach_grad()
    b.attach_grad()
    for step in (lambda: d2l.sgd([w, b], 0.5, 2), lambda: d2l.SGD([w, b], 0.25).step(1)):
        with d2l.autograd.record():
            loss = (4 * w).sum() + 8 * b
        loss.backward()
        step()
    assert w.tolist() == [-1, 0] and b.tolist() == [-1]


@pytest.mark.parametrize("block", [True, False])
def test_long_gradients_are_cut(d2l, block):
    """(3, 4) is 5 long and becomes (0.6, 0.8); what is short enough stays."""
    x = d2l.np.array([[3.0, 4.0]])
    net = d2l.nn.Dense(1, use_bias=False)
    net.initialize()
    net(x)
    weight = net.weight.data()
    if not block:

        class net:  # one's own model has `params`
            params = [weight]

    with d2l.autograd.record():
        loss = (weight * x).sum()
    loss.backward()
    d2l.grad_clipping(net, 6)
    assert weight.grad.tolist() == [[3, 4]]
    d2l.grad_clipping(net, 1)
    numpy.testing.assert_allclose(weight.grad.asnumpy(), [[0.6, 0.8]], rtol=1e-6)


def threshold(d2l):
    """A layer whose class is 1 where the number is above 2."""
    net = d2l.nn.Dense(2)
    net.initialize()
    net(d2l.np.zeros((1, 1)))
    net.weight.set_data(d2l.np.array([[0.0], [1.0]]))
    net.bias.set_data(d2l.np.array([2.0, 0.0]))
    return net


def test_accuracy_over_batches(d2l):
    """Three of four are right, in batches of three and one."""
    np, net = d2l.np, threshold(d2l)
    batches = d2l.load_array((np.array([[1], [3], [4], [0]]), np.array([0, 1, 0, 0])), 3, False)
    assert [len(y) for _, y in batches] == [3, 1]
    assert d2l.evaluate_accuracy(net, batches) == 0.75
    assert d2l.evaluate_accuracy_gpu(net, batches) == 0.75
    assert d2l.evaluate_accuracy_gpu(net, batches, d2l.cpu()) == 0.75
    assert d2l.evaluate_accuracy_gpus(net, batches) == 0.75


def test_loss_over_batches(d2l):
    np = d2l.np
    batches = d2l.load_array((np.array([1.0, 2.0, 3.0]), np.array([1.0, 0.0, 0.0])), 2, False)
    assert d2l.evaluate_loss(lambda x: x, batches, d2l.squared_loss) == pytest.approx(6.5 / 3)


def test_batches_are_split_over_devices(d2l):
    np, both = d2l.np, [d2l.cpu(), d2l.cpu()]
    x, y = np.arange(8).reshape(4, 2), np.arange(4)
    xs, ys = d2l.split_batch(x, y, both)
    assert [part.tolist() for part in xs] == [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]
    assert [part.tolist() for part in ys] == [[0, 1], [2, 3]]
    xs, ys = d2l.split_batch_multi_inputs((x[:3], y[:3]), y[:3], both)
    assert [[part.shape for part in pair] for pair in xs] == [[(2, 2), (2,)], [(1, 2), (1,)]]
    assert [part.tolist() for part in ys] == [[0, 1], [2]]


def test_numbers_for_regression(d2l):
    """y = 2 a - 3.4 b + 4.2 with little noise; the order of the rows is shuffled."""
    w = d2l.np.array([2, -3.4])
    x, y = d2l.synthetic_data(w, 4.2, 50)
    assert x.shape == (50, 2) and y.shape == (50, 1)
    exact = d2l.numpy(x) @ [2, -3.4] + 4.2
    assert 0 < numpy.abs(d2l.numpy(y)[:, 0] - exact).max() < 0.06
    rows = d2l.np.concatenate([part for part, _ in d2l.load_array((x, y), 20)])
    assert rows.tolist() != x.tolist() and sorted(rows.tolist()) == sorted(x.tolist())


def test_names_of_clothes(d2l):
    assert d2l.get_fashion_mnist_labels(d2l.np.array([0, 9])) == ["t-shirt", "ankle boot"]
    assert d2l.get_dataloader_workers() == 4
