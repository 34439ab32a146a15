"""All that is changed of the book's PaddlePaddle programs: the same for both libraries.

1. Downloads are served from stand-in files (stand_ins_paddle.py); no checksums are asked for.
2. Training is cut to EPOCHS epochs: numbers that programs give to `num_epochs`.
3. The sizes in CUTS are replaced: the book's need data sets of full size, or hours without a GPU.
4. Networks of paddle.vision with `pretrained=True` are made without the weights: a download.
5. `d2l.try_all_gpus` gives a list with the CPU where there is no GPU, as its text in the book says.
6. `paddle.set_device` takes the CPU where there is no GPU.
7. `d2l.load_data_fashion_mnist` gives batches of BATCH pictures at most: training needs five.
8. `d2l.get_dataloader_workers` gives 0: PaddlePaddle's processes for data end with SIGSEGV.
9. Assertions of how well a network was trained, which two epochs do not hold, are left out, and
   translations are longer by two full stops: the book's score of an empty one divides by zero.
10. Columns of texts have the type object again in pandas.
11. Lines of IPython and of the shell (`%matplotlib`, `!ls`) are left out (sections.py)."""

import ast
import inspect
import os
import sys
import textwrap

from .changes import EPOCHS, FewerEpochs, no_network, without_weights

BATCH = 16
_LONGER = ("bleu(translation, fra, k=2)", "bleu(translation + ' . .', fra, k=2)")

# Of a section: what is replaced in its cells.
CUTS = {
    "bahdanau-attention": [_LONGER],
    "transformer": [_LONGER],
    "seq2seq": [_LONGER],
    "underfit-overfit": [("num_epochs=1500", "num_epochs=100")],
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
        ("image_shape = d2l.try_gpu(),(300, 450)", "image_shape = d2l.try_gpu(),(100, 150)"),
        ("0.3, 500, 50", "0.3, 10, 50"),
    ],
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


def small_batches(load):
    """A loader of data whose batches have BATCH items at most."""
    return lambda batch_size, *options, **named: load(min(batch_size, BATCH), *options, **named)


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
    d2l.load_data_fashion_mnist = small_batches(d2l.load_data_fashion_mnist)
    d2l.train_ch3 = without_assertions(d2l.train_ch3)
    d2l.get_dataloader_workers = lambda: 0
    pandas.options.future.infer_string = False
    paddle.seed(1)
    return d2l
