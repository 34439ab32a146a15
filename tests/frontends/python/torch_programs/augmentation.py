"""Pictures from files, changed at random, and a network trained on them."""

import pathlib
import tempfile

import numpy as np
import torch
import torchvision
from d2l import torch as d2l
from PIL import Image
from torch import nn

torch.manual_seed(11)
rng = np.random.default_rng(11)


def write(folder):
    """Reddish and bluish pictures, in a folder for each kind."""
    for kind, channel in (("blue", 2), ("red", 0)):
        (folder / kind).mkdir(parents=True)
        for number in range(12):
            pixels = rng.integers(0, 90, (20, 24, 3), dtype=np.uint8)
            pixels[..., channel] += 150
            Image.fromarray(pixels).save(folder / kind / f"{number}.png")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    write(folder)
    picture = Image.open(folder / "red" / "0.png")
    changes = [
        torchvision.transforms.RandomHorizontalFlip(),
        torchvision.transforms.RandomVerticalFlip(),
        torchvision.transforms.RandomResizedCrop((16, 16), scale=(0.5, 1), ratio=(0.5, 2)),
        torchvision.transforms.ColorJitter(brightness=0.3, contrast=0.3, saturation=0.3, hue=0.05),
    ]
    for change in changes:
        assert change(picture).size in ((24, 20), (16, 16))
    normalize = torchvision.transforms.Normalize([0.5, 0.5, 0.5], [0.25, 0.25, 0.25])
    train_augs = torchvision.transforms.Compose(
        [*changes, torchvision.transforms.ToTensor(), normalize]
    )
    test_augs = torchvision.transforms.Compose(
        [
            torchvision.transforms.Resize([18, 18]),
            torchvision.transforms.CenterCrop(16),
            torchvision.transforms.ToTensor(),
            normalize,
        ]
    )
    pictures = torchvision.datasets.ImageFolder(str(folder), transform=train_augs)
    assert pictures.classes == ["blue", "red"] and len(pictures) == 24
    train_iter = torch.utils.data.DataLoader(pictures, batch_size=8, shuffle=True)
    tests = torchvision.datasets.ImageFolder(str(folder), transform=test_augs)
    test_iter = torch.utils.data.DataLoader(tests, batch_size=8)

    read = torchvision.io.read_image(str(folder / "red" / "0.png"))
    assert read.shape == (3, 20, 24) and read.dtype == torch.uint8
    rect = torchvision.transforms.RandomCrop.get_params(read, (10, 12))
    part = torchvision.transforms.functional.crop(read, *rect)
    assert part.shape == (3, 10, 12)

    net = nn.Sequential(
        nn.LazyConv2d(4, kernel_size=3), nn.ReLU(), nn.AdaptiveAvgPool2d((1, 1)), nn.Flatten(),
        nn.LazyLinear(2),
    )
    net(torch.zeros(1, 3, 16, 16))
    net.apply(d2l.init_cnn)
    loss, trainer = nn.CrossEntropyLoss(reduction="none"), torch.optim.Adam(net.parameters(), lr=0.03)
    losses = []
    for _ in range(6):
        total = d2l.Accumulator(3)
        for X, y in train_iter:
            l, acc = d2l.train_batch_ch13(net, X, y, loss, trainer, [d2l.try_gpu()])
            total.add(l, acc, y.shape[0])
        losses.append(total[0] / total[2])
    assert d2l.evaluate_accuracy_gpu(net, test_iter) > 0.8

# A picture is made to look like another: by features, style and smoothness.
content, style = torch.rand(1, 3, 8, 8), torch.rand(1, 3, 8, 8)


def gram(X):
    num_channels, n = X.shape[1], X.numel() // X.shape[1]
    X = X.reshape((num_channels, n))
    return torch.matmul(X, X.T) / (num_channels * n)


class Canvas(nn.Module):
    """A picture that is learned."""

    def __init__(self, first):
        super().__init__()
        self.pixels = nn.Parameter(torch.rand(*first.shape))
        self.pixels.data.copy_(first.data)

    def forward(self):
        return self.pixels


made = Canvas(content)
trainer = torch.optim.Adam(made.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(trainer, 5, 0.8)
scores = []
for _ in range(10):
    trainer.zero_grad()
    image = made()
    smooth = 0.5 * (
        torch.abs(image[:, :, 1:, :] - image[:, :, :-1, :]).mean()
        + torch.abs(image[:, :, :, 1:] - image[:, :, :, :-1]).mean()
    )
    total = torch.square(gram(image) - gram(style).detach()).mean() * 100 + smooth
    total.backward()
    trainer.step()
    scheduler.step()
    scores.append(total.item())
assert scores[-1] < scores[0]
assert made.pixels.data[0].clamp(0, 1).permute(1, 2, 0).numpy().shape == (8, 8, 3)
