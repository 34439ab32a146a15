"""Softmax regression: from scratch, and with layers."""

import torch
from d2l import torch as d2l
from pictures import Pictures, fitted

torch.manual_seed(2)


def softmax(X):
    X_exp = torch.exp(X)
    return X_exp / X_exp.sum(1, keepdims=True)


def cross_entropy(y_hat, y):
    return -torch.log(y_hat[list(range(len(y_hat))), y]).mean()


class SoftmaxRegressionScratch(d2l.Classifier):
    def __init__(self, num_inputs, num_outputs, lr, sigma=0.01):
        super().__init__()
        self.save_hyperparameters()
        self.W = torch.normal(0, sigma, size=(num_inputs, num_outputs), requires_grad=True)
        self.b = torch.zeros(num_outputs, requires_grad=True)

    def parameters(self):
        return [self.W, self.b]

    def forward(self, X):
        return softmax(torch.matmul(X.reshape((-1, self.W.shape[0])), self.W) + self.b)

    def loss(self, y_hat, y):
        return cross_entropy(y_hat, y)


rows = softmax(torch.rand((2, 5))).sum(1)
assert torch.allclose(rows, torch.ones(2))

data = Pictures(size=16)
model = SoftmaxRegressionScratch(256, 4, lr=0.5)
losses = fitted(model, data, 5)
assert model.acc > 0.9

model = d2l.SoftmaxRegression(num_outputs=4, lr=0.5)
losses += fitted(model, data, 5)
assert model.acc > 0.9

X, y = next(iter(data.val_dataloader()))
preds = model(X).argmax(axis=1)
wrong = preds.type(y.dtype) != y
assert preds.shape == y.shape and len(X[wrong]) == int(wrong.sum())
