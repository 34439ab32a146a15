"""The table that Block.summary prints."""

from .._nd_array import NDArray

_LINE = "{:>20}  {:>42} {:>15}"


def _size(param):
    total = 1
    for length in param.shape:
        total *= length
    return total


def _shapes(value):
    """The shapes of arrays, in lists as they are; other values as they are."""
    if isinstance(value, (list, tuple)):
        return [_shapes(one) for one in value]
    return tuple(value.shape) if isinstance(value, NDArray) else value


def _text(value):
    """The shapes of arguments or of a result."""
    found = _shapes(value)
    return ", ".join(map(str, found)) if isinstance(found, list) else str(found)


class _Table:
    """What hooks find out while the block is called."""

    def __init__(self):
        self.rows = []
        self.counts = {"total": 0, "trainable": 0, "shared": 0}
        self._seen = {}

    def note(self, block, args, result):
        """A hook: a row for the block."""
        own = 0
        for param in block.params.values():
            size = _size(param)
            own += size
            self.counts["total"] += size
            self.counts["trainable"] += size if param.grad_req != "null" else 0
            self.counts["shared"] += size if id(param) in self._seen else 0
            self._seen[id(param)] = size
        name = f"{type(block).__name__}-{len(self.rows)}"
        self.rows.append((name, _text(result), own))

    def unique(self):
        """How many elements there are, each parameter counted once."""
        return sum(self._seen.values())


def show(block, inputs):
    """Calls the block, and prints what is found out."""
    from . import nn

    table, handles = _Table(), []
    table.rows.append(("Input", _text(inputs), 0))

    def watch(one):
        if getattr(one, "_active", False):
            raise AssertionError(f'"{one.name}" is hybridized: hybridize(False) comes first')
        if not isinstance(one, (nn.Sequential, nn.HybridSequential)):
            handles.append(one.register_forward_hook(table.note))

    try:
        block.apply(watch)
        block(*inputs)
    finally:
        for handle in handles:
            handle.detach()
    _print(table)


def _print(table):
    thin, thick = "-" * 80, "=" * 80
    total, trainable = table.counts["total"], table.counts["trainable"]
    print(thin)
    print(_LINE.format("Layer (type)", "Output Shape", "Param #"))
    print(thick)
    for row in table.rows:
        print(_LINE.format(*row))
    print(thick)
    print("Parameters of all calls above; shared ones count each time")
    print(f"   Total params: {total}")
    print(f"   Trainable params: {trainable}")
    print(f"   Non-trainable params: {total - trainable}")
    print(f"Shared params among these: {table.counts['shared']}")
    print(f"Unique parameters in model: {table.unique()}")
    print(thin)
