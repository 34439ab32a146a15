"""What is said of names that are not here: torch has them, or somebody mistyped.

A module ends with `__getattr__ = missing("torch.nn")`, or torchvision's with its name.
"""

from .._common.missing import Missing

NAMES = Missing(
    __name__.rpartition(".")[0],
    {"torch": ("PyTorch", "2.15.0"), "torchvision": ("torchvision", "0.29.2")},
    "docs/torch.md",
)
missing, recorded, text_for, module_text = (
    *(NAMES.missing, NAMES.recorded, NAMES.text_for, NAMES.module_text),
)
