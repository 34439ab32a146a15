"""Stand-ins for the files that the book's PaddlePaddle programs download.

    python -m book.stand_ins_paddle FOLDER

writes, beside the files of stand_ins.py, those that PaddlePaddle keeps in FOLDER/home, and the
parameters of a small BERT, for which it needs PaddlePaddle with d2l."""

import gzip
import io
import json
import pathlib
import pickle
import sys

from . import stand_ins

CACHE = "home/.cache/paddle/dataset"


def digits(folder):
    """The files of MNIST and Fashion-MNIST, packed."""
    for name, place in (("MNIST", "mnist"), ("FashionMNIST", "fashion-mnist")):
        packed = folder / CACHE / place
        packed.mkdir(parents=True, exist_ok=True)
        for path in (folder / "data" / name / "raw").iterdir():
            (packed / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))


def cifar10(folder):
    """The batches of CIFAR-10 in one archive, with names that are bytes, as Python 2 wrote them."""
    found = {}
    for name in stand_ins.CIFAR_BATCHES:
        path = f"cifar-10-batches-py/{name}"
        batch = pickle.loads((folder / "data" / path).read_bytes())
        found[path] = pickle.dumps({key.encode(): value for key, value in batch.items()})
    stand_ins.Files(folder / CACHE / "cifar").tar("cifar-10-python.tar.gz", found, "w:gz")


def time_machine(files):
    """The book's text in lines."""
    files.write("timemachine.txt", files.lines(600, 8, 12, stand_ins.TIME_MACHINE))


def small_bert(files):
    """The parameters of the book's small BERT before any training, and its vocabulary."""
    import paddle
    from d2l import paddle as d2l

    paddle.seed(stand_ins.SEED)
    words = ["<unk>", "<pad>", "<mask>", "<cls>", "<sep>", *dict.fromkeys(stand_ins.COMMON)]
    net = d2l.BERTModel(
        len(words),
        256,
        norm_shape=[256],
        ffn_num_input=256,
        ffn_num_hiddens=512,
        num_heads=4,
        num_layers=2,
        dropout=0.2,
        max_len=512,
        key_size=256,
        query_size=256,
        value_size=256,
        hid_in_features=256,
        mlm_in_features=256,
        nsp_in_features=256,
    )
    state = io.BytesIO()
    paddle.save(net.state_dict(), state)
    files.zip(
        "bert.small.paddle.zip",
        {
            "bert.small.paddle/vocab.json": json.dumps(words),
            "bert.small.paddle/pretrained.pdparams": state.getvalue(),
        },
    )


def make(folder):
    """Writes all of them."""
    folder = pathlib.Path(folder)
    makers = [one for one in stand_ins.MAKERS if one is not stand_ins.small_bert]
    makers += [time_machine, small_bert]
    stand_ins.make(folder, makers, train=100, test=100)  # digits are read by the hundred
    digits(folder)
    cifar10(folder)


if __name__ == "__main__":
    make(sys.argv[1])
