"""torchvision.transforms, io and ops, over tensors and over Pillow's pictures.

What the real torchvision 0.29.2 gives is in a record; tests/conformance/torchvision_cases.py has
the expressions.
"""

import colorsys
import gzip
import json
import pathlib
import pickle
import sys

import numpy as np
import penstock
import pytest
from penstock import torch, torchvision
from penstock.torchvision import transforms
from penstock.torchvision.transforms import InterpolationMode
from penstock.torchvision.transforms import functional as F

Image = pytest.importorskip("PIL.Image", reason="Pillow is not installed: make setup")

CONFORMANCE = pathlib.Path(__file__).parents[2] / "conformance"
sys.path.insert(0, str(CONFORMANCE))

import torchvision_cases  # noqa: E402

with gzip.open(CONFORMANCE / "vectors" / "torchvision.json.gz") as _file:
    RECORDED = json.load(_file)


def noise(*shape, seed=0):
    return np.random.default_rng(seed).integers(0, 256, shape).astype("uint8")


def smooth(height, width):
    rows, columns = np.mgrid[:height, :width]
    parts = [rows * 255 / height, columns * 255 / width, (rows + columns) * 255 / (height + width)]
    return np.stack(parts, 2).astype("uint8")


def tensor_of(pixels):
    return torch.from_numpy(np.ascontiguousarray(pixels.transpose(2, 0, 1)))


def values(x):
    """A picture as an array (height, width, channels), whatever it is."""
    if isinstance(x, torch.Tensor):
        return x.numpy().transpose(1, 2, 0)
    found = np.asarray(x)
    return found[:, :, None] if found.ndim == 2 else found


# ---- Recorded ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found():
    penstock.install_as("torch")
    return torchvision_cases.names()


def test_the_record_is_whole():
    assert [row[0] for row in RECORDED] == torchvision_cases.EXPRESSIONS


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("expression", "wanted"), RECORDED, ids=[row[0] for row in RECORDED])
def test_what_the_real_one_gives(expression, wanted, found):
    value = json.loads(json.dumps(torchvision_cases.value_of(expression, found)))
    if wanted[0] == "raises" or wanted[1] is None:
        assert value == wanted
        return
    assert value[:2] == wanted[:2]
    # Bytes are rounded from numbers that are not computed in the same order.
    most = 2e-5 if "float" in wanted[0] or wanted[0] == "F" else 1
    np.testing.assert_allclose(value[2], wanted[2], rtol=0, atol=most)
    if most == 1 and wanted[2]:
        assert np.not_equal(value[2], wanted[2]).mean() < 0.02


# ---- To tensors and back -------------------------------------------------------------------------


def test_to_tensor():
    pixels = noise(4, 5, 3)
    expected = pixels.transpose(2, 0, 1) / np.float32(255)
    for given in (pixels, Image.fromarray(pixels)):
        made = transforms.ToTensor()(given)
        assert made.dtype is torch.float32 and made.shape == (3, 4, 5)
        np.testing.assert_allclose(made.numpy(), expected, rtol=1e-6)
    grey = F.to_tensor(Image.fromarray(pixels[:, :, 0]))
    assert grey.shape == (1, 4, 5)
    plain = F.to_tensor(pixels.astype("float64"))
    assert plain.dtype is torch.float64 and plain[0, 0, 0].item() == pixels[0, 0, 0]
    assert F.to_tensor(pixels[:, :, 0]).shape == (1, 4, 5)
    truth = F.to_tensor(Image.fromarray(pixels[:, :, 0]).convert("1"))
    assert set(truth.flatten().tolist()) <= {0.0, 1.0}
    deep = F.to_tensor(Image.fromarray(np.array([[7, 70000]], "int32")))
    assert deep.dtype is torch.int32 and deep.tolist() == [[[7, 70000]]]
    real = F.to_tensor(Image.fromarray(np.array([[0.5, 2.5]], "float32")))
    assert real.dtype is torch.float32 and real.tolist() == [[[0.5, 2.5]]]
    with pytest.raises(TypeError, match="PIL Image or ndarray"):
        F.to_tensor([1, 2])
    with pytest.raises(ValueError, match="2/3 dimensional"):
        F.to_tensor(np.zeros(3))


def test_pil_to_tensor():
    pixels = noise(4, 5, 3)
    made = transforms.PILToTensor()(Image.fromarray(pixels))
    assert made.dtype is torch.uint8 and np.array_equal(values(made), pixels)
    with pytest.raises(TypeError, match="PIL Image"):
        F.pil_to_tensor(pixels)


def test_to_pil_image():
    pixels = noise(4, 5, 4)
    for count, mode in ((1, "L"), (2, "LA"), (3, "RGB"), (4, "RGBA")):
        part = pixels[:, :, :count]
        for given in (part, tensor_of(part)):
            made = transforms.ToPILImage()(given)
            assert made.mode == mode and made.size == (5, 4)
            assert np.array_equal(values(made), part)
    half = F.to_pil_image(torch.full((1, 2, 3), 0.5))
    assert half.mode == "L" and np.asarray(half).tolist() == [[127] * 3] * 2
    assert F.to_pil_image(torch.tensor([[1, 2]], dtype=torch.uint8)).size == (2, 1)
    assert F.to_pil_image(np.array([[1.5]], "float32")).mode == "F"
    assert F.to_pil_image(torch.ones(1, 1, 1), mode="F").mode == "F"
    assert F.to_pil_image(np.array([[70000]], "int32")).mode == "I"
    assert F.to_pil_image(pixels[:, :, :3], mode="HSV").mode == "HSV"
    with pytest.raises(ValueError, match="Incorrect mode"):
        F.to_pil_image(pixels[:, :, :3], mode="L")
    with pytest.raises(ValueError, match="2/3 dimensional"):
        F.to_pil_image(torch.zeros(1))
    with pytest.raises(ValueError, match="channels"):
        F.to_pil_image(torch.zeros(5, 1, 1))
    with pytest.raises(TypeError, match="not supported"):
        F.to_pil_image(np.zeros((2, 2, 3), "int64"))
    with pytest.raises(TypeError, match="Tensor or ndarray"):
        F.to_pil_image("picture")


def test_types_of_pictures():
    x = torch.tensor([[[0, 51, 255]]], dtype=torch.uint8)
    real = transforms.ConvertImageDtype(torch.float32)(x)
    np.testing.assert_allclose(real.flatten().tolist(), [0, 0.2, 1], rtol=1e-6)
    assert F.convert_image_dtype(real, torch.uint8).flatten().tolist() == [0, 51, 255]
    assert F.convert_image_dtype(x, torch.int16).flatten().tolist() == [0, 51 * 128, 255 * 128]
    assert F.convert_image_dtype(F.convert_image_dtype(x, torch.int32), torch.uint8).equal(x)
    assert F.convert_image_dtype(x, torch.uint8) is x
    assert F.convert_image_dtype(real, torch.float64).dtype is torch.float64
    with pytest.raises(RuntimeError, match="safely"):
        F.convert_image_dtype(real, torch.int32)


def test_normalize():
    x = torch.arange(12.0).reshape(3, 2, 2)
    made = transforms.Normalize([1, 2, 3], [2, 4, 8])(x)
    expected = (x.numpy() - [[[1]], [[2]], [[3]]]) / [[[2]], [[4]], [[8]]]
    np.testing.assert_allclose(made.numpy(), expected, rtol=1e-6)
    batch = F.normalize(torch.stack([x, x]), (1, 2, 3), (2, 4, 8))
    np.testing.assert_allclose(batch[1].numpy(), expected, rtol=1e-6)
    assert F.normalize(x, [1], [1], inplace=True) is x and x[0, 0, 0].item() == -1
    with pytest.raises(TypeError, match="float tensor"):
        F.normalize(torch.ones(1, 2, 2, dtype=torch.uint8), [0], [1])
    with pytest.raises(TypeError, match="Tensor Image"):
        F.normalize(np.zeros((1, 2, 2)), [0], [1])
    with pytest.raises(ValueError, match="size"):
        F.normalize(torch.ones(2, 2), [0], [1])
    with pytest.raises(ValueError, match="zero"):
        F.normalize(torch.ones(1, 2, 2), [0], [0])


# ---- Sizes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "most", "expected"),
    [
        (10, None, (10, 20)),
        ([10], None, (10, 20)),
        ((7, 9), None, (7, 9)),
        (20, None, (20, 40)),
        (15, 25, (12, 25)),
        (33, None, (33, 66)),
    ],
)
def test_wanted_sizes(size, most, expected):
    pixels = smooth(20, 40)
    for given, turned in ((pixels, False), (pixels.transpose(1, 0, 2), True)):
        for kind in (Image.fromarray, tensor_of):
            wanted = size[::-1] if turned and isinstance(size, tuple) else size
            made = transforms.Resize(wanted, max_size=most)(kind(np.ascontiguousarray(given)))
            assert tuple(F.get_dimensions(made)) == (3, *(expected[::-1] if turned else expected))
            assert tuple(F.get_image_size(made)) == tuple(F.get_dimensions(made)[:0:-1])


def test_nothing_to_do():
    picture, x = Image.fromarray(smooth(4, 6)), tensor_of(smooth(4, 6))
    assert F.resize(picture, 4) is picture and F.resize(x, (4, 6)) is x


@pytest.mark.parametrize("mode", [InterpolationMode.BILINEAR, InterpolationMode.BICUBIC])
@pytest.mark.parametrize("size", [(7, 5), (40, 61), (3, 90)])
def test_tensors_get_the_pixels_that_pillow_gives(mode, size):
    for pixels, most in ((smooth(24, 31), 1), (noise(24, 31, 3), 20)):
        ours = values(F.resize(tensor_of(pixels), size, mode)).astype(int)
        theirs = values(F.resize(Image.fromarray(pixels), size, mode)).astype(int)
        # Pillow cuts what is above white or below black between rows and columns, too.
        assert abs(ours - theirs).max() <= most and abs(ours - theirs).mean() < 0.5


def test_interpolation_by_number():
    picture = Image.fromarray(noise(6, 6, 3))
    assert transforms.Resize(3, interpolation=0).interpolation is InterpolationMode.NEAREST
    assert np.array_equal(values(F.resize(picture, 3, 3)), values(picture.resize((3, 3), 3)))
    with pytest.raises(TypeError, match="interpolation"):
        transforms.Resize(3, interpolation="bilinear")
    with pytest.raises(ValueError, match="unsupported"):
        F.resize(tensor_of(noise(6, 6, 3)), 3, InterpolationMode.LANCZOS)


def test_wrong_sizes():
    for wrong, error in (("10", TypeError), ((1, 2, 3), ValueError)):
        with pytest.raises(error, match="[Ss]ize"):
            transforms.Resize(wrong)
    with pytest.raises(ValueError, match="max_size"):
        transforms.Resize((3, 4), max_size=5)
    with pytest.raises(ValueError, match="max_size"):
        F.resize(tensor_of(noise(6, 6, 3)), 5, max_size=5)
    with pytest.raises(TypeError, match="Unexpected type"):
        F.resize(np.zeros((3, 4, 4)), 2)


# ---- Parts ---------------------------------------------------------------------------------------


PLACES = [(1, 2, 3, 3), (-1, -2, 4, 5), (3, 4, 5, 6), (0, 0, 5, 6), (7, 1, 2, 2)]


@pytest.mark.parametrize("place", PLACES)
def test_crop(place):
    pixels = noise(5, 6, 3)
    found = [values(F.crop(kind(pixels), *place)) for kind in (Image.fromarray, tensor_of)]
    top, left, height, width = place
    wide = np.pad(pixels, ((9, 9), (9, 9), (0, 0)))
    expected = wide[9 + top : 9 + top + height, 9 + left : 9 + left + width]
    assert np.array_equal(found[0], expected) and np.array_equal(found[1], expected)


@pytest.mark.parametrize("size", [3, (2, 4), [5], (9, 8), (3, 11), (5, 6)])
def test_center_crop(size):
    pixels = noise(5, 6, 3)
    middle = transforms.CenterCrop(size)
    both = [values(middle(kind(pixels))) for kind in (Image.fromarray, tensor_of)]
    assert np.array_equal(*both)
    shape = (size, size) if isinstance(size, int) else tuple(size) * (3 - len(size))
    assert both[0].shape[:2] == shape
    if shape == (3, 3):
        assert np.array_equal(both[0], pixels[1:4, 2:5])
    if shape == (9, 8):
        assert np.array_equal(both[0][2:7, 1:7], pixels)


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric"])
@pytest.mark.parametrize("padding", [2, (1, 2), [1, 0, 2, 3], [3]])
def test_pad(padding, mode):
    pixels = noise(5, 6, 3)
    pad = transforms.Pad(padding, 0, mode)
    both = [values(pad(kind(pixels))) for kind in (Image.fromarray, tensor_of)]
    assert np.array_equal(*both)
    given = [padding] if isinstance(padding, int) else list(padding)
    left, top, right, bottom = given * (4 // len(given))
    expected = np.pad(pixels, ((top, bottom), (left, right), (0, 0)), mode)
    assert np.array_equal(both[0], expected)


def test_borders_of_a_colour():
    pixels = noise(2, 2, 3)
    assert values(F.pad(Image.fromarray(pixels), 1, fill=(1, 2, 3)))[0, 0].tolist() == [1, 2, 3]
    assert values(F.pad(tensor_of(pixels), 1, fill=7))[0, 0].tolist() == [7, 7, 7]
    with pytest.raises(ValueError, match="one number"):
        F.pad(tensor_of(pixels), 1, fill=(1, 2, 3))
    with pytest.raises(ValueError, match="Padding mode"):
        transforms.Pad(1, padding_mode="wrap")
    with pytest.raises(ValueError, match="3 element"):
        transforms.Pad((1, 2, 3))
    with pytest.raises(TypeError, match="padding"):
        transforms.Pad("1")


def test_flips_and_five_crop():
    pixels = noise(5, 6, 3)
    for kind in (Image.fromarray, tensor_of):
        assert np.array_equal(values(F.hflip(kind(pixels))), pixels[:, ::-1])
        assert np.array_equal(values(F.vflip(kind(pixels))), pixels[::-1])
        parts = transforms.FiveCrop(2)(kind(pixels))
        assert len(parts) == 5 and np.array_equal(values(parts[3]), pixels[3:, 4:])
        with pytest.raises(ValueError, match="bigger"):
            F.five_crop(kind(pixels), 7)


def test_quarter_turns():
    pixels = noise(5, 5, 3)
    for kind in (Image.fromarray, tensor_of):
        assert np.array_equal(values(F.rotate(kind(pixels), 90)), np.rot90(pixels))
        assert np.array_equal(values(F.rotate(kind(pixels), -90)), np.rot90(pixels, -1))
    wide = F.rotate(Image.fromarray(noise(4, 6, 3)), 90, expand=True)
    assert wide.size == (4, 6)
    corner = F.rotate(tensor_of(pixels), 45, fill=9)[:, 0, 0]
    assert corner.tolist() == [9, 9, 9]
    wide = tensor_of(noise(9, 9, 3))
    corner = F.rotate(wide, 45, InterpolationMode.BILINEAR, fill=[1, 2, 3])[:, 0, 0]
    assert corner.tolist() == [1, 2, 3]
    with pytest.raises(NotImplementedError, match="expand"):
        F.rotate(tensor_of(pixels), 10, expand=True)
    with pytest.raises(TypeError, match="angle"):
        F.rotate(tensor_of(pixels), "10")


# ---- Colours -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["brightness", "contrast", "saturation", "gamma"])
@pytest.mark.parametrize("factor", [0, 0.3, 1, 1.7])
def test_tensors_get_the_colours_that_pillow_gives(name, factor):
    pixels = noise(6, 7, 3)
    adjust = getattr(F, f"adjust_{name}")
    ours = values(adjust(tensor_of(pixels), factor)).astype(int)
    theirs = values(adjust(Image.fromarray(pixels), factor)).astype(int)
    assert abs(ours - theirs).max() <= 2


def test_colours_by_their_formulas():
    x = torch.tensor(np.random.default_rng(1).random((3, 2, 4)).astype("f4"))
    a = x.numpy()
    bright = F.adjust_brightness(x, 1.5).numpy()
    np.testing.assert_allclose(bright, np.minimum(a * 1.5, 1), rtol=1e-6)
    grey = 0.2989 * a[0] + 0.587 * a[1] + 0.114 * a[2]
    np.testing.assert_allclose(F.rgb_to_grayscale(x).numpy()[0], grey, rtol=1e-5)
    found = F.adjust_saturation(x, 0.4).numpy()
    np.testing.assert_allclose(found, 0.4 * a + 0.6 * grey, rtol=1e-5)
    found = F.adjust_contrast(x, 0.4).numpy()
    np.testing.assert_allclose(found, 0.4 * a + 0.6 * grey.mean(), rtol=1e-5)
    np.testing.assert_allclose(F.adjust_gamma(x, 2, 0.5).numpy(), 0.5 * a**2, rtol=1e-5)


@pytest.mark.parametrize("turn", [0.0, 0.1, -0.25, 0.5])
def test_hue(turn):
    x = torch.tensor(np.random.default_rng(2).random((3, 3, 4)).astype("f4"))
    expected = np.empty((3, 3, 4))
    for row in range(3):
        for column in range(4):
            h, s, v = colorsys.rgb_to_hsv(*map(float, x.numpy()[:, row, column]))
            expected[:, row, column] = colorsys.hsv_to_rgb((h + turn) % 1, s, v)
    np.testing.assert_allclose(F.adjust_hue(x, turn).numpy(), expected, atol=1e-5)
    pixels = noise(4, 4, 3)
    theirs = values(F.adjust_hue(Image.fromarray(pixels), turn)).astype(int)
    ours = values(F.adjust_hue(tensor_of(pixels), turn)).astype(int)
    assert abs(ours - theirs).mean() < 6  # Pillow's hues are bytes


def test_grey():
    pixels = noise(4, 5, 3)
    assert transforms.Grayscale()(Image.fromarray(pixels)).mode == "L"
    three = values(transforms.Grayscale(3)(Image.fromarray(pixels)))
    assert three.shape == (4, 5, 3) and (three[:, :, 0] == three[:, :, 2]).all()
    x = transforms.Grayscale(3)(tensor_of(pixels))
    assert x.shape == (3, 4, 5) and x.dtype is torch.uint8
    assert abs(values(x).astype(int) - three).max() <= 1
    assert F.to_grayscale(Image.fromarray(pixels)).mode == "L"
    with pytest.raises(ValueError, match="1 or 3"):
        F.rgb_to_grayscale(tensor_of(pixels), 2)


def test_wrong_colours():
    x = tensor_of(noise(4, 5, 3))
    with pytest.raises(ValueError, match="brightness_factor"):
        F.adjust_brightness(x, -1)
    with pytest.raises(ValueError, match="hue_factor"):
        F.adjust_hue(x, 0.6)
    with pytest.raises(TypeError, match="channels"):
        F.adjust_brightness(torch.ones(2, 4, 4), 1)
    for wrong in ({"brightness": -1}, {"hue": 0.6}, {"hue": (0.2, -0.2)}, {"contrast": (-1, 1)}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            transforms.ColorJitter(**wrong)
    with pytest.raises(TypeError, match="single number"):
        transforms.ColorJitter(brightness="x")


# ---- Chance --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Image.fromarray, tensor_of])
def test_chance_is_torch_s(kind):
    pixels = noise(20, 24, 3)
    both = transforms.Compose(
        [
            transforms.RandomCrop(16, padding=2),
            transforms.RandomResizedCrop((12, 10)),
            transforms.RandomHorizontalFlip(),
            transforms.RandomVerticalFlip(),
            transforms.ColorJitter(0.5, 0.5, 0.5, 0.1),
            transforms.RandomRotation(30),
            transforms.RandomGrayscale(0.5),
            transforms.RandomApply([transforms.Pad(0)], 0.5),
            transforms.RandomChoice([transforms.Pad(0), transforms.Lambda(lambda x: x)]),
            transforms.RandomOrder([transforms.Pad(0), transforms.Lambda(lambda x: x)]),
        ]
    )
    runs = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        runs.append(values(both(kind(pixels))))
    assert runs[0].shape == (12, 10, 3)
    assert np.array_equal(runs[0], runs[1]) and not np.array_equal(runs[0], runs[2])


def test_how_often_pictures_are_flipped():
    torch.manual_seed(0)
    x = torch.tensor([[[1, 2]]])
    for p, low, high in ((0.5, 60, 140), (0.0, 0, 0), (1.0, 200, 200)):
        flip = transforms.RandomHorizontalFlip(p)
        assert low <= sum(flip(x).tolist() == [[[2, 1]]] for _ in range(200)) <= high


def test_random_crop():
    torch.manual_seed(0)
    x = torch.arange(30).reshape(1, 5, 6)
    seen = {tuple(transforms.RandomCrop.get_params(x, (4, 4))) for _ in range(100)}
    assert seen == {(top, left, 4, 4) for top in (0, 1) for left in (0, 1, 2)}
    assert transforms.RandomCrop.get_params(x, (5, 6)) == (0, 0, 5, 6)
    part = F.crop(x, *transforms.RandomCrop.get_params(x, (2, 3)))
    assert part.shape == (1, 2, 3)
    with pytest.raises(ValueError, match="larger than input image size"):
        transforms.RandomCrop(7)(x)
    assert transforms.RandomCrop(7, pad_if_needed=True)(x).shape == (1, 7, 7)


def test_random_resized_crop():
    torch.manual_seed(0)
    x = torch.zeros(1, 40, 60)
    for _ in range(50):
        top, left, height, width = transforms.RandomResizedCrop.get_params(x, (0.2, 0.5), (0.5, 2))
        assert 0 <= top <= 40 - height and 0 <= left <= 60 - width
        assert 0.15 < height * width / 2400 < 0.56 and 0.45 < width / height < 2.2
    assert transforms.RandomResizedCrop(8)(x).shape == (1, 8, 8)
    # No part of a line is as wide as high: the middle is taken.
    line = torch.zeros(1, 1, 90)
    assert transforms.RandomResizedCrop.get_params(line, (1, 1), (1, 1)) == (0, 44, 1, 1)


def test_color_jitter():
    same = transforms.ColorJitter()
    x = tensor_of(noise(4, 4, 3))
    assert same(x) is x and same.brightness is None
    order, *factors = transforms.ColorJitter.get_params((0.5, 1.5), None, (1, 1), (-0.1, 0.1))
    assert sorted(order.tolist()) == [0, 1, 2, 3] and factors[1] is None
    assert 0.5 <= factors[0] <= 1.5 and factors[2] == 1 and -0.1 <= factors[3] <= 0.1


# ---- Texts and names -----------------------------------------------------------------------------


def test_texts():
    both = transforms.Compose([transforms.ToTensor(), transforms.Normalize([0.5], [2])])
    assert str(both) == "Compose(\n    ToTensor()\n    Normalize(mean=[0.5], std=[2])\n)"
    assert str(transforms.Resize(3)) == (
        "Resize(size=3, interpolation=bilinear, max_size=None, antialias=True)"
    )
    assert str(transforms.CenterCrop(3)) == "CenterCrop(size=(3, 3))"
    assert str(transforms.RandomHorizontalFlip(0.2)) == "RandomHorizontalFlip(p=0.2)"
    assert str(transforms.RandomResizedCrop(3)) == (
        "RandomResizedCrop(size=(3, 3), scale=(0.08, 1.0), ratio=(0.75, 1.3333), "
        "interpolation=bilinear, antialias=True)"
    )
    assert str(transforms.ColorJitter(0.5)) == (
        "ColorJitter(brightness=(0.5, 1.5), contrast=None, saturation=None, hue=None)"
    )
    assert str(transforms.RandomRotation(9)) == (
        "RandomRotation(degrees=[-9.0, 9.0], interpolation=nearest, expand=False, fill=0)"
    )


def test_transforms_are_modules_and_can_be_pickled():
    both = torch.nn.Sequential(transforms.Resize(4), transforms.Normalize([0.5], [0.5]))
    assert both(torch.ones(1, 8, 8)).shape == (1, 4, 4)
    again = pickle.loads(pickle.dumps(transforms.Compose([transforms.Resize(4)])))
    assert again(torch.ones(1, 8, 8)).shape == (1, 4, 4)


def test_names_that_are_not_there():
    assert torchvision.__version__ == "0.29.2"
    for module, name in (
        (torchvision, "utils"),
        (transforms, "v2"),
        (F, "affine"),
        (torchvision.io, "write_png"),
        (torchvision.ops, "deform_conv2d"),
        (torchvision.datasets, "ImageNet"),
        (torchvision.models, "alexnet"),
    ):
        with pytest.raises(AttributeError, match=f"{name} is a part of torchvision that Penstock"):
            getattr(module, name)
        assert not hasattr(module, "__wrapped__")
    with pytest.raises(AttributeError, match="neither has torchvision.*did you mean 'RandomCrop'"):
        transforms.RandomCrp  # noqa: B018


# ---- Files ---------------------------------------------------------------------------------------


def test_read_image(tmp_path):
    pixels = noise(5, 7, 3)
    path = tmp_path / "x.png"
    Image.fromarray(pixels).save(path)
    made = torchvision.io.read_image(str(path))
    assert made.dtype is torch.uint8 and np.array_equal(values(made), pixels)
    mode = torchvision.io.image.ImageReadMode
    assert mode is torchvision.io.ImageReadMode
    grey = torchvision.io.read_image(path, mode.GRAY)
    assert grey.shape == (1, 5, 7)
    assert np.array_equal(grey[0].numpy(), (pixels.astype(int) @ [9794, 19234, 3740]) >> 15)
    assert torchvision.io.read_image(path, mode.RGB_ALPHA)[3].unique().tolist() == [255]
    assert torchvision.io.read_image(path, "GRAY_ALPHA").shape == (2, 5, 7)
    data = torchvision.io.read_file(str(path))
    assert torchvision.io.decode_image(data).equal(made)
    Image.fromarray(pixels[:, :, 0]).save(path)
    assert torchvision.io.read_image(path).shape == (1, 5, 7)
    assert torchvision.io.read_image(path, mode.RGB).shape == (3, 5, 7)
    Image.fromarray(pixels).convert("P").save(path)
    assert torchvision.io.read_image(path).shape == (1, 5, 7)  # numbers of the palette
    assert torchvision.io.read_image(path, mode.RGB).shape == (3, 5, 7)
    Image.fromarray(np.array([[0, 40000]], "uint16")).save(path)
    assert torchvision.io.read_image(path).tolist() == [[[0, 40000]]]
    assert torchvision.io.read_image(path, mode.RGB).dtype is torch.uint16
    jpeg = tmp_path / "x.jpg"
    Image.fromarray(pixels).save(jpeg)
    assert torchvision.io.read_image(jpeg, mode.GRAY).shape == (1, 5, 7)
    with pytest.raises(RuntimeError, match="opacity"):
        torchvision.io.read_image(jpeg, mode.RGB_ALPHA)


def test_files_that_are_no_pictures(tmp_path):
    with pytest.raises(RuntimeError, match="No such file"):
        torchvision.io.read_image(str(tmp_path / "no.png"))
    path = tmp_path / "x.png"
    path.write_bytes(b"words")
    with pytest.raises(RuntimeError, match="not a picture"):
        torchvision.io.read_image(path)
    Image.fromarray(noise(50, 70, 3)).save(path)
    path.write_bytes(path.read_bytes()[:3000])
    with pytest.raises(RuntimeError, match="not a picture"):
        torchvision.io.read_image(path)


# ---- Boxes ---------------------------------------------------------------------------------------


def test_boxes():
    boxes = torch.tensor([[0.0, 0, 2, 2], [1, 1, 3, 3], [0, 0, 2, 1.9], [5, 5, 6, 6]])
    assert torchvision.ops.box_area(boxes).tolist()[:2] == [4, 4]
    found = torchvision.ops.box_iou(boxes[:1], boxes).tolist()[0]
    np.testing.assert_allclose(found, [1, 1 / 7, 0.95, 0], rtol=1e-6)
    scores = torch.tensor([0.5, 0.9, 0.6, 0.1])
    assert torchvision.ops.nms(boxes, scores, 0.5).tolist() == [1, 2, 3]
    assert torchvision.ops.nms(boxes, scores, 0.1).tolist() == [1, 3]
    assert torchvision.ops.nms(boxes, scores, 0.99).tolist() == [1, 2, 0, 3]
    assert torchvision.ops.nms(boxes[:0], scores[:0], 0.5).tolist() == []
    cut = torchvision.ops.clip_boxes_to_image(boxes, (2, 3))
    assert cut.tolist()[1] == [1, 1, 3, 2]
    with pytest.raises(RuntimeError, match="same number"):
        torchvision.ops.nms(boxes, scores[:2], 0.5)


def test_roi_pool():
    # The example of a book: the regions [0, 0, 20, 20] and [0, 10, 30, 30] of a picture of 40 x 40.
    x = torch.arange(16.0).reshape(1, 1, 4, 4)
    rois = torch.tensor([[0.0, 0, 0, 20, 20], [0, 0, 10, 30, 30]])
    found = torchvision.ops.roi_pool(x, rois, output_size=(2, 2), spatial_scale=0.1)
    assert found.tolist() == [[[[5, 6], [9, 10]]], [[[9, 11], [13, 15]]]]
    listed = torchvision.ops.roi_pool(x, [rois[:, 1:]], (2, 2), 0.1)
    assert listed.equal(found)
    beyond = torchvision.ops.roi_pool(x, torch.tensor([[0.0, 50, 50, 60, 60]]), 1, 1.0)
    assert beyond.tolist() == [[[[0]]]]
    x.requires_grad = True
    torchvision.ops.roi_pool(x, rois, 2, 0.1).sum().backward()
    assert x.grad.sum().item() == 8
