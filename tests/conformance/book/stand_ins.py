"""Stand-ins for the files that the book's programs download: as small as the programs let them be.

    python -m book.stand_ins FOLDER

writes FOLDER/data and FOLDER/img. Names and layouts are those of the files that they stand for;
contents are drawn from one seed. It needs NumPy, Pillow, and PyTorch with d2l, for the parameters
of a small BERT."""

import io
import json
import pathlib
import pickle
import struct
import sys
import tarfile
import zipfile

import numpy as np
from PIL import Image

SEED = 0

# Words that the programs ask for, and others to make sentences of.
ASKED = """king queen chip baby beautiful man woman son daughter beijing china tokyo japan bad worst
big biggest do did go went made the join good great""".split()
COMMON = """the a an of to in and film movie was is good bad great poor story plot actor scene he
she it they like love hate very not so fun dull man woman dog cat run sit eat play boy girl street
car red blue""".split()
TIME_MACHINE = """the time traveller for so it will be convenient to speak of him was expounding a
recondite matter to us his grey eyes shone and twinkled""".split()
TRANSLATIONS = {
    "go .": "va !",
    "hi .": "salut !",
    "run !": "cours !",
    "i won .": "j'ai gagné .",
    "he is calm .": "il est calme .",
    "stop it .": "arrête .",
}
CLASSES = "airplane automobile bird cat deer dog frog horse ship truck".split()
CIFAR_BATCHES = [*(f"data_batch_{i}" for i in range(1, 6)), "test_batch"]


class Files:
    """Writes files into a folder, with contents from a generator of random numbers."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.random = np.random.default_rng(SEED)

    def words(self, count, of=COMMON):
        return " ".join(self.random.choice(of, count))

    def lines(self, count, least, most, of=COMMON):
        return "\n".join(self.words(self.random.integers(least, most), of) for _ in range(count))

    def picture(self, height, width, kind="PNG"):
        """Blocks of random colours, as the bytes of a file."""
        blocks = self.random.integers(0, 255, (height // 8 + 1, width // 8 + 1, 3), dtype=np.uint8)
        pixels = blocks.repeat(8, axis=0).repeat(8, axis=1)[:height, :width]
        return encoded(pixels, kind)

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    def zip(self, name, files):
        with zipfile.ZipFile(self.folder / name, "w") as archive:
            for inner, content in files.items():
                archive.writestr(inner, content)

    def tar(self, name, files, mode="w"):
        with tarfile.open(self.folder / name, mode) as archive:
            for inner, content in files.items():
                content = content.encode() if isinstance(content, str) else content
                entry = tarfile.TarInfo(inner)
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))


def encoded(pixels, kind):
    """The bytes of a picture's file."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, kind)
    return file.getvalue()


# ---- Pictures ----------------------------------------------------------------------------------


def digits(files, name, train=128, test=64):
    """MNIST and Fashion-MNIST: a bright bar on noise, whose height is the class."""
    for part, count in (("train", train), ("t10k", test)):
        labels = files.random.integers(0, 10, count, dtype=np.uint8)
        pixels = files.random.integers(0, 60, (count, 28, 28), dtype=np.uint8)
        for picture, label in zip(pixels, labels):
            picture[2 * label : 2 * label + 6, 5:20] += 150
        head = struct.pack(">4i", 2051, count, 28, 28)
        files.write(f"{name}/raw/{part}-images-idx3-ubyte", head + pixels.tobytes())
        head = struct.pack(">2i", 2049, count)
        files.write(f"{name}/raw/{part}-labels-idx1-ubyte", head + labels.tobytes())


def cifar10(files, count=20):
    for name in CIFAR_BATCHES:
        data = files.random.integers(0, 255, (count, 3072), dtype=np.uint8)
        labels = files.random.integers(0, 10, count).tolist()
        files.write(f"cifar-10-batches-py/{name}", pickle.dumps({"data": data, "labels": labels}))
    files.write("cifar-10-batches-py/batches.meta", pickle.dumps({"label_names": CLASSES}))


def bananas(files):
    found = {}
    for part, count in (("bananas_train", 32), ("bananas_val", 32)):
        rows = [f"{i}.png,0,60,60,180,190" for i in range(count)]
        head = "img_name,label,xmin,ymin,xmax,ymax"
        found[f"banana-detection/{part}/label.csv"] = "\n".join([head, *rows])
        for i in range(count):
            found[f"banana-detection/{part}/images/{i}.png"] = files.picture(256, 256)
    files.zip("banana-detection.zip", found)


def segmentation(files):
    """Pascal VOC2012: one object in each picture."""
    found, mask = {}, np.zeros((330, 490, 3), np.uint8)
    mask[50:200, 100:300] = (128, 0, 0)
    for part, count in (("train", 48), ("val", 16)):
        names = [f"{part}{i}" for i in range(count)]
        found[f"VOCdevkit/VOC2012/ImageSets/Segmentation/{part}.txt"] = "\n".join(names)
        for name in names:
            found[f"VOCdevkit/VOC2012/JPEGImages/{name}.jpg"] = files.picture(330, 490, "JPEG")
            found[f"VOCdevkit/VOC2012/SegmentationClass/{name}.png"] = encoded(mask, "PNG")
    files.tar("VOCtrainval_11-May-2012.tar", found)


def kaggle_cifar10(files, count=100):
    rows = [f"{i + 1},{CLASSES[i % 10]}" for i in range(count)]
    found = {"kaggle_cifar10_tiny/trainLabels.csv": "\n".join(["id,label", *rows])}
    for i in range(count):
        found[f"kaggle_cifar10_tiny/train/{i + 1}.png"] = files.picture(32, 32)
    for i in range(5):
        found[f"kaggle_cifar10_tiny/test/{i + 1}.png"] = files.picture(32, 32)
    files.zip("kaggle_cifar10_tiny.zip", found)


def kaggle_dogs(files, breeds=20):
    rows = [f"d{i},breed{i % breeds}" for i in range(2 * breeds)]
    found = {"kaggle_dog_tiny/labels.csv": "\n".join(["id,breed", *rows])}
    for i in range(2 * breeds):
        found[f"kaggle_dog_tiny/train/d{i}.jpg"] = files.picture(64, 64, "JPEG")
    for i in range(5):
        found[f"kaggle_dog_tiny/test/t{i}.jpg"] = files.picture(64, 64, "JPEG")
    files.zip("kaggle_dog_tiny.zip", found)


def folders(files):
    """Data sets that are folders of pictures, one for each class."""

    def pack(name, parts, count):
        names = [f"{part}/{i}.png" for part in parts for i in range(count)]
        files.zip(name, {inner: files.picture(64, 64) for inner in names})

    parts = ("hotdog/train", "hotdog/test")
    pack("hotdog.zip", [f"{p}/{kind}" for p in parts for kind in ("hotdog", "not-hotdog")], 20)
    pack("pokemon.zip", [f"pokemon/{kind}" for kind in "abc"], 30)


def single_pictures(files):
    """Pictures of the book's own folder."""
    for name in ("autumn-oak", "banana", "cat1", "rainier"):
        files.write(f"{name}.jpg", files.picture(400, 600, "JPEG"))
    files.write("catdog.jpg", files.picture(561, 728, "JPEG"))


# ---- Texts -------------------------------------------------------------------------------------


def texts(files):
    files.write("timemachine.txt", files.words(6000, TIME_MACHINE))
    pairs = [f"{english}\t{french}" for english, french in TRANSLATIONS.items()]
    files.zip("fra-eng.zip", {"fra-eng/fra.txt": "\n".join(pairs * 140)})
    many = ASKED + [f"w{i}" for i in range(1500)]
    files.zip("ptb.zip", {"ptb/ptb.train.txt": files.lines(6000, 4, 12, many)})
    paragraphs = [" . ".join(files.words(8) for _ in range(4)) for _ in range(300)]
    files.zip("wikitext-2-v1.zip", {"wikitext-2/wiki.train.tokens": "\n".join(paragraphs)})


def reviews(files, count=200):
    ends = {"pos": " good great love", "neg": " bad poor hate"}
    found = {}
    for part in ("train", "test"):
        for label, end in ends.items():
            for i in range(count):
                found[f"aclImdb/{part}/{label}/{i}.txt"] = files.words(40) + end
    files.tar("aclImdb_v1.tar.gz", found, "w:gz")


def inference(files):
    """SNLI: pairs of sentences."""
    labels, found = ["entailment", "contradiction", "neutral"], {}
    for part, count in (("train", 1400), ("test", 300)):
        rows = [
            f"{labels[i % 3]}\t( {files.words(6)} )\t( {files.words(5)} )" for i in range(count)
        ]
        found[f"snli_1.0/snli_1.0_{part}.txt"] = "\n".join(["label\ts1\ts2", *rows])
    files.zip("snli_1.0.zip", found)


def glove(files):
    words = list(dict.fromkeys(ASKED + COMMON + [f"w{i}" for i in range(4000)]))
    for size in (50, 100):
        vectors = files.random.normal(size=(len(words), size))
        rows = [f"{w} " + " ".join(f"{x:.3f}" for x in v) for w, v in zip(words, vectors)]
        files.zip(f"glove.6B.{size}d.zip", {f"glove.6B.{size}d/vec.txt": "\n".join(rows)})


def small_bert(files):
    """The parameters of the book's small BERT before any training, and its vocabulary."""
    import torch
    from d2l import torch as d2l

    torch.manual_seed(SEED)
    words = ["<unk>", "<pad>", "<mask>", "<cls>", "<sep>", *dict.fromkeys(COMMON)]
    net = d2l.BERTModel(
        len(words), 256, ffn_num_hiddens=512, num_heads=4, num_blks=2, dropout=0.2, max_len=512
    )
    tokens = torch.zeros((1, 4), dtype=torch.long)
    net(tokens, tokens, None, tokens)  # layers get their shapes
    state = io.BytesIO()
    torch.save(net.state_dict(), state)
    files.zip(
        "bert.small.torch.zip",
        {
            "bert.small.torch/vocab.json": json.dumps(words),
            "bert.small.torch/pretrained.params": state.getvalue(),
        },
    )


# ---- Tables ------------------------------------------------------------------------------------


def tables(files):
    rows = files.random.normal(size=(1503, 6))
    text = "\n".join("\t".join(f"{value:.6f}" for value in row) for row in rows)
    files.write("airfoil_self_noise.dat", text)
    for part, count in (("train", 300), ("test", 200)):
        price = ["SalePrice"] if part == "train" else []
        lines = [",".join(["Id", "MSSubClass", "LotArea", "Street", "Neighborhood", *price])]
        for i in range(count):
            row = [i + 1, files.random.integers(20, 190), files.random.integers(1000, 20000)]
            row += [("Pave", "Grvl")[i % 2], "ABC"[i % 3]]
            row += [files.random.integers(50000, 400000)] if price else []
            lines.append(",".join(map(str, row)))
        files.write(f"kaggle_house_pred_{part}.csv", "\n".join(lines))


MAKERS = [cifar10, bananas, segmentation, kaggle_cifar10, kaggle_dogs, folders, texts, reviews]
MAKERS += [inference, glove, small_bert, tables]


def make(folder, makers=MAKERS, **counts):
    """Writes all of them; `counts` are those of the digits."""
    data = Files(pathlib.Path(folder) / "data")
    digits(data, "FashionMNIST", **counts)
    digits(data, "MNIST", **counts)
    for maker in makers:
        maker(data)
    single_pictures(Files(pathlib.Path(folder) / "img"))


if __name__ == "__main__":
    make(sys.argv[1])
