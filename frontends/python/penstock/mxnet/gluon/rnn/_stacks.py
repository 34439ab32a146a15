"""Cells made of several: one behind the other, or one in each direction."""

from .... import _core
from . import _sequences
from ._cells import _MODULE, HybridRecurrentCell, RecurrentCell

_concatenate = _core._ops["concatenate"]


def _states_of(cells, states):
    """Each cell with its part of the states."""
    begin = 0
    for cell in cells:
        end = begin + len(cell.state_info())
        yield cell, states[begin:end]
        begin = end


def _info(cells, batch_size):
    return [info for cell in cells for info in cell.state_info(batch_size)]


def _begin(cells, settings):
    return [state for cell in cells for state in cell.begin_state(**settings)]


class _Stack:
    """Cells one behind the other."""

    def __repr__(self):
        lines = "\n".join(f"({name}): {cell!r}" for name, cell in self._children.items())
        return f"{type(self).__name__}(\n{lines}\n)"

    def add(self, cell):
        """Puts a cell behind the others."""
        self.register_child(cell)

    def __getitem__(self, place):
        return list(self._children.values())[place]

    def __len__(self):
        return len(self._children)

    def state_info(self, batch_size=0):
        """Shape and layout of each state of all cells."""
        return _info(self._children.values(), batch_size)

    def begin_state(self, **kwargs):
        """The states that all cells begin with."""
        self._check_not_modified()
        return _begin(self._children.values(), kwargs)

    def forward(self, inputs, states):
        """One step of all cells."""
        self._counter += 1
        after = []
        for cell, part in _states_of(self._children.values(), states):
            if isinstance(cell, BidirectionalCell):
                raise AssertionError("a BidirectionalCell inside cannot be stepped: use unroll")
            inputs, part = cell(inputs, part)
            after += part
        return inputs, after

    def unroll(
        self,
        length,
        inputs,
        begin_state=None,
        layout="NTC",
        merge_outputs=None,
        valid_length=None,
    ):
        """So many steps, cell after cell: the outputs of the last one and all last states."""
        self.reset()
        states = _sequences.first_states(self, begin_state, inputs, layout)
        after = []
        last = len(self._children) - 1
        for place, (cell, part) in enumerate(_states_of(self._children.values(), states)):
            merge = merge_outputs if place == last else None
            inputs, part = cell.unroll(length, inputs, part, layout, merge, valid_length)
            after += part
        return inputs, after


class SequentialRNNCell(_Stack, RecurrentCell):
    """Cells one behind the other."""

    __module__ = _MODULE

    def __init__(self, prefix=None, params=None):
        super().__init__(prefix=prefix, params=params)


class HybridSequentialRNNCell(_Stack, HybridRecurrentCell):
    """Hybrid cells one behind the other."""

    __module__ = _MODULE

    def __init__(self, prefix=None, params=None):
        super().__init__(prefix=prefix, params=params)

    def hybrid_forward(self, F, inputs, states):
        return self.forward(inputs, states)


class BidirectionalCell(HybridRecurrentCell):
    """A cell for each direction; their outputs of a step lie side by side."""

    __module__ = _MODULE

    def __init__(self, l_cell, r_cell, output_prefix="bi_"):
        super().__init__(prefix="", params=None)
        self.register_child(l_cell, "l_cell")
        self.register_child(r_cell, "r_cell")
        self._output_prefix = output_prefix

    def __repr__(self):
        left, right = self._children.values()
        return f"{type(self).__name__}(forward={left!r}, backward={right!r})"

    def __call__(self, inputs, states):
        raise NotImplementedError("a BidirectionalCell needs the whole sequence: call unroll()")

    def state_info(self, batch_size=0):
        """Shape and layout of each state of both cells."""
        return _info(self._children.values(), batch_size)

    def begin_state(self, **kwargs):
        """The states that both cells begin with."""
        self._check_not_modified()
        return _begin(self._children.values(), kwargs)

    def unroll(
        self,
        length,
        inputs,
        begin_state=None,
        layout="NTC",
        merge_outputs=None,
        valid_length=None,
    ):
        """So many steps in both directions: outputs, and the last states of both."""
        self.reset()
        steps = _sequences.steps_of(length, inputs, layout)
        states = _sequences.first_states(self, begin_state, steps, layout)
        (left, l_states), (right, r_states) = _states_of(self._children.values(), states)
        settings = {"layout": layout, "merge_outputs": False, "valid_length": valid_length}
        forth, l_states = left.unroll(length, steps, l_states, **settings)
        turned = _sequences.turned(steps, valid_length)
        back, r_states = right.unroll(length, turned, r_states, **settings)
        back = _sequences.turned(back, valid_length)
        merge = valid_length is not None if merge_outputs is None else merge_outputs
        return self._joined(forth, back, layout, merge), l_states + r_states

    @staticmethod
    def _joined(forth, back, layout, merge):
        if merge:
            return _concatenate([_sequences.merged(one, layout) for one in (forth, back)], -1)
        return [_concatenate(pair, -1) for pair in zip(forth, back, strict=True)]
