"""Batches of the pictures of a record file."""

import random

from ... import _core
from .. import _dialects
from .._missing import WHERE
from .._nd_array import NDArray
from .._recordio import read_record
from ..base import MXNetError, MXNetValueError, NotBuiltError
from ..recordio import unpack
from ._files import MXDataIter

__all__ = ["ImageRecordIter", "ImageRecordUInt8Iter"]

_ops = _core._ops

# Settings of how MXNet reads, which change nothing here.
_NO_MEANING = (
    *("prefetch_buffer", "ctx", "device_id", "preprocess_threads", "verbose", "path_imgidx"),
    *("shuffle_chunk_size", "shuffle_chunk_seed", "dtype"),
)


class _Pictures:
    """The pictures of a record file, read and changed when a batch needs them."""

    def __init__(self, path, shape, label_width, dtype, part, order, change):
        self._path, self._shape, self._labels = path, tuple(shape), label_width
        self._dtype, self._order, self._change = dtype, order, change
        self._file = self._opened()
        places = self._all_places()
        index, count = part
        size = -(-len(places) // count)
        self._places = places[index * size : (index + 1) * size]
        self.restart()

    def _opened(self):
        try:
            return open(self._path, "rb")
        except OSError as error:
            raise MXNetError(f"ImageRecordIter: {self._path}: {error.strerror}") from None

    def __del__(self):
        if hasattr(self, "_file"):
            self._file.close()

    def _all_places(self):
        """Where the records begin."""
        places = [0]
        while read_record(self._file) is not None:
            places.append(self._file.tell())
        return places[:-1]

    def __len__(self):
        return len(self._places)

    def restart(self):
        """An iteration begins: with shuffling, in a new order."""
        if self._order is not None:
            self._order.shuffle(self._places)

    def described(self):
        """Shape of an item and element type: of the data, of the labels."""
        import numpy

        labels = (self._labels,) if self._labels > 1 else ()
        return [(self._shape, getattr(numpy, self._dtype)), (labels, numpy.float32)]

    def batch(self, rows):
        """Data and labels of some items."""
        import numpy

        found = [self._read(self._places[row]) for row in rows]
        data = _ops["stack"]([picture for picture, _ in found]).as_subclass(NDArray)
        shape = (len(found), *self.described()[1][0])
        label = numpy.asarray([label for _, label in found], "float32").reshape(shape)
        return data, _core.array(label).as_subclass(NDArray)

    def _read(self, place):
        self._file.seek(place)
        header, data = unpack(read_record(self._file))
        return self._change(data), header.label


class _Change:
    """What is done with a picture: resized, cut, mirrored, normalised, channels first."""

    def __init__(self, shape, resize, crop, mirror, interp, means, deviations, scale, dtype):
        self._shape, self._resize, self._crop, self._mirror = shape, resize, crop, mirror
        self._interp, self._dtype, self._scale = interp, dtype, scale
        self._means = _core.array(means[: shape[0]], "float32").reshape((-1, 1, 1))
        self._deviations = _core.array(deviations[: shape[0]], "float32").reshape((-1, 1, 1))
        self.random = random.Random()

    def __call__(self, data):
        from .. import image

        x = image.imdecode(data, 0 if self._shape[0] == 1 else 1)
        if self._resize > 0:
            x = image.resize_short(x, self._resize, self._interp)
        x = self._cut(image, x)
        mirror = self.random.random() < 0.5 if self._mirror == "random" else self._mirror
        return _dialects.native(self._finished(_dialects.native(x), mirror))

    def _cut(self, image, x):
        """A part of the size that is wanted; a picture that is too small is enlarged."""
        _, height, width = self._shape
        rows, columns = x.shape[:2]
        if rows < height or columns < width:
            factor = max(height / rows, width / columns)
            rows, columns = max(round(rows * factor), height), max(round(columns * factor), width)
            x = image.imresize(x, columns, rows, self._interp)
        if self._crop:
            left, top = (self.random.randint(0, n) for n in (columns - width, rows - height))
        else:
            left, top = (columns - width) // 2, (rows - height) // 2
        return image.fixed_crop(x, left, top, width, height)

    def _finished(self, x, mirror):
        x = _ops["moveaxis"](_ops["flip"](x, 1) if mirror else x, 2, 0)
        if self._dtype != "float32":
            return _ops["copy"](x)
        x = (_ops["cast"](x, "float32") - self._means) * self._scale
        return x / self._deviations


def _made(name, dtype, given):
    """An iterator over a record file, of a type."""
    for required in ("path_imgrec", "data_shape", "batch_size"):
        if given.get(required) is None:
            raise MXNetValueError(f"Required parameter {required} is not presented, in {name}")
    take = {**_DEFAULTS, **given}
    for parameter in given:
        if parameter not in _DEFAULTS and parameter not in _NO_MEANING:
            raise NotBuiltError(f"mxnet.io.{name}: {parameter} is not built: {WHERE}")
    shape = tuple(take["data_shape"])
    if len(shape) != 3 or shape[0] not in (1, 3):
        raise MXNetValueError(f"{name}: data_shape is (1 or 3, height, width), not {shape}")
    change = _Change(
        shape,
        take["resize"],
        take["rand_crop"],
        "random" if take["rand_mirror"] else bool(take["mirror"]),
        take["inter_method"],
        [take[f"mean_{colour}"] for colour in "rgb"],
        [take[f"std_{colour}"] for colour in "rgb"],
        take["scale"],
        dtype,
    )
    change.random.seed(take["seed_aug"])
    order = random.Random(take["seed"]) if take["shuffle"] else None
    part = take["part_index"], take["num_parts"]
    source = _Pictures(take["path_imgrec"], shape, take["label_width"], dtype, part, order, change)
    last = "round" if take["round_batch"] else "pad"
    return MXDataIter(source, take["batch_size"], last, take["data_name"], take["label_name"])


_DEFAULTS = {
    "path_imgrec": None,
    "data_shape": None,
    "batch_size": None,
    "label_width": 1,
    "shuffle": False,
    "seed": 0,
    "seed_aug": None,
    "round_batch": True,
    "resize": -1,
    "rand_crop": False,
    "rand_mirror": False,
    "mirror": False,
    "inter_method": 1,
    **dict.fromkeys(("mean_r", "mean_g", "mean_b"), 0.0),
    **dict.fromkeys(("std_r", "std_g", "std_b"), 1.0),
    "scale": 1.0,
    "num_parts": 1,
    "part_index": 0,
    "data_name": "data",
    "label_name": "softmax_label",
}


def ImageRecordIter(**kwargs):
    """Batches of the pictures of a record file, of float32, channels first.

    Cut in the middle, or somewhere with rand_crop; mirrored with mirror, or, with rand_mirror, in
    half of the cases; (x - mean_r) * scale / std_r and so on for the colours. A parameter of MXNet
    that changes pictures in another way raises NotBuiltError.
    """
    return _made("ImageRecordIter", "float32", kwargs)


def ImageRecordUInt8Iter(**kwargs):
    """The same of uint8, with nothing subtracted or multiplied."""
    return _made("ImageRecordUInt8Iter", "uint8", kwargs)
