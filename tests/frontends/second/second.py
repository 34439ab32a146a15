"""Second, a language made up for tests, beside Python in one process and on one engine.

Importing this puts the extension module that uses the shared library in the place of the package's
own. second.c is the language; here is what a test needs to write programs in it.
"""

import _ctypes
import contextlib
import ctypes
import importlib.util
import os
import sys
import threading


def _share():
    """The package's extension module, as it is linked to the shared library."""
    spec = importlib.util.spec_from_file_location("penstock._core", os.environ["SECOND_CORE"])
    sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[spec.name])


_share()

from penstock import _core  # noqa: E402

CAPSULE = b"ps_tensor"
FILE = os.environ["SECOND_LIBRARY"]
SYNC, AS_ENGINE = 2, 0  # ps_mode

_api = ctypes.pythonapi
_api.PyCapsule_New.restype = ctypes.py_object
_api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_api.PyCapsule_SetContext.argtypes = [ctypes.py_object, ctypes.c_void_p]
_api.PyCapsule_GetContext.restype = ctypes.c_void_p
_api.PyCapsule_GetContext.argtypes = [ctypes.py_object]
_api.PyCapsule_GetPointer.restype = ctypes.c_void_p
_api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


class _Value(ctypes.Structure):
    _fields_ = [
        ("tensor", ctypes.c_void_p),
        ("number", ctypes.c_int64),
        ("is_number", ctypes.c_bool),
    ]


class Error(ctypes.Structure):
    """What went wrong, as Second tells it."""

    _fields_ = [
        ("text_bytes", ctypes.c_char * 2000),
        ("place_bytes", ctypes.c_char * 500),
        ("kind", ctypes.c_uint32),
        ("line", ctypes.c_uint32),
    ]

    @property
    def text(self):
        return self.text_bytes.decode()

    @property
    def place(self):
        return self.place_bytes.decode()


class Failed(Exception):
    def __init__(self, error):
        super().__init__(error.text)
        self.error = error


_POINTERS = ["second_call", "second_get", "second_get_many", "second_take_in_c"]


def _load(kind):
    library = kind(FILE)
    for name in _POINTERS:
        getattr(library, name).restype = ctypes.c_void_p
    for name in ["start", "stop", "enter", "leave", "wait", "set", "set_many"]:
        getattr(library, f"second_{name}").restype = ctypes.c_bool
    return library


class Second:
    """The language, loaded and begun. Its arrays are Python's: handles cross in capsules."""

    def __init__(self):
        self.library = _load(ctypes.CDLL)
        self.locked = _load(ctypes.PyDLL)  # the same, with the interpreter's lock held
        self.scripts = []
        self.check(self.library.second_start())

    def engine(self):
        engine = ctypes.c_void_p()
        assert self.library.ps_engine_default(ctypes.byref(engine)) == 0
        return engine.value

    def check(self, done):
        if not done:
            error = Error()
            self.library.second_last_error(ctypes.byref(error))
            raise Failed(error)
        return done

    def pointer(self, array):
        """Of an array that somebody keeps."""
        capsule = _core._to_capsule(array)
        assert _api.PyCapsule_GetContext(capsule) == self.engine()
        return ctypes.c_void_p(_api.PyCapsule_GetPointer(capsule, CAPSULE))

    def array(self, pointer):
        """Python's array of a handle that is given up."""
        capsule = _api.PyCapsule_New(self.check(pointer), CAPSULE, None)
        _api.PyCapsule_SetContext(capsule, self.engine())
        try:
            return _core._from_capsule(capsule)
        finally:
            self.library.ps_tensor_release(ctypes.c_void_p(pointer))

    def at(self, script, line):
        self.scripts.append(script.encode())
        self.library.second_at(self.scripts[-1], line)

    def call(self, name, *values):
        """An operation on arrays, numbers, and None for what is left out."""
        converted = (_Value * max(len(values), 1))()
        for to, value in zip(converted, values):
            if isinstance(value, int):
                to.number, to.is_number = value, True
            elif value is not None:
                to.tensor = self.pointer(value).value
        return self.array(
            self.library.second_call(name.encode(), converted, ctypes.c_size_t(len(values)))
        )

    def get(self, x, *positions):
        count = ctypes.c_size_t(len(positions))
        items = (ctypes.c_int64 * len(positions))(*positions)
        return self.array(self.library.second_get(self.pointer(x), items, count))

    def set(self, x, *positions, value):
        count = ctypes.c_size_t(len(positions))
        items = (ctypes.c_int64 * len(positions))(*positions)
        number = ctypes.c_double(value)
        self.check(self.library.second_set(self.pointer(x), items, count, number))

    def get_many(self, x, positions):
        return self.array(self.library.second_get_many(self.pointer(x), self.pointer(positions)))

    def set_many(self, x, positions, value):
        number = ctypes.c_double(value)
        self.check(
            self.library.second_set_many(self.pointer(x), self.pointer(positions), number)
        )

    def take_in_c(self, x, positions):
        return self.array(self.library.second_take_in_c(self.pointer(x), self.pointer(positions)))

    def wait(self, x, locked=False):
        """Raises Failed; the interpreter's lock is held, but while the wait blocks, if `locked`."""
        library = self.locked if locked else self.library
        done, error = library.second_wait(self.pointer(x)), Error()
        if not done:
            library.second_last_error(ctypes.byref(error))
            raise Failed(error)

    def set_mode(self, mode):
        assert self.library.ps_thread_set_mode(mode) == 0

    def run(self, program):
        """What a program gives that runs on a thread of this language's."""
        results = []

        def body():
            self.check(self.library.second_enter())
            try:
                results.append(program())
            except Failed as failed:
                results.append(failed)
            finally:
                self.check(self.library.second_leave())

        thread = threading.Thread(target=body)
        thread.start()
        thread.join()
        if isinstance(results[0], Failed):
            raise results[0]
        return results[0]

    def unload(self):
        """Takes leave, and its code goes."""
        self.check(self.library.second_stop())
        for library in (self.library, self.locked):
            _ctypes.dlclose(library._handle)
        with contextlib.suppress(OSError):
            ctypes.CDLL(FILE, mode=os.RTLD_NOLOAD | os.RTLD_NOW)
            raise AssertionError(f"{FILE} is still there")
