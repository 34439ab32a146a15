"""Batches of pictures that are read and changed one by one."""

import os
import random

from ... import _core
from .. import _dialects
from ..base import MXNetError
from ..io import DataBatch, DataIter
from ..recordio import MXIndexedRecordIO, MXRecordIO, unpack
from ._augmenters import CreateAugmenter
from ._functions import imdecode, kind_of, made

__all__ = ["ImageIter"]

_ops = _core._ops
_LABEL_TYPES = ("int32", "float32", "int64", "float64")
_LAST = ("pad", "discard", "roll_over")


class ImageIter(DataIter):
    """Iterates over pictures of a record file, of a list in a file (.lst), or of a list.

    Each is decoded, changed by the augmenters (those of CreateAugmenter, with its keywords, unless
    a list is given) and has its channels first then. A last batch that is not full is filled up
    from the beginning ('pad'), left out ('discard'), or becomes the beginning of the next iteration
    ('roll_over').
    """

    def __init__(
        self,
        batch_size,
        data_shape,
        label_width=1,
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
        label_name="softmax_label",
        dtype="float32",
        last_batch_handle="pad",
        **kwargs,
    ):
        super().__init__(batch_size)
        assert path_imgrec or path_imglist or isinstance(imglist, list), (
            "ImageIter: path_imgrec, path_imglist or imglist is needed"
        )
        assert dtype in _LABEL_TYPES, f"{dtype} label not supported"
        assert last_batch_handle in _LAST, f"last_batch_handle must be one of {', '.join(_LAST)}"
        self.path_root = path_root
        self.imgrec, self.imgidx = _records(path_imgrec, path_imgidx)
        self.imglist = _listed(path_imglist, imglist, dtype)
        self.seq = self._sequence(part_index, num_parts)
        self.check_data_shape(data_shape)
        self.data_shape = data_shape
        self.label_width = label_width
        labels = (batch_size, label_width) if label_width > 1 else (batch_size,)
        self.provide_data = [(data_name, (batch_size, *data_shape))]
        self.provide_label = [(label_name, labels)]
        self.shuffle = shuffle
        self.dtype = dtype
        self.auglist = self._augmenters(data_shape, **kwargs) if aug_list is None else aug_list
        self.last_batch_handle = last_batch_handle
        self.num_image = None if self.seq is None else len(self.seq)
        self.cur = 0
        self._left = [], []  # pictures and labels for the next iteration
        self._more = True
        self.reset()

    _augmenters = staticmethod(CreateAugmenter)

    def _sequence(self, part_index, num_parts):
        """The keys of the pictures, or of one of several parts; None: as they are in the file."""
        seq = self.imgidx if self.imglist is None else list(self.imglist)
        if num_parts > 1:
            assert seq is not None, "ImageIter: parts of a record file need path_imgidx"
            assert part_index < num_parts, f"ImageIter: there is no part {part_index}"
            size = len(seq) // num_parts
            seq = seq[part_index * size : (part_index + 1) * size]
        return seq

    # ---- Iterating ----------------------------------------------------------------------------

    def reset(self):
        """Begins anew, with what the last iteration left over."""
        if self.seq is not None and self.shuffle:
            random.shuffle(self.seq)
        self._begin()
        self._more = True

    def hard_reset(self):
        """Begins anew; what an iteration left over is forgotten."""
        self._left = [], []
        self.reset()

    def _begin(self):
        if self.imgrec is not None:
            self.imgrec.reset()
        self.cur = 0

    def next_sample(self):
        """Label and bytes of the next picture; StopIteration behind the last."""
        if self.seq is None:
            record = self.imgrec.read()
            if record is None:
                raise StopIteration
            header, data = unpack(record)
            return header.label, data
        if self.cur >= len(self.seq):
            raise StopIteration
        key = self.seq[self.cur]
        self.cur += 1
        if self.imgrec is None:
            label, name = self.imglist[key]
            return label, self.read_image(name)
        header, data = unpack(self.imgrec.read_idx(key))
        return header.label if self.imglist is None else self.imglist[key][0], data

    def next(self):
        """The next batch; StopIteration behind the last."""
        if not self._more:
            raise StopIteration
        (pictures, labels), self._left = self._left, ([], [])
        pad = self.batch_size - len(pictures) if pictures else 0
        if not self._fill(pictures, labels):
            self._more = False
            if not pictures or self.last_batch_handle == "discard":
                raise StopIteration
            if self.last_batch_handle == "roll_over":
                self._left = pictures, labels
                raise StopIteration
            pad = self.batch_size - len(pictures)
            while len(pictures) < self.batch_size:  # more than once if there are few
                self._begin()
                self._fill(pictures, labels)
        return DataBatch([self._stacked(pictures)], [self._labels(labels)], pad)

    def _fill(self, pictures, labels):
        """Adds pictures up to a full batch; False if there are not enough."""
        while len(pictures) < self.batch_size:
            try:
                label, data = self.next_sample()
            except StopIteration:
                return False
            picture = self.imdecode(data)
            self.check_valid_image([picture])
            picture, label = self._changed(picture, label)
            pictures.append(self.postprocess_data(picture))
            labels.append(label)
        return True

    def _changed(self, picture, label):
        """Picture and label after the augmenters."""
        return self.augmentation_transform(picture), label

    def _stacked(self, pictures):
        cls = kind_of(pictures[0])
        stacked = _dialects.call(cls, _ops["stack"], pictures)
        return _dialects.call(cls, _ops["cast"], stacked, "float32")

    def _labels(self, labels):
        import numpy

        labels = numpy.asarray(labels, self.dtype).astype("float32")
        return made(labels.reshape(self.provide_label[0][1]))

    # ---- One picture --------------------------------------------------------------------------

    def check_data_shape(self, data_shape):
        """Raises unless the shape is (3, height, width)."""
        if len(data_shape) != 3:
            raise ValueError(f"data_shape must be (channels, height, width), not {data_shape}")
        if data_shape[0] != 3:
            raise ValueError(f"data_shape must begin with 3 channels, not {data_shape[0]}")

    def check_valid_image(self, data):
        """Raises if a picture has no dimensions."""
        if len(data[0].shape) == 0:
            raise RuntimeError("the picture has no dimensions")

    def imdecode(self, s):
        """The picture that bytes are; what is wrong with them is told with its name."""
        try:
            return imdecode(s)
        except MXNetError as error:
            name = "a picture"
            if self.seq is not None:
                key = self.seq[self.cur - 1]
                name = f"picture {key}" if self.imglist is None else self.imglist[key][1]
            raise type(error)(f"ImageIter: {name}: {error}") from None

    def read_image(self, fname):
        """The bytes of a file of the list."""
        path = os.path.join(self.path_root, fname) if self.path_root else fname
        with open(path, "rb") as file:
            return file.read()

    def augmentation_transform(self, data):
        """A picture, changed by the augmenters."""
        for augmenter in self.auglist:
            data = augmenter(data)
        return data

    def postprocess_data(self, datum):
        """A picture with its channels first."""
        return _dialects.call(kind_of(datum), _ops["moveaxis"], datum, 2, 0)


ImageIter.__module__ = "mxnet.image.image"


# ---- Where pictures come from --------------------------------------------------------------------


def _records(path, index):
    """A record file, and its keys if it has an index."""
    if not path:
        return None, None
    if not index:
        return MXRecordIO(path, "r"), None
    file = MXIndexedRecordIO(index, path, "r")
    return file, list(file.keys)


def _listed(path, items, dtype):
    """Labels and names of pictures by key, out of a file or of a list; None if there is neither."""
    import numpy

    if path:
        with open(path, encoding="utf-8") as file:
            rows = [line.strip().split("\t") for line in file if line.strip()]
        return {
            int(row[0]): (numpy.array(list(map(float, row[1:-1])), dtype), row[-1]) for row in rows
        }
    if items is None:
        return None
    found = {}
    for number, item in enumerate(items, 1):
        label = item[:-1] if len(item) > 2 else item[0]
        label = label if isinstance(label, (list, tuple)) else [label]
        found[str(number)] = numpy.array(label, dtype), item[-1]
    return found
