"""mx.kvstore: arrays by key that several contexts add to and read, in one process.

>>> from penstock import mxnet as mx
>>> store = mx.kv.create("local")
>>> store.init("w", mx.nd.zeros(2))
>>> store.push("w", [mx.nd.ones(2), mx.nd.ones(2)])
>>> out = mx.nd.empty(2)
>>> store.pull("w", out=out)
>>> out
<BLANKLINE>
[2. 2.]
<NDArray 2 @cpu(0)>
"""

from . import _dialects
from ._missing import missing
from ._nd_array import NDArray
from ._unbuilt import raise_not_built
from .base import MXNetError, MXNetValueError

__all__ = ["KVStore", "KVStoreBase", "TestStore", "create"]

# Stores of several processes or GPUs.
_ELSEWHERE = ("dist", "nccl", "p3", "horovod", "byteps")


class KVStoreBase:
    """What a store must have that a trainer is given; programs register their own.

    >>> @mx.kv.KVStoreBase.register
    ... class Mine(mx.kv.KVStoreBase):
    ...     pass
    >>> type(mx.kv.create("mine")).__name__
    'Mine'
    """

    __module__ = "mxnet.kvstore.base"

    OPTIMIZER = "optimizer"
    kv_registry = {}

    @staticmethod
    def register(klass):
        """Registers a class by its name in small letters, for `create`."""
        if not isinstance(klass, type):
            raise AssertionError(f"a class can be registered, not {klass!r}")
        KVStoreBase.kv_registry[klass.__name__.lower()] = klass
        return klass

    @staticmethod
    def is_capable(capability):
        """Whether the store can do something: 'optimizer' is to update what it has."""
        raise NotImplementedError

    def broadcast(self, key, value, out, priority=0):
        """Begins a key with a value, and writes it to all of out."""
        raise NotImplementedError

    def pushpull(self, key, value, out=None, priority=0):
        """Adds values up, and writes the sum, or what was updated by it, to all of out."""
        raise NotImplementedError

    def set_optimizer(self, optimizer):
        """Has what is pushed taken as gradients of what is there."""
        raise NotImplementedError

    @property
    def type(self):
        """The name that it was made by."""
        raise NotImplementedError

    @property
    def rank(self):
        """The number of this process."""
        raise NotImplementedError

    @property
    def num_workers(self):
        """How many processes there are."""
        raise NotImplementedError

    def save_optimizer_states(self, fname, dump_optimizer=False):
        """Writes the states of the optimiser to a file."""
        raise NotImplementedError

    def load_optimizer_states(self, fname):
        """Reads them."""
        raise NotImplementedError


def _pairs(keys, values):
    """Keys, each with a list of arrays."""
    if isinstance(keys, (list, tuple)):
        if len(keys) != len(values):
            raise AssertionError(f"{len(keys)} keys and {len(values)} values")
        return [pair for key, value in zip(keys, values) for pair in _pairs(key, value)]
    if not isinstance(keys, (str, int)):
        raise AssertionError(f"keys are numbers or strings, not {type(keys)}")
    values = [values] if isinstance(values, NDArray) else list(values)
    if not all(isinstance(value, NDArray) for value in values):
        raise TypeError(f"the values of key {keys!r} must be arrays, not {values!r}")
    return [(keys, values)]


def total(arrays):
    """The sum of arrays of several contexts, in the context of the first; one is itself."""
    first = arrays[0].detach()
    found = first
    for one in arrays[1:]:
        found = found + one.detach().as_in_context(first.context)
    return found


def write(array, targets):
    """Writes an array to others."""
    for target in targets:
        _dialects.written(target.detach(), array)


class KVStore(KVStoreBase):
    """A store of one process. Nothing waits."""

    __module__ = "mxnet.kvstore.kvstore"

    def __init__(self, name):
        self._type = name
        self._arrays = {}
        self._updater = None

    @staticmethod
    def is_capable(capability):
        _check_capability(capability)
        return True

    @property
    def type(self):
        return self._type

    @property
    def rank(self):
        return 0

    @property
    def num_workers(self):
        return 1

    # ---- Arrays -------------------------------------------------------------------------------

    def init(self, key, value):
        """Begins keys with values; each once."""
        for key, values in _pairs(key, value):
            if key in self._arrays:
                raise MXNetError(f"duplicate init of key {key!r}")
            if any(isinstance(key, str) != isinstance(other, str) for other in self._arrays):
                raise MXNetError("Mixed key types are not allowed: all are numbers, or all text")
            self._arrays[key] = values[0].detach().copy()

    def _found(self, key):
        if key not in self._arrays:
            raise MXNetError(f"key {key!r} doesn't exist. Did you init?")
        return self._arrays[key]

    def push(self, key, value, priority=0):
        """Sets what is there to the sum of the values, or has the updater change it by that."""
        pairs = [(key, self._found(key), total(values)) for key, values in _pairs(key, value)]
        if self._updater is None:
            for _, stored, value in pairs:
                write(_as_type(value, stored), [stored])
        else:
            self._update(pairs)

    def _update(self, pairs):
        from .optimizer import Updater

        if isinstance(self._updater, Updater):
            keys, stored, values = zip(*pairs)
            self._updater(list(keys), list(values), list(stored))
        else:
            for key, stored, value in pairs:
                self._updater(key.encode() if isinstance(key, str) else key, value, stored)

    def pull(self, key, out=None, priority=0, ignore_sparse=True):
        """Writes what is there to all of out."""
        if out is None:
            raise AssertionError("pull: out is needed")
        for key, targets in _pairs(key, out):
            write(self._found(key), targets)

    def pushpull(self, key, value, out=None, priority=0):
        self.push(key, value, priority)
        self.pull(key, value if out is None else out, priority)

    def broadcast(self, key, value, out, priority=0):
        self.init(key, value)
        self.pull(key, out, priority)

    def row_sparse_pull(self, key, out=None, priority=0, row_ids=None):
        """Rows of sparse arrays. There are none: raises NotBuiltError."""
        raise_not_built("mxnet.kvstore.KVStore.row_sparse_pull")

    # ---- Updates ------------------------------------------------------------------------------

    def set_gradient_compression(self, compression_params):
        """For stores of GPUs and of several processes: one of the host has nothing to compress."""
        if "device" not in self._type:
            raise Exception(f"a store of type {self._type!r} does not compress gradients")
        raise_not_built("mxnet.kvstore.KVStore.set_gradient_compression")

    def set_optimizer(self, optimizer):
        from .optimizer import get_updater

        self._set_updater(get_updater(optimizer))

    def _set_updater(self, updater):
        """Has updater(key, value, stored) called for what is pushed."""
        self._updater = updater

    def save_optimizer_states(self, fname, dump_optimizer=False):
        self._check_updater()
        with open(fname, "wb") as file:
            file.write(self._updater.get_states(dump_optimizer))

    def load_optimizer_states(self, fname):
        self._check_updater()
        with open(fname, "rb") as file:
            self._updater.set_states(file.read())

    def _check_updater(self):
        if self._updater is None:
            raise AssertionError("the store has no optimizer whose states there could be")

    def _barrier(self):
        """Waits for other processes: there are none."""

    def _send_command_to_servers(self, head, body):
        """Tells servers something: there are none."""


@KVStoreBase.register
class TestStore(KVStoreBase):
    """A store that keeps nothing: it adds up and hands out."""

    __module__ = "mxnet.kvstore.base"

    @staticmethod
    def is_capable(capability):
        _check_capability(capability)
        return False

    type, rank, num_workers = "teststore", 0, 1

    def broadcast(self, key, value, out, priority=0):
        for (_, values), (_, targets) in zip(_pairs(key, value), _pairs(key, out)):
            write(values[0], targets)

    def pushpull(self, key, value, out=None, priority=0):
        out = value if out is None else out
        for (_, values), (_, targets) in zip(_pairs(key, value), _pairs(key, out)):
            write(total(values), targets)


def _check_capability(capability):
    if capability.lower() != KVStoreBase.OPTIMIZER:
        raise MXNetValueError(f"Unknown capability: {capability}")


def _as_type(value, stored):
    return value if value.dtype == stored.dtype else value.astype(stored.dtype)


def create(name="local"):
    """A store by its name: of one process, or a class that was registered."""
    if not isinstance(name, str):
        raise TypeError(f"name must be a string, not {name!r}")
    name = name.lower()
    if name in KVStoreBase.kv_registry:
        return KVStoreBase.kv_registry[name]()
    if any(part in name for part in _ELSEWHERE):
        raise_not_built(f"mxnet.kvstore.create({name!r})")
    return KVStore(name)


__getattr__ = missing("mxnet.kvstore")
