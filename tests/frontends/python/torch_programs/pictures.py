"""Small pictures of four kinds, for programs that tell kinds of pictures apart."""

import torch
from d2l import torch as d2l


def make(count, size, channels=1):
    """Noise, with one corner of four bright; and which one."""
    labels = torch.randint(0, 4, (count,))
    images = torch.rand(count, channels, size, size) * 0.2
    half = size // 2
    for corner in range(4):
        row, column = corner // 2 * half, corner % 2 * half
        mask = labels == corner
        images[mask, :, row : row + half, column : column + half] += 0.7
    return images, labels


class Pictures(d2l.DataModule):
    def __init__(self, batch_size=32, size=16, num_train=256, num_val=64, channels=1):
        super().__init__()
        self.save_hyperparameters()
        self.X, self.y = make(num_train + num_val, size, channels)

    def get_dataloader(self, train):
        part = slice(0, self.num_train) if train else slice(self.num_train, None)
        return self.get_tensorloader((self.X, self.y), train, part)


def fitted(model, data, epochs, **settings):
    """The losses on the way; the model has its accuracy as .acc afterwards."""
    model.board.display = False
    d2l.Trainer(max_epochs=epochs, **settings).fit(model, data)
    model.acc = float(model.board.data["val_acc"][-1].y)
    return [float(point.y) for point in model.board.data["train_loss"]]
