"""torch.utils.hooks: what registering a hook gives."""

import itertools
import weakref

from .. import _missing

_numbers = itertools.count()


class RemovableHandle:
    """Takes a hook out of the dict that it is in: by remove(), or at the end of a block."""

    __module__ = "torch.utils.hooks"

    def __init__(self, hooks_dict, *, extra_dict=None):
        self.id = next(_numbers)
        others = extra_dict if isinstance(extra_dict, (list, tuple)) else (extra_dict,)
        self._dicts = [weakref.ref(one) for one in (hooks_dict, *others) if one is not None]

    def remove(self):
        """The hook is called no more."""
        for found in self._dicts:
            hooks = found()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.remove()


__getattr__ = _missing.missing("torch.utils.hooks")
