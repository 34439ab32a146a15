"""DLPack, in and out: NumPy, PyTorch, JAX, and capsules made by hand."""

import ctypes
import gc
import threading
import weakref

import numpy as np
import processes
import pytest

import penstock as ps

NAMES = [
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]

# ---- capsules by hand ----------------------------------------------------------------------------


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", DELETER)]


class Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", DELETER),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype = ctypes.c_void_p
capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
capsule_name = ctypes.pythonapi.PyCapsule_GetName
capsule_name.restype = ctypes.c_char_p
capsule_name.argtypes = [ctypes.py_object]


# A struct lives until its deleter was called, which another thread may do when a test is over.
MADE = []


class Maker:
    """A capsule around six floats, of which one thing or another can be changed first. Counts how
    often it is given back."""

    def __init__(self, versioned=True, lengths=(2, 3), strides=(3, 1), **changes):
        MADE.append(self)
        self.values = np.arange(6, dtype=np.float32)
        self.shape = (ctypes.c_int64 * len(lengths))(*lengths)
        self.strides = (ctypes.c_int64 * len(strides))(*strides)
        self.deleted = 0
        self.gone = threading.Event()
        self.struct = Versioned(major=1) if versioned else Managed()
        self.struct.deleter = self.deleter = DELETER(self.delete)
        tensor = self.struct.tensor
        tensor.data = self.values.ctypes.data
        tensor.device_type, tensor.ndim = 1, len(lengths)
        tensor.code, tensor.bits, tensor.lanes = 2, 32, 1
        tensor.shape, tensor.strides = self.shape, self.strides
        for name, value in changes.items():
            setattr(tensor if hasattr(tensor, name) else self.struct, name, value)
        self.name = b"dltensor_versioned" if versioned else b"dltensor"
        self.capsule = new_capsule(ctypes.addressof(self.struct), self.name, None)

    def delete(self, _):
        self.deleted += 1
        self.gone.set()

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **_):
        return self.capsule


@pytest.mark.parametrize("versioned", [True, False])
@pytest.mark.parametrize("copy", [True, False, None])
def test_capsules_are_taken(versioned, copy):
    maker = Maker(versioned)
    ours = ps.from_dlpack(maker, copy=copy)
    assert capsule_name(maker.capsule) == b"used_" + maker.name
    assert ours.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert maker.deleted == (1 if copy else 0)
    maker.values[0] = 7
    assert ours[0, 0].item() == (0 if copy else 7)
    with pytest.raises(ValueError, match="taken already"):
        ps.from_dlpack(maker)
    total = ours.sum()
    del ours
    assert total.item() > 0
    assert maker.gone.wait(processes.LIMIT)
    assert maker.deleted == 1


def test_captured_by_array():
    maker = Maker()
    ours = ps.array(maker)
    maker.values[:] = 9
    assert maker.deleted == 1
    assert ours.tolist() == [[0, 1, 2], [3, 4, 5]]
    maker = Maker()
    borrowed = ps.array(maker, copy=False)
    maker.values[:] = 9
    assert borrowed.tolist() == [[9] * 3] * 2
    del borrowed
    assert maker.gone.wait(processes.LIMIT)
    maker = Maker()
    with pytest.raises(ValueError, match="copy=False"):
        ps.array(maker, dtype="float64", copy=False)
    assert maker.gone.wait(processes.LIMIT)


@pytest.mark.parametrize("versioned", [True, False])
@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"ndim": -1}, "-1 dimensions"),
        ({"ndim": 33}, "33 dimensions"),
        ({"shape": ctypes.POINTER(ctypes.c_int64)()}, "shape is NULL"),
        ({"data": None}, "data is NULL"),
        ({"code": 9}, "code 9"),
        ({"bits": 31}, "31 bits"),
        ({"lanes": 4}, "4 lanes"),
        ({"device_type": 2}, "device type 2"),
        ({"byte_offset": 2}, "not a multiple"),
        ({"byte_offset": 2**64 - 4}, "outside of memory"),
    ],
)
def test_hostile_structs(versioned, changes, text):
    maker = Maker(versioned, **changes)
    for copy in (True, False):
        with pytest.raises((ValueError, TypeError), match=text):
            ps.from_dlpack(maker, copy=copy)
        assert capsule_name(maker.capsule) == maker.name
    assert maker.deleted == 0


@pytest.mark.parametrize(
    ("shape", "strides"),
    [
        ((-1, 3), (3, 1)),
        ((2**62, 2**62), (1, 1)),
        ((2**40, 2**40), (0, 0)),
        ((2, 3), (2**62, 1)),
        ((2, 3), (-(2**61), 1)),
    ],
)
def test_hostile_shapes(shape, strides):
    maker = Maker(lengths=shape, strides=strides)
    with pytest.raises((ValueError, MemoryError)):
        ps.from_dlpack(maker)
    assert maker.deleted == 0


def test_hostile_capsules():
    with pytest.raises(BufferError, match="version 2.0"):
        ps.from_dlpack(Maker(major=2))
    other = new_capsule(1, b"something", None)
    with pytest.raises(ValueError, match="'something'"):
        ps.from_dlpack(other)
    nameless = new_capsule(1, None, None)
    with pytest.raises(ValueError, match="named ''"):
        ps.from_dlpack(nameless)
    for wrong in (5, "abc", None, object()):
        with pytest.raises(TypeError, match="__dlpack__"):
            ps.from_dlpack(wrong)
    maker = Maker()
    maker.capsule = "no capsule"
    with pytest.raises(TypeError, match="not a capsule"):
        ps.from_dlpack(maker)

    class Elsewhere(Maker):
        def __dlpack_device__(self):
            return (2, 1)

    with pytest.raises(TypeError, match=r"device \(2, 1\)"):
        ps.from_dlpack(Elsewhere())

    class Strange(Maker):
        def __dlpack_device__(self):
            return "cpu"

    with pytest.raises(TypeError, match="device"):
        ps.from_dlpack(Strange())

    class Failing(Maker):
        def __dlpack__(self, **_):
            raise BufferError("not today")

    with pytest.raises(BufferError, match="not today"):
        ps.from_dlpack(Failing())


def test_without_a_deleter():
    maker = Maker(deleter=DELETER())
    assert ps.from_dlpack(maker).tolist() == [[0, 1, 2], [3, 4, 5]]
    maker = Maker(deleter=DELETER())
    assert ps.from_dlpack(maker, copy=True).shape == (2, 3)


def test_copied_by_the_producer():
    with pytest.raises(ValueError, match="as a copy only"):
        ps.from_dlpack(Maker(flags=2), copy=False)
    assert ps.from_dlpack(Maker(flags=2)).shape == (2, 3)
    assert ps.from_dlpack(Maker(flags=1)).shape == (2, 3)


def test_older_producer():
    class Older(Maker):
        def __dlpack__(self, stream=None):
            return self.capsule

    assert ps.from_dlpack(Older(versioned=False)).tolist() == [[0, 1, 2], [3, 4, 5]]


# ---- exports -------------------------------------------------------------------------------------


def read(capsule, name=b"dltensor_versioned"):
    kind = Managed if name == b"dltensor" else Versioned
    return kind.from_address(capsule_pointer(capsule, name))


def test_versioned_export():
    ours = ps.array([[1.0, 2.0], [3.0, 4.0]])
    assert ours.__dlpack_device__() == (1, 0)
    capsule = ours.__dlpack__(max_version=(1, 0))
    struct = read(capsule)
    assert (struct.major, struct.flags & 1) == (1, 1)
    assert struct.tensor.data == np.asarray(ours).ctypes.data
    ours[:] = 0
    values = (ctypes.c_float * 4).from_address(struct.tensor.data)
    assert list(values) == [1, 2, 3, 4]
    copied = read(kept := ours.__dlpack__(max_version=(2, 0), copy=True))
    assert copied.flags == 2
    assert copied.tensor.data != np.asarray(ours).ctypes.data
    del kept


def test_export_without_a_version_is_a_copy():
    ours = ps.array([1.0, 2.0])
    capsule = ours.__dlpack__()
    struct = read(capsule, b"dltensor")
    (ctypes.c_float * 2).from_address(struct.tensor.data)[0] = 7
    assert ours.tolist() == [1, 2]
    assert ps.from_dlpack(capsule).tolist() == [7, 2]
    with pytest.raises(BufferError, match="copy=False needs max_version"):
        ours.__dlpack__(copy=False)
    assert ours.__dlpack__(max_version=(0, 8), copy=True) is not None


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"stream": 1}, ValueError, "stream must be None, not 1"),
        ({"dl_device": (2, 0)}, BufferError, r"\(2, 0\)"),
        ({"dl_device": "cpu"}, TypeError, "two integers, not 'cpu'"),
        ({"max_version": 1}, TypeError, "two integers, not 1"),
        ({"max_version": (1, "a")}, TypeError, "two integers"),
        ({"max_version": (1, 2, 3)}, TypeError, "two integers"),
        ({"copy": 1}, TypeError, "copy must be True, False or None"),
    ],
)
def test_export_arguments(arguments, error, text):
    with pytest.raises(error, match=text):
        ps.ones(2).__dlpack__(**arguments)


def test_capsules_nobody_takes():
    ours = ps.ones(1000)
    for version in (None, (1, 0)):
        for copy in (None, True):
            capsule = ours.__dlpack__(max_version=version, copy=copy)
            del capsule
    assert ours.sum().item() == 1000


def test_capsule_outlives_its_array():
    capsule = ps.array([1.0, 2.0]).__dlpack__(max_version=(1, 0))
    gc.collect()
    assert ps.from_dlpack(capsule).tolist() == [1, 2]


def test_ours_to_ours():
    ours = ps.array([[1.0, 2.0], [3.0, 4.0]])
    again = ps.from_dlpack(ours.T)
    ours[0, 0] = 9
    again[1, 1] = 8
    assert again.tolist() == [[1, 3], [2, 8]]
    assert ours.tolist() == [[9, 2], [3, 4]]


# ---- other libraries -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_numpy(name):
    theirs = np.arange(24).reshape(2, 3, 4).astype(name)
    for view in (theirs, theirs.T, theirs[:, ::-1], theirs[..., 1:2], theirs[:0]):
        ours = ps.from_dlpack(view)
        assert ours.dtype == name and ours.shape == view.shape
        np.testing.assert_array_equal(ours.asnumpy(), view)
        back = np.from_dlpack(ours)
        assert back.dtype == name and not back.flags.writeable
        np.testing.assert_array_equal(back, view)
        assert np.from_dlpack(ours, copy=True).flags.writeable
    assert np.shares_memory(np.from_dlpack(ps.from_dlpack(theirs)), theirs)
    fixed = theirs.copy()
    fixed.flags.writeable = False
    np.testing.assert_array_equal(ps.from_dlpack(fixed).asnumpy(), theirs)


def test_numpy_gives_its_memory_back():
    class Base(np.ndarray):
        pass

    base = np.arange(5.0).view(Base)
    done = threading.Event()
    weakref.finalize(base, done.set)
    ours = ps.from_dlpack(base)
    del base
    gc.collect()
    assert not done.is_set()
    assert ours.sum().item() == 10
    del ours
    assert done.wait(processes.LIMIT)


@pytest.mark.parametrize("name", [*NAMES, "bfloat16"])
def test_torch(name):
    torch = pytest.importorskip("torch")
    kind = getattr(torch, name)
    theirs = torch.arange(6).reshape(2, 3).to(kind)
    for tensor in (theirs, theirs.T, theirs[:, 1:]):
        for ours in (ps.from_dlpack(tensor), ps.array(tensor), ps.array(tensor, copy=False)):
            assert ours.dtype == name
            assert ours.tolist() == tensor.tolist()
            back = torch.from_dlpack(ours)
            assert back.dtype == kind and torch.equal(back, tensor)
            assert torch.utils.dlpack.from_dlpack(ours.__dlpack__()).tolist() == tensor.tolist()
    captured, shared = ps.array(theirs), ps.from_dlpack(theirs)
    theirs[0, 0] = 1
    assert captured[0, 0].item() == 0
    assert shared[0, 0].item() == 1


def test_torch_operands():
    torch = pytest.importorskip("torch")
    ours = ps.array([1.0, 2.0])
    assert (ours + torch.tensor([3.0, 4.0])).tolist() == [4, 6]
    with pytest.raises((BufferError, RuntimeError), match="grad"):
        ps.from_dlpack(torch.ones(2, requires_grad=True))
    assert ps.array([torch.tensor([1.0]), torch.tensor([2.0])]).tolist() == [[1], [2]]


@pytest.mark.parametrize("name", ["bool", "int32", "uint8", "float16", "bfloat16", "float32"])
def test_jax(name):
    jax = pytest.importorskip("jax")
    theirs = jax.numpy.arange(6).reshape(2, 3).astype(name)
    for ours in (ps.from_dlpack(theirs), ps.array(theirs), ps.array(theirs, copy=False)):
        assert ours.dtype == name
        assert ours.tolist() == theirs.tolist()
        back = jax.dlpack.from_dlpack(ours)
        assert back.dtype == name and back.tolist() == theirs.tolist()
    ours = ps.from_dlpack(theirs)
    back = jax.dlpack.from_dlpack(ours)
    ours[:] = 0
    assert back.tolist() == theirs.tolist()
    del ours, back, theirs
    gc.collect()
