"""What iterators of mx.io have in common, and iterators around others."""

from collections import namedtuple

from ...data._prefetch import Prefetched

__all__ = ["DataBatch", "DataDesc", "DataIter", "PrefetchingIter", "ResizeIter"]


class DataDesc(namedtuple("DataDesc", ["name", "shape"])):
    """Name and shape of an array that batches have, and its element type and layout."""

    def __new__(cls, name, shape, dtype=None, layout="NCHW"):
        import numpy

        made = super().__new__(cls, name, shape)
        made.dtype = numpy.float32 if dtype is None else dtype
        made.layout = layout
        return made

    def __repr__(self):
        return f"DataDesc[{self.name},{self.shape},{self.dtype},{self.layout}]"

    @staticmethod
    def get_batch_axis(layout):
        """Where a layout has N; 0 without a layout."""
        return 0 if layout is None else layout.find("N")

    @staticmethod
    def get_list(shapes, types):
        """Descriptions of (name, shape) pairs, with (name, type) pairs if there are any."""
        if types is None:
            return [DataDesc(*pair) for pair in shapes]
        by_name = dict(types)
        return [DataDesc(name, shape, by_name[name]) for name, shape in shapes]


class DataBatch:
    """Arrays and labels that belong together; `pad` items at the end only fill it up."""

    def __init__(
        self,
        data,
        label=None,
        pad=None,
        index=None,
        bucket_key=None,
        provide_data=None,
        provide_label=None,
    ):
        assert isinstance(data, (list, tuple)), "data must be a list, one array each"
        assert label is None or isinstance(label, (list, tuple)), "label must be a list, if any"
        self.data = data
        self.label = label
        self.pad = pad
        self.index = index
        self.bucket_key = bucket_key
        self.provide_data = provide_data
        self.provide_label = provide_label

    def __str__(self):
        data = [one.shape for one in self.data]
        label = [one.shape for one in self.label] if self.label else None
        return f"{type(self).__name__}: data shapes: {data} label shapes: {label}"


class DataIter:
    """An iterator over batches. A class of its own defines iter_next, getdata and so on."""

    def __init__(self, batch_size=0):
        self.batch_size = batch_size

    def __iter__(self):
        return self

    def __next__(self):
        return self.next()

    def next(self):
        """The next batch; StopIteration behind the last."""
        if not self.iter_next():
            raise StopIteration
        return DataBatch(self.getdata(), self.getlabel(), self.getpad(), self.getindex())

    def reset(self):
        """Begins anew."""

    def iter_next(self):
        """Moves to the next batch; False behind the last."""

    def getdata(self):
        """The arrays of the batch."""

    def getlabel(self):
        """The labels of the batch."""

    def getindex(self):
        """The numbers of the items of the batch; None if there are none."""
        return None

    def getpad(self):
        """How many items at the end of the batch only fill it up."""


class _Around(DataIter):
    """An iterator whose batches another one gives; the one at hand is `current_batch`."""

    def getdata(self):
        return self.current_batch.data

    def getlabel(self):
        return self.current_batch.label

    def getindex(self):
        return self.current_batch.index

    def getpad(self):
        return self.current_batch.pad

    def next(self):
        if not self.iter_next():
            raise StopIteration
        return self.current_batch


class ResizeIter(_Around):
    """Another iterator's batches, so many of them: it begins anew when it is at its end."""

    def __init__(self, data_iter, size, reset_internal=True):
        super().__init__(data_iter.batch_size)
        self.data_iter = data_iter
        self.size = size
        self.reset_internal = reset_internal
        self.cur = 0
        self.current_batch = None
        self.provide_data = data_iter.provide_data
        self.provide_label = data_iter.provide_label
        if hasattr(data_iter, "default_bucket_key"):
            self.default_bucket_key = data_iter.default_bucket_key

    def reset(self):
        """Begins anew; the other iterator too, if reset_internal is true."""
        self.cur = 0
        if self.reset_internal:
            self.data_iter.reset()

    def iter_next(self):
        """Moves to the next batch; False after `size` of them."""
        if self.cur == self.size:
            return False
        try:
            self.current_batch = self.data_iter.next()
        except StopIteration:
            self.data_iter.reset()
            self.current_batch = self.data_iter.next()
        self.cur += 1
        return True


class PrefetchingIter(_Around):
    """Batches of other iterators side by side, which a thread asks for ahead."""

    def __init__(self, iters, rename_data=None, rename_label=None):
        super().__init__()
        self.iters = iters if isinstance(iters, list) else [iters]
        self.n_iter = len(self.iters)
        assert self.n_iter > 0, "PrefetchingIter: there are no iterators"
        self.rename_data = rename_data
        self.rename_label = rename_label
        self.batch_size = self.provide_data[0][1][0]
        self.current_batch = None
        self._begin()

    @property
    def provide_data(self):
        """Names and shapes of the arrays."""
        return _described(self.iters, "provide_data", self.rename_data)

    @property
    def provide_label(self):
        """Names and shapes of the labels."""
        return _described(self.iters, "provide_label", self.rename_label)

    def _begin(self):
        self._ahead = Prefetched(_forever(), _Together(self.iters), 1, 2)

    def reset(self):
        """Begins anew, and with it the other iterators, once the thread has what it asked for."""
        ahead, self._ahead = self._ahead, None
        threads = ahead._desk.threads
        ahead.close()
        for thread in threads:
            thread.join()
        for one in self.iters:
            one.reset()
        self._begin()

    def iter_next(self):
        """Moves to the next batch; False behind the last."""
        batches = next(self._ahead, None)
        if batches is None:
            self._ahead.close()
            return False
        data = [array for batch in batches for array in batch.data]
        label = [array for batch in batches for array in batch.label or ()]
        assert len({batch.pad for batch in batches}) == 1, "Different pad size in iterators"
        first = batches[0]
        self.current_batch = DataBatch(
            data,
            label,
            first.pad,
            first.index,
            provide_data=self.provide_data,
            provide_label=self.provide_label,
        )
        return True


def _forever():
    while True:
        yield None


class _Together:
    """The next batch of each of several iterators; None when one is at its end."""

    def __init__(self, iters):
        self._iters = iters
        self._over = False

    def __call__(self, _):
        if self._over:
            return None
        batches = []
        for one in self._iters:
            try:
                batches.append(one.next())
            except StopIteration:
                self._over = True
                return None
        return batches


def _described(iters, which, names):
    """The descriptions of several iterators, renamed where names says so."""
    found = []
    for number, one in enumerate(iters):
        renamed = names[number] if names is not None else {}
        for desc in getattr(one, which):
            desc = desc if isinstance(desc, DataDesc) else DataDesc(*desc)
            name = renamed.get(desc.name, desc.name)
            found.append(DataDesc(name, desc.shape, desc.dtype, desc.layout))
    return found


for _name in __all__:
    globals()[_name].__module__ = "mxnet.io.io"
del _name
