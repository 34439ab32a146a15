"""NumPy mode: what npx.set_np switches on, for each thread."""

import threading

from .. import _core


class _Mode(threading.local):
    array = False

    @property
    def shape(self):
        """Whether shapes may be () and lengths 0. The C code of indexing asks for it too."""
        return _core._np_shape()

    @shape.setter
    def shape(self, active):
        _core._set_np_shape(active)


mode = _Mode()
