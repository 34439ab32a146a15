"""What is said of names that are not here: PaddlePaddle has them, or somebody mistyped.

A module ends with `__getattr__ = missing("paddle.nn")`.
"""

from .._common.missing import Missing

NAMES = Missing(
    __name__.rpartition(".")[0], {"paddle": ("PaddlePaddle", "3.3.1")}, "docs/paddle.md"
)
missing, recorded, text_for, module_text = (
    *(NAMES.missing, NAMES.recorded, NAMES.text_for, NAMES.module_text),
)
