"""From sequence to sequence: data, an encoder and a decoder, training, prediction, BLEU."""

import torch
from d2l import torch as d2l
from torch import nn
from torch.nn import functional as F

torch.manual_seed(7)

PAIRS = [
    "go .\tva !",
    "i lost .\tj'ai perdu .",
    "he's calm .\til est calme .",
    "i'm home .\tje suis chez moi .",
]


class Phrases(d2l.MTFraEng):
    def _download(self):
        return "\n".join(PAIRS * 40)


class FromLast(d2l.Decoder):
    """Every word is written with the encoder's last state in view."""

    def __init__(self, words, width, hidden, layers):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.rnn = d2l.GRU(width + hidden, hidden, layers)
        self.out = nn.LazyLinear(words)
        self.apply(d2l.init_seq2seq)

    def init_state(self, encoded, *args):
        return encoded

    def forward(self, X, state):
        encoded, hidden = state
        words = self.embedding(X.t().type(torch.int32))
        seen = encoded[-1].repeat(words.shape[0], 1, 1)
        made, hidden = self.rnn(torch.cat((words, seen), -1), hidden)
        return self.out(made).swapaxes(0, 1), [encoded, hidden]


@d2l.add_to_class(d2l.Seq2Seq)
def loss(self, Y_hat, Y):
    """The mean over all words that are no filling."""
    by_word = super(d2l.Seq2Seq, self).loss(Y_hat, Y, averaged=False)
    counts = (Y.reshape(-1) != self.tgt_pad).type(torch.float32)
    return (by_word * counts).sum() / counts.sum()


class Looking(d2l.AttentionDecoder):
    """Every word is written with attention to all that the encoder gave."""

    def __init__(self, words, width, hidden, layers):
        super().__init__()
        self.attention = d2l.AdditiveAttention(hidden, 0)
        self.embedding = nn.Embedding(words, width)
        self.rnn = nn.GRU(width + hidden, hidden, layers)
        self.out = nn.LazyLinear(words)
        self.apply(d2l.init_seq2seq)

    def init_state(self, encoded, lengths):
        return encoded[0].permute(1, 0, 2), encoded[1], lengths

    def forward(self, X, state):
        encoded, hidden, lengths = state
        made, self.looked = [], []
        for word in self.embedding(X).permute(1, 0, 2):
            seen = self.attention(torch.unsqueeze(hidden[-1], dim=1), encoded, encoded, lengths)
            joined = torch.cat((seen, torch.unsqueeze(word, dim=1)), dim=-1)
            step, hidden = self.rnn(joined.permute(1, 0, 2), hidden)
            made.append(step)
            self.looked.append(self.attention.attention_weights)
        return self.out(torch.cat(made, dim=0)).permute(1, 0, 2), [encoded, hidden, lengths]

    @property
    def attention_weights(self):
        return self.looked


data = Phrases(batch_size=32, num_steps=5, num_train=128, num_val=32)
src, tgt, src_valid_len, label = next(iter(data.train_dataloader()))
assert src.shape == tgt.shape == label.shape == (32, 5) and src_valid_len.dtype == torch.int64
losses = []
for decoder in (FromLast, Looking):
    encoder = d2l.Seq2SeqEncoder(len(data.src_vocab), 16, 24, 2)
    model = d2l.Seq2Seq(
        encoder,
        decoder(len(data.tgt_vocab), 16, 24, 2),
        tgt_pad=data.tgt_vocab["<pad>"],
        lr=0.02,
    )
    model.board.display = False
    d2l.Trainer(max_epochs=8, gradient_clip_val=1).fit(model, data)
    losses += [float(point.y) for point in model.board.data["train_loss"]]

    english = [pair.split("\t")[0] for pair in PAIRS]
    french = [pair.split("\t")[1] for pair in PAIRS]
    batch = data.build(english, french)
    preds, weights = model.predict_step(
        batch, d2l.try_gpu(), data.num_steps, decoder is Looking
    )
    scores = []
    for wanted, found in zip(french, preds):
        text = " ".join(data.tgt_vocab.to_tokens(found)).partition(" <eos>")[0]
        scores.append(d2l.bleu(text, wanted, k=2))
    assert sum(scores) > 2, scores
assert len(weights) == 5 and F.softmax(weights[0][0], dim=-1).shape == (4, 1, 5)
