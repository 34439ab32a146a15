"""The forms of pictures that transforms take: Pillow's, arrays (H, W, C), tensors (C, H, W)."""

from .._tensor import Tensor


def picture(img):
    """A picture of Pillow's, also of an array."""
    from ..._pictures.pillow import pillow

    if isinstance(img, pillow().Image):
        return img
    if isinstance(img, Tensor):
        raise NotImplementedError("paddle.vision.transforms: this one is not here for tensors")
    import numpy

    pixels = numpy.asarray(img)
    one = pixels.ndim == 3 and pixels.shape[2] == 1
    return pillow().fromarray(pixels[:, :, 0] if one else pixels)


def like(made, img):
    """A picture in the form of what was given."""
    import numpy

    if not isinstance(img, numpy.ndarray):
        return made
    pixels = numpy.asarray(made)
    return pixels[:, :, None] if img.ndim == 3 and pixels.ndim == 2 else pixels


def is_array(img):
    """Whether it is an array of NumPy's."""
    import numpy

    return isinstance(img, numpy.ndarray)


def size(img):
    """Width and height."""
    if isinstance(img, Tensor):
        return img.shape[-1], img.shape[-2]
    return (img.shape[1], img.shape[0]) if is_array(img) else picture(img).size


class BaseTransform:
    """A transform of a picture; a class that has `_apply_image`.

    With `keys`, what is called with is a tuple of one item for each: those that are called "image"
    are transformed, the others stay as they are.
    """

    def __init__(self, keys=None):
        if keys is not None and not isinstance(keys, (list, tuple)):
            raise ValueError(f"keys should be a list or tuple, but got keys={keys}")
        self.keys, self.params = ("image",) if keys is None else keys, None

    def _get_params(self, inputs):
        """What is drawn by chance for one call."""

    def __call__(self, inputs):
        given = inputs if isinstance(inputs, tuple) else (inputs,)
        self.params = self._get_params(given)
        made = [self._applied(key, one) for key, one in zip(self.keys, given)]
        if len(given) > len(self.keys):
            made += given[len(self.keys) :]
        return made[0] if len(made) == 1 else tuple(made)

    def _applied(self, key, one):
        apply = getattr(self, f"_apply_{key}", None)
        return one if apply is None else apply(one)

    def _apply_image(self, image):
        raise NotImplementedError(f"{type(self).__name__} does not define _apply_image")
