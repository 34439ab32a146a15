"""LeNet: two convolutions, three dense layers, for pictures of 28 x 28."""

from ..._shape import flatten
from ...nn import Conv2D, Layer, Linear, MaxPool2D, ReLU, Sequential


class LeNet(Layer):
    """Convolutions, which are the `features`, and dense layers where there are classes."""

    def __init__(self, num_classes=10):
        super().__init__()
        self.num_classes = num_classes
        self.features = Sequential(
            Conv2D(1, 6, 3, stride=1, padding=1),
            ReLU(),
            MaxPool2D(2, 2),
            Conv2D(6, 16, 5, stride=1, padding=0),
            ReLU(),
            MaxPool2D(2, 2),
        )
        if num_classes > 0:
            self.fc = Sequential(Linear(400, 120), Linear(120, 84), Linear(84, num_classes))

    def forward(self, x):
        x = self.features(x)
        return self.fc(flatten(x, 1)) if self.num_classes > 0 else x
