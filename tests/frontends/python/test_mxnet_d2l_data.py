"""The book's library reads pictures and tables: small files in the formats of the real ones."""

import io

import numpy
import pytest
from d2l_files import offer
from test_mxnet_vision_datasets import write_mnist

NUMBERS = numpy.random.RandomState(0)


def png(pixels):
    Image = pytest.importorskip("PIL.Image")
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def noise(*shape):
    return NUMBERS.randint(0, 256, (*shape, 3)).astype("uint8")


def test_download_of_what_is_there(d2l, tmp_path, monkeypatch):
    path = offer(d2l, tmp_path, monkeypatch, "ptb", {"ptb/a.txt": b"text"})
    assert d2l.download("ptb") == "../data/ptb.zip"
    url, digest = d2l.DATA_HUB["ptb"]
    assert d2l.download(url, str(path.parent), digest) == str(path)
    assert d2l.download_extract("ptb") == "../data/ptb"
    assert (tmp_path / "data/ptb/a.txt").read_text() == "text"
    assert d2l.download_extract("ptb", "other") == "../data/other"
    d2l.extract("../data/ptb.zip", "here")
    assert (tmp_path / "work/here/ptb/a.txt").read_text() == "text"
    with pytest.raises(AssertionError, match="Only support zip/tar files"):
        d2l.extract("a.rar")


def test_airfoil(d2l, tmp_path, monkeypatch):
    """Columns are made to have the mean 0 and the deviation 1; the last is the answer."""
    rows = NUMBERS.normal(3, 2, (8, 6))
    text = "\n".join("\t".join(f"{number:.6f}" for number in row) for row in rows)
    offer(d2l, tmp_path, monkeypatch, "airfoil", text.encode())
    batches, width = d2l.get_data_ch11(batch_size=3, n=7)
    assert width == 5 and [x.shape for x, _ in batches] == [(3, 5), (3, 5), (1, 5)]
    expected = ((rows - rows.mean(axis=0)) / rows.std(axis=0))[:7]
    found = numpy.concatenate([numpy.c_[x.asnumpy(), y.asnumpy()] for x, y in batches])
    order = numpy.argsort(found[:, 0]), numpy.argsort(expected[:, 0])
    numpy.testing.assert_allclose(found[order[0]], expected[order[1]], rtol=1e-3, atol=1e-4)


@pytest.fixture
def bananas(d2l, tmp_path, monkeypatch):
    pictures, files = [noise(8, 8) for _ in range(3)], {}
    for part, numbers in (("train", (0, 1)), ("val", (2,))):
        folder = f"banana-detection/bananas_{part}"
        rows = [f"{i}.png,0,{i},16,32,64\n" for i in numbers]
        files[f"{folder}/label.csv"] = "".join(
            ["img_name,label,xmin,ymin,xmax,ymax\n", *rows]
        ).encode()
        files.update({f"{folder}/images/{i}.png": png(pictures[i]) for i in numbers})
    offer(d2l, tmp_path, monkeypatch, "banana-detection", files)
    return pictures


def test_bananas(d2l, bananas, capsys):
    images, targets = d2l.read_data_bananas()
    assert len(images) == 2 and (images[1].asnumpy() == bananas[1]).all()
    box = [16 / 256, 32 / 256, 64 / 256]
    assert targets.tolist() == [[[0, 0, *box]], [[0, 1 / 256, *box]]]
    held = d2l.BananasDataset(is_train=False)
    assert len(held) == 1 and (held[0][0].asnumpy() == bananas[2].transpose(2, 0, 1)).all()
    assert capsys.readouterr().out == "read 1 validation examples\n"
    train, val = d2l.load_data_bananas(2)
    x, y = next(iter(train))
    assert x.shape == (2, 3, 8, 8) and y.shape == (2, 1, 5) and x.dtype == numpy.float32
    assert next(iter(val))[1].tolist() == [[[0, 2 / 256, *box]]]


def voc_files(d2l):
    """Three pictures to train, of which one is too small, and two to test."""
    files, root = {}, "VOCdevkit/VOC2012"
    for part, sizes in (("train", (6, 7, 4)), ("val", (6, 6))):
        names = [f"{part}{i}" for i in range(len(sizes))]
        files[f"{root}/ImageSets/Segmentation/{part}.txt"] = "\n".join(names).encode()
        for name, size in zip(names, sizes):
            classes = numpy.arange(size * size).reshape(size, size) % 21
            label = numpy.array(d2l.VOC_COLORMAP, "uint8")[classes]
            files[f"{root}/JPEGImages/{name}.jpg"] = png(label)
            files[f"{root}/SegmentationClass/{name}.png"] = png(label)
    return files


def test_colours_of_classes(d2l):
    table = d2l.voc_colormap2label()
    assert table.shape == (256**3,) and table.sum() == sum(range(21))
    colours = d2l.np.array([d2l.VOC_COLORMAP[20], d2l.VOC_COLORMAP[3]]).reshape(1, 2, 3)
    assert d2l.voc_label_indices(colours, table).tolist() == [[20, 3]]


def test_voc(d2l, tmp_path, monkeypatch, capsys):
    """Picture and label are cut at one place: here both are the same colours."""
    offer(d2l, tmp_path, monkeypatch, "voc2012", voc_files(d2l))
    monkeypatch.setattr(d2l, "get_dataloader_workers", lambda: 0)
    train, test = d2l.load_data_voc(2, (5, 6))
    assert capsys.readouterr().out == "read 2 examples\nread 2 examples\n"
    x, y = next(iter(test))
    assert x.shape == (2, 3, 5, 6) and y.shape == (2, 5, 6) and len(train) == 1
    folder = "../data/VOCdevkit/VOC2012"
    features, labels = d2l.read_voc_images(folder, is_train=True)
    assert [image.shape for image in labels] == [(6, 6, 3), (7, 7, 3), (4, 4, 3)]
    feature, label = d2l.voc_rand_crop(features[1], labels[1], 5, 4)
    assert feature.shape == (5, 4, 3) and feature.tolist() == label.tolist()
    held = d2l.VOCSegDataset(False, (6, 6), folder)
    x, y = held[1]
    assert len(held) == 2 and y.reshape(-1).tolist() == [i % 21 for i in range(36)]
    colours = numpy.array(d2l.VOC_COLORMAP)[y.asnumpy().astype(int)] / 255
    expected = (colours - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]
    numpy.testing.assert_allclose(x.asnumpy(), expected.transpose(2, 0, 1), rtol=1e-4, atol=1e-5)


def test_folders_of_classes(d2l, tmp_path):
    """One picture of each class is held back for validation."""
    (tmp_path / "labels.csv").write_text("id,label\n1,cat\n2,cat\n3,dog\n4,dog\n")
    labels = d2l.read_csv_labels(tmp_path / "labels.csv")
    assert labels == {"1": "cat", "2": "cat", "3": "dog", "4": "dog"}
    for part, names in (("train", "1234"), ("test", "56")):
        (tmp_path / part).mkdir()
        for name in names:
            (tmp_path / part / f"{name}.png").write_text(name)
    assert d2l.reorg_train_valid(tmp_path, labels, 0.1) == 1
    d2l.reorg_test(tmp_path)
    made = tmp_path / "train_valid_test"
    count = {part.name: len(list(part.rglob("*.png"))) for part in made.iterdir()}
    assert count == {"train_valid": 4, "valid": 2, "train": 2, "test": 2}
    assert (made / "train_valid/dog/4.png").read_text() == "4"
    assert sorted(path.name for path in (made / "test/unknown").iterdir()) == ["5.png", "6.png"]
    d2l.copyfile(tmp_path / "labels.csv", tmp_path / "a/b")
    assert (tmp_path / "a/b/labels.csv").read_text().startswith("id,label")


@pytest.fixture
def ratings(d2l, tmp_path, monkeypatch):
    """Four users who rate three items each, at times that grow with the item."""
    rows = [f"{u}\t{i}\t{(u + i) % 5 + 1}\t{100 + i}" for u in range(1, 5) for i in (3, 1, 2)]
    offer(d2l, tmp_path, monkeypatch, "ml-100k", {"ml-100k/u.data": "\n".join(rows).encode()})


def test_films(d2l, ratings):
    data, users, items = d2l.read_data_ml100k()
    assert (len(data), users, items) == (12, 4, 3)
    train, test = d2l.split_data_ml100k(data, users, items, "seq-aware")
    assert len(train) == 8 and test.values.tolist()[0] == [1, 3, 5, 103]
    u, i, scores, matrix = d2l.load_data_ml100k(test, users, items)
    assert (u, i, scores) == ([0, 1, 2, 3], [2] * 4, [5, 1, 2, 3])
    assert matrix.tolist() == [[0] * 4, [0] * 4, [5, 1, 2, 3]]
    _, _, ones, liked = d2l.load_data_ml100k(train, users, items, feedback="implicit")
    assert ones == [1] * 8 and liked == {u: [0, 1] for u in range(4)}
    train, test = d2l.split_data_ml100k(data, users, items, "random", test_ratio=0.5)
    assert len(train) + len(test) == 12 and 0 < len(test) < 12


def test_films_in_batches(d2l, ratings):
    users, items, train, test = d2l.split_and_load_ml100k("seq-aware", batch_size=3)
    assert (users, items) == (4, 3) and [len(u) for u, _, _ in train] == [3, 3]
    assert [scores.tolist() for _, _, scores in test] == [[5, 1, 2], [3]]


def test_clicks(d2l, tmp_path):
    """Values that are rare share the number after those of their column."""
    path = tmp_path / "clicks.csv"
    path.write_text("1\ta\tx\n0\ta\ty\n1\tb\tx\nbroken\n0\ta\tx\n")
    data = d2l.CTRDataset(path, min_threshold=3, num_feat=2)
    assert len(data) == 4 and data.field_dims.tolist() == [2, 2]
    assert [data[i][0].tolist() for i in range(4)] == [[0, 2], [0, 3], [1, 2], [0, 2]]
    assert [data[i][1] for i in range(2)] == [[1], [0]]
    other = d2l.CTRDataset(path, data.feat_mapper, data.defaults, num_feat=2)
    assert other[2][0].tolist() == [1, 2]


@pytest.fixture
def clothes(d2l, tmp_path, monkeypatch):
    """Fashion-MNIST of ten pictures and four, where the library's classes look for it."""
    pixels = NUMBERS.randint(0, 256, (10, 28, 28)).astype("uint8")
    write_mnist(tmp_path, pixels, numpy.arange(10))
    write_mnist(tmp_path, pixels[:4], numpy.arange(4), "t10k")
    vision = d2l.gluon.data.vision
    real = vision.FashionMNIST
    monkeypatch.setattr(vision, "FashionMNIST", lambda train: real(str(tmp_path), train))
    return pixels


def test_clothes(d2l, clothes):
    """Read by four processes, as the library does."""
    train, test = d2l.load_data_fashion_mnist(4)
    x, y = next(iter(test))
    assert x.shape == (4, 1, 28, 28) and y.tolist() == [0, 1, 2, 3]
    numpy.testing.assert_allclose(x.asnumpy()[:, 0], clothes[:4] / 255, rtol=1e-6)
    assert sorted(label for _, part in train for label in part.tolist()) == list(range(10))


def test_clothes_of_another_size(d2l, clothes, monkeypatch):
    monkeypatch.setattr(d2l, "get_dataloader_workers", lambda: 0)
    _, test = d2l.load_data_fashion_mnist(2, resize=14)
    assert [x.shape for x, _ in test] == [(2, 1, 14, 14)] * 2
    data = d2l.FashionMNIST(batch_size=4, resize=(32, 32))
    data.num_workers = 0
    x, y = batch = next(iter(data.val_dataloader()))
    assert x.shape == (4, 1, 32, 32) and len(list(data.train_dataloader())) == 3
    assert data.text_labels(y) == ["t-shirt", "trouser", "pullover", "dress"]
    data.visualize(batch, ncols=4)
    axes = d2l.plt.gcf().axes
    assert [axis.get_title() for axis in axes] == data.text_labels(y)
    assert (axes[3].images[0].get_array() == x[3, 0].asnumpy()).all()
