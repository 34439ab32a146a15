"""Parameters of blocks in files."""

import json
import warnings

from .parameter import load_arrays, reduced, save_arrays
from .utils import _some_names


def save_parameters(block, filename, deduplicate):
    """Writes all parameters by their structured names."""
    params = block._collect_params_with_prefix()
    if deduplicate:
        last = {id(param): name for name, param in params.items()}
        params = {name: param for name, param in params.items() if last[id(param)] == name}
    save_arrays(filename, {name: reduced(param) for name, param in params.items()})


def save_params(block, filename):
    """Writes all parameters by their names after the block's prefix."""
    warnings.warn("save_params is the old name: call save_parameters instead.", stacklevel=3)
    block.collect_params().save(filename, strip_prefix=block.prefix)


class Loading:
    """The arguments of load_parameters."""

    def __init__(self, filename, ctx, allow_missing, ignore_extra, cast_dtype, dtype_source):
        self.filename = filename
        self.ctx = ctx
        self.allow_missing = allow_missing
        self.ignore_extra = ignore_extra
        self.types = (cast_dtype, dtype_source)

    def load(self, block, arrays=None):
        """Sets the parameters of a block."""
        arrays = load_arrays(self.filename) if arrays is None else arrays
        params = block._collect_params_with_prefix()
        if not arrays and not params:
            return
        if not isinstance(arrays, dict):
            raise AttributeError(f"load_parameters: the arrays in {self.filename!r} have no names")
        if not any("." in name for name in arrays):
            self._by_prefix(block, arrays)
            return
        if not self.allow_missing:
            self._check_missing(arrays, params)
        if not self.ignore_extra:
            self._check_extra(arrays, params)
        for name, array in arrays.items():
            if name in params:
                params[name]._take_loaded(array, self.ctx, *self.types)

    def _by_prefix(self, block, arrays):
        block.collect_params().load_dict(
            arrays,
            self.ctx,
            self.allow_missing,
            self.ignore_extra,
            block.prefix,
            self.filename,
            *self.types,
        )

    def _check_missing(self, arrays, params):
        """Each parameter must be there, under one of its names."""
        found = {id(params[name]) for name in arrays if name in params}
        for name, param in params.items():
            if id(param) not in found:
                raise AssertionError(
                    f"file {self.filename!r} has nothing for Parameter {name!r}; it has "
                    f"{_some_names(arrays)}. allow_missing=True allows that."
                )

    def _check_extra(self, arrays, params):
        for name in arrays:
            if name not in params:
                raise ValueError(
                    f"file {self.filename!r} has {name!r}, which the block does not have; it has "
                    f"{_some_names(params)}. "
                    "ignore_extra=True ignores it."
                )


# ---- Blocks with what is inside ------------------------------------------------------------------


def _structure(block):
    """The blocks inside of a block, as the json file has them."""
    entry = {
        "orig_name": block.name,
        "hybridized": False,
        "children": {child.name: name for name, child in block._children.items()},
    }
    entry.update((child.name, _structure(child)) for child in block._children.values())
    return entry


def save(block, prefix):
    """Writes the parameters, and which blocks there are."""
    block.save_parameters(prefix + "-model.params")
    with open(prefix + "-model.json", "w") as file:
        json.dump({block.name: _structure(block)}, file)


def load(block, prefix):
    """Sets the parameters of a block that has such blocks inside; their names may be others."""
    with open(prefix + "-model.json") as file:
        (entry,) = json.load(file).values()
    filename = prefix + "-model.params"
    names = dict(_renamed(block, entry, "", ""))
    arrays = {names.get(name, name): one for name, one in load_arrays(filename).items()}
    Loading(filename, None, False, False, False, "current").load(block, arrays)


def _renamed(block, entry, there, here):
    """The structured names of parameters in the file, and in the block."""
    for name in block._reg_params:
        yield there + name, here + name
    names = list(entry["children"].values())
    if len(names) != len(block._children):
        raise ValueError(
            f"load: {entry['orig_name']} in the file has blocks {names} inside, and {block.name} "
            f"has {list(block._children)}"
        )
    inner = [one for key, one in entry.items() if isinstance(one, dict) and key != "children"]
    for name, one, (key, child) in zip(names, inner, block._children.items()):
        yield from _renamed(child, one, f"{there}{name}.", f"{here}{key}.")
