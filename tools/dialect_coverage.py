#!/usr/bin/env python3
"""Writes into docs/torch.md and docs/paddle.md which names of their libraries there are.

    dialect_coverage.py docs/torch.md docs/paddle.md    with the package to describe on PYTHONPATH

The names are those of the record in the dialect's _names.py (tests/conformance/record_*_names.py
make them). A name counts if it is there and does something: what only raises does not. The list
stands between two comments of the page.
"""

import pathlib
import re
import sys
import warnings
from importlib import import_module

sys.path.append(str(pathlib.Path(__file__).parent))

from coverage_page import between, listed, returns  # noqa: E402

TOOL = "dialect_coverage.py"


class Coverage:
    """What is here of the names that a dialect's record has.

    `inner` matches names that are public there and yet nobody's to call; `again` are modules whose
    names are those of another.
    """

    def __init__(self, name, title, inner, again=()):
        self.name, self.title, self.inner, self.again = name, title, inner, again
        self.names = import_module(f"penstock.{name}._names").NAMES

    def find(self, path):
        """What has the names: a module or a class; None if there is no such module."""
        above, _, last = path.rpartition(".")
        if last[0].isupper():
            return getattr(import_module(f"penstock.{above}"), last)
        try:
            return import_module(f"penstock.{path}")
        except ModuleNotFoundError:
            return None

    def names_of(self, path):
        """Those that are looked at: modules inside of others are listed by themselves."""
        kinds = dict(self.names[path])
        if path != self.name:
            kinds.pop("modules", None)
        names = {name for group in kinds.values() for name in group.split()}
        kept = (name for name in names if not self.is_inner(path, name))
        return sorted(kept, key=lambda name: (name.lower(), name))

    def is_inner(self, path, name):
        if path == self.name and name.endswith("_"):
            return True
        return path.partition(".")[0] == self.name and self.inner.fullmatch(name) is not None

    def table(self):
        """The table, and what is absent."""
        rows, missing = "", ""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for path in self.names:
                names, owner = self.names_of(path), self.find(path)
                if not names or path in self.again:
                    continue
                absent = [name for name in names if not is_here(owner, name)]
                rows += f"| `{path}` | {len(names)} | {len(names) - len(absent)} |\n"
                if absent and len(absent) < len(names):
                    missing += f"**`{path}`**:\n{listed(absent)}\n\n"
        head = f"| names of | in {self.title} | here |\n| --- | ---: | ---: |\n"
        return f"{head}{rows}\nNot here, of those that are there in part:\n\n{missing.rstrip()}\n"

    def written(self, page):
        """The page with what is true now."""
        return between(page, TOOL, "coverage", self.table())


def is_here(owner, name):
    """Whether it is there and does something; modules are loaded to see."""
    try:
        return owner is not None and hasattr(owner, name) and returns(getattr(owner, name))
    except ModuleNotFoundError:
        return False


def torch():
    """Without kernels of other libraries, parts of the compiler and of quantisation, and functions
    that are methods in all programs."""
    return Coverage("torch", "PyTorch 2.15.0", re.compile(
        r"(autocast|cudnn|fake_quantize|fbgemm|fused|get_autocast|import_ir|is_autocast|merge_type"
        r"|miopen|mkldnn|native|parse|q|quantized|set_autocast|sym|unify_type|unsafe|batch_norm"
        r")_\w+"
        r"|choose_qparams_optimized|Q(Int|UInt)\w+|Sym(Bool|Float|Int)|q(int|uint)\d\w*"
        r"|(int|uint|bits)[1-7](x\d)?|bit|bits(8|16)|\w+_copy|\w+_with_indices"
    ))


def paddle():
    """Without what asks for other processors, parts of programs that are written down first, and
    modules that the library has for itself."""
    return Coverage("paddle", "PaddlePaddle 3.3.1", re.compile(
        r"(IPU|XPU|Custom|XPUPinned)Place|is_compiled_with_\w+|get_autocast_\w+|Ir\w+|IPU\w*|XPU\w*"
        r"|is_(dist|selected_rows|sparse|same_shape)\w*|\w+_(xpu|ipu|npu|mlu)_\w+|pir\w*|ir_guard"
        r"|api_tracer|check_import_scipy|cinn_config|classes|common_ops_import|cost_model|cuda_env"
        r"|decomposition|new_init|pstring|raw"
    ), again=("paddle.tensor",))


DIALECTS = {"torch": torch, "paddle": paddle}


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    for page in map(pathlib.Path, sys.argv[1:]):
        page.write_text(DIALECTS[page.stem]().written(page.read_text()))


if __name__ == "__main__":
    main()
