"""Expressions of torchvision, whose values record_torchvision.py recorded of the real 0.29.2.

The same runs with the real one and with ours. A value is a tensor, a picture of Pillow's, an array,
numbers, or the class of an exception.
"""

SETUP = """
import numpy as np
from PIL import Image
import torch, torchvision
from torchvision import transforms, ops
from torchvision.transforms import functional as F, InterpolationMode as I

draw = np.random.RandomState(7)
pixels = draw.randint(0, 256, (7, 8, 3)).astype("uint8")
rows, columns = np.mgrid[:9, :13]
slope = np.stack([rows * 25, columns * 18, rows * 8 + columns * 13], 2).astype("uint8")
p, s = Image.fromarray(pixels), Image.fromarray(slope)
l, a = p.convert("L"), p.convert("RGBA")
x = torch.from_numpy(np.ascontiguousarray(pixels.transpose(2, 0, 1)))
y = torch.from_numpy(np.ascontiguousarray(slope.transpose(2, 0, 1)))
f = torch.from_numpy(draw.rand(3, 7, 8).astype("float32"))
g = f[:1]
b = torch.stack([f, f * f])
boxes = torch.tensor([[0., 0., 4., 4.], [1., 1., 5., 5.], [0., 0., 4., 3.5], [6., 6., 8., 9.]])
boxes = torch.cat([boxes, torch.tensor([[5., 1., 7., 8.]])])
scores = torch.tensor([.5, .9, .6, .2, .55])
"""

_SIZES = ("4", "[4]", "(5, 3)", "(11, 6)", "(7, 12)", "(1, 1)", "9")
_ALL = ("p", "l", "x", "f")


def _of_one(given):
    """What is done to a picture, whatever it is."""
    for size in _SIZES:
        yield f"F.resize({given}, {size})"
    for mode in ("NEAREST", "NEAREST_EXACT", "BICUBIC"):
        for size in ("(5, 3)", "(10, 6)", "(4, 12)"):
            yield f"F.resize({given}, {size}, I.{mode})"
    for place in ("0, 0, 3, 4", "-2, 1, 5, 6", "3, -1, 4, 11", "5, 6, 4, 4", "2, 3, 0, 4"):
        yield f"F.crop({given}, {place})"
    for size in ("3", "[4]", "(2, 6)", "(8, 4)", "(9, 10)", "(7, 8)"):
        yield f"F.center_crop({given}, {size})"
    for name in ("hflip", "vflip", "get_dimensions", "get_image_size"):
        yield f"F.{name}({given})"
    yield f"F.five_crop({given}, (3, 4))"
    yield f"F.resized_crop({given}, 1, 2, 5, 6, (4, 3))"
    for mode in ("constant", "edge", "reflect", "symmetric"):
        for border in ("2", "(1, 3)", "(1, 2, 3, 4)", "[2]"):
            yield f"F.pad({given}, {border}, 0, {mode!r})"
    yield f"F.pad({given}, 1, 5)"
    for angle in ("41", "-128", "180", "17.5", "-203"):
        yield f"F.rotate({given}, {angle})"
        yield f"F.rotate({given}, {angle}, I.BILINEAR)"
    yield f"F.rotate({given}, 25, center=[2, 3], fill=0.5)"


def _colours(given):
    yield f"F.rgb_to_grayscale({given})"
    yield f"F.rgb_to_grayscale({given}, 3)"
    for name in ("brightness", "contrast", "saturation"):
        yield from (f"F.adjust_{name}({given}, {factor})" for factor in (0, 0.4, 1, 1.8))
    yield from (f"F.adjust_hue({given}, {turn})" for turn in (-0.5, -0.2, 0, 0.35))
    yield from (f"F.adjust_gamma({given}, {power})" for power in (0.5, 1, 2.2))


_SEVERAL = """
F.resize({}, (4, 9))
F.hflip({})
F.pad({}, 1)
F.rgb_to_grayscale({})
F.rotate({}, 20)
F.adjust_contrast({}, .4)
F.adjust_saturation({}, .4)
F.adjust_hue({}, .2)
F.adjust_brightness({}, 2)
"""
_OTHERS = """
F.rgb_to_grayscale(g, 3)
F.resize(f, 5, max_size=6)
F.resize(p, 5, max_size=6)
F.resize(p, 5, 3)
F.rotate(p, 33, expand=True)
F.rotate(p, 33, fill=[1, 2, 3])
F.rotate(x, 33, fill=[1, 2, 3])
F.rotate(f, 33, I.BILINEAR, fill=[1., .5, 0.])
F.to_tensor(p)
F.to_tensor(l)
F.to_tensor(a)
F.to_tensor(pixels)
F.to_tensor(p.convert('1'))
F.to_tensor(pixels[:, :, 0])
F.to_tensor(pixels / 255)
F.to_tensor(l.convert('I'))
F.to_tensor(l.convert('F'))
F.pil_to_tensor(p)
F.pil_to_tensor(l)
F.pil_to_tensor(a)
F.to_pil_image(x)
F.to_pil_image(f)
F.to_pil_image(g)
F.to_pil_image(x[:2])
F.to_pil_image(pixels)
F.to_pil_image(x[0])
F.to_pil_image(f[0])
F.to_pil_image(g, 'F')
F.to_pil_image(x, 'HSV')
F.to_pil_image(x.int()[:1])
F.normalize(f, [.4, .5, .6], [.1, .2, .3])
F.normalize(b, (.5,), (.25,))
F.normalize(f.double(), [.4, .5, .6], [.1, .2, .3])
transforms.Normalize(.5, .5)(f)
ops.box_area(boxes)
ops.box_iou(boxes, boxes[:3])
ops.nms(boxes, scores, 0.05)
ops.nms(boxes, scores, 0.3)
ops.nms(boxes, scores, 0.5)
ops.nms(boxes, scores, 0.9)
ops.clip_boxes_to_image(boxes, (4, 6))
ops.roi_pool(b, [boxes, boxes[1:2]], (2, 2), 1.0)
ops.roi_pool(b, [boxes, boxes[1:2]], 3, 0.7)
ops.roi_pool(b, [boxes, boxes[1:2]], (1, 4), 1.4)
ops.roi_pool(b, torch.tensor([[1., 0., 0., 3., 3.], [0., 20., 20., 30., 30.]]), 2)
"""


def _lines(text):
    return text.strip().split("\n")


def _expressions():
    for given in _ALL:
        yield from _of_one(given)
        yield from _colours(given)
    for mode in ("BILINEAR", "BICUBIC"):
        for size in ("(5, 3)", "(11, 6)", "(4, 15)", "6"):
            yield f"F.resize(f, {size}, I.{mode}, antialias=False)"
            yield f"F.resize(y, {size}, I.{mode})"
            yield f"F.resize(s, {size}, I.{mode})"
    for given in ("g", "b"):
        yield from (line.format(given) for line in _lines(_SEVERAL))
    for before in ("x", "f", "f.double()", "x.int()", "x.to(torch.int16)"):
        for after in ("uint8", "int16", "int32", "int64", "float32", "float64"):
            yield f"F.convert_image_dtype({before}, torch.{after})"
    yield from _lines(_OTHERS)
    yield from (f"str(transforms.{line})" for line in _lines(_TEXTS))
    yield from _lines(_WRONG)


_TEXTS = """
ToTensor()
PILToTensor()
ToPILImage()
ToPILImage('L')
Resize(3)
CenterCrop(4)
Resize((3, 4), I.NEAREST, antialias=False)
Pad(2)
Pad((1, 2), 3, 'edge')
Grayscale(3)
RandomCrop(3, padding=1)
RandomHorizontalFlip()
RandomVerticalFlip(.2)
Lambda(len)
RandomResizedCrop(5)
ColorJitter(.5, hue=.1)
ColorJitter((1, 2))
RandomRotation(5)
RandomRotation((1, 2), center=(1, 2))
Normalize([.5], [2])
RandomGrayscale()
ConvertImageDtype(torch.float32)
Compose([transforms.ToTensor(), transforms.Resize(2)])
RandomApply([transforms.Pad(1)])
RandomChoice([transforms.Pad(1)])
FiveCrop(2)
RandomOrder([transforms.Pad(1)])
"""
_WRONG = """
F.to_tensor([1])
F.to_tensor(np.zeros(3))
F.pil_to_tensor(x)
F.to_pil_image('x')
F.to_pil_image(x[0, 0])
F.to_pil_image(torch.zeros(5, 2, 2))
F.to_pil_image(x, 'L')
F.normalize(x, [0], [1])
F.normalize(p, [0], [1])
F.normalize(f[0], [0], [1])
F.normalize(f, [0], [0])
F.resize(f, (1, 2, 3))
F.resize(f, '3')
F.resize(pixels, 3)
F.resize(f, (3, 4), max_size=5)
F.resize(f, 5, max_size=5)
F.resize(f, 3, I.LANCZOS)
F.resize(f, 3, 'bilinear')
F.pad(f, (1, 2, 3))
F.pad(f, '1')
F.pad(f, 1, 0, 'wrap')
F.adjust_brightness(f, -1)
F.adjust_hue(f, .6)
F.adjust_gamma(f, -1)
F.rotate(f, '1')
F.adjust_brightness(f[:2], 1)
F.rgb_to_grayscale(f, 2)
F.to_grayscale(f)
F.hflip(3)
F.five_crop(f, 50)
F.rgb_to_grayscale(f[:2])
transforms.RandomCrop(50)(f)
transforms.ColorJitter(-1)
transforms.ColorJitter(hue=1)
transforms.ColorJitter('x')
transforms.ColorJitter(brightness=(2, 1))
transforms.RandomRotation(-1)
transforms.Pad(None)
transforms.RandomRotation((1, 2, 3))
transforms.Lambda(3)
transforms.CenterCrop((1, 2, 3))
transforms.RandomResizedCrop(3, scale=1)
F.adjust_contrast(f[:2], 1)
F.crop(3, 1, 1, 1, 1)
ops.nms(boxes, scores[:2], .5)
F.convert_image_dtype(p)
F.center_crop(f, (1, 2, 3))
"""
EXPRESSIONS = list(dict.fromkeys(_expressions()))


def names():
    """What the expressions find."""
    found = {}
    exec(SETUP, found)
    return found


def value_of(expression, found):
    """The value as lists and texts; an exception as its class."""
    try:
        return _described(eval(expression, found))
    except Exception as error:
        return ["raises", type(error).__name__]


def _described(value):
    import numpy

    if hasattr(value, "mode") and hasattr(value, "getbands"):
        array = numpy.asarray(value)
        return [value.mode, list(array.shape), array.astype("float64").round(5).ravel().tolist()]
    if hasattr(value, "detach"):
        array = value.detach().numpy().astype("float64").round(5)
        return [str(value.dtype), list(value.shape), array.ravel().tolist()]
    if isinstance(value, (tuple, list)):
        return [type(value).__name__, None, [_described(one) for one in value]]
    return [type(value).__name__, None, value]
