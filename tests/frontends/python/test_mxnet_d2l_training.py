"""The training loops of the book's library, for an epoch or two on little data."""

import math
import re

import numpy
import pytest


def points(d2l, n=40):
    """Numbers in two groups, (2, 2) and (-2, -2), and their group."""
    np = d2l.np
    y = np.arange(n) % 2
    x = np.random.normal(0, 0.5, (n, 2)) + (4 * y - 2).reshape(-1, 1)
    return x, y


def told(capsys, name):
    """The number that a loop printed after `name`."""
    return float(re.search(f"{name}:? (-?[0-9.]+)", capsys.readouterr().out)[1])


def drawn_lines(d2l, number):
    """How many lines of the last picture have points."""
    lines = [line for line in d2l.plt.gcf().axes[0].lines if len(line.get_xdata())]
    assert len(lines) == number
    return [line.get_ydata() for line in lines]


def test_linear_regression_by_hand(d2l):
    """Four epochs of d2l.Trainer find the slopes of the numbers."""
    data = d2l.SyntheticRegressionData(w=d2l.np.array([2, -3.4]), b=4.2, num_train=320, num_val=64)
    assert [len(x) for x, _ in data.val_dataloader()] == [32, 32]
    model = d2l.LinearRegressionScratch(2, lr=0.1)
    trainer = d2l.Trainer(max_epochs=4, gradient_clip_val=100)
    trainer.fit(model, data)
    numpy.testing.assert_allclose(model.w.asnumpy()[:, 0], [2, -3.4], atol=0.2)
    numpy.testing.assert_allclose(model.b.asnumpy(), [4.2], atol=0.2)
    losses = drawn(model, "val_loss")
    assert len(losses) == 4 and losses[3] < losses[0] / 4


def test_linear_regression(d2l):
    data = d2l.SyntheticRegressionData(w=d2l.np.array([2, -3.4]), b=4.2, num_train=320, num_val=32)
    model = d2l.LinearRegression(lr=0.1)
    model.board.display = False
    d2l.Trainer(max_epochs=6).fit(model, data)
    w, b = model.get_w_b()
    numpy.testing.assert_allclose(w.asnumpy(), [[2, -3.4]], atol=0.2)
    numpy.testing.assert_allclose(b.asnumpy(), [4.2], atol=0.2)


def test_gradients_are_cut_while_training(d2l):
    model = d2l.LinearRegressionScratch(2, lr=1)
    with d2l.autograd.record():
        loss = (model.w * 30).sum() + model.b * 40
    loss.backward()
    d2l.Trainer(1).clip_gradients(1, model)
    length = math.sqrt(float((model.w.grad**2).sum() + (model.b.grad**2).sum()))
    assert length == pytest.approx(1, rel=1e-5)


def test_one_s_own_module_and_data(d2l):
    """Parts that a program must fill in; the rest is the library's."""

    class Numbers(d2l.DataModule):
        batch_size = 10

        def get_dataloader(self, train):
            return self.get_tensorloader(points(d2l), train)

    class Model(d2l.Module):
        lr = 0.5

        def __init__(self):
            super().__init__()
            self.net = d2l.nn.Dense(2)
            self.net.initialize()

        def loss(self, y_hat, y):
            return d2l.gluon.loss.SoftmaxCELoss()(y_hat, y).mean()

    model = Model()
    d2l.Trainer(2).fit(model, Numbers())
    assert d2l.accuracy(model(points(d2l)[0]), points(d2l)[1]) == 40
    with pytest.raises(NotImplementedError):
        d2l.DataModule().train_dataloader()
    with pytest.raises(NotImplementedError):
        d2l.Module().loss(None, None)
    with pytest.raises(AssertionError, match="Neural network is defined"):
        d2l.Module()(1)


def drawn(model, name):
    return [float(point.y) for point in model.board.data[name]]


def test_classifier_is_trained(d2l):
    """The share of right answers is drawn too."""

    class Numbers(d2l.DataModule):
        batch_size = 10

        def get_dataloader(self, train):
            return self.get_tensorloader(points(d2l), train)

    model = d2l.SoftmaxRegression(2, lr=0.5)
    model.board.display = False
    d2l.Trainer(2).fit(model, Numbers())
    assert drawn(model, "val_acc")[-1] == 1 and len(drawn(model, "train_loss")) == 4


@pytest.mark.parametrize("by_hand", [True, False])
def test_language_model_is_trained(d2l, by_hand):
    """Letters that go round: how many seem possible after one falls to one."""

    class Rounds(d2l.DataModule):
        batch_size = 8

        def get_dataloader(self, train):
            start = d2l.np.arange(16).reshape(-1, 1) % 3
            x = (start + d2l.np.arange(5)) % 3 + 1
            return self.get_tensorloader((x[:, :-1], x[:, 1:]), train)

    if by_hand:
        model = d2l.RNNLMScratch(d2l.RNNScratch(4, 8, sigma=0.5), vocab_size=4, lr=1)
    else:
        model = d2l.RNNLM(d2l.RNN(8), vocab_size=4, lr=1)
    model.board.display = False
    d2l.Trainer(25, gradient_clip_val=1).fit(model, Rounds())
    assert len(drawn(model, "train_ppl")) == 50 and drawn(model, "val_ppl")[-1] < 1.3
    assert model.predict("a", 4, d2l.Vocab(list("abc"))) == "abcab"


def test_weights_by_hand_go_to_a_device(d2l):
    """They have gradients there, inside a list of models too."""
    model = d2l.RNNLMScratch(d2l.RNNScratch(3, 4), vocab_size=3)
    model.more = [d2l.LinearRegressionScratch(2, lr=0.1)]
    before = model.rnn.W_xh.tolist()
    model.set_scratch_params_device(d2l.cpu())
    assert model.rnn.W_xh.tolist() == before
    for weight in (model.W_hq, model.rnn.W_hh, model.more[0].w):
        assert weight.ctx == d2l.cpu() and weight.grad.shape == weight.shape


def airfoil(d2l):
    """200 rows in batches of ten: the loops draw a point after 200 rows."""
    x = d2l.np.random.normal(size=(200, 3))
    return d2l.load_array((x, d2l.np.dot(x, d2l.np.array([1, -1, 0.5]))), 10)


def test_chapter_11(d2l, capsys):
    def sgd(params, states, hyperparams):
        for p in params:
            p[:] -= hyperparams["lr"] * p.grad

    times, losses = d2l.train_ch11(sgd, None, {"lr": 0.1}, airfoil(d2l), 3, num_epochs=2)
    assert len(times) == len(losses) == 2 and times[0] <= times[1]
    assert losses[1] < losses[0] < 0.2
    assert told(capsys, "loss") == pytest.approx(losses[1], abs=1e-3)


def test_chapter_11_concise(d2l, capsys):
    d2l.train_concise_ch11("sgd", {"learning_rate": 0.1}, airfoil(d2l), num_epochs=2)
    (losses,) = drawn_lines(d2l, 1)
    assert losses[1] < losses[0] < 0.2 and told(capsys, "loss") == pytest.approx(
        losses[1], abs=1e-3
    )


def test_chapter_6(d2l, capsys):
    net = d2l.nn.Sequential()
    net.add(d2l.nn.Dense(2))
    batches = d2l.load_array(points(d2l), 8)
    d2l.train_ch6(net, batches, batches, 2, 0.5, d2l.cpu())
    assert told(capsys, "test acc") == 1
    losses, _, right = drawn_lines(d2l, 3)
    assert losses[-1] < losses[0] and list(right) == [1, 1]


def test_chapter_13(d2l, capsys):
    net, devices = d2l.nn.Dense(2), [d2l.cpu()]
    net.initialize()
    trainer = d2l.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    loss = d2l.gluon.loss.SoftmaxCrossEntropyLoss()
    x, y = points(d2l)
    first, right = d2l.train_batch_ch13(net, x, y, loss, trainer, devices)
    assert 0 <= right <= 40
    batches = d2l.load_array((x, y), 8)
    d2l.train_ch13(net, batches, batches, loss, trainer, 2, devices)
    out = capsys.readouterr().out
    assert float(re.search("loss ([0-9.]+)", out)[1]) < first / 40 and "test acc 1.000" in out
    drawn_lines(d2l, 3)


def test_opposing_networks(d2l):
    """Each update makes the loss of its own network fall, and leaves the other's weights."""
    np, loss = d2l.np, d2l.gluon.loss.SigmoidBinaryCrossEntropyLoss()
    judge, maker = d2l.nn.Dense(1), d2l.nn.Dense(2)
    x, z = np.random.normal(3, 1, (16, 2)), np.random.normal(size=(16, 2))
    for net in (judge, maker):
        net.initialize()
        net(z)
    trainers = [
        d2l.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
        for net in (judge, maker)
    ]
    before = maker.weight.data().tolist()
    losses = [d2l.update_D(x, z, judge, maker, loss, trainers[0]) for _ in range(5)]
    assert losses[4] < losses[0] and maker.weight.data().tolist() == before
    before = judge.weight.data().tolist()
    losses = [d2l.update_G(z, judge, maker, loss, trainers[1]) for _ in range(5)]
    assert losses[4] < losses[0] and judge.weight.data().tolist() == before


def translator(d2l, vocab):
    """A net as the loop for translations wants it: outputs and a state."""
    nn = d2l.nn

    class Encoder(d2l.Encoder):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(len(vocab), 16)

        def forward(self, x, lengths):
            return self.embedding(x)

    class Decoder(d2l.AttentionDecoder):
        attention_weights = "weights"

        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(len(vocab), 16)
            self.dense = nn.Dense(len(vocab), flatten=False)

        def init_state(self, outputs, *lengths):
            return outputs.mean(axis=1, keepdims=True)

        def forward(self, x, state):
            return self.dense(self.embedding(x) + state), state

    class Net(nn.Block):
        def __init__(self):
            super().__init__()
            self.encoder, self.decoder = Encoder(), Decoder()

        def forward(self, x, y, lengths):
            return self.decoder(y, self.decoder.init_state(self.encoder(x, lengths), lengths))

    return Net()


def test_translation(d2l, capsys):
    """Ten epochs draw one point; the sentence that was learnt comes back."""
    vocab = d2l.Vocab(["go", "va", "!"], reserved_tokens=["<pad>", "<bos>", "<eos>"])
    x, x_length = d2l.build_array_nmt([["go"]] * 4, vocab, 3)
    y, y_length = d2l.build_array_nmt([["va", "!"]] * 4, vocab, 3)
    net, batches = translator(d2l, vocab), d2l.load_array((x, x_length, y, y_length), 2)
    d2l.train_seq2seq(net, batches, 0.1, 20, vocab, d2l.cpu())
    (losses,) = drawn_lines(d2l, 1)
    assert len(losses) == 2 and told(capsys, "loss") < 0.05
    words, weights = d2l.predict_seq2seq(net, "Go", vocab, vocab, 5, d2l.cpu(), True)
    assert words == "va !" and weights == ["weights"] * 3


def test_two_sequences(d2l):
    """Seq2Seq draws what its loss is, and steps by Adam."""

    class Decoder(d2l.Decoder):
        def __init__(self):
            super().__init__()
            self.dense, self.start = d2l.nn.Dense(5, flatten=False), d2l.nn.Dense(5)
            self.initialize()

        def init_state(self, outputs, *lengths):
            return outputs[1]

        def forward(self, x, state):
            start = d2l.np.expand_dims(self.start(state[-1]), axis=1)
            return self.dense(d2l.npx.one_hot(x, 5)) + start, state

    class Pairs(d2l.DataModule):
        batch_size = 2

        def get_dataloader(self, train):
            x = d2l.np.array([[1, 2, 3]] * 4)
            return self.get_tensorloader((x, x, d2l.np.array([3] * 4), x), train)

    model = d2l.Seq2Seq(d2l.Seq2SeqEncoder(5, 3, 4, 1), Decoder(), tgt_pad=0, lr=0.1)
    model.board.display = False
    d2l.Trainer(5).fit(model, Pairs())
    losses = drawn(model, "val_loss")
    assert losses[4] < losses[0] and type(model.trainer.optim.optimizer).__name__ == "Adam"


def factors(d2l, users=4, items=4):
    """Users and items as vectors; their product is the rating."""

    class Factors(d2l.nn.Block):
        def __init__(self):
            super().__init__()
            self.users, self.items = d2l.nn.Embedding(users, 3), d2l.nn.Embedding(items, 3)

        def forward(self, user, item):
            return (self.users(user) * self.items(item)).sum(axis=-1)

    net = Factors()
    net.initialize(d2l.init.Normal(0.5))
    return net, d2l.gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1})


@pytest.mark.parametrize("with_matrix", [True, False])
def test_ratings(d2l, capsys, with_matrix):
    np, (net, trainer) = d2l.np, factors(d2l)
    users, items = np.repeat(np.arange(4), 4), np.arange(16) % 4
    batches = d2l.load_array((users, items, (users + items).astype("float32") / 2), 8)
    loss, seen = d2l.gluon.loss.L2Loss(), []

    def evaluator(net, test, *rest):
        seen.append(rest)
        return math.sqrt(2 * d2l.evaluate_loss(lambda pair: net(*pair), test, loss))

    test = [((users, items), (users + items) / 2)]
    more = {"inter_mat": "matrix"} if with_matrix else {}
    d2l.train_recsys_rating(net, batches, test, loss, trainer, 8, [d2l.cpu()], evaluator, **more)
    assert seen == [("matrix", [d2l.cpu()]) if with_matrix else ([d2l.cpu()],)] * 8
    losses, errors = drawn_lines(d2l, 2)
    assert losses[-1] < losses[0] / 2 and errors[-1] < errors[0]
    assert told(capsys, "test RMSE") == pytest.approx(errors[-1], abs=1e-3)


def test_hits(d2l):
    """Item 7 is third of five: within three, not within two; half of the others lie after it."""
    assert d2l.hit_and_auc([3, 5, 7, 1, 2], [7], 3) == (1, 0.5)
    assert d2l.hit_and_auc([3, 5, 7, 1, 2], [7], 2) == (0, 0.5)
    assert d2l.hit_and_auc([3, 5], [7], 2) == (0, 0)


@pytest.mark.parametrize("with_sequence", [True, False])
def test_ranking_is_judged(d2l, with_sequence):
    """The score is the item's number: of 0, 2, 3 item 3 is first, and 0 is last."""
    np, asked = d2l.np, []

    def net(*inputs):
        asked.append([len(part) for part in inputs])
        return inputs[-1]

    seq = np.zeros((4, 2)) if with_sequence else None
    seen, test = {u: [1] for u in range(4)}, {0: [3], 1: [3], 2: [0], 3: [2]}
    hits, auc = d2l.evaluate_ranking(net, test, seq, seen, 4, 4, [d2l.cpu()])
    assert (hits.item(), auc.item()) == (1, (1 + 1 + 0 + 0.5) / 4)
    assert asked == [[3] * (3 if with_sequence else 2)] * 4


def test_ranking(d2l, capsys):
    """Each user likes the item of his own number, and learns to put it first."""
    np, (net, trainer) = d2l.np, factors(d2l)
    users = np.arange(32) % 4
    batches = d2l.load_array((users, users, (users + 1 + np.repeat(np.arange(4), 8) % 3) % 4), 8)
    d2l.train_ranking(
        *(net, batches, {u: [u] for u in range(4)}, d2l.BPRLoss(), trainer, None, 4, 4, 8),
        *([d2l.cpu()], d2l.evaluate_ranking, {u: [] for u in range(4)}),
    )
    _, areas = drawn_lines(d2l, 2)
    assert told(capsys, "test AUC") == pytest.approx(float(areas[-1]), abs=1e-3) and areas[-1] > 0.9


def test_answers_in_words(d2l):
    """The class with the highest score, as the network was asked."""
    vocab = d2l.Vocab(["good", "bad"])
    good = vocab["good"]

    def net(x):
        return d2l.npx.one_hot((x == good).sum(axis=1), 2)

    assert d2l.predict_sentiment(net, vocab, "so good") == "positive"
    assert d2l.predict_sentiment(net, vocab, "so bad") == "negative"

    def pair(inputs):
        premise, hypothesis = inputs
        return d2l.npx.one_hot((premise + hypothesis).sum(axis=1), 3)

    zero, one = (vocab.idx_to_token[i : i + 1] for i in (0, 1))
    pairs = (zero, zero), (zero, one), (one, one)
    found = [d2l.predict_snli(pair, vocab, *both) for both in pairs]
    assert found == ["entailment", "contradiction", "neutral"]
