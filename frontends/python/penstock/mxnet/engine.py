"""mx.engine: bulk execution.

MXNet puts small operations together in bulks of a size that programs choose. Here operations that
can run as one are found by themselves, so the size is only kept for who asks.

>>> from penstock import mxnet as mx
>>> with mx.engine.bulk(10):
...     twice = 2 * mx.nd.ones((3,))
"""

import threading

from ._missing import missing

__all__ = ["bulk", "set_bulk_size"]


class _Size(threading.local):
    value = 0


_size = _Size()


def set_bulk_size(size):
    """Notes how many operations may form a bulk; gives the former number."""
    former, _size.value = _size.value, int(size)
    return former


class _Bulk:
    def __init__(self, size):
        self.size = size
        self.former = None

    def __enter__(self):
        self.former = set_bulk_size(self.size)
        return self

    def __exit__(self, *exception):
        set_bulk_size(self.former)


def bulk(size):
    """A `with` statement inside which bulks have this size."""
    return _Bulk(size)


__getattr__ = missing("mxnet.engine")
