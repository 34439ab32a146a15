"""The functions of mx.nd.image and mx.npx.image, which differ in the class of their arrays."""

from . import _pictures
from .base import MXNetTypeError

NAMES = [
    *("adjust_lighting", "crop", "flip_left_right", "flip_top_bottom", "normalize"),
    *("random_brightness", "random_color_jitter", "random_contrast", "random_flip_left_right"),
    *("random_flip_top_bottom", "random_hue", "random_lighting", "random_saturation", "resize"),
    "to_tensor",
]

_REQUIRED = object()


def functions(module, check, call, into):
    """The functions by name: check(name, array) refuses, call(function, ...) gives, into writes."""

    def made(name, doc, function, parameters):
        def of_picture(data=None, *args, out=None, name=None, **kwargs):
            check("data", data)
            given = _bound(of_picture.__name__, parameters, args, kwargs)
            return into(out, call(function, data, *given))

        of_picture.__name__ = of_picture.__qualname__ = name
        of_picture.__module__, of_picture.__doc__ = module, doc
        return of_picture

    return {name: made(name, *entry) for name, entry in _table()}


def _bound(name, parameters, args, kwargs):
    """The values of a function's parameters, in order."""
    if len(args) > len(parameters):
        raise MXNetTypeError(f"{name} takes {len(parameters)} parameters, not {len(args)}")
    unknown = kwargs.keys() - parameters.keys()
    if unknown:
        raise MXNetTypeError(f"Cannot find argument {min(unknown)!r} in operator {name}")
    values = {**parameters, **dict(zip(parameters, args)), **kwargs}
    for parameter, value in values.items():
        if value is _REQUIRED:
            raise MXNetTypeError(
                f"Required parameter {parameter} is not presented, in operator {name}"
            )
    return values.values()


def _table():
    """Name, text, native function and parameters with their defaults."""
    yield "to_tensor", (
        "A picture of numbers from 0 to 255 as float32 from 0 to 1, channels first.",
        _pictures.to_tensor,
        {},
    )
    yield "normalize", (
        "(data - mean) / std for each channel, which is the first dimension of a picture.",
        _pictures.normalize,
        {"mean": (0.0,), "std": (1.0,)},
    )
    yield "resize", (
        "A picture, or several, of another size: (width, height), or one number for both.",
        _pictures.resize,
        {"size": (), "keep_ratio": False, "interp": 1},
    )
    yield "crop", (
        "The part of a picture that begins at column x and row y.",
        _pictures.crop,
        dict.fromkeys(("x", "y", "width", "height"), _REQUIRED),
    )
    for name, axis in (("left_right", 1), ("top_bottom", 0)):
        yield f"flip_{name}", ("The picture mirrored.", _along(_pictures.flipped, axis), {})
        random = _along(_pictures.flipped_or_not, axis)
        yield f"random_flip_{name}", ("The picture mirrored, in half of the cases.", random, {})
    for what in ("brightness", "contrast", "saturation", "hue"):
        yield f"random_{what}", (
            f"The picture with its {what} changed by a factor between the two.",
            _colour(what),
            dict.fromkeys(("min_factor", "max_factor"), _REQUIRED),
        )
    yield "random_color_jitter", (
        "Brightness, contrast, saturation and hue changed, in random order.",
        _jitter,
        dict.fromkeys(("brightness", "contrast", "saturation", "hue"), _REQUIRED),
    )
    yield "adjust_lighting", (
        "The colours of light added, by the principal components of natural pictures.",
        _pictures.lit,
        {"alpha": _REQUIRED},
    )
    yield "random_lighting", (
        "The same with normal numbers of this deviation.",
        _pictures.lit_at_random,
        {"alpha_std": 0.05},
    )


def _along(function, axis):
    return lambda x: function(x, axis)


def _colour(what):
    return lambda x, low, high: _pictures.coloured(x, what, low, high)


def _jitter(x, brightness, contrast, saturation, hue):
    return _pictures.jittered(
        x, brightness=brightness, contrast=contrast, saturation=saturation, hue=hue
    )
