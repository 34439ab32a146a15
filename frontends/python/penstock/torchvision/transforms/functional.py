"""torchvision.transforms.functional: what is done to pictures, which are tensors or Pillow's."""

from ...torch import Tensor, float32
from .. import _missing
from . import _pillow, _tensors
from ._convert import pil_to_tensor, to_pil_image, to_tensor
from ._modes import InterpolationMode, checked

__all__ = [
    *("InterpolationMode", "adjust_brightness", "adjust_contrast", "adjust_gamma", "adjust_hue"),
    *("adjust_saturation", "center_crop", "convert_image_dtype", "crop", "five_crop"),
    *("get_dimensions", "get_image_num_channels", "get_image_size", "hflip", "normalize", "pad"),
    *("pil_to_tensor", "resize", "resized_crop", "rgb_to_grayscale", "rotate", "to_grayscale"),
    *("to_pil_image", "to_tensor", "vflip"),
]


def _of(img):
    """The functions for the class of a picture."""
    if isinstance(img, Tensor):
        _tensors.check(img)
        return _tensors
    if not _pillow.is_picture(img):
        raise TypeError(f"Unexpected type {type(img)}: a picture is a tensor or a PIL Image")
    return _pillow


# ---- Sizes ---------------------------------------------------------------------------------------


def get_image_size(img):
    """Width and height."""
    return list(_of(img).size(img)[::-1])


def get_dimensions(img):
    """Channels, height and width."""
    kind = _of(img)
    return [kind.channels(img), *kind.size(img)]


def get_image_num_channels(img):
    """How many channels there are."""
    return _of(img).channels(img)


def sizes(size, text="Please provide only two dimensions (h, w) for size."):
    """Height and width, given as both or as one number."""
    if isinstance(size, int):
        return size, size
    size = tuple(size)
    if len(size) not in (1, 2):
        raise ValueError(text)
    return size if len(size) == 2 else size * 2


def check_size(size, max_size):
    """What Resize takes for a size, as a tuple of one length, the shorter's, or of two."""
    if not isinstance(size, (int, tuple, list)):
        raise TypeError(f"Size should be int or sequence. Got {type(size)}")
    given = (size,) if isinstance(size, int) else tuple(size)
    if len(given) not in (1, 2):
        raise ValueError(
            f"Size must be an int or a 1 or 2 element tuple/list, not a {len(given)} element "
            "tuple/list"
        )
    if max_size is not None and len(given) != 1:
        raise ValueError(
            "max_size should only be passed if size specifies the length of the smaller edge, i.e. "
            "size should be an int"
        )
    return given


def _resized(height, width, size, max_size):
    """Height and width of a picture whose shorter side gets a length."""
    short, long = min(height, width), max(height, width)
    new_short, new_long = size, int(size * long / short)
    if max_size is not None:
        if max_size <= size:
            raise ValueError(
                f"max_size = {max_size} must be strictly greater than the requested size for the "
                f"smaller edge size = {size}"
            )
        if new_long > max_size:
            new_short, new_long = int(max_size * new_short / new_long), max_size
    return (new_long, new_short) if width <= height else (new_short, new_long)


def resize(img, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
    """Another size: (height, width), or one length for the shorter side, which keeps the shape."""
    kind, mode = _of(img), checked(interpolation)
    given, before = check_size(size, max_size), _of(img).size(img)
    wanted = given if len(given) == 2 else _resized(*before, given[0], max_size)
    if tuple(wanted) == tuple(before):
        return img
    if min(wanted) <= 0:
        raise ValueError(f"resize: height and width must be above 0, not {wanted}")
    return kind.resize(img, *wanted, mode, antialias)


# ---- Places --------------------------------------------------------------------------------------


def crop(img, top, left, height, width):
    """A part of a picture; beyond its border are zeros."""
    return _of(img).crop(img, top, left, height, width)


def center_crop(img, output_size):
    """The part in the middle, of (height, width); a smaller picture gets a border of zeros."""
    height, width = sizes(output_size)
    rows, columns = _of(img).size(img)
    if width > columns or height > rows:
        across, down = max(width - columns, 0), max(height - rows, 0)
        img = pad(img, [across // 2, down // 2, (across + 1) // 2, (down + 1) // 2])
        rows, columns = _of(img).size(img)
    top, left = round((rows - height) / 2), round((columns - width) / 2)
    return img if (rows, columns) == (height, width) else crop(img, top, left, height, width)


def resized_crop(
    img, top, left, height, width, size, interpolation=InterpolationMode.BILINEAR, antialias=True
):
    """A part of a picture, in another size."""
    return resize(crop(img, top, left, height, width), size, interpolation, None, antialias)


def five_crop(img, size):
    """The four corners and the middle, each of (height, width)."""
    height, width = sizes(size)
    rows, columns = _of(img).size(img)
    if width > columns or height > rows:
        raise ValueError(f"Requested crop size {size} is bigger than input size {(rows, columns)}")
    corners = [(0, 0), (0, columns - width), (rows - height, 0), (rows - height, columns - width)]
    parts = [crop(img, top, left, height, width) for top, left in corners]
    return *parts, center_crop(img, [height, width])


_PADDING_MODES = ("constant", "edge", "reflect", "symmetric")


def check_padding(padding, fill, padding_mode):
    """The errors of a border that is none."""
    if not isinstance(padding, (int, tuple, list)):
        raise TypeError("Got inappropriate padding arg")
    if not isinstance(fill, (int, float, str, tuple, list)):
        raise TypeError("Got inappropriate fill arg")
    if padding_mode not in _PADDING_MODES:
        raise ValueError("Padding mode should be either constant, edge, reflect or symmetric")
    if isinstance(padding, (tuple, list)) and len(padding) not in (1, 2, 4):
        raise ValueError(
            f"Padding must be an int or a 1, 2, or 4 element tuple, not a {len(padding)} element "
            "tuple"
        )


def pad(img, padding, fill=0, padding_mode="constant"):
    """A border around: one width, (across, down), or (left, top, right, bottom)."""
    check_padding(padding, fill, padding_mode)
    border = (padding,) if isinstance(padding, int) else tuple(padding)
    border = border * (4 // len(border))
    return _of(img).pad(img, border, fill, padding_mode)


def hflip(img):
    """Left and right exchanged."""
    return _of(img).hflip(img)


def vflip(img):
    """Top and bottom exchanged."""
    return _of(img).vflip(img)


def rotate(
    img, angle, interpolation=InterpolationMode.NEAREST, expand=False, center=None, fill=None
):
    """Turned counter-clockwise by so many degrees, around the middle or another point."""
    if not isinstance(angle, (int, float)):
        raise TypeError("Argument angle should be int or float")
    mode, kind = checked(interpolation), _of(img)
    if kind is _pillow:
        return _pillow.rotate(img, angle, mode, expand, center, fill)
    if expand:
        raise NotImplementedError("rotate: expand=True is here for pictures of Pillow's alone")
    return _tensors.rotate(img, angle, mode, center, fill)


# ---- Colours -------------------------------------------------------------------------------------


def normalize(tensor, mean, std, inplace=False):
    """(tensor - mean) / std for each channel."""
    if not isinstance(tensor, Tensor):
        raise TypeError(f"img should be Tensor Image. Got {type(tensor)}")
    return _tensors.normalize(tensor, mean, std, inplace)


def convert_image_dtype(image, dtype=float32):
    """The same picture in another type, where white is another number."""
    if not isinstance(image, Tensor):
        raise TypeError("Input img should be Tensor Image")
    return _tensors.convert(image, dtype)


def rgb_to_grayscale(img, num_output_channels=1):
    """The brightness as one channel, or as three alike."""
    return _of(img).grey(img, num_output_channels)


def to_grayscale(img, num_output_channels=1):
    """The same for a picture of Pillow's alone."""
    if not _pillow.is_picture(img):
        raise TypeError("Input should be PIL Image")
    return _pillow.grey(img, num_output_channels)


def _check_factor(name, factor):
    if factor < 0:
        raise ValueError(f"{name} ({factor}) is not non-negative.")


def adjust_brightness(img, brightness_factor):
    """Brighter or darker: 0 is black, 1 is as it was."""
    _check_factor("brightness_factor", brightness_factor)
    return _of(img).brightness(img, brightness_factor)


def adjust_contrast(img, contrast_factor):
    """More contrast or less: 0 is grey, 1 is as it was."""
    _check_factor("contrast_factor", contrast_factor)
    return _of(img).contrast(img, contrast_factor)


def adjust_saturation(img, saturation_factor):
    """More colour or less: 0 is without, 1 is as it was."""
    _check_factor("saturation_factor", saturation_factor)
    return _of(img).saturation(img, saturation_factor)


def adjust_hue(img, hue_factor):
    """Every hue turned by so many full circles, from -0.5 to 0.5."""
    if not -0.5 <= hue_factor <= 0.5:
        raise ValueError(f"hue_factor ({hue_factor}) is not in [-0.5, 0.5].")
    return _of(img).hue(img, hue_factor)


def adjust_gamma(img, gamma, gain=1):
    """gain * img ** gamma, with white as 1."""
    if gamma < 0:
        raise ValueError("Gamma should be a non-negative real number")
    return _of(img).gamma(img, gamma, gain)


__getattr__ = _missing.missing("torchvision.transforms.functional")
