"""Pictures of Pillow's and arrays of NumPy's as tensors, and back."""

from ...torch import Tensor, from_numpy, get_default_dtype, is_tensor, uint8
from ._pillow import is_picture

_DEEP = {"I": "int32", "I;16": "int16", "F": "float32"}


def to_tensor(pic):
    """A picture as (channels, height, width): bytes become numbers from 0 to 1.

    >>> import numpy as np
    >>> from penstock.torchvision.transforms import functional
    >>> functional.to_tensor(np.array([[[0, 255, 51]]], "uint8")).flatten()
    tensor([0.0000, 1.0000, 0.2000])
    """
    import numpy

    if isinstance(pic, numpy.ndarray):
        if pic.ndim not in (2, 3):
            raise ValueError(f"pic should be 2/3 dimensional. Got {pic.ndim} dimensions.")
        made = _channels_first(pic)
    elif is_picture(pic):
        made = _channels_first(_pixels(pic))
    else:
        raise TypeError(f"pic should be PIL Image or ndarray. Got {type(pic)}")
    return made.to(get_default_dtype()) / 255 if made.dtype is uint8 else made


def pil_to_tensor(pic):
    """A picture as (channels, height, width), of the numbers that it has."""
    if not is_picture(pic):
        raise TypeError(f"pic should be PIL Image. Got {type(pic)}")
    import numpy

    return _channels_first(numpy.asarray(pic))


def _pixels(pic):
    import numpy

    if pic.mode == "1":
        return numpy.asarray(pic).astype("uint8") * numpy.uint8(255)
    return numpy.asarray(pic, _DEEP.get(pic.mode))


def _channels_first(pixels):
    import numpy

    pixels = pixels[:, :, None] if pixels.ndim == 2 else pixels
    return from_numpy(numpy.ascontiguousarray(pixels.transpose(2, 0, 1)))


# ---- Back ----------------------------------------------------------------------------------------

# By channels: the mode that is meant, and those that can be asked for.
_MODES = {2: ("LA", "LA"), 3: ("RGB", "RGB YCbCr HSV"), 4: ("RGBA", "RGBA CMYK RGBX")}
_GREY = {"uint8": "L", "int16": "I;16", "int32": "I", "float32": "F"}


def to_pil_image(pic, mode=None):
    """A tensor (channels, height, width), or an array with channels last, as Pillow's. Waits."""
    from ..._pictures.pillow import pillow

    pixels = _array(pic, mode)
    count = pixels.shape[2]
    kind = pixels.dtype.name
    if count == 1:
        expected, allowed = _GREY.get(kind), _GREY.get(kind, "")
    else:
        expected, allowed = _MODES[count] if kind == "uint8" else (None, "")
    if mode is not None and mode not in allowed.split():
        raise ValueError(
            f"Incorrect mode ({mode}) supplied for input type {pixels.dtype} with {count} "
            f"channels. Should be one of: {allowed}"
        )
    if expected is None:
        raise TypeError(f"Input type {pixels.dtype} is not supported")
    return pillow().frombytes(mode or expected, pixels.shape[1::-1], pixels.tobytes())


def _array(pic, mode):
    import numpy

    if not is_tensor(pic) and not isinstance(pic, numpy.ndarray):
        raise TypeError(f"pic should be Tensor or ndarray. Got {type(pic)}.")
    if pic.ndim not in (2, 3):
        raise ValueError(f"pic should be 2/3 dimensional. Got {pic.ndim} dimensions.")
    if isinstance(pic, Tensor):
        if pic.dtype.is_floating_point and mode != "F":
            pic = (pic * 255).to(uint8)
        pic = pic.detach().numpy()
        pic = pic[None] if pic.ndim == 2 else pic
        pic = pic.transpose(1, 2, 0)
    pic = pic[:, :, None] if pic.ndim == 2 else pic
    if not 1 <= pic.shape[2] <= 4:
        raise ValueError(f"pic should not have > 4 channels. Got {pic.shape[2]} channels.")
    return numpy.ascontiguousarray(pic)
