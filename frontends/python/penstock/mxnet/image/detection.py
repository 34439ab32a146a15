"""mx.image.detection: pictures with boxes around objects.

A label has a row for each object: its class, the box (left, top, right, bottom, as shares of width
and height), and whatever else. Augmenters change picture and label together.
"""

import json
import random
from math import sqrt

from .._unbuilt import raise_not_built
from ._augmenters import (
    Augmenter,
    CastAug,
    ForceResizeAug,
    HorizontalFlipAug,
    ResizeAug,
    normalizers,
    of_colours,
    plain,
)
from ._functions import copyMakeBorder, fixed_crop, made
from ._iter import ImageIter

__all__ = [
    *("CreateDetAugmenter", "CreateMultiRandCropAugmenter", "DetAugmenter", "DetBorrowAug"),
    *("DetHorizontalFlipAug", "DetRandomCropAug", "DetRandomPadAug", "DetRandomSelectAug"),
    "ImageDetIter",
]


class DetAugmenter:
    """Something that changes a picture and its label. Keywords are what `dumps` tells of it."""

    def __init__(self, **kwargs):
        self._kwargs = {name: plain(value) for name, value in kwargs.items()}

    def dumps(self):
        """Name and settings, as JSON."""
        return json.dumps([type(self).__name__.lower(), self._kwargs])

    def __call__(self, src, label):
        """Picture and label, changed."""
        raise NotImplementedError("Must override implementation.")


class DetBorrowAug(DetAugmenter):
    """An augmenter of pictures alone, which leaves the label as it is."""

    def __init__(self, augmenter):
        if not isinstance(augmenter, Augmenter):
            raise TypeError("what is borrowed must be an Augmenter")
        super().__init__(augmenter=augmenter.dumps())
        self.augmenter = augmenter

    def dumps(self):
        """Name, and the text of the augmenter."""
        return [type(self).__name__.lower(), self.augmenter.dumps()]

    def __call__(self, src, label):
        return self.augmenter(src), label


class DetRandomSelectAug(DetAugmenter):
    """One of several augmenters; none of them with a probability."""

    def __init__(self, aug_list, skip_prob=0):
        super().__init__(skip_prob=skip_prob)
        aug_list = aug_list if isinstance(aug_list, (list, tuple)) else [aug_list]
        if not all(isinstance(one, DetAugmenter) for one in aug_list):
            raise ValueError("all of aug_list must be DetAugmenters")
        self.aug_list = list(aug_list)
        self.skip_prob = skip_prob if aug_list else 1

    def dumps(self):
        """Name, and the texts of the augmenters."""
        return [type(self).__name__.lower(), [one.dumps() for one in self.aug_list]]

    def __call__(self, src, label):
        if not self.aug_list or random.random() < self.skip_prob:
            return src, label
        random.shuffle(self.aug_list)
        return self.aug_list[0](src, label)


class DetHorizontalFlipAug(DetAugmenter):
    """Left and right exchanged, with a probability."""

    def __init__(self, p):
        super().__init__(p=p)
        self.p = p

    def __call__(self, src, label):
        if random.random() < self.p:
            src = HorizontalFlipAug(1.0)(src)
            label = label.copy()
            label[:, [1, 3]] = 1.0 - label[:, [3, 1]]
        return src, label


# ---- Parts and borders ---------------------------------------------------------------------------


def _range(value):
    """A number as a range of itself."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value, value)


class _Region(DetAugmenter):
    """A rectangle of random area and ratio of its sides, in or around a picture."""

    def __init__(self, **settings):
        for name in ("aspect_ratio_range", "area_range"):
            settings[name] = _range(settings[name])
        super().__init__(**settings)
        vars(self).update(settings)
        self.enabled = self._is_possible()
        if not self.enabled:
            import warnings

            warnings.warn(f"{type(self).__name__} does nothing with such limits", stacklevel=4)

    def _is_possible(self):
        (narrow, wide), (small, large) = self.aspect_ratio_range, self.area_range
        return 0 < narrow <= wide and 0 < small <= large

    def __call__(self, src, label):
        height, width = src.shape[:2]
        for _ in range(self.max_attempts if self.enabled else 0):
            ratio = random.uniform(*self.aspect_ratio_range)
            heights = self._heights(height, width, ratio)
            if ratio <= 0 or heights[0] > heights[1]:
                continue
            found = self._placed(src, label, random.randint(*heights), ratio)
            if found is not None:
                return found
        return src, label

    def _areas(self, height, width, ratio):
        """The heights that the smallest and the largest area have with this ratio."""
        return [round(sqrt(share * height * width / ratio)) for share in self.area_range]


class DetRandomCropAug(_Region):
    """A part that shows enough of the objects that it touches.

    At least min_object_covered of each of them is inside; objects of which less than
    min_eject_coverage is left are dropped. The picture stays if no part is found in max_attempts.
    """

    def __init__(
        self,
        min_object_covered=0.1,
        aspect_ratio_range=(0.75, 1.33),
        area_range=(0.05, 1.0),
        min_eject_coverage=0.3,
        max_attempts=50,
    ):
        super().__init__(
            min_object_covered=min_object_covered,
            aspect_ratio_range=aspect_ratio_range,
            area_range=area_range,
            min_eject_coverage=min_eject_coverage,
            max_attempts=max_attempts,
        )

    def _heights(self, height, width, ratio):
        least, most = self._areas(height, width, ratio)
        return max(least, 1), min(most, height, int((width + 0.4999999) / ratio))

    def _placed(self, src, label, height, ratio):
        width = round(height * ratio)
        if not 1 <= width <= src.shape[1]:
            return None
        top = random.randint(0, src.shape[0] - height)
        left = random.randint(0, src.shape[1] - width)
        label = self._inside(label, left, top, width, height, *src.shape[:2])
        return None if label is None else (fixed_crop(src, left, top, width, height), label)

    def _inside(self, label, left, top, width, height, rows, columns):
        """The objects of a part; None if it does not show enough of them."""
        import numpy

        box = numpy.array([left / columns, top / rows, left / columns, top / rows])
        size = numpy.array([width / columns, height / rows, width / columns, height / rows])
        boxes = label[:, 1:5]
        cut = ((boxes - box) / size).clip(0, 1)
        whole = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
        left_over = (cut[:, 2] - cut[:, 0]) * (cut[:, 3] - cut[:, 1]) * size[0] * size[1]
        share = left_over / numpy.maximum(whole, 1e-12)
        touched = share > 0
        if not touched.any() or share[touched].min() <= self.min_object_covered:
            return None
        kept = share > self.min_eject_coverage
        if not kept.any():
            return None
        label = label[kept].copy()
        label[:, 1:5] = cut[kept]
        return label


class DetRandomPadAug(_Region):
    """A border of a colour, around a picture that is somewhere in the new one."""

    def __init__(
        self,
        aspect_ratio_range=(0.75, 1.33),
        area_range=(1.0, 3.0),
        max_attempts=50,
        pad_val=(128, 128, 128),
    ):
        super().__init__(
            aspect_ratio_range=aspect_ratio_range,
            area_range=area_range,
            max_attempts=max_attempts,
            pad_val=pad_val,
        )
        self.pad_val = pad_val if isinstance(pad_val, (tuple, list)) else (pad_val,) * 3

    def _is_possible(self):
        return super()._is_possible() and self.area_range[1] > 1

    def _heights(self, height, width, ratio):
        least, most = self._areas(height, width, ratio)
        return max(least, height, round(width / ratio)), most

    def _placed(self, src, label, height, ratio):
        rows, columns = src.shape[:2]
        width = round(height * ratio)
        if height - rows < 2 or width - columns < 2:
            return None
        top = random.randint(0, height - rows)
        left = random.randint(0, width - columns)
        sides = top, height - rows - top, left, width - columns - left
        label = label.copy()
        label[:, [1, 3]] = (label[:, [1, 3]] * columns + left) / width
        label[:, [2, 4]] = (label[:, [2, 4]] * rows + top) / height
        return copyMakeBorder(src, *sides, values=self.pad_val), label


# ---- Lists of them -------------------------------------------------------------------------------


def CreateMultiRandCropAugmenter(
    min_object_covered=0.1,
    aspect_ratio_range=(0.75, 1.33),
    area_range=(0.05, 1.0),
    min_eject_coverage=0.3,
    max_attempts=50,
    skip_prob=0,
):
    """One of several DetRandomCropAug: settings that are lists have a value for each."""
    given = [min_object_covered, aspect_ratio_range, area_range, min_eject_coverage, max_attempts]
    count = max(len(one) if isinstance(one, list) else 1 for one in given)
    columns = [one if isinstance(one, list) else [one] * count for one in given]
    columns = [column * count if len(column) == 1 else column for column in columns]
    assert all(len(column) == count for column in columns), (
        "CreateMultiRandCropAugmenter: lists are equally long, or of one item"
    )
    return DetRandomSelectAug([DetRandomCropAug(*row) for row in zip(*columns)], skip_prob)


def CreateDetAugmenter(
    data_shape,
    resize=0,
    rand_crop=0,
    rand_pad=0,
    rand_gray=0,
    rand_mirror=False,
    mean=None,
    std=None,
    brightness=0,
    contrast=0,
    saturation=0,
    pca_noise=0,
    hue=0,
    inter_method=2,
    min_object_covered=0.1,
    aspect_ratio_range=(0.75, 1.33),
    area_range=(0.05, 3.0),
    min_eject_coverage=0.3,
    max_attempts=50,
    pad_val=(127, 127, 127),
):
    """The usual augmenters of pictures with boxes, as a list; rand_... are probabilities."""
    augmenters = [DetBorrowAug(ResizeAug(resize, inter_method))] if resize > 0 else []
    if rand_crop > 0:
        crop = min_object_covered, aspect_ratio_range, area_range, min_eject_coverage, max_attempts
        augmenters.append(CreateMultiRandCropAugmenter(*crop, skip_prob=1 - rand_crop))
    if rand_mirror:
        augmenters.append(DetHorizontalFlipAug(0.5))
    if rand_pad > 0:
        pad = DetRandomPadAug(aspect_ratio_range, (1.0, area_range[1]), max_attempts, pad_val)
        augmenters.append(DetRandomSelectAug([pad], 1 - rand_pad))
    alone = [ForceResizeAug((data_shape[2], data_shape[1]), inter_method), CastAug()]
    alone += of_colours(brightness, contrast, saturation, hue, pca_noise, rand_gray)
    alone += normalizers(mean, std)
    return augmenters + list(map(DetBorrowAug, alone))


# ---- Batches -------------------------------------------------------------------------------------


class ImageDetIter(ImageIter):
    """Iterates over pictures with boxes, as ImageIter does over pictures.

    A label in the file is how many numbers come before the objects, how many an object has, further
    numbers if the first says so, and the objects. In a batch it is (objects, numbers), filled up
    with -1 to the most objects that a picture has.
    """

    def __init__(
        self,
        batch_size,
        data_shape,
        path_imgrec=None,
        path_imglist=None,
        path_root=None,
        path_imgidx=None,
        shuffle=False,
        part_index=0,
        num_parts=1,
        aug_list=None,
        imglist=None,
        data_name="data",
        label_name="label",
        last_batch_handle="pad",
        **kwargs,
    ):
        super().__init__(
            batch_size=batch_size,
            data_shape=data_shape,
            path_imgrec=path_imgrec,
            path_imglist=path_imglist,
            path_root=path_root,
            path_imgidx=path_imgidx,
            shuffle=shuffle,
            part_index=part_index,
            num_parts=num_parts,
            aug_list=aug_list,
            imglist=imglist,
            data_name=data_name,
            label_name=label_name,
            last_batch_handle=last_batch_handle,
            **kwargs,
        )
        self._describe(self._largest_label())

    _augmenters = staticmethod(CreateDetAugmenter)

    def _describe(self, label_shape):
        self.label_shape = label_shape
        self.provide_label = [(self.provide_label[0][0], (self.batch_size, *label_shape))]

    def _largest_label(self):
        """The most objects that a picture has, and how many numbers each."""
        most, numbers = 0, 5
        self.reset()
        while True:
            try:
                label, _ = self.next_sample()
            except StopIteration:
                break
            label = self._parse_label(label)
            most, numbers = max(most, len(label)), label.shape[1]
        self.reset()
        return most, numbers

    def _parse_label(self, label):
        """The objects of a label, a row for each; those without area are left out."""
        import numpy

        raw = numpy.asarray(label, "float32").ravel()
        if raw.size < 7:
            raise RuntimeError(f"a label has 7 numbers or more, not {raw.size}")
        start, numbers = int(raw[0]), int(raw[1])
        if numbers < 5 or start < 2 or (raw.size - start) % numbers:
            raise RuntimeError(
                f"a label of {raw.size} numbers does not fit objects of {numbers} each"
            )
        rows = raw[start:].reshape(-1, numbers)
        rows = rows[(rows[:, 3] > rows[:, 1]) & (rows[:, 4] > rows[:, 2])]
        if not len(rows):
            raise RuntimeError("a picture has no object whose box has an area")
        return rows

    def _changed(self, picture, label):
        return self.augmentation_transform(picture, self._parse_label(label))

    def augmentation_transform(self, data, label):
        """Picture and label, changed by the augmenters."""
        for augmenter in self.auglist:
            data, label = augmenter(data, label)
        return data, label

    def _labels(self, labels):
        import numpy

        filled = numpy.full((len(labels), *self.label_shape), -1, "float32")
        for number, label in enumerate(labels):
            filled[number, : len(label), : label.shape[1]] = label
        return made(filled)

    # ---- Shapes -------------------------------------------------------------------------------

    def reshape(self, data_shape=None, label_shape=None):
        """Changes the shapes of pictures (3, height, width) and labels (objects, numbers)."""
        if data_shape is not None:
            self.check_data_shape(data_shape)
            self.provide_data = [(self.provide_data[0][0], (self.batch_size, *data_shape))]
            self.data_shape = data_shape
        if label_shape is not None:
            self.check_label_shape(label_shape)
            self._describe(tuple(label_shape))

    def check_label_shape(self, label_shape):
        """Raises unless labels of this shape have room for all objects."""
        if len(label_shape) != 2:
            raise ValueError(f"label_shape must be (objects, numbers of each), not {label_shape}")
        if label_shape[0] < self.label_shape[0]:
            raise ValueError(
                f"label_shape leaves room for {label_shape[0]} objects, and a picture has "
                f"{self.label_shape[0]}"
            )
        if label_shape[1] != self.label_shape[1]:
            raise ValueError(
                f"objects have {self.label_shape[1]} numbers, and label_shape has {label_shape[1]}"
            )

    def sync_label_shape(self, it, verbose=False):
        """Gives two iterators the larger shape of labels of both; the other one is given back."""
        assert isinstance(it, ImageDetIter), f"an ImageDetIter is needed, not {type(it)}"
        assert self.label_shape[1] == it.label_shape[1], "object width mismatch."
        most = max(self.label_shape[0], it.label_shape[0])
        for one in (self, it):
            if most > one.label_shape[0]:
                one.reshape(None, (most, one.label_shape[1]))
        if verbose:
            import logging

            logging.info("label_shape is (%d, %d) now", most, it.label_shape[1])
        return it

    def draw_next(self, *args, **kwargs):
        """Shows pictures in a window. Not built: raises NotBuiltError."""
        raise_not_built("mxnet.image.ImageDetIter.draw_next")


for _name in __all__:
    globals()[_name].__module__ = "mxnet.image.detection"
del _name
