"""Functions of mx.image: pictures read, resized, cut and turned."""

import random

from ... import _core
from ..._pictures.parts import drawn_size
from ..._pictures.resize import resized
from ..._pictures.rotate import rotated
from .. import _dialects
from .._mode import mode
from .._nd_array import NDArray
from .._np_array import ndarray
from ..base import MXNetError, MXNetTypeError, MXNetValueError

_ops = _core._ops

__all__ = [
    *("center_crop", "color_normalize", "copyMakeBorder", "fixed_crop", "imdecode", "imread"),
    *("imresize", "imrotate", "random_crop", "random_rotate", "random_size_crop", "resize_short"),
    "scale_down",
]


# ---- Arrays --------------------------------------------------------------------------------------


def kind_of(src):
    """The class of a picture, of mx.nd or of mx.np; another raises."""
    if isinstance(src, ndarray):
        return ndarray
    if isinstance(src, NDArray):
        return NDArray
    raise TypeError(f"a picture is an array of mx.nd or of mx.np, not {type(src)}")


def made(values, like=None, dtype=None):
    """A new array: of the class of another, or of the mode of this thread."""
    cls = (ndarray if mode.array else NDArray) if like is None else kind_of(like)
    return _core.array(values, dtype).as_subclass(cls)


def _into(out, result):
    return result if out is None else _dialects.written(out, result)


# ---- Reading -------------------------------------------------------------------------------------


def imread(filename, flag=1, to_rgb=True, out=None):
    """The picture that a file has, (height, width, channels) of uint8: flag 0 reads grey."""
    try:
        with open(filename, "rb") as file:
            data = file.read()
    except OSError as error:
        raise MXNetError(f"imread: {filename!r} couldn't open file: {error.strerror}") from None
    return imdecode(data, flag, to_rgb, out)


def imdecode(buf, flag=1, to_rgb=True, out=None):
    """The picture that bytes are, (height, width, channels) of uint8: flag 0 gives grey.

    Colours are red, green, blue; with to_rgb=False blue, green, red.
    """
    from .._pillow import decoded

    import numpy

    if isinstance(buf, numpy.ndarray):
        buf = buf.tobytes()
    if not isinstance(buf, (bytes, bytearray, memoryview)):
        raise ValueError(
            f"buf must be bytes or an array of NumPy with them, not {type(buf).__name__!r}"
        )
    if flag not in (0, 1):
        raise MXNetValueError(f"imdecode: flag must be 0 (grey) or 1 (colours), not {flag!r}")
    pixels = decoded(bytes(buf), flag, bool(to_rgb))
    return _into(out, made(pixels if pixels.ndim == 3 else pixels[:, :, None]))


# ---- Sizes ---------------------------------------------------------------------------------------


def imresize(src, w, h, interp=1, out=None):
    """A picture of another size. interp: 0 nearest, 1 linear, 2 cubic, 3 by area, 4 Lanczos."""
    if src.ndim != 3:
        raise MXNetValueError(f"imresize: a picture has 3 dimensions, not {src.ndim}")
    return _into(out, _dialects.call(kind_of(src), resized, src, int(w), int(h), int(interp)))


def interp_method(interp, sizes=()):
    """A rule of resizing by its number; 9 depends on (height, width) before and after, 10 on luck.

    9 is cubic to enlarge, area to shrink, else linear.
    """
    if interp == 9:
        if not sizes:
            return 2
        old_h, old_w, new_h, new_w = sizes
        if new_h > old_h and new_w > old_w:
            return 2
        return 3 if new_h < old_h and new_w < old_w else 1
    if interp == 10:
        return random.randint(0, 4)
    if interp not in (0, 1, 2, 3, 4):
        raise ValueError(f"Unknown interp method {interp}")
    return interp


def scale_down(src_size, size):
    """A size (width, height) of a cut, made smaller in proportion if the picture is smaller."""
    width, height = size
    most_width, most_height = src_size
    if height > most_height:
        width, height = width * most_height / height, most_height
    if width > most_width:
        width, height = most_width, height * most_width / width
    return int(width), int(height)


def resize_short(src, size, interp=2):
    """A picture whose shorter side has this length."""
    h, w = src.shape[:2]
    new_h, new_w = (size * h // w, size) if h > w else (size, size * w // h)
    return imresize(src, new_w, new_h, interp_method(interp, (h, w, new_h, new_w)))


# ---- Cuts ----------------------------------------------------------------------------------------


def fixed_crop(src, x0, y0, w, h, size=None, interp=2):
    """The part of a picture at column x0 and row y0; of a size (width, height) if one is given."""
    part = src[y0 : y0 + h, x0 : x0 + w]
    if size is None or (w, h) == tuple(size):
        return part
    return imresize(part, *size, interp_method(interp, (h, w, size[1], size[0])))


def random_crop(src, size, interp=2):
    """A part somewhere in a picture, and where: (x0, y0, width, height)."""
    h, w = src.shape[:2]
    new_w, new_h = scale_down((w, h), size)
    x0 = random.randint(0, w - new_w)
    y0 = random.randint(0, h - new_h)
    return fixed_crop(src, x0, y0, new_w, new_h, size, interp), (x0, y0, new_w, new_h)


def center_crop(src, size, interp=2):
    """The part in the middle of a picture, and where: (x0, y0, width, height)."""
    h, w = src.shape[:2]
    new_w, new_h = scale_down((w, h), size)
    x0, y0 = int((w - new_w) / 2), int((h - new_h) / 2)
    return fixed_crop(src, x0, y0, new_w, new_h, size, interp), (x0, y0, new_w, new_h)


def random_size_crop(src, size, area, ratio, interp=2, **kwargs):
    """A part of random area and ratio of its sides, in another size, and where it was.

    `area` is a share of the picture's, the least or (least, most). After ten parts that do not fit
    it is the one in the middle.
    """
    if "min_area" in kwargs:
        import warnings

        warnings.warn("`min_area` is deprecated: use `area`", DeprecationWarning, stacklevel=2)
        area = kwargs.pop("min_area")
    assert not kwargs, f"random_size_crop has no arguments {[*kwargs]}"
    h, w = src.shape[:2]
    shares = area if isinstance(area, (tuple, list)) else (area, 1.0)
    drawn = drawn_size(h, w, shares, ratio, random.uniform)
    if drawn is None:
        return center_crop(src, size, interp)
    new_h, new_w = drawn
    x0 = random.randint(0, w - new_w)
    y0 = random.randint(0, h - new_h)
    return fixed_crop(src, x0, y0, new_w, new_h, size, interp), (x0, y0, new_w, new_h)


# ---- Borders and colours -------------------------------------------------------------------------

_BORDERS = {0: "constant", 1: "edge", 2: "symmetric", 3: "wrap", 4: "reflect"}


def copyMakeBorder(src, top, bot, left, right, type=0, value=0.0, values=(), out=None):
    """A picture with a border of so many pixels.

    type: 0 of a value, or a value for each channel; 1 the outermost pixels; 2 mirrored; 3 from the
    other side; 4 mirrored without the outermost pixels.
    """
    if type not in _BORDERS:
        raise MXNetValueError(f"copyMakeBorder: Unknown/unsupported border type {type!r}")
    if min(top, bot, left, right) < 0:
        raise MXNetValueError("copyMakeBorder: no border may be below 0")
    given = _bordered, src, (top, left, 0), (bot, right, 0), _BORDERS[type], value, tuple(values)
    return _into(out, _dialects.call(kind_of(src), *given))


def _bordered(x, before, after, way, value, values):
    pad = _ops["pad"]
    if way != "constant" or not values:
        return pad(x, before, after, value, way)
    values += (0.0,) * (x.shape[2] - len(values))
    parts = [pad(x[:, :, c : c + 1], before, after, values[c], way) for c in range(x.shape[2])]
    return _ops["concatenate"](parts, 2)


def color_normalize(src, mean, std=None):
    """(src - mean) / std, written into src; None leaves that part out."""
    if mean is not None:
        src -= mean
    if std is not None:
        src /= std
    return src


# ---- Turning -------------------------------------------------------------------------------------


def imrotate(src, rotation_degrees, zoom_in=False, zoom_out=False):
    """A picture (channels, height, width) of float32, or several, turned counter-clockwise.

    Of several, rotation_degrees is a number or an array with one for each. The shape stays; zoom_in
    enlarges so far that nothing beyond the border is seen, zoom_out shrinks so far that the whole
    picture is.
    """
    if zoom_in and zoom_out:
        raise ValueError("imrotate: either zoom_in or zoom_out, not both")
    if str(_dialects.native(src).dtype) != "float32":
        raise TypeError("imrotate: pictures must be of float32")
    if src.ndim not in (3, 4):
        raise ValueError(f"imrotate: one picture has 3 dimensions and a batch 4, not {src.ndim}")
    degrees = _degrees(src, rotation_degrees)
    return _dialects.call(kind_of(src), _turned, src, degrees, zoom_in, zoom_out)


def _degrees(src, degrees):
    """Angles as a native array of one dimension."""
    if src.ndim == 3:
        if isinstance(degrees, _core.ndarray) or not _is_number(degrees):
            raise TypeError(
                "imrotate: the angle of one picture is one number"
            )
    elif isinstance(degrees, (tuple, list)) or isinstance(degrees, _core.ndarray):
        if len(degrees) != len(src):
            raise ValueError(f"imrotate: there are {len(src)} pictures and {len(degrees)} angles")
    elif not _is_number(degrees):
        raise MXNetTypeError(f"imrotate: angles are numbers, not {degrees!r}")
    if isinstance(degrees, _core.ndarray):
        return _ops["cast"](_dialects.native(degrees), "float32")
    many = degrees if isinstance(degrees, (tuple, list)) else [degrees]
    return _core.array([float(one) for one in many], "float32")


def _is_number(value):
    return isinstance(value, (int, float)) or hasattr(value, "dtype") and not value.shape


def _turned(x, degrees, zoom_in, zoom_out):
    many = x if x.ndim == 4 else _ops["expand_dims"](x, 0)
    found = rotated(many, degrees, zoom_in, zoom_out)
    return found if x.ndim == 4 else found.reshape(x.shape)


def random_rotate(src, angle_limits, zoom_in=False, zoom_out=False):
    """The same by an angle between two limits, for each picture one of its own."""
    import numpy

    if src.ndim == 3:
        return imrotate(src, numpy.random.uniform(*angle_limits), zoom_in, zoom_out)
    degrees = numpy.random.uniform(*angle_limits, size=len(src)).tolist()
    return imrotate(src, degrees, zoom_in, zoom_out)
