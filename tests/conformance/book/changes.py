"""All that is changed of the book's PyTorch programs: the same for both libraries.

1. Downloads are served from stand-in files (stand_ins.py); their checksums are not asked for.
2. Training is cut to EPOCHS epochs: `d2l.Trainer`, and numbers that programs give to `num_epochs`.
3. The sizes in CUTS are replaced: the book's need data sets of full size, or hours without a GPU.
4. Networks of torchvision with `pretrained=True` are made without the weights: a download.
5. `d2l.try_all_gpus` gives the CPU where there is no GPU, as its text in the book says.
6. Two habits that newer versions of other libraries dropped are given back: Matplotlib's
   `stem(use_line_collection=)`, and columns of texts that have the type object in pandas.
7. Lines of IPython and of the shell (`%matplotlib`, `!ls`) are left out (sections.py)."""

import ast
import os
import sys

EPOCHS = 2

# Of a section: what is replaced in its cells.
CUTS = {
    # As many test pictures as there are, where the data set has 2000 of two classes.
    "geometry-linear-algebraic-ops": [
        ("X_test.reshape(2000, -1)", "X_test.reshape(len(X_test), -1)"),
    ],
    "fcn": [("batch_size, crop_size = 32, (320, 480)", "batch_size, crop_size = 8, (96, 160)")],
    "semantic-segmentation-and-dataset": [("batch_size = 64", "batch_size = 16")],
    "fine-tuning": [("batch_size=128", "batch_size=8")],
    "image-augmentation": [
        ("batch_size, devices, net = 256,", "batch_size, devices, net = 8,"),
        ("loss, trainer, 10, devices", f"loss, trainer, {EPOCHS}, devices"),
    ],
    "kaggle-cifar10": [("batch_size = 32 if demo else 128", "batch_size = 8")],
    "kaggle-dog": [("batch_size = 32 if demo else 128", "batch_size = 4")],
    "neural-style": [
        ("image_shape = d2l.try_gpu(), (300, 450)", "image_shape = d2l.try_gpu(), (100, 150)"),
        ("device, 0.3, 500, 50", "device, 0.3, 10, 50"),
    ],
    "natural-language-inference-bert": [
        ("max_len, num_workers = 512, 128,", "max_len, num_workers = 64, 32,"),
    ],
}


def cut_sizes(section, cells, cuts):
    """The cells of a section with the sizes of CUTS; ValueError if one is not in them."""
    for old, new in cuts.get(section.partition("/")[2], []):
        if not any(old in cell for cell in cells):
            raise ValueError(f"{section}: {old!r} is in none of its cells")
        cells = [cell.replace(old, new) for cell in cells]
    return cells


class FewerEpochs(ast.NodeTransformer):
    """Numbers that `num_epochs` is set to, by assignments and defaults, are EPOCHS at most."""

    def visit_Assign(self, node):
        for target in node.targets:
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                for name, value in zip(target.elts, node.value.elts):
                    self.cut(name, value)
            self.cut(target, node.value)
        return self.generic_visit(node)

    def visit_arguments(self, node):
        plain = node.posonlyargs + node.args
        for argument, default in zip(reversed(plain), reversed(node.defaults)):
            self.cut(argument, default)
        return self.generic_visit(node)

    def cut(self, target, value):
        name = getattr(target, "id", getattr(target, "arg", None))
        if name == "num_epochs" and isinstance(value, ast.Constant):
            value.value = min(value.value, EPOCHS)


TRANSFORMS = [FewerEpochs()]


def no_network(*args, **kwargs):
    """In the place of what opens an address."""
    raise ConnectionError("there is no network, and no stand-in file for this one")


def serve_downloads(d2l):
    """d2l's downloads are files of the data folder, and data sets are not checked."""
    import urllib.request

    import requests
    import torchvision

    def download(url, folder="../data", sha1_hash=None):
        address = url if url.startswith("http") else d2l.DATA_HUB[url][0]
        path = os.path.join("../data", address.rsplit("/", 1)[-1])
        return path if os.path.exists(path) else no_network()

    d2l.download = download
    requests.get = urllib.request.urlopen = no_network
    cifar = sys.modules[torchvision.datasets.CIFAR10.__module__]
    cifar.check_integrity = lambda path, md5=None: os.path.exists(path)


def cut_epochs(d2l):
    """d2l's trainers run EPOCHS epochs at most."""
    begin = d2l.Trainer.__init__

    def init(self, max_epochs, num_gpus=0, gradient_clip_val=0):
        begin(self, min(max_epochs, EPOCHS), num_gpus, gradient_clip_val)

    d2l.Trainer.__init__ = init


def without_weights(make):
    """A maker of networks that has no trained weights to give."""
    return lambda pretrained=False, **options: make(**options)


def wait():
    """Waits for all that is queued."""
    import torch

    torch.cuda.synchronize()


def patch():
    """Changes the modules that the programs import, and seeds; gives d2l's."""
    import pandas
    import torch
    import torchvision
    from d2l import torch as d2l

    serve_downloads(d2l)
    cut_epochs(d2l)
    for name in ("resnet18", "resnet34", "vgg19"):
        maker = without_weights(getattr(torchvision.models, name))
        setattr(torchvision.models, name, maker)
    gpus = d2l.try_all_gpus
    d2l.try_all_gpus = lambda: gpus() or [torch.device("cpu")]
    stem = d2l.plt.stem
    d2l.plt.stem = lambda *args, use_line_collection=None, **options: stem(*args, **options)
    pandas.options.future.infer_string = False
    torch.manual_seed(1)
    return d2l
