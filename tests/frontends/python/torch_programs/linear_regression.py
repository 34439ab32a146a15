"""Linear regression: from scratch, with layers, and with weight decay."""

import torch
from d2l import torch as d2l
from torch import nn

torch.manual_seed(1)


class WeightDecay(d2l.LinearRegression):
    def __init__(self, wd, lr):
        super().__init__(lr)
        self.save_hyperparameters()
        self.wd = wd

    def configure_optimizers(self):
        return torch.optim.SGD(
            [{"params": self.net.weight, "weight_decay": self.wd}, {"params": self.net.bias}],
            lr=self.lr,
        )


def fitted(model, data, epochs=3):
    model.board.display = False
    d2l.Trainer(max_epochs=epochs).fit(model, data)
    return [float(point.y) for point in model.board.data["train_loss"]]


true_w, true_b = torch.tensor([2, -3.4]), 4.2
data = d2l.SyntheticRegressionData(w=true_w, b=true_b)
X, y = next(iter(data.train_dataloader()))
assert X.shape == (32, 2) and y.shape == (32, 1) and len(data.train_dataloader()) == 32

scratch = d2l.LinearRegressionScratch(2, lr=0.03)
losses = fitted(scratch, data)
with torch.no_grad():
    assert (scratch.w.reshape(true_w.shape) - true_w).abs().max() < 0.3

concise = d2l.LinearRegression(lr=0.03)
losses += fitted(concise, data)
w, b = concise.get_w_b()
assert type(concise.net) is nn.Linear
assert (true_w - w.reshape(true_w.shape)).abs().max() < 0.1 and abs(true_b - float(b)) < 0.1

plain, decayed = WeightDecay(0, 0.03), WeightDecay(3, 0.03)
fitted(plain, data)
fitted(decayed, data)
norms = [float((one.get_w_b()[0] ** 2).sum()) for one in (plain, decayed)]
assert norms[1] < norms[0]
