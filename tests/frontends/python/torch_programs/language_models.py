"""Language models over characters: a recurrent network from scratch, nn.RNN, GRU, LSTM."""

import torch
from d2l import torch as d2l
from torch import nn

torch.manual_seed(5)

TEXT = "the traveller went on and on and the time machine ran and ran " * 30


class Text(d2l.TimeMachine):
    def _download(self):
        return TEXT


def fitted(model, data, epochs=2):
    model.board.display = False
    trainer = d2l.Trainer(max_epochs=epochs, gradient_clip_val=1)
    trainer.fit(model, data)
    return [float(point.y) for point in model.board.data["train_ppl"]]


class LSTMScratch(d2l.Module):
    def __init__(self, num_inputs, num_hiddens, sigma=0.1):
        super().__init__()
        self.save_hyperparameters()

        def init(*shape):
            return nn.Parameter(torch.randn(*shape) * sigma)

        def triple():
            return (
                init(num_inputs, num_hiddens),
                init(num_hiddens, num_hiddens),
                nn.Parameter(torch.zeros(num_hiddens)),
            )

        self.W_xi, self.W_hi, self.b_i = triple()
        self.W_xf, self.W_hf, self.b_f = triple()
        self.W_xo, self.W_ho, self.b_o = triple()
        self.W_xc, self.W_hc, self.b_c = triple()

    def forward(self, inputs, H_C=None):
        if H_C is None:
            H = torch.zeros((inputs.shape[1], self.num_hiddens), device=inputs.device)
            C = torch.zeros((inputs.shape[1], self.num_hiddens), device=inputs.device)
        else:
            H, C = H_C
        outputs = []
        for X in inputs:
            gate = lambda x, h, b: torch.matmul(X, x) + torch.matmul(H, h) + b  # noqa: B023, E731
            In = torch.sigmoid(gate(self.W_xi, self.W_hi, self.b_i))
            Fo = torch.sigmoid(gate(self.W_xf, self.W_hf, self.b_f))
            Ou = torch.sigmoid(gate(self.W_xo, self.W_ho, self.b_o))
            C = Fo * C + In * torch.tanh(gate(self.W_xc, self.W_hc, self.b_c))
            H = Ou * torch.tanh(C)
            outputs.append(H)
        return outputs, (H, C)


class LSTM(d2l.RNN):
    def __init__(self, num_inputs, num_hiddens):
        d2l.Module.__init__(self)
        self.save_hyperparameters()
        self.rnn = nn.LSTM(num_inputs, num_hiddens)

    def forward(self, inputs, H_C=None):
        return self.rnn(inputs, H_C)


data = Text(batch_size=64, num_steps=8, num_train=768, num_val=64)
size = len(data.vocab)
first = next(iter(data.train_dataloader()))
assert first[0].shape == (64, 8) and torch.equal(first[0][:, 1:], first[1][:, :-1])

losses = fitted(d2l.RNNLMScratch(d2l.RNNScratch(size, 24), size, lr=1), data)
for rnn in (d2l.RNN(size, 24), d2l.GRU(size, 24, num_layers=2), LSTM(size, 24)):
    model = d2l.RNNLM(rnn, size, lr=2)
    found = fitted(model, data)
    assert found[-1] < found[0], type(rnn)
losses += fitted(d2l.RNNLMScratch(LSTMScratch(size, 24), size, lr=4), data)

# One that learns the text by heart goes on with it.
model = d2l.RNNLM(d2l.GRU(size, 48, num_layers=1), size, lr=4)
found = fitted(model, data, epochs=6)
text = model.predict("the time ma", 12, data.vocab)
assert len(text) == 23 and text.startswith("the time ma") and found[-1] < found[0] / 2

# From layer to layer and both ways.
X = torch.randn(8, 4, size)
outputs, (H, C) = nn.LSTM(size, 5, num_layers=2, bidirectional=True)(X)
assert outputs.shape == (8, 4, 10) and H.shape == C.shape == (4, 4, 5)
