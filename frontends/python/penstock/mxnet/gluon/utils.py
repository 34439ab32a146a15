"""mx.gluon.utils: batches over contexts, gradients that are too large, files, hooks."""

import os
import weakref
from collections import OrderedDict

from ... import _core
from .. import _dialects
from .._missing import missing
from .._mode import mode
from .._nd_array import NDArray

__all__ = [
    "HookHandle",
    "check_sha1",
    "clip_global_norm",
    "download",
    "replace_file",
    "shape_is_known",
    "split_and_load",
    "split_data",
]

# ---- Batches -------------------------------------------------------------------------------------


def split_data(data, num_slice, batch_axis=0, even_split=True):
    """An array in so many parts along the axis; with even_split they must have one length."""
    size = data.shape[batch_axis]
    if even_split and size % num_slice != 0:
        raise ValueError(
            f"data with shape {data.shape} cannot be split evenly into {num_slice} slices along "
            f"axis {batch_axis}: even_split=False allows slices of two lengths"
        )
    if num_slice == 1:
        return [data]
    # The first parts are the longer ones.
    ends = [0]
    for number in range(num_slice):
        ends.append(ends[-1] + size // num_slice + (number < size % num_slice))
    if batch_axis == 0:
        return [data[begin:end] for begin, end in zip(ends, ends[1:])]
    key = (slice(None),) * batch_axis
    return [data[(*key, slice(begin, end))] for begin, end in zip(ends, ends[1:])]


def split_and_load(data, ctx_list, batch_axis=0, even_split=True):
    """The parts of an array, one in each context."""
    if not isinstance(data, NDArray):
        from .parameter import array_class

        data = array_class()(data, "float32", device=_device(ctx_list[0]))
    if len(ctx_list) == 1:
        return [data.as_in_context(ctx_list[0])]
    parts = split_data(data, len(ctx_list), batch_axis, even_split)
    return [part.as_in_context(ctx) for part, ctx in zip(parts, ctx_list)]


def _device(ctx):
    from ..context import device_of

    return device_of(ctx)


# ---- Gradients -----------------------------------------------------------------------------------


def clip_global_norm(arrays, max_norm, check_isfinite=True):
    """Scales arrays, in place, so that their norm together is at most max_norm; gives the norm.

    As a number, which is waited for; with check_isfinite=False as an array, which is not.
    """
    if not arrays:
        raise AssertionError("clip_global_norm: there are no arrays")
    cls = type(arrays[0])
    grads = [_dialects.native(one) for one in arrays]
    norm = _dialects.call(_core.ndarray, _core._ops["global_norm"], grads)
    scale = _core._ops["minimum"](max_norm / (norm + 1e-8), 1.0)
    for one in grads:
        one *= scale.astype(one.dtype)
    if not check_isfinite:
        return norm.reshape((1,)).as_subclass(cls)
    from math import isfinite

    total = norm.item()
    if not isfinite(total):
        import warnings

        warnings.warn(
            UserWarning("clip_global_norm: the norm is nan or inf, and so are the arrays"),
            stacklevel=2,
        )
    return total


# ---- Files ---------------------------------------------------------------------------------------


def check_sha1(filename, sha1_hash):
    """Whether the SHA-1 of a file's bytes is this one."""
    import hashlib

    found = hashlib.sha1(usedforsecurity=False)
    with open(filename, "rb") as file:
        while block := file.read(1 << 20):
            found.update(block)
    return found.hexdigest() == sha1_hash


def replace_file(src, dst):
    """Puts a file in the place of another, at once."""
    os.replace(src, dst)


def download(url, path=None, overwrite=False, sha1_hash=None, retries=5, verify_ssl=True):
    """A file at an address, as a file of this machine, whose name is given.

    A file that is there already, and has the SHA-1, is not fetched again.
    """
    target = _target(url, path)
    there = os.path.exists(target) and (not sha1_hash or check_sha1(target, sha1_hash))
    if overwrite or not there:
        if retries < 0:
            raise AssertionError(f"download: retries must not be below 0: {retries}")
        _fetch(url, target, sha1_hash, retries, verify_ssl)
    return target


def _target(url, path):
    name = url.split("/")[-1]
    if path is None:
        if not name:
            raise AssertionError(f"download: {url} ends with no name of a file: give a path")
        return name
    path = os.path.expanduser(path)
    return os.path.join(path, name) if os.path.isdir(path) else path


def _fetch(url, target, sha1_hash, retries, verify_ssl):
    """Tries to fetch a file; a part of one is never found at the target."""
    folder = os.path.dirname(os.path.abspath(target))
    os.makedirs(folder, exist_ok=True)
    part = f"{target}.{os.getpid()}.part"
    for left in range(retries, -1, -1):
        try:
            _copy(url, part, verify_ssl)
            if sha1_hash and not check_sha1(part, sha1_hash):
                raise OSError(f"the file at {url} has another SHA-1 than {sha1_hash}")
            os.replace(part, target)
            return
        except OSError as error:
            if os.path.exists(part):
                os.remove(part)
            if left == 0:
                raise OSError(f"download: {url} could not be fetched: {error}") from error


def _copy(url, part, verify_ssl):
    import shutil
    import ssl
    from urllib.request import urlopen

    context = None
    if url.startswith("https:") and not verify_ssl:
        context = ssl._create_unverified_context()
    with urlopen(url, context=context) as source, open(part, "wb") as file:
        shutil.copyfileobj(source, file)


# ---- Hooks ---------------------------------------------------------------------------------------


class HookHandle:
    """Takes a hook of a block away: `detach`, or as a `with` statement."""

    __module__ = "mxnet.gluon.utils"

    def __init__(self):
        self._hooks = None
        self._id = None

    def attach(self, hooks_dict, hook):
        """Puts a hook into a dict of hooks."""
        if self._hooks is not None:
            raise AssertionError("a handle can be attached to one hook only")
        self._id = id(hook)
        hooks_dict[self._id] = hook
        self._hooks = weakref.ref(hooks_dict)

    def detach(self):
        """Takes the hook out of the dict; once more does nothing."""
        hooks = self._hooks() if self._hooks is not None else None
        if hooks is not None:
            hooks.pop(self._id, None)

    def __getstate__(self):
        return (self._hooks() if self._hooks is not None else None, self._id)

    def __setstate__(self, state):
        hooks, self._id = state
        self._hooks = weakref.ref(OrderedDict() if hooks is None else hooks)

    def __enter__(self):
        return self

    def __exit__(self, ptype, value, trace):
        self.detach()


# ---- Shapes and text -----------------------------------------------------------------------------


def shape_is_known(shape):
    """Whether no length of a shape is open: 0, or -1 where lengths may be 0."""
    if shape is None:
        return False
    unknown = -1 if mode.shape else 0
    if not mode.shape and len(shape) == 0:
        return False
    for length in shape:
        if length == unknown:
            return False
        if length < unknown:
            raise AssertionError(f"lengths of a shape must not be below {unknown}: {shape}")
    return True


def _shifted(text, spaces):
    """Text with all lines but the first moved to the right."""
    return text.replace("\n", "\n" + " " * spaces)


def _some_names(lst, limit=7):
    """Names, in short."""
    names = [repr(str(name)) for name in lst]
    if len(names) > limit:
        names = [*names[: limit // 2], "...", *names[-(limit // 2) :]]
    return ", ".join(names)


def _only_np_arrays(out):
    """In NumPy mode what blocks give must be of mx.np."""
    from .._np_array import ndarray

    if isinstance(out, ndarray):
        return
    if isinstance(out, NDArray):
        raise TypeError(
            "Block's output must be an array of mx.np in NumPy mode, not one of mx.nd: is there a "
            "layer or an operation of mx.nd in it?"
        )
    if isinstance(out, (list, tuple)):
        for one in out:
            _only_np_arrays(one)


_REPO = "https://apache-mxnet.s3-accelerate.dualstack.amazonaws.com/"


def _get_repo_url():
    """Where the files of MXNet are, of its model zoo and datasets."""
    base = os.environ.get("MXNET_GLUON_REPO", _REPO)
    return base if base.endswith("/") else base + "/"


def _get_repo_file_url(namespace, filename):
    """Where one of those files is."""
    return f"{_get_repo_url()}{namespace}/{filename}"


__getattr__ = missing("mxnet.gluon.utils")
