#!/usr/bin/env python3
"""Writes into docs/torch.md which names of PyTorch 2.15.0 and torchvision 0.29.2 there are.

    torch_coverage.py docs/torch.md         with the package to be described on PYTHONPATH

The names are those of the record in penstock/torch/_names.py (tests/conformance/
record_torch_names.py makes it). A name counts if it is there and does something: what only raises
does not. The list stands between two comments of the page.
"""

import pathlib
import re
import sys
import warnings
from importlib import import_module

from penstock import torch
from penstock.torch import _names

sys.path.append(str(pathlib.Path(__file__).parent))

from coverage_page import between, listed, returns  # noqa: E402

TOOL = "torch_coverage.py"

# Names that are public there and yet nobody's to call: kernels of other libraries, parts of the
# compiler and of quantisation, functions that are methods in all programs.
INNER = re.compile(
    r"(autocast|cudnn|fake_quantize|fbgemm|fused|get_autocast|import_ir|is_autocast|merge_type|miopen"
    r"|mkldnn|native|parse|q|quantized|set_autocast|sym|unify_type|unsafe|batch_norm)_\w+"
    r"|choose_qparams_optimized|Q(Int|UInt)\w+|Sym(Bool|Float|Int)|q(int|uint)\d\w*"
    r"|(int|uint|bits)[1-7](x\d)?|bit|bits(8|16)|\w+_copy|\w+_with_indices"
)

HEAD = """\
| names of | in PyTorch 2.15.0 | here |
| --- | ---: | ---: |
"""


def find(path):
    """What has the names: a module or a class; None if there is no such module."""
    if path == "torch.Tensor":
        return torch.Tensor
    try:
        return import_module(f"penstock.{path}")
    except ModuleNotFoundError:
        return None


def names_of(path):
    """Those that are looked at: modules inside of others are listed by themselves."""
    kinds = dict(_names.NAMES[path])
    if path != "torch":
        kinds.pop("modules", None)
    names = {name for group in kinds.values() for name in group.split()}
    kept = (name for name in names if not is_inner(path, name))
    return sorted(kept, key=lambda name: (name.lower(), name))


def is_inner(path, name):
    if path == "torch" and name.endswith("_"):
        return True
    return not path.startswith("torchvision") and INNER.fullmatch(name) is not None


def is_here(owner, name):
    """Whether it is there and does something; modules are loaded to see."""
    try:
        return owner is not None and hasattr(owner, name) and returns(getattr(owner, name))
    except ModuleNotFoundError:
        return False


def coverage():
    """The table, and what is absent."""
    rows, missing = "", ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for path in _names.NAMES:
            names, owner = names_of(path), find(path)
            if not names:
                continue
            absent = [name for name in names if not is_here(owner, name)]
            rows += f"| `{path}` | {len(names)} | {len(names) - len(absent)} |\n"
            if absent and len(absent) < len(names):
                missing += f"**`{path}`**:\n{listed(absent)}\n\n"
    return f"{HEAD}{rows}\nNot here, of those that are there in part:\n\n{missing.rstrip()}\n"


def written(page):
    """The page with what is true now."""
    return between(page, TOOL, "coverage", coverage())


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    path = pathlib.Path(sys.argv[1])
    path.write_text(written(path.read_text()))


if __name__ == "__main__":
    main()
