"""Parameters of blocks in files."""

import json
import warnings

from .parameter import load_arrays, reduced, save_arrays
from .utils import _brief_print_list


def save_parameters(block, filename, deduplicate):
    """Writes all parameters by their structured names."""
    params = block._collect_params_with_prefix()
    if deduplicate:
        last = {id(param): name for name, param in params.items()}
        params = {name: param for name, param in params.items() if last[id(param)] == name}
    save_arrays(filename, {name: reduced(param) for name, param in params.items()})


def save_params(block, filename):
    """Writes all parameters by their names after the block's prefix."""
    warnings.warn("save_params is deprecated. Please use save_parameters.", stacklevel=3)
    block.collect_params().save(filename, strip_prefix=block.prefix)


class Loading:
    """The arguments of load_parameters."""

    def __init__(self, filename, ctx, allow_missing, ignore_extra, cast_dtype, dtype_source):
        self.filename = filename
        self.ctx = ctx
        self.allow_missing = allow_missing
        self.ignore_extra = ignore_extra
        self.types = (cast_dtype, dtype_source)

    def load(self, block):
        """Sets the parameters of a block."""
        arrays = load_arrays(self.filename)
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
                params[name]._load_init(array, self.ctx, *self.types)

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
                    f"Parameter {name!r} is missing in file {self.filename!r}, which contains "
                    f"parameters: {_brief_print_list(arrays)}. allow_missing=True allows that."
                )

    def _check_extra(self, arrays, params):
        for name in arrays:
            if name not in params:
                raise ValueError(
                    f"Parameter {name!r} loaded from file {self.filename!r} is not present in the "
                    f"block, which contains parameters: {_brief_print_list(params)}. "
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
    """Sets the parameters of a block that has the same blocks inside."""
    with open(prefix + "-model.json") as file:
        (entry,) = json.load(file).values()
    _check_structure(block, entry, prefix)
    block.load_parameters(prefix + "-model.params")


def _check_structure(block, entry, prefix):
    names = list(entry["children"].values())
    if names != list(block._children):
        raise ValueError(
            f"load: {prefix}-model.json has blocks {names} inside of {entry['orig_name']}, and "
            f"{block.name} has {list(block._children)}"
        )
    for key, child in zip(_children_keys(entry), block._children.values()):
        _check_structure(child, entry[key], prefix)


def _children_keys(entry):
    """The keys of the entries of the blocks inside."""
    return [key for key, value in entry.items() if isinstance(value, dict) and key != "children"]
