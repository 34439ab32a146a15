"""The models of the book's library and their parts: shapes, and values worked out with NumPy."""

import numpy
import pytest


def close(ours, expected, rtol=1e-5, atol=1e-6):
    numpy.testing.assert_allclose(ours.asnumpy(), expected, rtol=rtol, atol=atol)


def ready(block):
    block.initialize()
    return block


def test_dot_product_attention(d2l):
    """Keys that are alike get the same weight: the mean of the values which count."""
    np, attention = d2l.np, d2l.DotProductAttention(dropout=0.5)
    values = np.arange(16).reshape(2, 4, 2)
    found = attention(
        np.random.normal(size=(2, 1, 3)), np.ones((2, 4, 3)), values, np.array([2, 4])
    )
    close(found, [[[1, 2]], [[11, 12]]])
    close(attention.attention_weights, [[[0.5, 0.5, 0, 0]], [[0.25] * 4]])


def test_additive_attention(d2l):
    np, attention = d2l.np, ready(d2l.AdditiveAttention(num_hiddens=5, dropout=0))
    values = np.arange(16).reshape(2, 4, 2)
    queries, keys = np.random.normal(size=(2, 1, 7)), np.random.normal(size=(2, 4, 3))
    found = attention(queries, keys, values, np.array([1, 3]))
    close(found[0], [[0, 1]])

    def weight(layer):
        return layer.weight.data().asnumpy()

    q, k = queries.asnumpy() @ weight(attention.W_q).T, keys.asnumpy() @ weight(attention.W_k).T
    scores = (numpy.tanh(q + k) @ weight(attention.w_v).T)[1, :3, 0]
    expected = numpy.exp(scores) / numpy.exp(scores).sum()
    close(attention.attention_weights[1], [[*expected, 0]])


def test_multi_head_attention(d2l):
    np, attention = d2l.np, ready(d2l.MultiHeadAttention(8, num_heads=4, dropout=0))
    x = np.random.normal(size=(2, 3, 8))
    assert attention(x, x, x, np.array([2, 3])).shape == (2, 3, 8)
    weights = attention.attention.attention_weights.asnumpy()
    assert weights.shape == (8, 3, 3) and (weights[:4, :, 2] == 0).all()
    numpy.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-6)
    heads = attention.transpose_qkv(x)
    assert heads[1].tolist() == x[0, :, 2:4].tolist()
    assert attention.transpose_output(heads).tolist() == x.tolist()


def test_positions(d2l):
    found = d2l.PositionalEncoding(6, dropout=0)(d2l.np.zeros((1, 5, 6)))[0]
    angles = numpy.arange(5)[:, None] / 10000 ** (numpy.arange(0, 6, 2) / 6)
    close(found[:, 0::2], numpy.sin(angles))
    close(found[:, 1::2], numpy.cos(angles))


def test_parts_of_a_transformer(d2l):
    np = d2l.np
    ffn, x = ready(d2l.PositionWiseFFN(4, 3)), np.random.normal(size=(2, 3, 4))
    w1, w2 = (layer.weight.data for layer in (ffn.dense1, ffn.dense2))
    y = ffn(x)
    close(y, numpy.maximum(x.asnumpy() @ w1().asnumpy().T, 0) @ w2().asnumpy().T)
    norm = ready(d2l.AddNorm(dropout=0.5))(x, x).asnumpy()
    numpy.testing.assert_allclose(norm.mean(axis=-1), 0, atol=1e-5)
    numpy.testing.assert_allclose(norm.var(axis=-1), 1, rtol=1e-3)


def test_transformer(d2l):
    """What lies beyond the valid length changes nothing before it."""
    np = d2l.np
    block = ready(d2l.TransformerEncoderBlock(8, 16, 4, 0.5))
    x = np.random.normal(size=(1, 5, 8))
    other = x.copy()
    other[:, 3:] = 0
    close(block(x, np.array([3]))[:, :3], block(other, np.array([3]))[:, :3].asnumpy())
    encoder = d2l.TransformerEncoder(50, 8, 16, num_heads=4, num_blks=2, dropout=0.5)
    assert encoder(np.ones((2, 5)), np.array([3, 2])).shape == (2, 5, 8)
    assert [w.shape for w in encoder.attention_weights] == [(8, 5, 5)] * 2
    assert encoder.attention_weights[1][:, :, 3:].sum().item() == 0


def test_bert(d2l):
    np = d2l.np
    tokens, segments = np.random.randint(0, 50, (2, 6)), np.zeros((2, 6))
    lengths, places = np.array([6, 4]), np.array([[1, 5, 2], [3, 1, 0]])
    encoder = ready(d2l.BERTEncoder(50, 8, 16, 4, 2, 0.2, max_len=10))
    encoded = encoder(tokens, segments, lengths)
    assert encoded.shape == (2, 6, 8)
    masked, following = ready(d2l.MaskLM(50, 8)), ready(d2l.NextSentencePred())
    words = masked(encoded, places)
    assert words.shape == (2, 3, 50)
    close(masked(encoded, np.array([[5], [1]]))[:, 0], words[:, 1].asnumpy())
    dense = following(encoded[:, 0])
    close(dense, encoded[:, 0].asnumpy() @ following.output.weight.data().asnumpy().T)
    model = ready(d2l.BERTModel(50, 8, 16, 4, 2, 0.2, max_len=10))
    shapes = [part.shape for part in model(tokens, segments, lengths, places)]
    assert shapes == [(2, 6, 8), (2, 3, 50), (2, 2)]
    assert model(tokens, segments)[1] is None


def test_loss_of_bert(d2l):
    """The mean over the words which count, and over the pairs, one by one."""
    np, loss = d2l.np, d2l.gluon.loss.SoftmaxCELoss()
    words, pairs = np.random.normal(size=(2, 3, 5)), np.random.normal(size=(2, 2))

    def net(tokens, segments, lengths, places):
        assert lengths.shape == (2,)
        return None, words, pairs

    weights, labels, follows = (
        np.array([[1, 1, 0], [1, 0, 0]]),
        np.array([[1, 2, 0], [3, 0, 0]]),
        np.array([0, 1]),
    )
    unread = [[words]] * 2
    shards = [*unread, [np.array([[3], [3]])], [words], [weights], [labels], [follows]]
    mlm, nsp, both = d2l._get_batch_loss_bert(net, loss, 5, *shards)

    def entropy(scores, label):
        return numpy.log(numpy.exp(scores).sum()) - scores[label]

    w, p = words.asnumpy(), pairs.asnumpy()
    expected = numpy.mean([entropy(w[0, 0], 1), entropy(w[0, 1], 2), entropy(w[1, 0], 3)])
    close(mlm[0], expected)
    close(nsp[0], (entropy(p[0], 0) + entropy(p[1], 1)) / 2)
    close(both[0], mlm[0].item() + nsp[0].item())


def test_recurrent_network_by_hand(d2l):
    np, net = d2l.np, d2l.RNNScratch(num_inputs=3, num_hiddens=4, sigma=1)
    x = np.random.normal(size=(5, 2, 3))
    outputs, last = net(x)
    state = numpy.zeros((2, 4))
    for step in x.asnumpy():
        state = numpy.tanh(step @ net.W_xh.asnumpy() + state @ net.W_hh.asnumpy())
    assert len(outputs) == 5
    close(last, state)
    close(net(x[1:], (net(x[:1])[1],))[1], state)


def test_recurrent_layers(d2l):
    np, x = d2l.np, d2l.np.random.normal(size=(5, 2, 3))
    net = ready(d2l.RNN(4))
    outputs, last = net(x)
    assert outputs.shape == (5, 2, 4) and last.shape == (1, 2, 4)
    close(last[0], outputs[-1].asnumpy())
    close(net(x[2:], net(x[:2])[1])[0], outputs[2:].asnumpy())
    outputs, last = ready(d2l.GRU(4, num_layers=3))(x)
    assert outputs.shape == (5, 2, 4) and last.shape == (3, 2, 4)
    assert np.abs(outputs).max() < 1


@pytest.mark.parametrize("by_hand", [True, False])
def test_language_model(d2l, by_hand):
    vocab = d2l.Vocab(list("abca"))
    assert len(vocab) == 4 and vocab.to_tokens(vocab[["c", "?"]]) == ["c", "<unk>"]
    if by_hand:
        model = d2l.RNNLMScratch(d2l.RNNScratch(4, 8), vocab_size=4, lr=1)
    else:
        model = d2l.RNNLM(d2l.RNN(8), vocab_size=4, lr=1)
    x = d2l.np.array([[0, 1, 2], [3, 2, 1]])
    assert model.one_hot(x)[2].tolist() == [[0, 0, 1, 0], [0, 1, 0, 0]]
    assert model(x).shape == (2, 3, 4)
    told = model.predict("ab", 3, vocab)
    assert told[:2] == "ab" and set(model.predict("b", 1, vocab)[1:]) < set("abc<unk>")
    assert len(list(model.parameters())) == (5 if by_hand else 6)


def counting_decoder(d2l, words):
    """A decoder that counts up: the most likely word is one more."""

    class Counting(d2l.AttentionDecoder):
        attention_weights = "weights"

        def init_state(self, outputs, *lengths):
            return outputs[1]

        def forward(self, x, state):
            return d2l.npx.one_hot((x + 1) % words, words), state

    return Counting()


def test_encoder_and_decoder(d2l):
    np = d2l.np
    with pytest.raises(NotImplementedError):
        d2l.Encoder()(np.zeros(1))
    with pytest.raises(NotImplementedError):
        d2l.Decoder()(np.zeros(1), None)
    with pytest.raises(NotImplementedError):
        d2l.Decoder().init_state(None)
    with pytest.raises(NotImplementedError):
        d2l.AttentionDecoder().attention_weights
    encoder = d2l.Seq2SeqEncoder(10, embed_size=6, num_hiddens=4, num_layers=2)
    x, lengths = np.array([[1, 2, 3], [4, 5, 6]]), np.array([3, 3])
    outputs, state = encoder(x)
    assert outputs.shape == (3, 2, 4) and state.shape == (2, 2, 4)
    model = d2l.EncoderDecoder(encoder, counting_decoder(d2l, 10))
    assert model(x, x).argmax(axis=2).tolist() == (x + 1).tolist()
    told, weights = model.predict_step((x, x, lengths, x), d2l.cpu(), 4, True)
    assert told.tolist() == [[2, 3, 4, 5], [5, 6, 7, 8]] and weights == ["weights"] * 4


def test_convolutions(d2l):
    np, x = d2l.np, d2l.np.random.normal(size=(2, 3, 6, 6))
    block = ready(d2l.Residual(3))
    assert block(x).shape == x.shape and block(x).min() >= 0
    for layer in (block.conv2, block.bn2):
        for parameter in layer.collect_params().values():
            if "running" not in parameter.name:
                parameter.set_data(np.zeros(parameter.shape))
    close(block(x), numpy.maximum(x.asnumpy(), 0))  # nothing but the way around is left
    assert ready(d2l.Residual(6, use_1x1conv=True, strides=2))(x).shape == (2, 6, 3, 3)
    assert ready(d2l.ResNeXtBlock(3, 1, 1))(x).shape == (2, 3, 6, 6)
    wide = ready(d2l.ResNeXtBlock(32, 16, 1, use_1x1conv=True, strides=2))
    assert wide(x).shape == (2, 32, 3, 3) and wide.conv2.weight.shape == (32, 16, 3, 3)


def test_resnet(d2l):
    """As many numbers as the book's network for small pictures: convolutions have biases, and the
    ways around have no normalization."""
    net = ready(d2l.resnet18(10))
    assert net(d2l.np.ones((1, 3, 8, 8))).shape == (1, 10)
    sizes = [numpy.prod(p.shape) for p in net.collect_params(".*(weight|bias|gamma|beta)").values()]
    assert sum(sizes) == 11173962 + 4800 - 1792


def test_lenet(d2l, capsys):
    model = d2l.LeNet()
    model.layer_summary((1, 1, 28, 28))
    shown = [line.split("\t ") for line in capsys.readouterr().out.splitlines()]
    assert [line[1] for line in shown] == [
        *("(1, 6, 28, 28)", "(1, 6, 14, 14)", "(1, 16, 10, 10)", "(1, 16, 5, 5)"),
        *("(1, 120)", "(1, 84)", "(1, 10)"),
    ]


def test_classifier(d2l):
    np, model = d2l.np, d2l.Classifier()
    scores, right = np.array([[0.0, 2.0], [1.0, 0.0], [3.0, 0.0]]), np.array([1, 0, 1])
    assert model.accuracy(scores, right, averaged=False).tolist() == [1, 1, 0]
    close(model.accuracy(scores, right), 2 / 3)
    expected = numpy.log1p(numpy.exp([-2, -1, 3]))
    close(model.loss(scores, right, averaged=False), expected)
    close(model.loss(scores, right), expected.mean())
    softmax = d2l.SoftmaxRegression(2, lr=0.1)
    assert softmax(np.ones((4, 5))).shape == (4, 2)


def test_losses(d2l):
    np = d2l.np
    good, bad = np.array([0.5, 2.0]), np.array([1.0, 0.0])
    close(d2l.BPRLoss()(good, bad), [numpy.log1p(numpy.exp([0.5, -2])).sum()])
    close(d2l.HingeLossbRec()(good, bad), 1.5)
    found = d2l.MaskedSoftmaxCELoss()(np.ones((3, 4, 10)), np.ones((3, 4)), np.array([4, 2, 0]))
    close(found, numpy.log(10) * numpy.array([1, 0.5, 0]))
