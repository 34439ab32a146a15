"""All that is changed of the book's PaddlePaddle programs: the same for both libraries.

1. Downloads are served from stand-in files (stand_ins_paddle.py); no checksums are asked for.
2. Training is cut to EPOCHS epochs: numbers that programs give to `num_epochs`.
3. The sizes in CUTS are replaced: the book's need data sets of full size, or hours without a GPU.
4. Networks of paddle.vision with `pretrained=True` are made without the weights: a download.
5. `d2l.try_all_gpus` gives a list with the CPU where there is no GPU, as its text in the book says.
6. `paddle.set_device` takes the CPU where there is no GPU.
7. `d2l.load_data_fashion_mnist` gives batches of BATCH pictures at most, and of enlarged pictures
   only ENLARGED, in five batches, which is what training needs.
8. `d2l.get_dataloader_workers` gives 0: PaddlePaddle's processes for data end with SIGSEGV.
9. Assertions of how well a network was trained, which two epochs do not hold, are left out, and
   translations are longer by two full stops: the book's score of an empty one divides by zero.
10. Habits that newer versions of other libraries dropped are given back: `int` and `float` take
   tensors of one element that have dimensions (NumPy 2.4), columns of texts have the type object,
   `mean` leaves them out, and `get_dummies` gives numbers (pandas), `contour` takes tensors
   (Matplotlib).
11. Lines of IPython and of the shell (`%matplotlib`, `!ls`) are left out (sections.py)."""

import ast
import functools
import inspect
import math
import os
import sys
import textwrap

from .changes import EPOCHS, FewerEpochs, no_network, without_weights

BATCH, ENLARGED = 16, 20
_LONGER = ("bleu(translation, fra, k=2)", 'bleu(translation + " . .", fra, k=2)')
_SMALLER = [
    ("RandomResizedCrop(224", "RandomResizedCrop(64"),
    ("Resize(256)", "Resize(72)"),
    ("CenterCrop(224)", "CenterCrop(64)"),
]

# Of a section: what is replaced in its cells.
CUTS = {
    "bahdanau-attention": [_LONGER],
    "transformer": [_LONGER],
    "seq2seq": [_LONGER],
    "underfit-overfit": [("num_epochs=1500", "num_epochs=100")],
    "fcn": [("batch_size, crop_size = 32, (320, 480)", "batch_size, crop_size = 8, (96, 160)")],
    "semantic-segmentation-and-dataset": [("batch_size = 64", "batch_size = 16")],
    "fine-tuning": [*_SMALLER, ("batch_size=128", "batch_size=8")],
    "image-augmentation": [
        ("batch_size, devices, net = 256,", "batch_size, devices, net = 8,"),
        ("loss, trainer, 10, devices", f"loss, trainer, {EPOCHS}, devices"),
    ],
    "kaggle-cifar10": [("batch_size = 32 if demo else 128", "batch_size = 8")],
    "kaggle-dog": [*_SMALLER, ("batch_size = 32 if demo else 128", "batch_size = 4")],
    "neural-style": [
        ("image_shape = d2l.try_gpu(),(300, 450)", "image_shape = d2l.try_gpu(),(100, 150)"),
        ("0.3, 500, 50", "0.3, 10, 50"),
    ],
    "bert-pretraining": [("batch_size, max_len = 512, 64", "batch_size, max_len = 64, 64")],
    "natural-language-inference-bert": [
        ("max_len, num_workers = 512, 128,", "max_len, num_workers = 128, 32,"),
    ],
}


class NoAssertions(ast.NodeTransformer):
    """Assertions of losses and accuracies are left out."""

    def visit_Assert(self, node):
        names = {one.id for one in ast.walk(node.test) if isinstance(one, ast.Name)}
        return None if names & {"train_loss", "train_acc", "test_acc"} else node


TRANSFORMS = [FewerEpochs(), NoAssertions()]


def without_assertions(function):
    """A function of the book's library without assertions of losses and accuracies."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    code = compile(NoAssertions().visit(tree), inspect.getsourcefile(function), "exec")
    made = {}
    exec(code, function.__globals__, made)
    return made[function.__name__]


class Answer:
    """What a request gives: a stand-in file."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.content = file.read()


def stand_in(address):
    """The stand-in file of an address."""
    path = os.path.join("../data", address.rsplit("/", 1)[-1])
    return path if os.path.exists(path) else no_network()


def serve_downloads(d2l):
    """Downloads are files of the data folder, those of PaddlePaddle of its own."""
    import urllib.request

    import requests

    d2l.download = lambda name, cache_dir="../data": stand_in(d2l.DATA_HUB[name][0])
    requests.get = lambda address, **options: Answer(stand_in(address))
    urllib.request.urlopen = no_network
    common = sys.modules.get("paddle.dataset.common")
    if common:
        common.md5file = lambda path: ANY


class _Any(str):
    """Equal to every checksum."""

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


ANY = _Any()


def cpu_without_gpu(paddle):
    """The device stays the CPU where there is no other."""
    choose = paddle.set_device
    if paddle.device.cuda.device_count() == 0:
        paddle.set_device = lambda device: choose("cpu")


def small_batches(load, io):
    """A loader of pictures that gives few of them, in small batches."""

    def run(batch_size, resize=None):
        loaders = load(min(batch_size, BATCH), resize)
        if resize is None:
            return loaders
        sets = [io.Subset(loader.dataset, range(ENLARGED)) for loader in loaders]
        return tuple(
            io.DataLoader(one, batch_size=ENLARGED // 5, shuffle=True, return_list=True)
            for one in sets
        )

    return run


def numbers_of_tensors(kind):
    """int() and float() of tensors with one element, whatever their dimensions."""
    for name, number in (("__int__", int), ("__float__", float)):
        usual = getattr(kind, name)

        def convert(self, usual=usual, number=number):
            return number(self.item()) if math.prod(self.shape) == 1 else usual(self)

        setattr(kind, name, convert)


def habits_of_pandas(pandas):
    """What versions before 2 did where they were not told."""
    pandas.options.future.infer_string = False
    pandas.get_dummies = functools.partial(pandas.get_dummies, dtype="uint8")
    mean = pandas.DataFrame.mean
    pandas.DataFrame.mean = lambda self, *options, **named: mean(
        self, *options, **{"numeric_only": True, **named}
    )


def habits_of_matplotlib(plt):
    """Tensors are drawn as arrays."""
    import numpy

    contour = plt.contour
    plt.contour = lambda *given, **options: contour(*map(numpy.asarray, given), **options)


def wait():
    """Waits for all that is queued."""
    import paddle

    paddle.device.synchronize()


def patch():
    """Changes the modules that the programs import, and seeds; gives d2l's."""
    import paddle
    import pandas
    from d2l import paddle as d2l

    serve_downloads(d2l)
    models = paddle.vision.models
    for name in ("resnet18", "resnet34", "vgg19"):
        setattr(models, name, without_weights(getattr(models, name)))
    gpus = d2l.try_all_gpus

    def try_all_gpus():
        found = gpus()
        return found if isinstance(found, list) else [found]

    d2l.try_all_gpus = try_all_gpus
    cpu_without_gpu(paddle)
    d2l.load_data_fashion_mnist = small_batches(d2l.load_data_fashion_mnist, paddle.io)
    d2l.train_ch3 = without_assertions(d2l.train_ch3)
    d2l.get_dataloader_workers = lambda: 0
    numbers_of_tensors(paddle.Tensor)
    habits_of_pandas(pandas)
    habits_of_matplotlib(d2l.plt)
    paddle.seed(1)
    return d2l
