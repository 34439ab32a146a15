"""torchvision's pictures for programs that import it beside torch.

>>> from penstock import torch, torchvision
>>> torchvision.transforms.functional.hflip(torch.tensor([[[1, 2]]]))
tensor([[[2, 1]]])

Pictures are tensors (channels, height, width), or Pillow's, which is imported when it is needed.
There are no trained models; data sets are read from files that are there.
"""

__version__ = "0.29.2"

from .. import _install
from . import _missing

_finder = _install.Finder(__name__, {}, _missing.module_text)

# Modules that are loaded when they are first touched.
__getattr__ = _missing.later("torchvision", "datasets", "io", "models", "ops", "transforms")


def __dir__():
    return sorted({*globals(), "datasets", "io", "models", "ops", "transforms"})


def set_image_backend(backend):
    """What reads pictures: PIL, which is Pillow, only."""
    if backend != "PIL":
        raise ValueError(f"Invalid backend '{backend}'. Options are 'PIL'")


def get_image_backend():
    """What reads pictures: 'PIL', which is Pillow."""
    return "PIL"
